// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L // clock_gettime
#include "runtime/backends/backend.h"
#include "runtime/backends/cpu/cpu_wavefront.h"
#include "runtime/backends/cpu/cpu_work_split.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

// Plays a plan with a team of threads in the layout's own arrays. Every launch is split into one range
// of rows a member; the same range every time, so that it stays in the member's cache.

enum { WAVEFRONT_BODIES = 16 }; // with more bodies than that there are no wavefronts

typedef struct engine {
    slv_memory memory;
    slv_thread_team *team;
    const slv_instruction_set *set;
    char device[128];
    slv_layout layout;
    slv_cpu_clusters clusters;
    slv_cpu_strain strain;
    slv_plan plan;
    int wavefront_length; // launches of a body that are played together; 0: none
    const slv_run *run;
    slv_work_split split;
    uint32_t wavefronts;       // so far, before the run
    uint32_t done;             // steps of the run; written by member 0, as all that follows
    uint32_t wavefronts_after; // wavefronts so far, after the run
    bool timing;               // stages are timed
    slv_timing totals;
} engine;

// --- Playing ----------------------------------------------------------------------------------------

// The state of one member.
typedef struct player {
    engine *engine;
    slv_launch launch;
    uint32_t member;
    uint32_t members;
    uint32_t wavefronts;
    uint32_t held; // launches that wait to be played as wavefronts
    int held_of_body[WAVEFRONT_BODIES];
    bool pending; // other members may still be playing launches that are not part of a wavefront
    const slv_plan_launch *launches[WAVEFRONT_BODIES * SLV_WAVEFRONT_LIMIT];
} player;

slv_cpu_arrays slv_cpu_get_arrays(void *context, int body) {
    engine *self = context;
    return (slv_cpu_arrays){self->layout.state, self->layout.table, &self->clusters,
                            slv_cpu_strain_tiles(&self->strain, body)};
}

static void play_rows(const player *self, const slv_plan_launch *launch, int from, int to) {
    const slv_cpu_arrays arrays = slv_cpu_get_arrays(self->engine, launch->body);
    if (from < to) {
        self->engine->set->kernels[launch->kernel](
            &arrays, &self->engine->layout.bodies[launch->body], &self->launch, from, to);
    }
}

// The first row of a member's range; for the number of members, the end of the launch.
static int first_row(const player *self, const slv_plan_launch *launch, uint32_t member) {
    int64_t rows = launch->end - launch->first;
    return launch->first + (int)(rows * member / self->members);
}

static void play_launch(player *self, const slv_plan_launch *launch) {
    slv_plan_set_launch(&self->launch, launch);
    const slv_work_split *split = &self->engine->split;
    if (self->members > 1 && slv_work_split_has(split, launch)) {
        slv_work_cursor cursor = slv_work_begin(split, launch, self->member);
        for (int from, to; slv_work_next(&cursor, &from, &to);) {
            play_rows(self, launch, from, to);
        }
    } else {
        play_rows(self, launch, first_row(self, launch, self->member),
                  first_row(self, launch, self->member + 1));
    }
}

// Whether a launch has nothing to do. The CPU finds neighbors by clusters and seldom sorts points
// (cpu_clusters.inl); whether it does is known before the first of these launches.
static bool is_idle(const engine *self, int kernel) {
    return (slv_kernel_infos[kernel].traits & SLV_SORT) != 0 && !self->clusters.sorts;
}

static double seconds_now(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// Plays the held launches of one body.
static void play_body(player *self, uint32_t body) {
    const slv_layout *layout = &self->engine->layout;
    slv_wavefront wavefront = {.arrays = slv_cpu_get_arrays(self->engine, (int)body),
                               .body_layout = &layout->bodies[body],
                               .number = ++self->wavefronts};
    for (uint32_t i = 0; i < self->held; i++) {
        const slv_plan_launch *launch = self->launches[i];
        if (launch->body == (int)body) {
            slv_wavefront_step *step = &wavefront.steps[wavefront.count++];
            step->kernel = self->engine->set->kernels[launch->kernel];
            step->launch = self->launch;
            slv_plan_set_launch(&step->launch, launch);
        }
    }
    slv_wavefront_play(&wavefront, self->engine->team, self->member, self->members);
}

static void play_held(player *self) {
    if (self->held == 0) {
        return;
    }
    for (uint32_t i = 0; i < self->engine->layout.body_count; i++) {
        play_body(self, i);
        self->held_of_body[i] = 0;
    }
    self->held = 0;
    slv_thread_team_wait(self->engine->team, self->member);
}

// Holds a launch back for a wavefront. False where it must be played by itself.
static bool hold(player *self, const slv_plan_launch *launch) {
    const int most = self->engine->wavefront_length;
    if (most == 0 || !slv_wavefront_accepts(launch, &self->engine->layout.bodies[launch->body])) {
        return false;
    }
    if (self->pending) { // the barrier before this launch may belong to a held one
        slv_thread_team_wait(self->engine->team, self->member);
        self->pending = false;
    }
    if (self->held_of_body[launch->body] == most) {
        play_held(self);
    }
    self->held_of_body[launch->body]++;
    self->launches[self->held++] = launch;
    return true;
}

// A launch of a sleeping body is skipped, but not the barrier behind it.
static bool is_asleep(player *self, const slv_plan_launch *launch) {
    const slv_layout *layout = &self->engine->layout;
    if (!(layout->state[layout->bodies[launch->body].asleep] > 0.0f)) {
        return false;
    }
    if (launch->barrier && self->pending) {
        slv_thread_team_wait(self->engine->team, self->member);
        self->pending = false;
    }
    return true;
}

// Launches that can be part of a wavefront are held until there are enough of them or another launch
// comes.
static void play(player *self, slv_stage stage) {
    bool timing = self->engine->timing && self->member == 0;
    double begin = timing ? seconds_now() : 0.0;
    uint64_t launches = 0;
    slv_plan_cursor cursor = slv_plan_begin(&self->engine->plan, stage);
    for (const slv_plan_launch *launch; (launch = slv_plan_next(&cursor)) != NULL;) {
        if (is_asleep(self, launch) || is_idle(self->engine, launch->kernel)) {
            continue;
        }
        if (!hold(self, launch)) {
            play_held(self);
            play_launch(self, launch);
            self->pending = !launch->barrier;
            if (launch->barrier) {
                slv_thread_team_wait(self->engine->team, self->member);
            }
        }
        launches++;
    }
    play_held(self);
    if (self->member == 0) {
        slv_stage_timing *total = &self->engine->totals.stages[stage];
        total->launches += launches;
        total->seconds += timing ? seconds_now() - begin : 0.0;
    }
}

// False when the step diverged; then it has been rolled back. The barrier after integration lies
// between reading SLV_DIVERGED and the next kernel that may set it.
static bool play_step(player *self, bool moving) {
    bool diverged = false;
    for (int stage = 0; stage < SLV_STAGE_COUNT; stage++) {
        if (slv_stage_is_due((slv_stage)stage, moving, diverged)) {
            play(self, (slv_stage)stage);
        }
        if (stage == SLV_STAGE_CHECK) {
            diverged = self->engine->layout.state[SLV_DIVERGED] > 0.0f;
        }
    }
    return !diverged;
}

static void play_steps(void *context, uint32_t member) {
    engine *self = context;
    player one = {.engine = self,
                  .launch = self->run->launch,
                  .member = member,
                  .members = slv_thread_team_size(self->team),
                  .wavefronts = self->wavefronts};
    uint32_t done = 0;
    while (done < self->run->count && play_step(&one, done < self->run->move_steps)) {
        one.launch.parity ^= 1;
        one.launch.step++;
        done++;
    }
    if (member == 0) {
        self->done = done;
        self->totals.steps += done;
        self->wavefronts_after = one.wavefronts;
    }
}

static slv_result run(void *context, const slv_run *steps, slv_error *error) {
    (void)error;
    engine *self = context;
    self->run = steps;
    slv_thread_team_run(self->team, play_steps, self);
    self->wavefronts = self->wavefronts_after;
    self->layout.state[SLV_DIVERGED] = 0.0f;
    return SLV_OK;
}

static slv_result finish(void *context, slv_outcome *outcome, slv_error *error) {
    (void)error;
    const engine *self = context;
    *outcome = (slv_outcome){.done = self->done};
    return SLV_OK;
}

static void take_timing(void *context, slv_timing *timing) {
    engine *self = context;
    *timing = self->totals;
    self->totals = (slv_timing){.steps = 0};
}

// --- The engine -------------------------------------------------------------------------------------

// "model name : AMD EPYC" where the system has it; otherwise the instruction set alone.
static void describe_device(char *device, size_t size, const char *instruction_set) {
    char model[80] = "processor";
    char line[256];
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) == 0 && colon && colon[1] == ' ') {
            (void)snprintf(model, sizeof model, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
            break;
        }
    }
    if (file) {
        (void)fclose(file);
    }
    (void)snprintf(device, size, "%s, %s", model, instruction_set);
}

static slv_result create(const slv_engine_def *def, slv_allocator allocator, void **made,
                         slv_error *error) {
    const slv_instruction_set *set = slv_find_instruction_set(def->instruction_set);
    if (!set) {
        return slv_fail(error, SLV_ERROR_UNSUPPORTED,
                        "instruction_set '%s' is not one of this processor's",
                        def->instruction_set);
    }
    slv_memory memory = {.allocator = allocator};
    engine *self = slv_memory_take(&memory, 1, sizeof *self);
    slv_thread_team *team = NULL;
    if (self) {
        uint32_t processors = slv_count_processors();
        uint32_t most = processors < SLV_THREAD_LIMIT ? processors : SLV_THREAD_LIMIT;
        uint32_t threads = def->threads ? def->threads : most;
        team = slv_thread_team_create(threads, def->tasks, &memory);
    }
    if (!team) {
        slv_memory_release(&memory);
        return slv_fail(error, SLV_ERROR_MEMORY, "out of memory");
    }
    *self = (engine){.memory = memory, .team = team, .set = set, .timing = def->timing};
    describe_device(self->device, sizeof self->device, set->name);
    *made = self;
    return SLV_OK;
}

static void destroy(void *context) {
    engine *self = context;
    slv_thread_team_destroy(self->team);
    slv_work_split_destroy(&self->split);
    slv_cpu_clusters_destroy(&self->clusters);
    slv_cpu_strain_destroy(&self->strain);
    slv_memory memory = self->memory;
    slv_memory_release(&memory);
}

static slv_world_device describe(const void *context) {
    const engine *self = context;
    return (slv_world_device){
        .backend = slv_cpu_backend.name,
        .device = self->device,
        .instruction_set = self->set->name,
        .threads = slv_thread_team_size(self->team),
    };
}

// The greatest length of a wavefront that suits all bodies.
static int choose_wavefront_length(const slv_layout *layout, uint32_t members) {
    int shortest = layout->body_count <= WAVEFRONT_BODIES ? SLV_WAVEFRONT_LIMIT : 0;
    for (uint32_t i = 0; i < layout->body_count; i++) {
        bool grid = slv_body_is_grid(&layout->bodies[i]);
        int length = grid ? slv_wavefront_length(&layout->bodies[i], members) : 0;
        shortest = length < shortest ? length : shortest;
    }
    return shortest;
}

static slv_result load(void *context, const slv_layout *layout, const slv_plan *plan,
                       slv_error *error) {
    engine *self = context;
    const uint32_t members = slv_thread_team_size(self->team);
    slv_work_split split;
    slv_cpu_clusters clusters;
    slv_cpu_strain strain;
    if (!slv_work_split_create(&split, plan, members, self->memory.allocator)) {
        return slv_fail(error, SLV_ERROR_MEMORY, "out of memory");
    }
    if (layout && !slv_cpu_clusters_create(&clusters, layout, self->memory.allocator)) {
        slv_work_split_destroy(&split);
        return slv_fail(error, SLV_ERROR_MEMORY, "out of memory");
    }
    if (layout && !slv_cpu_strain_create(&strain, layout, self->memory.allocator)) {
        slv_cpu_clusters_destroy(&clusters);
        slv_work_split_destroy(&split);
        return slv_fail(error, SLV_ERROR_MEMORY, "out of memory");
    }
    if (layout) {
        slv_cpu_strain_destroy(&self->strain);
        self->strain = strain;
        slv_cpu_clusters_destroy(&self->clusters);
        self->clusters = clusters;
        self->layout = *layout;
    }
    slv_work_split_destroy(&self->split);
    self->split = split;
    self->plan = *plan;
    self->wavefront_length = choose_wavefront_length(&self->layout, members);
    return SLV_OK;
}

slv_cpu_clusters *slv_cpu_get_clusters(void *context) {
    engine *self = context;
    return &self->clusters;
}

const slv_backend slv_cpu_backend = {
    .name = "cpu",
    .create = create,
    .destroy = destroy,
    .describe = describe,
    .load = load,
    .run = run,
    .finish = finish,
    .take_timing = take_timing,
};

// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L // clock_gettime
#include "kernels/bins.h"
#include "runtime/backends/backend.h"
#include "runtime/backends/cpu/cpu_wavefront.h"
#include "runtime/backends/cpu/cpu_work_split.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

// The plan, played by a team of threads in the form's own arrays. Every launch is cut into one share of
// rows a member; the same share every time, so that it stays in the member's cache.

enum { WAVE_PARTS = 16 }; // more parts than that go launch by launch

typedef struct engine {
    slv_memory memory;
    slv_thread_team *team;
    const slv_instruction_set *set;
    char device[128];
    slv_layout layout;
    slv_plan plan;
    int wavefront_length; // launches of a part that are played together; 0 = none
    const slv_run *run;
    slv_work_split shares;
    uint32_t waves;         // before the run
    uint32_t done;          // steps of the run; written by member 0, as is all that follows
    uint32_t wavefront_now; // after them
    bool timing;            // measures stages
    slv_timing totals;
} engine;

// --- Playing ----------------------------------------------------------------------------------------

// One member's view.
typedef struct player {
    engine *engine;
    slv_launch launch;
    uint32_t member;
    uint32_t members;
    uint32_t waves;
    uint32_t held; // launches that wait to be played as waves
    int held_of[WAVE_PARTS];
    bool loose; // launches played by themselves may still be under way with other members
    const slv_plan_launch *launches[WAVE_PARTS * SLV_WAVEFRONT_LIMIT];
} player;

static void set_launch(slv_launch *launch, const slv_plan_launch *values) {
    launch->index = values->index;
    launch->first = values->first_iteration;
    launch->relaxation = values->relaxation;
}

static void play_rows(const player *self, const slv_plan_launch *launch, int from, int to) {
    const slv_layout *layout = &self->engine->layout;
    if (from < to) {
        self->engine->set->kernels[launch->kernel](
            layout->state, layout->table, &layout->bodies[launch->body], &self->launch, from, to);
    }
}

// The first row of a member's share, or of the one behind the last member's: the end.
static int first_of_share(const player *self, const slv_plan_launch *launch, uint32_t member) {
    int64_t rows = launch->end - launch->first;
    return launch->first + (int)(rows * member / self->members);
}

static void play_launch(player *self, const slv_plan_launch *launch) {
    set_launch(&self->launch, launch);
    const slv_work_split *shares = &self->engine->shares;
    if (self->members > 1 && slv_work_split_has(shares, launch)) {
        slv_work_cursor walk = slv_work_begin(shares, launch, self->member);
        for (int from, to; slv_work_next(&walk, &from, &to);) {
            play_rows(self, launch, from, to);
        }
    } else {
        play_rows(self, launch, first_of_share(self, launch, self->member),
                  first_of_share(self, launch, self->member + 1));
    }
}

// Whether a launch has nothing to do, nor anybody to wait for: a processor seldom sorts points
// (runtime/backends/cpu/cpu_clusters.inl), and whether it does stands there before the first of these.
static bool is_idle(const slv_layout *layout, int kernel) {
    if (!(slv_kernel_infos[kernel].traits & SLV_SORT)) {
        return false;
    }
    const int scale = layout->table[layout->contact.bins + SLV_BINS_SCALE];
    return !(layout->state[scale + SLV_SCALE_SORTS] > 0.0f);
}

static double seconds_now(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// Those of the launches held back that are of this part.
static void play_body(player *self, uint32_t body) {
    const slv_layout *layout = &self->engine->layout;
    slv_wavefront wave = {.state = layout->state,
                          .table = layout->table,
                          .body_layout = &layout->bodies[body],
                          .number = ++self->waves};
    for (uint32_t i = 0; i < self->held; i++) {
        const slv_plan_launch *launch = self->launches[i];
        if (launch->body == (int)body) {
            slv_wavefront_step *step = &wave.steps[wave.count++];
            step->kernel = self->engine->set->kernels[launch->kernel];
            step->launch = self->launch;
            set_launch(&step->launch, launch);
        }
    }
    slv_wavefront_play(&wave, self->engine->team, self->member, self->members);
}

static void play_held(player *self) {
    if (self->held == 0) {
        return;
    }
    for (uint32_t i = 0; i < self->engine->layout.body_count; i++) {
        play_body(self, i);
        self->held_of[i] = 0;
    }
    self->held = 0;
    slv_thread_team_wait(self->engine->team, self->member);
}

// False where it must be played by itself.
static bool hold(player *self, const slv_plan_launch *launch) {
    const int most = self->engine->wavefront_length;
    if (most == 0 || !slv_wavefront_accepts(launch, &self->engine->layout.bodies[launch->body])) {
        return false;
    }
    if (self->loose) { // the barrier between them and this may be that of a launch held back
        slv_thread_team_wait(self->engine->team, self->member);
        self->loose = false;
    }
    if (self->held_of[launch->body] == most) {
        play_held(self);
    }
    self->held_of[launch->body]++;
    self->launches[self->held++] = launch;
    return true;
}

// A launch of a part that sleeps is left out, but not the barrier behind it.
static bool is_asleep(player *self, const slv_plan_launch *launch) {
    const slv_layout *layout = &self->engine->layout;
    if (!(layout->state[layout->bodies[launch->body].asleep] > 0.0f)) {
        return false;
    }
    if (launch->barrier && self->loose) {
        slv_thread_team_wait(self->engine->team, self->member);
        self->loose = false;
    }
    return true;
}

// Launches that can be part of a wave are held back until there are enough of them or another comes.
static void play(player *self, slv_stage stage) {
    bool timing = self->engine->timing && self->member == 0;
    double begin = timing ? seconds_now() : 0.0;
    uint64_t launches = 0;
    slv_plan_cursor cursor = slv_plan_begin(&self->engine->plan, stage);
    for (const slv_plan_launch *launch; (launch = slv_plan_next(&cursor)) != NULL;) {
        if (is_asleep(self, launch) || is_idle(&self->engine->layout, launch->kernel)) {
            continue;
        }
        if (!hold(self, launch)) {
            play_held(self);
            play_launch(self, launch);
            self->loose = !launch->barrier;
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

// False when the step blew up; then everything is as before it. Between looking at the alarm and the
// next that could raise it lies the barrier after integration.
static bool play_step(player *self, bool moving) {
    play(self, SLV_STAGE_WAKE);
    play(self, SLV_STAGE_INTEGRATE);
    if (moving) {
        play(self, SLV_STAGE_MOVE);
    }
    play(self, SLV_STAGE_SOLVE);
    play(self, SLV_STAGE_CHECK);
    if (self->engine->layout.state[SLV_DIVERGED] > 0.0f) {
        play(self, SLV_STAGE_ROLLBACK);
        return false;
    }
    play(self, SLV_STAGE_SLEEP);
    return true;
}

static void play_steps(void *context, uint32_t member) {
    engine *self = context;
    player one = {.engine = self,
                  .launch = self->run->launch,
                  .member = member,
                  .members = slv_thread_team_size(self->team),
                  .waves = self->waves};
    uint32_t done = 0;
    while (done < self->run->count && play_step(&one, done < self->run->move_steps)) {
        one.launch.parity ^= 1;
        one.launch.step++;
        done++;
    }
    if (member == 0) {
        self->done = done;
        self->totals.steps += done;
        self->wavefront_now = one.waves;
    }
}

static slv_result run(void *context, const slv_run *steps, slv_error *error) {
    (void)error;
    engine *self = context;
    self->run = steps;
    slv_thread_team_run(self->team, play_steps, self);
    self->waves = self->wavefront_now;
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

// "model name : AMD EPYC" where the system tells; otherwise the architecture alone.
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

static slv_result create(const slv_world_def *def, slv_allocator allocator, void **made,
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
    slv_work_split_destroy(&self->shares);
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

// The longest wave that suits all parts.
static int choose_wavefront_length(const slv_layout *layout, uint32_t members) {
    int shortest = layout->body_count <= WAVE_PARTS ? SLV_WAVEFRONT_LIMIT : 0;
    for (uint32_t i = 0; i < layout->body_count; i++) {
        bool grid = layout->bodies[i].stride == 1;
        int length = grid ? slv_wavefront_length(&layout->bodies[i], members) : 0;
        shortest = length < shortest ? length : shortest;
    }
    return shortest;
}

static slv_result load(void *context, const slv_layout *layout, const slv_plan *plan,
                       slv_error *error) {
    engine *self = context;
    slv_work_split shares;
    if (!slv_work_split_create(&shares, plan, slv_thread_team_size(self->team),
                               self->memory.allocator)) {
        return slv_fail(error, SLV_ERROR_MEMORY, "out of memory");
    }
    slv_work_split_destroy(&self->shares);
    self->shares = shares;
    self->layout = layout ? *layout : self->layout;
    self->plan = *plan;
    self->wavefront_length =
        choose_wavefront_length(&self->layout, slv_thread_team_size(self->team));
    return SLV_OK;
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

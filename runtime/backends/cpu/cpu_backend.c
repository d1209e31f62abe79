// SPDX-License-Identifier: MIT
#include "runtime/backends/backend.h"
#include "runtime/backends/cpu/cpu_engine.h"
#include "runtime/backends/cpu/cpu_member.h"
#include "runtime/backends/cpu/cpu_wavefront.h"

#include <stdio.h>
#include <string.h>

// Plays a plan with a team of threads in the layout's own arrays (cpu_schedule.h, cpu_member.h).

typedef struct engine {
    slv_memory memory;
    slv_cpu_team_data data;
    char device[128];
    slv_schedule_costs costs;
    const slv_run *run;
    slv_cpu_member *members; // [size of the team]
    uint64_t steps;          // since the times were last taken
} engine;

static void play_steps(void *context, uint32_t member) {
    engine *self = context;
    slv_cpu_play_steps(&self->data, self->run, member, &self->members[member]);
}

static slv_result run(void *context, const slv_run *steps, slv_error *error) {
    (void)error;
    engine *self = context;
    self->run = steps;
    for (uint32_t m = 1; m < slv_thread_team_size(self->data.team); m++) {
        self->members[m].wavefronts = self->members[0].wavefronts; // of members that rested, too
    }
    slv_thread_team_run(self->data.team, self->data.schedule.division.members, play_steps, self);
    self->data.layout.state[SLV_DIVERGED] = 0.0f;
    self->steps += self->members[0].done;
    return SLV_OK;
}

static slv_result finish(void *context, slv_outcome *outcome, slv_error *error) {
    (void)error;
    const engine *self = context;
    *outcome = (slv_outcome){.done = self->members[0].done};
    return SLV_OK;
}

static void take_timing(void *context, slv_timing *timing) {
    engine *self = context;
    *timing = (slv_timing){.steps = self->steps};
    for (uint32_t m = 0; m < slv_thread_team_size(self->data.team); m++) {
        for (int stage = 0; stage < SLV_STAGE_COUNT; stage++) {
            slv_stage_timing *of_member = &self->members[m].stages[stage];
            timing->stages[stage].launches += of_member->launches;
            timing->stages[stage].seconds += of_member->seconds;
            *of_member = (slv_stage_timing){.name = NULL};
        }
    }
    self->steps = 0;
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
    slv_cpu_member *members = NULL;
    if (self) {
        uint32_t processors = slv_count_processors();
        uint32_t most = processors < SLV_THREAD_LIMIT ? processors : SLV_THREAD_LIMIT;
        uint32_t threads = def->threads ? def->threads : most;
        team = slv_thread_team_create(threads, def->tasks, &memory);
        members = slv_memory_take(&memory, threads, sizeof *members);
    }
    if (!team || !members) {
        slv_thread_team_destroy(team);
        slv_memory_release(&memory);
        return slv_fail(error, SLV_ERROR_MEMORY, "out of memory");
    }
    *self = (engine){.memory = memory,
                     .data = {.team = team, .set = set, .timing = def->timing},
                     .costs = slv_schedule_get_costs(slv_thread_team_spins(team)),
                     .members = members};
    describe_device(self->device, sizeof self->device, set->name);
    *made = self;
    return SLV_OK;
}

static void destroy(void *context) {
    engine *self = context;
    slv_thread_team_destroy(self->data.team);
    slv_work_split_destroy(&self->data.split);
    slv_schedule_destroy(&self->data.schedule);
    slv_cpu_clusters_destroy(&self->data.clusters);
    slv_cpu_strain_destroy(&self->data.strain);
    slv_memory memory = self->memory;
    slv_memory_release(&memory);
}

static slv_world_device describe(const void *context) {
    const engine *self = context;
    return (slv_world_device){
        .backend = slv_cpu_backend.name,
        .device = self->device,
        .instruction_set = self->data.set->name,
        .threads = slv_thread_team_size(self->data.team),
    };
}

// The greatest length of a wavefront that suits all large garments; 0 where one is no grid.
static int choose_wavefront_length(const slv_schedule *schedule, const slv_layout *layout) {
    int shortest = schedule->division.shared_count > 0 ? SLV_WAVEFRONT_LIMIT : 0;
    for (uint32_t i = 0; i < schedule->division.shared_count; i++) {
        const slv_body_layout *body_layout = &layout->bodies[schedule->division.shared[i]];
        const int length = slv_body_is_grid(body_layout)
                               ? slv_wavefront_length(body_layout, schedule->division.members)
                               : 0;
        shortest = length < shortest ? length : shortest;
    }
    return shortest;
}

// Tables for a plan.
static bool make_tables(const engine *self, const slv_layout *layout, const slv_plan *plan,
                        slv_schedule *schedule, slv_work_split *split) {
    const slv_allocator allocator = self->memory.allocator;
    if (!slv_schedule_create(schedule, layout, plan, slv_thread_team_size(self->data.team),
                             &self->costs, allocator)) {
        return false;
    }
    if (!slv_work_split_create(split, plan, schedule->group_count, schedule->division.members,
                               allocator)) {
        slv_schedule_destroy(schedule);
        return false;
    }
    return true;
}

// Tables for a layout.
static bool make_arrays(const engine *self, const slv_layout *layout, slv_cpu_clusters *clusters,
                        slv_cpu_strain *strain) {
    if (!slv_cpu_clusters_create(clusters, layout, self->memory.allocator)) {
        return false;
    }
    if (!slv_cpu_strain_create(strain, layout, self->memory.allocator)) {
        slv_cpu_clusters_destroy(clusters);
        return false;
    }
    return true;
}

static slv_result load(void *context, const slv_layout *layout, const slv_plan *plan,
                       slv_error *error) {
    engine *self = context;
    slv_cpu_team_data *data = &self->data;
    const slv_layout *loaded = layout ? layout : &data->layout;
    slv_schedule schedule;
    slv_work_split split;
    slv_cpu_clusters clusters;
    slv_cpu_strain strain;
    if (!make_tables(self, loaded, plan, &schedule, &split)) {
        return slv_fail(error, SLV_ERROR_MEMORY, "out of memory");
    }
    if (layout && !make_arrays(self, layout, &clusters, &strain)) {
        slv_schedule_destroy(&schedule);
        slv_work_split_destroy(&split);
        return slv_fail(error, SLV_ERROR_MEMORY, "out of memory");
    }
    if (layout) {
        slv_cpu_strain_destroy(&data->strain);
        data->strain = strain;
        slv_cpu_clusters_destroy(&data->clusters);
        data->clusters = clusters;
        data->layout = *layout;
    }
    slv_schedule_destroy(&data->schedule);
    data->schedule = schedule;
    slv_work_split_destroy(&data->split);
    data->split = split;
    data->wavefront_length = choose_wavefront_length(&schedule, &data->layout);
    return SLV_OK;
}

slv_cpu_arrays slv_cpu_get_arrays(void *context, int body) {
    engine *self = context;
    return slv_cpu_team_data_get_arrays(&self->data, body);
}

slv_cpu_clusters *slv_cpu_get_clusters(void *context) {
    engine *self = context;
    return &self->data.clusters;
}

const slv_schedule *slv_cpu_get_schedule(const void *context) {
    const engine *self = context;
    return &self->data.schedule;
}

void slv_cpu_set_costs(void *context, slv_schedule_costs costs) {
    engine *self = context;
    self->costs = costs;
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

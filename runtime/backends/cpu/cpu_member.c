// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L // clock_gettime
#include "runtime/backends/cpu/cpu_member.h"

#include "runtime/backends/cpu/cpu_wavefront.h"

#include <time.h>

// A member in a run. Every launch over a common body or a large garment is split into one range of rows a member;
// the same range every time, so that it stays in the member's cache.
typedef struct team_member {
    slv_cpu_team_data *data;
    slv_cpu_member *member;
    slv_launch launch;
    uint32_t number, members;
    bool moving;   // the step has moves
    bool diverged; // what its check found; false before
    bool pending;  // other members may still be playing launches that came since the last wait
    bool due;      // they must have finished before the next launch
    bool fresh;    // others may not have read yet what the last check for divergence found
    int stage;     // of the latest launch
    double since;  // seconds, of the clock: when that stage began
    uint32_t held; // launches that wait to be played as wavefronts
    int held_of[SLV_SHARED_BODIES];
    const slv_plan_launch *launches[SLV_SHARED_BODIES * SLV_WAVEFRONT_LIMIT];
} team_member;

slv_cpu_arrays slv_cpu_team_data_get_arrays(slv_cpu_team_data *data, int body) {
    return (slv_cpu_arrays){data->layout.state, data->layout.table, &data->clusters,
                            slv_cpu_strain_tiles(&data->strain, body)};
}

// --- Waiting and timing -----------------------------------------------------------------------------

static void wait_for_all(team_member *self) {
    slv_thread_team_wait(self->data->team, self->number);
    self->pending = self->due = self->fresh = false;
}

static void settle(team_member *self) {
    if (self->due) {
        wait_for_all(self);
    }
}

static double seconds_now(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// Times are those of the first member.
static bool is_timed(const team_member *self) {
    return self->data->timing && self->number == 0;
}

static void add_time(team_member *self) {
    if (is_timed(self)) {
        const double now = seconds_now();
        self->member->stages[self->stage].seconds += now - self->since;
        self->since = now;
    }
}

static void enter_stage(team_member *self, int stage) {
    if (stage != self->stage) {
        add_time(self);
        self->stage = stage;
    }
}

// --- Launches ---------------------------------------------------------------------------------------

static bool is_asleep(const team_member *self, int body) {
    const slv_layout *layout = &self->data->layout;
    return layout->state[layout->bodies[body].asleep] > 0.0f;
}

// Whether a launch has nothing to do. The CPU finds neighbors by clusters and seldom sorts points
// (cpu_clusters.inl); whether it does is known before the first of these launches.
static bool is_idle(const team_member *self, int kernel) {
    return (slv_kernel_infos[kernel].traits & SLV_SORT) != 0 && !self->data->clusters.sorts;
}

static void play_rows(team_member *self, const slv_plan_launch *launch, int from, int to) {
    slv_cpu_team_data *data = self->data;
    const slv_cpu_arrays arrays = slv_cpu_team_data_get_arrays(data, launch->body);
    if (from < to) {
        data->set->kernels[launch->kernel](&arrays, &data->layout.bodies[launch->body],
                                           &self->launch, from, to);
    }
}

// The first row of a member's range; for the number of members, the end of the launch.
static int first_row(const team_member *self, const slv_plan_launch *launch, uint32_t member) {
    int64_t rows = launch->end - launch->first;
    return launch->first + (int)(rows * member / self->members);
}

static void play_launch(team_member *self, const slv_plan_launch *launch) {
    slv_plan_set_launch(&self->launch, launch);
    const slv_work_split *split = &self->data->split;
    if (self->members > 1 && slv_work_split_has(split, launch)) {
        slv_work_cursor cursor = slv_work_begin(split, launch, self->number);
        for (int from, to; slv_work_next(&cursor, &from, &to);) {
            play_rows(self, launch, from, to);
        }
    } else {
        play_rows(self, launch, first_row(self, launch, self->number),
                  first_row(self, launch, self->number + 1));
    }
}

// --- Wavefronts -------------------------------------------------------------------------------------

static slv_wavefront begin_wavefront(team_member *self, int body) {
    return (slv_wavefront){.arrays = slv_cpu_team_data_get_arrays(self->data, body),
                           .body_layout = &self->data->layout.bodies[body]};
}

static void add_to_wavefront(const team_member *self, slv_wavefront *wavefront,
                             const slv_plan_launch *launch) {
    slv_wavefront_step *step = &wavefront->steps[wavefront->count++];
    step->kernel = self->data->set->kernels[launch->kernel];
    step->launch = self->launch;
    slv_plan_set_launch(&step->launch, launch);
}

// Plays the held launches of one body.
static void play_body(team_member *self, int body) {
    slv_wavefront wavefront = begin_wavefront(self, body);
    wavefront.number = ++self->member->wavefronts;
    for (uint32_t i = 0; i < self->held; i++) {
        if (self->launches[i]->body == body) {
            add_to_wavefront(self, &wavefront, self->launches[i]);
        }
    }
    slv_wavefront_play(&wavefront, self->data->team, self->number, self->members);
}

static void play_held(team_member *self) {
    const slv_schedule *schedule = &self->data->schedule;
    if (self->held == 0) {
        return;
    }
    for (uint32_t i = 0; i < schedule->division.shared_count; i++) {
        play_body(self, schedule->division.shared[i]);
        self->held_of[i] = 0;
    }
    self->held = 0;
    self->due = true;
}

// Holds a launch back for a wavefront. False where it must be played by itself.
static bool hold(team_member *self, const slv_plan_launch *launch) {
    const slv_cpu_team_data *data = self->data;
    const int most = data->wavefront_length;
    if (most == 0 || (uint32_t)launch->body >= data->layout.body_count ||
        !slv_wavefront_accepts(launch, &data->layout.bodies[launch->body])) {
        return false;
    }
    const int number = data->schedule.division.shared_number[launch->body];
    if (self->held_of[number] == most) {
        play_held(self);
    }
    if (self->pending || self->due) { // the barrier before this launch may belong to a held one
        wait_for_all(self);
    }
    self->held_of[number]++;
    self->launches[self->held++] = launch;
    return true;
}

// Plays a launch by the whole team, or holds it until there are enough for a wavefront or another launch comes.
static void play_together(team_member *self, const slv_schedule_entry *entry) {
    const slv_plan_launch *launch = entry->launch;
    if (self->data->timing &&
        entry->stage != self->stage) { // a wavefront has launches of one stage
        play_held(self);
    }
    enter_stage(self, entry->stage);
    settle(self); // earlier launches decide what sleeps and what is idle
    if (!slv_stage_is_due((slv_stage)entry->stage, self->moving, self->diverged) ||
        is_asleep(self, launch->body) || is_idle(self, launch->kernel)) {
        self->due = entry->barrier && self->pending;
        return;
    }
    self->member->stages[entry->stage].launches += self->number == 0 ? 1 : 0;
    if (!hold(self, launch)) {
        play_held(self);
        settle(self);
        play_launch(self, launch);
        self->pending = true;
        self->due = entry->barrier;
    }
}

// --- Small garments ---------------------------------------------------------------------------------

// Plays the launches that were collected for a body, from the first row to the last.
static void finish_alone(slv_wavefront *wavefront) {
    if (wavefront->count > 0) {
        slv_wavefront_play(wavefront, NULL, 0, 1);
        wavefront->count = 0;
    }
}

// Plays all launches of a body. One that is too large for the cache is played by wavefronts.
static void play_alone(team_member *self, const slv_schedule_list *list) {
    slv_cpu_team_data *data = self->data;
    if (is_asleep(self, list->body)) {
        return;
    }
    const slv_body_layout *body_layout = &data->layout.bodies[list->body];
    const int most = slv_body_is_grid(body_layout) && slv_wavefront_pays(body_layout)
                         ? slv_wavefront_length(body_layout, 1)
                         : 0;
    slv_wavefront wavefront = begin_wavefront(self, list->body);
    slv_schedule_cursor cursor = slv_schedule_begin(&data->schedule, list);
    for (const slv_schedule_entry *entry; (entry = slv_schedule_next(&cursor)) != NULL;) {
        const slv_plan_launch *launch = entry->launch;
        if (!slv_stage_is_due((slv_stage)entry->stage, self->moving, self->diverged)) {
            continue;
        }
        enter_stage(self, entry->stage);
        self->member->stages[entry->stage].launches++;
        const bool accepted = most > 0 && slv_wavefront_accepts(launch, body_layout);
        if (!accepted || wavefront.count == most) {
            finish_alone(&wavefront);
        }
        if (accepted) {
            add_to_wavefront(self, &wavefront, launch);
        } else {
            slv_plan_set_launch(&self->launch, launch);
            play_rows(self, launch, launch->first, launch->end);
        }
    }
    finish_alone(&wavefront);
}

static void play_group(team_member *self, uint32_t number) {
    const slv_cpu_team_data *data = self->data;
    const slv_schedule_group *group = &data->schedule.groups[number];
    const slv_schedule_list *lists = data->schedule.lists + group->first_list;
    play_held(self);
    if (self->due || self->fresh) {
        wait_for_all(self);
    }
    slv_schedule_cursor cursor = slv_schedule_begin(&data->schedule, &group->team);
    for (const slv_schedule_entry *entry; (entry = slv_schedule_next(&cursor)) != NULL;) {
        play_together(self, entry);
    }
    play_held(self);
    if (self->members == 1) {
        for (uint32_t i = 0; i < group->list_count; i++) {
            play_alone(self, &lists[i]);
        }
    } else if (group->list_count > 0) {
        slv_work_cursor work =
            slv_work_begin_group(&data->split, number, group->list_count, self->number);
        for (int from, to; slv_work_next(&work, &from, &to);) {
            for (int i = from; i < to; i++) {
                play_alone(self, &lists[i]);
            }
        }
    }
    self->pending = self->due = true;
}

// --- Steps ------------------------------------------------------------------------------------------

static void play_sequence(team_member *self, slv_sequence sequence) {
    const slv_schedule *schedule = &self->data->schedule;
    slv_schedule_cursor cursor = slv_schedule_begin(schedule, &schedule->sequences[sequence]);
    if (is_timed(self)) {
        self->since = seconds_now();
    }
    for (const slv_schedule_entry *entry; (entry = slv_schedule_next(&cursor)) != NULL;) {
        if (entry->kind == SLV_ENTRY_GROUP) {
            play_group(self, entry->number);
        } else {
            play_together(self, entry);
        }
    }
    play_held(self);
    if (self->pending || self->due) {
        wait_for_all(self);
    }
    add_time(self);
}

// False when the step diverged; then it has been rolled back. Kernels that set SLV_DIVERGED are in groups: no member
// begins the next one before all have read it.
static bool play_step(team_member *self) {
    self->diverged = false;
    play_sequence(self, SLV_SEQUENCE_STEP);
    self->diverged = self->data->layout.state[SLV_DIVERGED] > 0.0f;
    self->fresh = true;
    play_sequence(self, self->diverged ? SLV_SEQUENCE_ROLLBACK : SLV_SEQUENCE_SLEEP);
    return !self->diverged;
}

void slv_cpu_play_steps(slv_cpu_team_data *data, const slv_run *run, uint32_t number,
                        slv_cpu_member *member) {
    team_member self = {.data = data,
                        .member = member,
                        .launch = run->launch,
                        .number = number,
                        .members = data->schedule.division.members};
    member->done = 0;
    for (bool goes_on = true; goes_on && member->done < run->count;) {
        self.moving = member->done < run->move_steps;
        goes_on = play_step(&self);
        self.launch.parity ^= 1;
        self.launch.step++;
        member->done += goes_on ? 1 : 0;
    }
}

// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "runtime/player/app/sim_thread.h"

#include "runtime/player/view/gl_interop.h"
#include "tools/common/console.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

// Seconds.
static const double measure_interval = 0.5; // between measurements, which read all constraints
static const double paused_wait =
    0.004; // between looks for input while paused: a quarter of a picture at 60 Hz
static const double held_wait = 0.001; // between looks for the start
static const double late_limit = 0.1;  // a frame later than this is not caught up
static const double early_limit = 1.0; // a frame due later than this follows a change of speed

static const double smoothing = 0.1; // part of a new real-time factor in the mean: about ten frames

// State of the simulation loop.
typedef struct loop {
    slv_sim_thread *sim;
    double due;              // time of the next frame, seconds
    double measured;         // time of the last measurement
    double real_time_factor; // smoothed
    double last_begin;
    slv_measures measures;
    slv_error error; // the last error
    uint64_t frames;
    bool has_positions; // the last snapshot has positions in host memory
    bool owed;          // a snapshot is still to be published
    double owed_ms;
} loop;

static void wait_for(double seconds) {
    if (seconds > 0.0) {
        const struct timespec time = {(time_t)seconds,
                                      (long)(1e9 * (seconds - (double)(time_t)seconds))};
        (void)nanosleep(&time, NULL);
    }
}

// --- Inputs --------------------------------------------------------------------------------------

bool slv_sim_thread_send(slv_sim_thread *sim, const slv_input *input) {
    const unsigned tail = atomic_load(&sim->tail);
    if (tail - atomic_load(&sim->head) == SLV_QUEUE_ROOM) {
        return false;
    }
    sim->queue[tail % SLV_QUEUE_ROOM] = *input;
    atomic_store(&sim->tail, tail + 1);
    return true;
}

// Applies all queued inputs; true if there was one. During a replay they are discarded.
static bool take_inputs(loop *l) {
    slv_sim_thread *sim = l->sim;
    bool any = false;
    while (atomic_load(&sim->head) != atomic_load(&sim->tail)) {
        const unsigned head = atomic_load(&sim->head);
        slv_input input = sim->queue[head % SLV_QUEUE_ROOM];
        atomic_store(&sim->head, head + 1);
        if (!sim->session->replaying) {
            any = true;
            l->error.text[0] = '\0';
            (void)slv_session_apply(sim->session, &input, &l->error);
        }
    }
    return any;
}

// --- Frames --------------------------------------------------------------------------------------

static void publish(loop *l, double step_ms) {
    slv_sim_thread *sim = l->sim;
    slv_world *world = sim->session->loaded.world;
    slv_snapshot *snapshot = slv_snapshots_get_back(sim->snapshots);
    const double begin = slv_console_seconds();
    l->owed = slv_gl_interop_fill(sim->snapshots, world, 0) == SLV_GL_INTEROP_BUSY;
    l->owed_ms = step_ms;
    if (l->owed) { // drawing is behind and would skip this snapshot
        return;
    }
    const double filled = slv_console_seconds();
    if (begin - l->measured > measure_interval) {
        l->measured = begin;
        (void)slv_world_get_measures(world, &l->measures);
    }
    const double gather = slv_console_seconds();
    (void)slv_session_fill_snapshot(sim->session, snapshot,
                                    atomic_load(&sim->snapshots->want_positions));
    l->has_positions = snapshot->has_positions;
    snapshot->contact_count = 0;
    if (atomic_load(&sim->snapshots->want_contacts)) {
        (void)slv_snapshot_find_contacts(snapshot, world);
    }
    (void)slv_world_get_timing(world, &snapshot->timing);
    (void)slv_world_get_asleep_count(world, &snapshot->asleep);
    snapshot->gather_ms = 1000.0 * (slv_console_seconds() - gather + filled - begin);
    snapshot->step_ms = step_ms;
    snapshot->measures = l->measures;
    snapshot->real_time_factor = l->real_time_factor;
    snapshot->ticks = sim->session->ticks;
    (void)snprintf(snapshot->message, sizeof snapshot->message, "%.250s", l->error.text);
    slv_snapshots_publish(sim->snapshots);
}

static void run_frame(loop *l) {
    slv_sim_thread *sim = l->sim;
    const slv_loaded_scene *loaded = &sim->session->loaded;
    const double begin = slv_console_seconds();
    const double simulated = loaded->steps_per_frame * loaded->time_step;
    if (slv_session_run(sim->session, loaded->steps_per_frame, &l->error) != SLV_OK) {
        atomic_store(&sim->paused, true); // the message shows the error; a restart continues
    }
    const double step_ms = 1000.0 * (slv_console_seconds() - begin) / loaded->steps_per_frame;
    if (l->last_begin > 0.0 && begin > l->last_begin) {
        l->real_time_factor +=
            smoothing * (simulated / (begin - l->last_begin) - l->real_time_factor);
    }
    l->last_begin = begin;
    l->frames++;
    publish(l, step_ms);
    if ((sim->frames > 0 && l->frames >= sim->frames) || slv_session_done(sim->session)) {
        atomic_store(&sim->finished, true);
    }
}

// Waits until the next frame is due. A delay is not caught up by faster frames.
static void keep_pace(loop *l) {
    const unsigned milli = atomic_load(&l->sim->speed_milli);
    const slv_loaded_scene *loaded = &l->sim->session->loaded;
    const double now = slv_console_seconds();
    if (milli == 0) {
        l->due = now;
        return;
    }
    l->due += loaded->steps_per_frame * loaded->time_step * 1000.0 / milli;
    if (l->due < now - late_limit || l->due > now + early_limit) {
        l->due = now;
    }
    wait_for(l->due - now);
}

static void idle(loop *l, bool applied) {
    const bool requested = atomic_load(&l->sim->snapshots->want_positions) && !l->has_positions;
    if (applied || l->owed || requested) {
        publish(l, applied ? 0.0 : l->owed_ms);
    }
    l->last_begin = 0.0;
    wait_for(paused_wait);
    l->due = slv_console_seconds();
}

static void *simulate(void *argument) {
    slv_sim_thread *sim = argument;
    loop l = {
        .sim = sim, .due = slv_console_seconds(), .real_time_factor = 1.0, .has_positions = true};
    const bool gl_interop = sim->snapshots->gl_interop; // may be refused later
    if (gl_interop) {
        sim->shared_context.enter(sim->shared_context.context);
    }
    while (atomic_load(&sim->held) && !atomic_load(&sim->stop)) {
        wait_for(held_wait);
        l.due = slv_console_seconds();
    }
    while (!atomic_load(&sim->stop)) {
        const bool applied = take_inputs(&l);
        const bool single = atomic_load(&sim->single_frames) > 0;
        if (atomic_load(&sim->finished) || (atomic_load(&sim->paused) && !single)) {
            idle(&l, applied);
            continue;
        }
        if (single) {
            (void)atomic_fetch_sub(&sim->single_frames, 1);
        }
        run_frame(&l);
        keep_pace(&l);
    }
    (void)take_inputs(&l); // inputs before the end belong to the recording
    if (gl_interop) {
        slv_gl_interop_forget(sim->snapshots, sim->session->loaded.world);
        sim->shared_context.leave(sim->shared_context.context);
    }
    return NULL;
}

// --- Starting and stopping -----------------------------------------------------------------------

slv_result slv_sim_thread_start(slv_sim_thread *sim, slv_session *session, slv_snapshots *snapshots,
                                uint64_t frames, slv_error *error) {
    sim->session = session;
    sim->snapshots = snapshots;
    sim->frames = frames;
    atomic_store(&sim->stop, false);
    atomic_store(&sim->finished, false);
    atomic_store(&sim->head, 0);
    atomic_store(&sim->tail, 0);
    const int failure = pthread_create(&sim->thread, NULL, simulate, sim);
    sim->started = failure == 0;
    return sim->started
               ? SLV_OK
               : slv_fail(error, SLV_ERROR_MEMORY, "cannot start a thread: %s", strerror(failure));
}

void slv_sim_thread_stop(slv_sim_thread *sim) {
    if (sim->started) {
        atomic_store(&sim->stop, true);
        (void)pthread_join(sim->thread, NULL);
        sim->started = false;
    }
}

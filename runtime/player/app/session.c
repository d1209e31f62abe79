// SPDX-License-Identifier: MIT
#include "runtime/player/app/session.h"

#include <inttypes.h>
#include <string.h>

static const double flight_seconds = 2.0; // lifetime of a ball

static slv_result world_failed(const slv_session *session, slv_result status, slv_error *error) {
    return slv_fail(error, status, "%s", slv_world_get_message(session->loaded.world));
}

// --- Inputs --------------------------------------------------------------------------------------

static slv_result release(slv_session *session) {
    slv_grip *grip = &session->grip;
    uint32_t freed[SLV_GRAB_MOST];
    uint32_t count = 0;
    for (uint32_t i = 0; i < grip->count; i++) {
        if (!grip->was_fixed[i]) {
            freed[count++] = grip->particles[i];
        }
    }
    const slv_garment_id id = slv_world_get_garment(session->loaded.world, grip->garment);
    grip->count = 0;
    return count > 0 ? slv_garment_set_fixed(session->loaded.world, id, freed, count, false)
                     : SLV_OK;
}

static slv_result grab(slv_session *session, const slv_input *input) {
    slv_world *world = session->loaded.world;
    const slv_garment_id id = slv_world_get_garment(world, input->garment);
    slv_grip *grip = &session->grip;
    slv_particle_view view;
    slv_garment_structure structure;
    slv_result status = release(session);
    if (status == SLV_OK) {
        status = slv_garment_get_structure(world, id, &structure);
    }
    if (status == SLV_OK) {
        status = slv_garment_get_positions(world, id, &view);
    }
    for (uint32_t i = 0; status == SLV_OK && i < input->count; i++) {
        const uint32_t p = input->particles[i];
        if (p >= view.count) {
            return SLV_ERROR_ARGUMENT;
        }
        slv_particle_view_get(&view, p, grip->positions[i]);
        grip->was_fixed[i] = structure.fixed[p];
    }
    if (status == SLV_OK) {
        status = slv_garment_set_fixed(world, id, input->particles, input->count, true);
    }
    if (status == SLV_OK) {
        grip->garment = input->garment;
        grip->count = input->count;
        memcpy(grip->particles, input->particles, input->count * sizeof *input->particles);
    }
    return status;
}

static slv_result pull(slv_session *session, const slv_input *input) {
    const slv_grip *grip = &session->grip;
    float targets[SLV_GRAB_MOST][3];
    for (uint32_t i = 0; i < grip->count; i++) {
        for (int d = 0; d < 3; d++) {
            targets[i][d] = grip->positions[i][d] + input->vector[d];
        }
    }
    return grip->count == 0
               ? SLV_OK
               : slv_garment_move_fixed(session->loaded.world,
                                        slv_world_get_garment(session->loaded.world, grip->garment),
                                        grip->particles, grip->count, &targets[0][0],
                                        session->loaded.steps_per_frame);
}

// --- Balls ---------------------------------------------------------------------------------------

static slv_result remove_ball(slv_session *session, slv_ball *ball) {
    const bool flies = ball->flies;
    ball->flies = false;
    return flies ? slv_world_remove_collider(session->loaded.world, ball->id) : SLV_OK;
}

static slv_result throw_ball(slv_session *session, const slv_input *input) {
    slv_ball *ball = &session->balls[session->next_ball];
    slv_collider_def def = slv_default_collider_def();
    slv_result status = remove_ball(session, ball);
    def.kind = SLV_COLLIDER_SPHERE;
    def.radius = SLV_BALL_RADIUS;
    slv_world_get_origin(session->loaded.world, def.position);
    for (int d = 0; d < 3; d++) { // inputs are relative to the origin, as all that is drawn
        def.position[d] += (double)input->vector[d];
    }
    memcpy(def.velocity, input->velocity, sizeof def.velocity);
    if (status == SLV_OK) {
        status = slv_world_add_collider(session->loaded.world, &def, &ball->id);
    }
    if (status == SLV_OK) {
        ball->flies = true;
        ball->end = session->ticks + (uint64_t)(flight_seconds / session->loaded.time_step);
        session->next_ball = (session->next_ball + 1) % SLV_BALLS_MOST;
    }
    return status;
}

// Removes balls at the end of their lifetime. Limits *steps to the end of the next ball.
static slv_result remove_old_balls(slv_session *session, uint64_t *steps) {
    slv_result status = SLV_OK;
    for (int i = 0; i < SLV_BALLS_MOST && status == SLV_OK; i++) {
        slv_ball *ball = &session->balls[i];
        if (ball->flies && ball->end <= session->ticks) {
            status = remove_ball(session, ball);
        } else if (ball->flies && ball->end - session->ticks < *steps) {
            *steps = ball->end - session->ticks;
        }
    }
    return status;
}

static slv_result reset(slv_session *session) {
    for (int i = 0; i < SLV_BALLS_MOST; i++) {
        (void)remove_ball(session, &session->balls[i]);
    }
    session->next_ball = 0;
    session->grip.count = 0;
    return slv_world_reset(session->loaded.world);
}

static slv_result apply(slv_session *session, const slv_input *input) {
    switch (input->kind) {
    case SLV_INPUT_GRAB:
        return grab(session, input);
    case SLV_INPUT_PULL:
        return pull(session, input);
    case SLV_INPUT_RELEASE:
        return release(session);
    case SLV_INPUT_PARAMETERS:
        return slv_world_set_parameters(session->loaded.world, &input->parameters);
    case SLV_INPUT_RESET:
        return reset(session);
    case SLV_INPUT_BALL:
        return throw_ball(session, input);
    case SLV_INPUT_CUT:
        return slv_garment_cut(session->loaded.world,
                               slv_world_get_garment(session->loaded.world, input->garment),
                               input->particles, input->count);
    case SLV_INPUT_KINDS:
        break;
    }
    return SLV_OK;
}

slv_result slv_session_apply(slv_session *session, slv_input *input, slv_error *error) {
    input->tick = session->ticks;
    const slv_result status = apply(session, input);
    return status == SLV_OK ? slv_input_record(&session->recorder, input, error)
                            : world_failed(session, status, error);
}

// --- Stepping ------------------------------------------------------------------------------------

bool slv_session_done(const slv_session *session) {
    return session->replaying && session->ticks >= session->log.ticks;
}

// Applies the inputs that are due. Limits *steps to the next input.
static slv_result replay(slv_session *session, uint64_t *steps, slv_error *error) {
    const slv_input_log *log = &session->log;
    slv_result result = SLV_OK;
    while (result == SLV_OK && session->next < log->count &&
           log->inputs[session->next].tick <= session->ticks) {
        slv_input input = log->inputs[session->next++];
        result = slv_session_apply(session, &input, error);
    }
    uint64_t until = log->ticks - session->ticks;
    if (session->next < log->count && log->inputs[session->next].tick - session->ticks < until) {
        until = log->inputs[session->next].tick - session->ticks;
    }
    *steps = until < *steps ? until : *steps;
    return result;
}

// Exports a frame at its end; until_frame limits the steps so that a frame ends there.
static slv_result export_frame(slv_session *session, slv_error *error) {
    if (!session->exporter || session->ticks % session->loaded.steps_per_frame != 0) {
        return SLV_OK;
    }
    const slv_result status = slv_export_frame(session->exporter, session->loaded.world);
    return status == SLV_OK ? SLV_OK : world_failed(session, status, error);
}

static uint64_t until_frame(const slv_session *session, uint64_t steps) {
    const uint64_t frame = session->loaded.steps_per_frame;
    const uint64_t left = frame - session->ticks % frame;
    return session->exporter && left < steps ? left : steps;
}

slv_result slv_session_run(slv_session *session, uint32_t steps, slv_error *error) {
    uint64_t left = steps;
    while (left > 0 && !slv_session_done(session)) {
        uint64_t now = until_frame(session, left);
        if (session->replaying) {
            const slv_result result = replay(session, &now, error);
            if (result != SLV_OK) {
                return result;
            }
        }
        slv_result status = remove_old_balls(session, &now);
        if (status != SLV_OK) {
            return world_failed(session, status, error);
        }
        const uint64_t before = slv_world_get_step_count(session->loaded.world);
        status = slv_world_step(session->loaded.world, (uint32_t)now);
        if (status != SLV_OK) {
            session->ticks += slv_world_get_step_count(session->loaded.world) - before;
            return world_failed(session, status, error);
        }
        session->ticks += now;
        left -= now;
        const slv_result result = export_frame(session, error);
        if (result != SLV_OK) {
            return result;
        }
    }
    return SLV_OK;
}

// --- Opening and closing -------------------------------------------------------------------------

static slv_result open_replay(slv_session *session, const char *path, uint64_t hash,
                              slv_error *error) {
    const slv_result result = slv_input_log_read(&session->log, path, error);
    if (result != SLV_OK) {
        return result;
    }
    session->replaying = true;
    if (!session->log.begin.any && session->log.begin.value != hash) {
        return slv_fail(
            error, SLV_ERROR_CONTENT,
            "%.300s: was recorded with another scene, pack or settings: its first state is "
            "%016" PRIx64 ", here it is %016" PRIx64,
            path, session->log.begin.value, hash);
    }
    return SLV_OK;
}

// The state before the first step is frame 0.
static slv_result open_export(slv_session *session, const slv_play_request *request,
                              slv_error *error) {
    const slv_loaded_scene *loaded = &session->loaded;
    slv_export_def def = slv_default_export_def();
    def.path = request->export_file;
    def.what = (slv_export_what)request->export_what;
    def.frame_rate = 1.0 / (loaded->steps_per_frame * loaded->time_step);
    const slv_result status = slv_export_open(loaded->world, &def, &session->exporter);
    return status == SLV_OK ? export_frame(session, error) : world_failed(session, status, error);
}

static slv_result finish_export(slv_session *session, slv_error *error) {
    slv_export *exporter = session->exporter;
    session->exporter = NULL;
    const slv_result status =
        exporter ? slv_export_finish(exporter, session->loaded.world) : SLV_OK;
    return status == SLV_OK ? SLV_OK : world_failed(session, status, error);
}

slv_result slv_session_open(slv_session *session, const slv_play_request *request,
                            slv_console *console, slv_error *error) {
    *session = (slv_session){.ticks = 0};
    slv_result result = slv_loaded_scene_open(request, console, &session->loaded, error);
    if (result == SLV_OK && request->export_file) {
        result = open_export(session, request, error);
    }
    if (result != SLV_OK || (!request->record && !request->replay)) {
        return result;
    }
    uint64_t hash = 0;
    const slv_result status = slv_world_get_hash(session->loaded.world, &hash);
    if (status != SLV_OK) {
        return world_failed(session, status, error);
    }
    if (request->replay) {
        result = open_replay(session, request->replay, hash, error);
    }
    if (result == SLV_OK && request->record) {
        result = slv_input_record_begin(&session->recorder, request->record, hash, error);
    }
    return result;
}

slv_result slv_session_finish(slv_session *session, slv_error *error) {
    uint64_t hash = 0;
    if (!session->replaying && session->recorder.file == NULL) {
        return finish_export(session, error);
    }
    uint64_t none = 0; // applies inputs after the last step
    const slv_result result = slv_session_done(session) ? replay(session, &none, error) : SLV_OK;
    if (result != SLV_OK) {
        return result;
    }
    const slv_result status = slv_world_get_hash(session->loaded.world, &hash);
    if (status != SLV_OK) {
        return world_failed(session, status, error);
    }
    const slv_input_hash *end = &session->log.end;
    if (slv_session_done(session) && !end->any && hash != end->value) {
        return slv_fail(error, SLV_ERROR_CONTENT,
                        "the replay ended in state %016" PRIx64
                        ", the recording in state %016" PRIx64,
                        hash, end->value);
    }
    const slv_result recorded =
        slv_input_record_end(&session->recorder, session->ticks, hash, error);
    return recorded == SLV_OK ? finish_export(session, error) : recorded;
}

void slv_session_close(slv_session *session) {
    slv_export_abandon(session->exporter);
    slv_input_record_abandon(&session->recorder);
    slv_input_log_free(&session->log);
    slv_loaded_scene_close(&session->loaded);
    *session = (slv_session){.ticks = 0};
}

// --- Looking -------------------------------------------------------------------------------------

static uint32_t count_colliders(const slv_session *session) {
    return session->loaded.scene ? slv_scene_get_settings(session->loaded.scene).collider_count : 0;
}

uint32_t slv_session_solid_count(const slv_session *session) {
    return count_colliders(session) + SLV_BALLS_MOST;
}

static slv_result take_pose(slv_session *session, slv_collider_id id, slv_solid_pose *pose) {
    double position[3] = {0.0, 0.0, 0.0};
    double origin[3];
    const slv_result status =
        slv_collider_get_pose(session->loaded.world, id, position, pose->rotation);
    slv_world_get_origin(session->loaded.world, origin);
    for (int d = 0; d < 3; d++) {
        pose->position[d] = (float)(position[d] - origin[d]);
    }
    pose->shown = true;
    return status;
}

slv_result slv_session_fill_snapshot(slv_session *session, slv_snapshot *snapshot,
                                     bool want_positions) {
    const uint32_t colliders =
        count_colliders(session); // the first colliders of the world, in the same order
    slv_result status = slv_snapshot_fill(snapshot, session->loaded.world, want_positions);
    for (uint32_t i = 0; i < colliders && status == SLV_OK; i++) {
        status = take_pose(session, slv_world_get_collider(session->loaded.world, i),
                           &snapshot->solids[i]);
    }
    for (uint32_t i = 0; i < SLV_BALLS_MOST && status == SLV_OK; i++) {
        slv_solid_pose *pose = &snapshot->solids[colliders + i];
        pose->shown = false;
        if (session->balls[i].flies) {
            status = take_pose(session, session->balls[i].id, pose);
        }
    }
    return status;
}

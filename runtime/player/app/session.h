// SPDX-License-Identifier: MIT
// A world that is played. Inputs are applied between steps, from the user or from a replay, and recorded on request.
// The same for the window, offscreen and headless mode.
#ifndef SLV_PLAYER_SESSION_H
#define SLV_PLAYER_SESSION_H

#include "runtime/player/app/input_log.h"
#include "runtime/player/app/loaded_scene.h"
#include "runtime/player/view/snapshot.h"

typedef struct slv_grip { // particles that the mouse holds
    uint32_t garment;
    uint32_t count; // 0: none
    uint32_t particles[SLV_GRAB_MOST];
    float positions[SLV_GRAB_MOST][3]; // metres: positions when grabbed
    bool was_fixed[SLV_GRAB_MOST];     // remains fixed after release
} slv_grip;

enum { SLV_BALLS_MOST = 8 };

typedef struct slv_ball { // moves straight on and is removed after its lifetime
    slv_collider_id id;
    bool flies;
    uint64_t end; // tick
} slv_ball;

typedef struct slv_session {
    slv_loaded_scene loaded;
    uint64_t ticks; // steps since the start; a restart does not reset them
    slv_grip grip;
    slv_ball balls[SLV_BALLS_MOST];
    uint32_t next_ball; // index of the next ball
    slv_input_recorder recorder;
    slv_input_log log; // of the replay
    size_t next;       // index of the next input of the log
    bool replaying;
    slv_export *exporter; // NULL: none
} slv_session;

// Opens the files of the request and its recording, replay and export. A replay of another scene is refused.
slv_result slv_session_open(slv_session *session, const slv_play_request *request,
                            slv_console *console, slv_error *error);
// Completes the recording and the export. At the end of a replay a state hash other than the recorded one is
// SLV_ERROR_CONTENT.
slv_result slv_session_finish(slv_session *session, slv_error *error);
void slv_session_close(slv_session *session);

// Applies an input now and records it. An input that does not fit the world is an error.
slv_result slv_session_apply(slv_session *session, slv_input *input, slv_error *error);

// Steps, and applies the inputs of the replay at their steps. Ends early at the end of the replay.
slv_result slv_session_run(slv_session *session, uint32_t steps, slv_error *error);
// slv_snapshot_fill and the poses of all solids. The snapshot has slv_session_solid_count solids.
slv_result slv_session_fill_snapshot(slv_session *session, slv_snapshot *snapshot,
                                     bool want_positions);
uint32_t slv_session_solid_count(const slv_session *session);

bool slv_session_done(const slv_session *session); // at the end of a replay

#endif

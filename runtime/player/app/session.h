// SPDX-License-Identifier: MIT
// A world being played: inputs are applied between steps, written down where asked for, or taken from
// an earlier play-through. The same for every way of playing: in a window, off-screen, headless.
#ifndef SLV_PLAYER_SESSION_H
#define SLV_PLAYER_SESSION_H

#include "runtime/player/app/input_log.h"
#include "runtime/player/app/loaded_scene.h"
#include "runtime/player/view/snapshot.h"

typedef struct slv_grip { // what the mouse holds
    uint32_t garment;
    uint32_t count; // 0: nothing
    uint32_t particles[SLV_GRAB_MOST];
    float places[SLV_GRAB_MOST][3]; // metres, when grabbed
    bool was_fixed[SLV_GRAB_MOST];  // stays so afterwards
} slv_grip;

enum { SLV_BALLS_MOST = 8 };

typedef struct slv_ball { // flies straight on for a while, then is gone
    slv_collider_id id;
    bool flies;
    uint64_t end; // tick
} slv_ball;

typedef struct slv_session {
    slv_loaded_scene loaded;
    uint64_t ticks; // steps done
    slv_grip grip;
    slv_ball balls[SLV_BALLS_MOST];
    uint32_t next_ball; // the place that the next one takes
    slv_input_recorder recorder;
    slv_input_log log; // to be replayed
    size_t next;       // of the log
    bool replaying;
    slv_export *exporter; // NULL where not asked for
} slv_session;

// Opens what the request names, its record, its replay and its export. A replay made of another scene is
// refused.
slv_result slv_session_open(slv_session *session, const slv_play_request *request,
                            slv_console *console, slv_error *error);
// Completes the record and the export, and compares the end of a replay that has been played to its end: another hash
// is SLV_ERROR_CONTENT.
slv_result slv_session_finish(slv_session *session, slv_error *error);
void slv_session_close(slv_session *session);

// Applies an input now and records it. An input that does not fit the world is refused.
slv_result slv_session_apply(slv_session *session, slv_input *input, slv_error *error);

// Steps, with the replay's inputs at their places. Ends early where the replay does.
slv_result slv_session_run(slv_session *session, uint32_t steps, slv_error *error);
// What is drawn of the world now; look as in slv_snapshot_fill. A snapshot needs room for this many solids.
slv_result slv_session_fill_snapshot(slv_session *session, slv_snapshot *snapshot,
                                     bool want_positions);
uint32_t slv_session_solid_count(const slv_session *session);

bool slv_session_done(const slv_session *session); // a replay has come to its end

#endif

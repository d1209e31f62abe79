// SPDX-License-Identifier: MIT
// The thread that simulates. Inputs come to it through a queue, pictures of the world leave it through
// snapshots; nobody waits for anybody. When inputs arrive may differ from run to run; which step they
// were applied at is recorded, and everything else follows from that.
#ifndef SLV_PLAYER_SIM_THREAD_H
#define SLV_PLAYER_SIM_THREAD_H

#include "runtime/player/app/session.h"
#include "runtime/player/view/snapshot.h"

#include <pthread.h>

enum { SLV_QUEUE_ROOM = 256 }; // inputs; a power of two

// A context of OpenGL for the thread that simulates, of one family with that of the thread that draws.
typedef struct slv_shared_context {
    void *context;
    void (*enter)(void *context); // makes it current in the calling thread
    void (*leave)(void *context);
} slv_shared_context;

typedef struct slv_sim_thread {
    slv_session *session;
    slv_snapshots *snapshots;
    slv_shared_context shared_context; // where snapshots are shared
    uint64_t frames;                   // to do; 0 = until stopped
    pthread_t thread;
    bool started;
    atomic_bool stop;
    atomic_bool finished; // all frames are done, or the replay is
    atomic_bool held;     // not to begin yet: the first picture may have all processors
    atomic_bool paused;
    atomic_uint single_frames; // frames to do while paused
    atomic_uint speed_milli;   // thousandths of real time; 0 = as fast as it goes
    slv_input queue[SLV_QUEUE_ROOM];
    atomic_uint head, tail; // next to read, next to write
} slv_sim_thread;

// Takes over the session's world until slv_sim_thread_stop. A first snapshot has been taken by then.
slv_result slv_sim_thread_start(slv_sim_thread *sim, slv_session *session, slv_snapshots *snapshots,
                                uint64_t frames, slv_error *error);
void slv_sim_thread_stop(slv_sim_thread *sim); // not started is fine

// From the drawing thread. False where the queue is full: the input is lost.
bool slv_sim_thread_send(slv_sim_thread *sim, const slv_input *input);

#endif

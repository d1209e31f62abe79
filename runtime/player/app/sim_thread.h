// SPDX-License-Identifier: MIT
// The simulating thread. It receives inputs through a queue and publishes snapshots; neither thread waits for the
// other. The arrival time of an input is not deterministic; the step at which it is applied is recorded, and the
// result depends only on that.
#ifndef SLV_PLAYER_SIM_THREAD_H
#define SLV_PLAYER_SIM_THREAD_H

#include "runtime/player/app/session.h"
#include "runtime/player/view/snapshot.h"

#include <pthread.h>

enum { SLV_QUEUE_ROOM = 256 }; // inputs; a power of two

// An OpenGL context for the simulating thread, which shares objects with that of the drawing thread.
typedef struct slv_shared_context {
    void *context;
    void (*enter)(void *context); // makes it current in the calling thread
    void (*leave)(void *context);
} slv_shared_context;

typedef struct slv_sim_thread {
    slv_session *session;
    slv_snapshots *snapshots;
    slv_shared_context shared_context; // used with gl_interop
    uint64_t frames;                   // to run; 0: until stopped
    pthread_t thread;
    bool started;
    atomic_bool stop;
    atomic_bool finished; // all frames or the replay are complete
    atomic_bool held;     // do not start yet: the first picture uses all processors
    atomic_bool paused;
    atomic_uint single_frames; // frames to run while paused
    atomic_uint speed_milli;   // thousandths of real time; 0: unlimited
    slv_input queue[SLV_QUEUE_ROOM];
    atomic_uint head, tail; // next to read, next to write
} slv_sim_thread;

// Starts the thread, which owns the world of the session until slv_sim_thread_stop. The first snapshot is already
// published.
slv_result slv_sim_thread_start(slv_sim_thread *sim, slv_session *session, slv_snapshots *snapshots,
                                uint64_t frames, slv_error *error);
void slv_sim_thread_stop(slv_sim_thread *sim); // also where it was not started

// Drawing thread: queues an input. False where the queue is full; the input is then discarded.
bool slv_sim_thread_send(slv_sim_thread *sim, const slv_input *input);

#endif

// SPDX-License-Identifier: MIT
// Positions that stay on the GPU: the simulating device writes them into OpenGL buffers. Each snapshot has one
// buffer per garment. The simulating and the drawing thread have one context each, which share objects; fences
// signal when a buffer may be read and when it may be written again.
#ifndef SLV_PLAYER_GL_INTEROP_H
#define SLV_PLAYER_GL_INTEROP_H

#include "runtime/player/view/snapshot.h"

typedef enum slv_gl_interop_outcome {
    SLV_GL_INTEROP_FILLED,
    SLV_GL_INTEROP_BUSY,   // drawing still reads the buffers: try again later
    SLV_GL_INTEROP_REFUSED // the device cannot write them: positions go through the host from now on
} slv_gl_interop_outcome;

// Drawing thread: creates the buffers of all snapshots.
void slv_gl_interop_make(slv_snapshots *snapshots);
void slv_gl_interop_free(slv_snapshots *snapshots);

// Simulating thread: writes positions into the buffers of the back snapshot and estimates the bounds. Waits at
// most this long until drawing has finished with the buffers.
slv_gl_interop_outcome slv_gl_interop_fill(slv_snapshots *snapshots, slv_world *world,
                                           uint64_t nanoseconds);
// Simulating thread: unregisters the buffers, before the world or the buffers are destroyed.
void slv_gl_interop_forget(slv_snapshots *snapshots, slv_world *world);

// Drawing thread: enclose all reads from the buffers of a snapshot.
void slv_gl_interop_begin_reading(const slv_snapshot *snapshot);
void slv_gl_interop_end_reading(const slv_snapshot *snapshot);
uint32_t slv_gl_interop_buffer(const slv_snapshot *snapshot, uint32_t garment);

#endif

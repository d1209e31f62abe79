// SPDX-License-Identifier: MIT
// Positions that never leave the graphics card: the device that simulates writes them into buffers of
// OpenGL, of which each snapshot has its own, one a garment. Who simulates and who draws have a context
// each, of one family; fences tell when a buffer may be read and when it may be written again.
#ifndef SLV_PLAYER_GL_INTEROP_H
#define SLV_PLAYER_GL_INTEROP_H

#include "runtime/player/view/snapshot.h"

typedef enum slv_gl_interop_outcome {
    SLV_GL_INTEROP_FILLED,
    SLV_GL_INTEROP_BUSY,   // drawing still reads from them: try again later
    SLV_GL_INTEROP_REFUSED // the device cannot: positions go through the host's memory from now on
} slv_gl_interop_outcome;

// Makes the buffers of all snapshots, in the drawing thread. Without them nothing is shared.
void slv_gl_interop_make(slv_snapshots *snapshots);
void slv_gl_interop_free(slv_snapshots *snapshots);

// Fills the buffers of the snapshot that is being filled, and finds the bounds of garments; waits at most
// this long for drawing to leave them.
slv_gl_interop_outcome slv_gl_interop_fill(slv_snapshots *snapshots, slv_world *world,
                                           uint64_t nanoseconds);
// By who filled them, before the world or the buffers go.
void slv_gl_interop_forget(slv_snapshots *snapshots, slv_world *world);

// Around whatever reads from the buffers of a snapshot that has been filled.
void slv_gl_interop_begin_reading(const slv_snapshot *snapshot);
void slv_gl_interop_end_reading(const slv_snapshot *snapshot);
uint32_t slv_gl_interop_buffer(const slv_snapshot *snapshot, uint32_t garment);

#endif

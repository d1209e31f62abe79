// SPDX-License-Identifier: MIT
// Positions that never leave the graphics card: the device that simulates writes them into buffers of
// OpenGL, of which each snapshot has its own, one a garment. Who simulates and who draws have a context
// each, of one family; fences tell when a buffer may be read and when it may be written again.
#ifndef SLV_PLAYER_SHARE_H
#define SLV_PLAYER_SHARE_H

#include "runtime/player/snapshot.h"

typedef enum slv_share_outcome {
    SLV_SHARE_FILLED,
    SLV_SHARE_BUSY,   // drawing still reads from them: try again later
    SLV_SHARE_REFUSED // the device cannot: positions go through the host's memory from now on
} slv_share_outcome;

// Makes the buffers of all snapshots, in the drawing thread. Without them nothing is shared.
void slv_share_make(slv_snapshots *snapshots);
void slv_share_free(slv_snapshots *snapshots);

// Fills the buffers of the snapshot that is being filled, and finds the bounds of garments; waits at most
// this long for drawing to leave them.
slv_share_outcome slv_share_fill(slv_snapshots *snapshots, slv_world *world, uint64_t nanoseconds);
// By who filled them, before the world or the buffers go.
void slv_share_forget(slv_snapshots *snapshots, slv_world *world);

// Around whatever reads from the buffers of a snapshot that has been filled.
void slv_share_begin_reading(const slv_snapshot *snapshot);
void slv_share_end_reading(const slv_snapshot *snapshot);
uint32_t slv_share_buffer(const slv_snapshot *snapshot, uint32_t garment);

#endif

// SPDX-License-Identifier: MIT
// Exports of the simulated motion to files of other programs. Included by selvage.h.
#ifndef SELVAGE_EXPORT_H
#define SELVAGE_EXPORT_H

#include <selvage/garment.h>

#ifdef __cplusplus
extern "C" {
#endif

// Writes the motion of the garments, frame by frame, for other programs (docs/EXPORT.md). The extension of the path
// chooses the format:
//   .csv   a line a point; with # before the extension, as in NAME.####.csv, a file a frame with a line a particle:
//          object, particle, position, velocity, radius
//   .obj   a file a frame, NAME_0000.obj …
//   .pc2   .mdd   point caches for NAME.rest.obj
//   .usda  USD as text
//   .glb   glTF with a morph target a frame
// Memory does not grow with the number of frames, but for about 300 bytes a frame of formats with a file a frame. Files appear when
// slv_export_finish succeeds, all or none. An export uses the C library's memory and belongs to the world that it was
// opened with.
typedef struct slv_export slv_export;

typedef enum slv_export_what {
    SLV_EXPORT_USUAL = 0,     // particles in .csv, render meshes in all others
    SLV_EXPORT_RENDER = 1,    // the meshes to draw
    SLV_EXPORT_PARTICLES = 2, // in own order
} slv_export_what;

typedef struct slv_export_def {
    const char *path;
    slv_export_what what;
    double frame_rate; // 60; frames per second that the file states: 1e-3 … 1e6
    uint32_t cookie;   // set by slv_default_export_def
} slv_export_def;

SLV_API slv_export_def slv_default_export_def(void);

// The present state becomes the rest state of formats that have one, not a frame. On failure *made is NULL and
// slv_world_get_message says why, as for all calls of exports.
SLV_API slv_result slv_export_open(slv_world *world, const slv_export_def *def, slv_export **made);
// Writes the present state as the next frame. After a failure only slv_export_abandon may follow. Another world than
// that of slv_export_open is refused.
SLV_API slv_result slv_export_frame(slv_export *run, slv_world *world);
// Completes the files. run is freed, also on failure.
SLV_API slv_result slv_export_finish(slv_export *run, slv_world *world);
SLV_API void slv_export_abandon(slv_export *run); // leaves no file; may be NULL

#ifdef __cplusplus
}
#endif

#endif

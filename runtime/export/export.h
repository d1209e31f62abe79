// SPDX-License-Identifier: MIT
// What every export format is behind: a struct of four functions. export.c gathers the meshes of a frame
// and calls them; a format only writes. Adding one is a file with such a struct and a line in export.c.
#ifndef SLV_RUNTIME_EXPORT_EXPORT_H
#define SLV_RUNTIME_EXPORT_EXPORT_H

#include "formats/atomic_file.h"
#include "runtime/export/export_text.h"
#include "runtime/include/selvage/selvage.h"

// One garment in the present frame: its render mesh, or its particles in own order.
typedef struct slv_export_mesh {
    uint32_t point_count;
    uint32_t triangle_count;   // 0 for particles
    const float *points;       // [point_count][3]
    const float *velocities;   // [point_count][3], m/s; NULL where the format has none
    float radius;              // of particles in contacts, m
    const float *normals;      // [point_count][3]; NULL for particles
    const float *uvs;          // [point_count][2] or NULL
    const uint32_t *triangles; // [triangle_count][3]
} slv_export_mesh;

typedef struct slv_export_format {
    const char *extension; // with its dot
    bool is_numbered;      // the path has a # before the extension
    bool has_velocities;
    bool usually_particles;
    bool
        may_change; // the meshes of one frame may have other points and triangles than those before
    // The meshes at hand are those of the present state, which is the rest state of formats that have one.
    slv_result (*open)(slv_export *run, slv_error *error);
    slv_result (*write)(slv_export *run, slv_error *error);  // one frame, number run->frame_count
    slv_result (*finish)(slv_export *run, slv_error *error); // files appear
    void (*close)(slv_export *run);                          // frees; what did not appear is gone
} slv_export_format;

extern const slv_export_format slv_export_csv;
extern const slv_export_format slv_export_csv_frames;
extern const slv_export_format slv_export_obj;
extern const slv_export_format slv_export_pc2;
extern const slv_export_format slv_export_mdd;
extern const slv_export_format slv_export_usda;
extern const slv_export_format slv_export_glb;

struct slv_export {
    const slv_export_format *format;
    char *path;
    bool particles;
    double frame_rate;
    uint64_t frame_count;    // written so far
    uint64_t point_count;    // of all meshes
    uint32_t garment_count;  // of the world
    uint32_t mesh_count;     // those garments that have something to export
    uint32_t *garments;      // [mesh_count]: their numbers, for names in files
    slv_garment_id *ids;     // [mesh_count]
    const slv_world *world;  // that it was opened with
    double origin[3];        // m; of the world: points are relative to it
    bool is_at_zero;         // whether that is (0, 0, 0)
    slv_export_mesh *meshes; // of the present frame
    float **
        gathered; // [mesh_count]: room for particles in own order, and velocities; NULLs for render meshes
    void *work; // the format's own; for free()
};

// A point in the world, as text: programs read numbers of text as doubles.
void slv_export_put_point(slv_export_text *text, const slv_export *run, const float point[3]);
// run->path with its extension replaced; for free(). NULL without memory.
char *slv_export_beside(const slv_export *run, const char *ending);

// A whole OBJ file of the present frame, named by path, to be published or abandoned by the caller: also
// after a failure, where it may be NULL.
slv_result slv_export_write_obj(const slv_export *run, const char *path, slv_atomic_file **file,
                                slv_error *error);

#endif

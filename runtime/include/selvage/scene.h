// SPDX-License-Identifier: MIT
// Scene files. Included by selvage.h.
#ifndef SELVAGE_SCENE_H
#define SELVAGE_SCENE_H

#include <selvage/clip.h>
#include <selvage/collider.h>
#include <selvage/lock.h>

#ifdef __cplusplus
extern "C" {
#endif

// A scene file (docs/SCENES.md, data/scene.schema.json): parameters, garments, colliders, locks, an animated
// model.
typedef struct slv_scene slv_scene;

// Reads a scene file; its packs are read by slv_scene_create_world. On failure *scene is NULL and message, which has
// room for size bytes and may be NULL, says "FILE:LINE: key: what is wrong".
// The file may name files in its own folder and below.
SLV_API slv_result slv_scene_load(const char *path, slv_scene **scene, char *message, size_t size);

typedef struct slv_scene_def {
    const char *path;
    bool allow_paths; // false; true: the file may name files anywhere. For files that are trusted
    uint32_t cookie;  // set by slv_default_scene_def
} slv_scene_def;

SLV_API slv_scene_def slv_default_scene_def(void);
// As slv_scene_load.
SLV_API slv_result slv_scene_load_def(const slv_scene_def *def, slv_scene **scene, char *message,
                                      size_t size);
SLV_API void slv_scene_destroy(slv_scene *scene); // may be NULL

typedef struct slv_scene_settings {
    slv_parameters parameters;
    double time_step;          // s
    uint32_t steps_per_frame;  // 8
    double camera_position[3]; // metres, in the world
    bool has_camera_target;    // false: the middle of the garments
    double camera_target[3];   // metres, in the world
    float tearing_threshold;   // default of the garments; 0 = they do not tear
    const char *model_path;    // the animated model's collider pack; NULL = none
    slv_clip_def model;        // how it plays; its pack_path is set where there is such a pack
    uint32_t object_count;
    uint32_t collider_count;
    uint32_t lock_count;
    uint32_t warning_count;
} slv_scene_settings;

// Pointers that these functions return are valid as long as the scene.
SLV_API slv_scene_settings slv_scene_get_settings(const slv_scene *scene);

typedef struct slv_scene_names {
    const char *const *names;
    uint32_t count;
} slv_scene_names;

typedef struct slv_scene_object {
    slv_garment_def garment;     // as slv_world_add_garment takes it; pack_path is ready to open
    uint8_t color[3];            // red, green, blue as in the file (sRGB)
    const char *texture_path;    // a PNG to be drawn through the mesh's UVs; NULL = none
    slv_scene_names attachments; // of the model, that move particles of the garment
} slv_scene_object;
SLV_API slv_result slv_scene_get_object(const slv_scene *scene, uint32_t index,
                                        slv_scene_object *object);

// A collider as slv_world_add_collider takes it; pack_path is ready to open.
SLV_API slv_result slv_scene_get_collider(const slv_scene *scene, uint32_t index,
                                          slv_collider_def *collider);

typedef struct slv_scene_lock {
    slv_lock_def def;              // as slv_world_add_lock takes it, but without garments
    uint32_t object, other_object; // the objects that these are
} slv_scene_lock;
SLV_API slv_result slv_scene_get_lock(const slv_scene *scene, uint32_t index, slv_scene_lock *lock);

// Keys of the file that this version does not support, one sentence each; NULL for other indices.
SLV_API const char *slv_scene_get_warning(const slv_scene *scene, uint32_t index);

// slv_default_world_def with the parameters, the time step and the origin of the scene.
SLV_API slv_world_def slv_scene_get_world_def(const slv_scene *scene);

// A world with all colliders and objects of the scene in their order, then its model and its locks. def may be NULL:
// slv_scene_get_world_def.
SLV_API slv_result slv_scene_create_world(const slv_scene *scene, const slv_world_def *def,
                                          slv_world **world, char *message, size_t size);

#ifdef __cplusplus
}
#endif

#endif

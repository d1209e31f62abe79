// SPDX-License-Identifier: MIT
#include "runtime/scene/scene_data.h"
#include "runtime/scene/scene_rotation.h"

#include <math.h>
#include <string.h>

// A box from its corners.
static slv_result convert_box(slv_scene_collider *collider, const slv_scene *scene,
                              slv_scene_location location, slv_error *error) {
    for (int d = 0; d < 3; d++) {
        if (!(collider->low[d] <= collider->high[d])) {
            return slv_scene_fail(
                scene, location, error,
                "a box has both min and max, and no coordinate of min is above that of max");
        }
        // Relative to the origin, so that the box has the same bits wherever the scene is.
        const double origin = scene->values.world.origin[d];
        const float low = (float)(collider->low[d] - origin);
        const float high = (float)(collider->high[d] - origin);
        collider->def.position[d] = origin + (double)(0.5f * (low + high));
        collider->def.size[d] = high - low;
    }
    return SLV_OK;
}

// A plane's pose from its normal: the shortest rotation from y to the normal.
static slv_result convert_plane(slv_scene_collider *collider, const slv_scene *scene,
                                slv_scene_location location, slv_error *error) {
    double normal[3];
    double square = 0.0;
    for (int d = 0; d < 3; d++) {
        normal[d] = isnan(collider->normal[d]) ? (d == 1 ? 1.0 : 0.0) : (double)collider->normal[d];
        square += normal[d] * normal[d];
    }
    double length = sqrt(square);
    if (!(length > 0.0)) {
        return slv_scene_fail(scene, location, error, "a normal of length 0 has no direction");
    }
    double offset = isnan(collider->offset) ? 0.0 : collider->offset;
    const double turn[4] = {normal[2], 0.0, -normal[0], length + normal[1]}; // y x normal, 1 + cos
    for (int d = 0; d < 3; d++) {
        collider->def.position[d] = offset * normal[d] / length;
    }
    if (!slv_rotation_from_quaternion(turn, collider->def.rotation)) { // straight down
        const float around_x[4] = {1.0f, 0.0f, 0.0f, 0.0f};
        memcpy(collider->def.rotation, around_x, sizeof around_x);
    }
    return SLV_OK;
}

// Keys that some shapes do not have, and keys that they need.
static slv_result check_keys(const slv_scene *scene, const slv_json_value *value,
                             const char *prefix, slv_collider_kind kind, slv_error *error) {
    const int shape = 1 << kind;
    const char *name = slv_shape_names[kind - SLV_COLLIDER_PLANE];
    slv_key key = slv_key_at(&slv_collider_keys, 0);
    for (size_t i = 1; key.row; key = slv_key_at(&slv_collider_keys, i++)) {
        const slv_json_value *member = slv_json_member(value, key.row->key);
        const slv_scene_location location = {prefix, key.row->key, -1,
                                             member ? member->line : value->line};
        if (member && key.row->shapes && !(key.row->shapes & shape)) {
            return slv_scene_fail(scene, location, error, "a %s has no such key", name);
        }
        if (!member && key.row->needed & shape) {
            return slv_scene_fail(scene, location, error, "a %s needs this key", name);
        }
    }
    return SLV_OK;
}

slv_result slv_scene_finish_collider(const slv_scene *scene, const slv_json_value *value,
                                     const char *prefix, slv_scene_collider *collider,
                                     slv_error *error) {
    slv_result result = check_keys(scene, value, prefix, collider->def.kind, error);
    if (result != SLV_OK) {
        return result;
    }
    const bool corners = slv_json_member(value, "min") || slv_json_member(value, "max");
    const slv_scene_location location = {prefix, corners ? "min" : "normal", -1, value->line};
    if (corners) {
        return convert_box(collider, scene, location, error);
    }
    const bool tilted = slv_json_member(value, "normal") || slv_json_member(value, "offset");
    return tilted ? convert_plane(collider, scene, location, error) : SLV_OK;
}

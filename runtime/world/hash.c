// SPDX-License-Identifier: MIT
// Hash of the state of a world. All in own order, so that it does not depend on the layout.
#include "runtime/step/features.h"
#include "runtime/world/begin.h"
#include "runtime/world/fetch.h"

#include <xxhash.h>

static void hash_floats(void *stream, const float *values, size_t count) {
    (void)XXH3_64bits_update(stream, values, count * sizeof *values);
}

slv_result slv_world_get_hash(slv_world *world, uint64_t *hash) {
    enum { CHUNK = 64 };
    slv_result status = slv_begin_with(world, hash, "hash");
    if (status != SLV_OK) {
        return status;
    }
    status = slv_world_fetch_state(world);
    if (status != SLV_OK) {
        return status;
    }
    status = slv_world_fetch_colliders(world);
    if (status != SLV_OK) {
        return status;
    }
    XXH3_state_t stream;
    (void)XXH3_64bits_reset(&stream);
    for (uint32_t i = 0; i < world->colliders.count; i++) {
        const float *pose = world->colliders.entries[i].record + SLV_COLLIDER_POSE;
        (void)XXH3_64bits_update(&stream, pose, 8 * sizeof *pose);
    }
    for (uint32_t i = 0; i < world->body_count; i++) {
        uint32_t count = world->bodies[i]->count;
        for (uint32_t p = 0; p < count; p += CHUNK) {
            float values[6 * CHUNK];
            int16_t remainders[6 * CHUNK];
            uint32_t some = count - p < CHUNK ? count - p : CHUNK;
            slv_layout_read(&world->layout, i, p, some, values);
            slv_layout_read_remainders(&world->layout, i, p, some, remainders);
            (void)XXH3_64bits_update(&stream, values, some * 6 * sizeof *values);
            (void)XXH3_64bits_update(&stream, remainders, some * 6 * sizeof *remainders);
        }
        slv_features_hash(&world->layout, i, hash_floats, &stream);
    }
    *hash = XXH3_64bits_digest(&stream);
    return SLV_OK;
}

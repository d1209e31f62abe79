// SPDX-License-Identifier: MIT
// Fuzzes what follows a verified pack: a garment or a clip of any accepted pack is simulated in a world that has the other
// kind already. Checksums are made valid. Positions stay finite.
#include "tests/common/memory_file.h"
#include "tests/formats/forged_pack.h"

#include <math.h>
#include <selvage/selvage.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect_finite(slv_world *world) {
    for (uint32_t g = 0; g < slv_world_get_garment_count(world); g++) {
        slv_particle_view view;
        if (slv_garment_get_positions(world, slv_world_get_garment(world, g), &view) != SLV_OK) {
            continue;
        }
        for (uint32_t p = 0; p < view.count; p++) {
            float at[3];
            slv_particle_view_get(&view, p, at);
            if (!isfinite(at[0]) || !isfinite(at[1]) || !isfinite(at[2])) {
                abort();
            }
        }
    }
}

// The last byte chooses what the world does with the pack.
static void simulate(const char *path, unsigned choice) {
    slv_world *world = NULL;
    slv_world_def def = slv_default_world_def();
    def.threads = 1;
    def.memory_limit = 256;
    def.parameters.solver = SLV_SOLVER_AUTO;
    if (slv_world_create(&def, &world, NULL, 0) != SLV_OK) {
        return;
    }
    slv_collider_def ground = slv_default_collider_def();
    ground.kind = SLV_COLLIDER_PLANE;
    (void)slv_world_add_collider(world, &ground, NULL);
    if ((choice & 3) == 0) {
        slv_clip_def clip = slv_default_clip_def();
        clip.pack_path = path;
        (void)slv_world_add_clip(world, &clip, NULL);
    } else if ((choice & 3) == 1) {
        slv_collider_def field = slv_default_collider_def();
        field.kind = SLV_COLLIDER_FIELD;
        field.pack_path = path;
        (void)slv_world_add_collider(world, &field, NULL);
    }
    slv_garment_def garment = slv_default_garment_def();
    garment.pack_path = path;
    garment.garment_collision = (choice & 4) != 0;
    garment.tearing_threshold = (choice & 8) != 0 ? 1.01f : 0.0f;
    (void)slv_world_add_garment(world, &garment, NULL);
    for (int i = 0; i < 3 && slv_world_step(world, 1) == SLV_OK; i++) {
        expect_finite(world);
    }
    expect_finite(world);
    slv_world_destroy(world);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    forged_pack bytes;
    slv_pack *pack = forged_pack_open(data, size, &bytes);
    const char *path = pack ? memory_file(bytes.bytes, bytes.size) : NULL;
    slv_pack_close(pack);
    if (path) {
        simulate(path, data[size - 1] ^ (unsigned)size);
    }
    forged_pack_free(&bytes);
    return 0;
}

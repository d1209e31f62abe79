// SPDX-License-Identifier: MIT
// Fuzzes snapshots: a snapshot of a small world in which the input replaces bytes is refused, or gives a world that steps.
// The checksum is made valid. The input is a list of changes of four bytes: two of the offset, the mask, the repetition.
#include "formats/garment.h"
#include "runtime/world/snapshot.h"
#include "tests/common/generated_garment.h"

#include <selvage/selvage.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static slv_world *world;
static char *good, *bytes;
static size_t good_size;

static void add_cloth(void) {
    char path[64];
    (void)snprintf(path, sizeof path, "/tmp/selvage-fuzz-%ld.slv", (long)getpid());
    generated_write_and_free(make_grid(4, 1, 4, 0.1f, NULL), path);
    slv_garment_def def = slv_default_garment_def();
    def.pack_path = path;
    def.fixed = (const uint32_t[]){0, 3};
    def.fixed_count = 2;
    def.garment_collision = true;
    def.tearing_threshold = 1.5f;
    if (slv_world_add_garment(world, &def, NULL) != SLV_OK) {
        abort();
    }
    (void)remove(path);
}

static void start(void) {
    slv_world_def def = slv_default_world_def();
    slv_collider_def ball = slv_default_collider_def();
    def.threads = 1;
    if (slv_world_create(&def, &world, NULL, 0) != SLV_OK) {
        abort();
    }
    add_cloth();
    ball.kind = SLV_COLLIDER_SPHERE;
    ball.radius = 0.2f;
    (void)slv_world_add_collider(world, &ball, NULL);
    (void)slv_world_step(world, 5);
    good_size = slv_world_get_snapshot_size(world);
    good = malloc(good_size);
    bytes = malloc(good_size);
    if (!good || !bytes || slv_world_save_snapshot(world, good, good_size) != SLV_OK) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (!world) {
        start();
    }
    memcpy(bytes, good, good_size);
    for (size_t i = 0; i + 4 <= size; i += 4) {
        const size_t at = (data[i] | (size_t)data[i + 1] << 8) % good_size;
        for (size_t n = 0; n <= data[i + 3] % 8 && at + n < good_size; n++) {
            bytes[at + n] = (char)(bytes[at + n] ^ data[i + 2]);
        }
    }
    const uint64_t checksum = slv_snapshot_get_checksum(bytes, good_size);
    memcpy(bytes + offsetof(slv_snapshot_head, checksum), &checksum, sizeof checksum);
    if (slv_world_restore_snapshot(world, bytes, good_size) == SLV_OK) {
        (void)slv_world_step(world, 2);
    }
    if (slv_world_restore_snapshot(world, good, good_size) != SLV_OK) {
        abort(); // whatever was restored, the good one fits
    }
    return 0;
}

// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "bench/bench_cloth.h"

#include "tests/common/generated_garment.h"

#include <stdio.h>
#include <unistd.h>

slv_result slv_bench_add_cloth(slv_world *world, uint32_t side) {
    char path[64];
    const uint32_t corners[2] = {0, side - 1};
    (void)snprintf(path, sizeof path, "/tmp/selvage-bench-%ld.slv", (long)getpid());
    generated_write_and_free(make_grid(side, 1, side, 0.01f, NULL), path);
    slv_garment_def garment = slv_default_garment_def();
    garment.pack_path = path;
    garment.fixed = corners;
    garment.fixed_count = 2;
    const slv_result status = slv_world_add_garment(world, &garment, NULL);
    (void)remove(path);
    return status;
}

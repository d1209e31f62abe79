// SPDX-License-Identifier: MIT
// Writes small packs that ask for gigabytes: make_bombs GRID.slv CLIP.slv, where GRID.slv is a flat grid of any origin.
#include "tests/formats/forged_bombs.h"
#include "tests/formats/sample_collider.h"

#include <stdio.h>

static int save(const char *path, forged_pack *pack) {
    FILE *file = fopen(path, "wb");
    const bool written = file && fwrite(pack->bytes, 1, pack->size, file) == pack->size;
    const bool closed = file && fclose(file) == 0;
    forged_pack_free(pack);
    return written && closed ? 0 : 1;
}

int main(int argc, char **argv) {
    const sample_collider sample = {.particles = 12, .frames = 9, .error = 1e-4, .table_raw = true};
    if (argc != 3 || sample_collider_write(&sample, argv[2], NULL) != SLV_OK) {
        return 1;
    }
    forged_pack grid = forged_pack_load(argv[1]);
    forged_pack clip = forged_pack_load(argv[2]);
    if (!grid.bytes || !clip.bytes) {
        return 1;
    }
    forge_layers(&grid, 100u << 20);
    forge_points(&clip, 40u << 20);
    return save(argv[1], &grid) + save(argv[2], &clip);
}

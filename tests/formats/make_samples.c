// SPDX-License-Identifier: MIT
// Writes the sample packs into a folder, for read_pack.py and as seeds of the fuzzers:   make_samples FOLDER
#include "tests/formats/sample_collider.h"
#include "tests/formats/sample_garment.h"

#include <stdio.h>
#include <stdlib.h>

static void write_sample(sample_garment *sample, const sample_field *field, const char *folder,
                         const char *name) {
    char path[1024];
    slv_error error = {0};
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    slv_result result = sample_write(&sample->garment, field, path, &error);
    sample_free(sample);
    if (result != SLV_OK) {
        (void)fprintf(stderr, "make_samples: error: %s: %s\n", path, error.text);
        exit((int)result);
    }
}

static void write_collider(const char *folder, const char *name, sample_collider sample) {
    char path[1024];
    slv_error error = {0};
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    if (sample_collider_write(&sample, path, &error) != SLV_OK) {
        (void)fprintf(stderr, "make_samples: error: %s: %s\n", path, error.text);
        exit((int)error.code);
    }
}

int main(int argc, char **argv) {
    const sample_field compressed = {{6, 5, 11}, SLV_CODEC_ZSTD};
    const sample_field raw = {{6, 5, 11}, SLV_CODEC_RAW};
    sample_garment sample;
    if (argc != 2) {
        (void)fprintf(stderr, "usage: make_samples FOLDER\n");
        return 1;
    }
    sample_grid(&sample, 4, 3, 3);
    write_sample(&sample, NULL, argv[1], "grid.slv");
    sample_grid(&sample, 2, 2, 2);
    write_sample(&sample, &compressed, argv[1], "grid-field.slv");
    sample_empty(&sample);
    write_sample(&sample, &raw, argv[1], "raw-field.slv");
    sample_surface(&sample, 3);
    write_sample(&sample, NULL, argv[1], "surface.slv");
    sample_tetrahedra(&sample);
    write_sample(&sample, NULL, argv[1], "soft.slv");
    sample_body(&sample);
    write_sample(&sample, NULL, argv[1], "body.slv");
    sample_empty(&sample);
    write_sample(&sample, NULL, argv[1], "empty.slv");
    write_collider(argv[1], "collider.slv",
                   (sample_collider){.particles = 6, .frames = 21, .more = true, .error = 1e-4});
    write_collider(
        argv[1], "collider-raw.slv",
        (sample_collider){.particles = 4, .frames = 3, .error = 1e-3, .table_raw = true});
    return 0;
}

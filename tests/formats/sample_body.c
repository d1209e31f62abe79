// SPDX-License-Identifier: MIT
#include "tests/formats/sample_garment.h"

// Six particles in a row of triangles; three clusters, of which two overlap and one is a single particle.

enum { COUNT = 6, CLUSTERS = 3, MEMBERS = 8 };

static const float x[COUNT] = {0.0f, 0.25f, 0.0f, 0.25f, 0.0f, 0.25f};
static const float y[COUNT] = {0.0f, 0.0f, 0.25f, 0.25f, 0.5f, 0.5f};
static const float z[COUNT] = {0.0f, 0.125f, 0.0f, 0.125f, 0.0f, 0.125f};
static const float inverse_mass[COUNT] = {4.0f, 4.0f, 4.0f, 4.0f, 4.0f, 4.0f};
static const uint32_t order[COUNT] = {0, 1, 2, 3, 4, 5};
static const slv_color_range colors[1] = {{.color = SLV_UNCOLORED, .count = COUNT}};
static const uint32_t ends[CLUSTERS] = {4, 7, 8};
static const uint32_t members[MEMBERS] = {0, 1, 2, 3, 2, 3, 4, 5};

void sample_body(sample_garment *sample) {
    sample_empty(sample);
    slv_garment *garment = &sample->garment;
    garment->info = (slv_garment_info){.particle_count = COUNT,
                                       .mode = SLV_GARMENT_SURFACE,
                                       .bounds_max = {0.25f, 0.5f, 0.125f},
                                       .spacing = 0.25f,
                                       .mass = 1.5f};
    garment->x = x;
    garment->y = y;
    garment->z = z;
    garment->inverse_mass = inverse_mass;
    garment->own_of_stored = order;
    garment->stored_of_own = order;
    garment->colors = colors;
    garment->color_count = 1;
    garment->clusters = (slv_clusters){CLUSTERS, MEMBERS, ends, members};
}

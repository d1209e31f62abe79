// SPDX-License-Identifier: MIT
#include "tests/formats/sample_garment.h"

// Five particles, corners of two tetrahedra with a common face 1, 2, 3. Particle 0 has the copies 5 and
// 6, particle 3 the copy 7: so four of the springs are of one color. Particles 1 and 2 are joined by a
// spring that is to be averaged.

enum { COUNT = 5, SPRINGS = 9 };

static const float x[COUNT] = {0.0f, 0.25f, 0.0f, 0.0f, 0.25f};
static const float y[COUNT] = {0.0f, 0.0f, 0.25f, 0.0f, 0.25f};
static const float z[COUNT] = {0.0f, 0.0f, 0.0f, 0.25f, 0.25f};
static const float inverse_mass[COUNT] = {4.0f, 4.0f, 4.0f, 4.0f, 4.0f};
static const uint32_t order[COUNT] = {0, 1, 2, 3, 4};
static const slv_color_range colors[1] = {{.color = SLV_UNCOLORED, .count = COUNT}};

static const uint32_t spring_a[SPRINGS] = {0, 5, 6, 7, 1, 2, 2, 1, 1};
static const uint32_t spring_b[SPRINGS] = {1, 2, 3, 4, 3, 4, 3, 4, 2};
static const float springs_rest[SPRINGS] = {0.25f,       0.25f,       0.25f,
                                            0.35355339f, 0.35355339f, 0.35355339f,
                                            0.35355339f, 0.35355339f, 0.35355339f};
static const uint32_t corners[4][2] = {{0, 4}, {1, 2}, {2, 1}, {3, 3}};
static const float volumes[2] = {0.0026041667f, 0.0052083333f};
static const uint32_t originals[2] = {0, 3};
static const uint32_t ends[2] = {2, 3};

static const slv_constraint_group groups[] = {
    {.kind = SLV_CONSTRAINT_DISTANCE, .color = 0, .first = 0, .count = 4},
    {.kind = SLV_CONSTRAINT_DISTANCE, .color = 1, .first = 4, .count = 2},
    {.kind = SLV_CONSTRAINT_DISTANCE, .color = 2, .first = 6, .count = 2},
    {.kind = SLV_CONSTRAINT_DISTANCE, .color = SLV_UNCOLORED, .first = 8, .count = 1},
    {.kind = SLV_CONSTRAINT_TETRAHEDRON, .color = 0, .first = 0, .count = 1},
    {.kind = SLV_CONSTRAINT_TETRAHEDRON, .color = 1, .first = 1, .count = 1},
    {.kind = SLV_CONSTRAINT_PHANTOM, .color = 0, .first = 0, .count = 2},
};

void sample_tetrahedra(sample_garment *sample) {
    sample_empty(sample);
    slv_garment *garment = &sample->garment;
    garment->info = (slv_garment_info){.particle_count = COUNT,
                                       .mode = SLV_GARMENT_SURFACE,
                                       .bounds_max = {0.25f, 0.25f, 0.25f},
                                       .spacing = 0.3f,
                                       .mass = 1.25f};
    garment->x = x;
    garment->y = y;
    garment->z = z;
    garment->inverse_mass = inverse_mass;
    garment->own_of_stored = order;
    garment->stored_of_own = order;
    garment->colors = colors;
    garment->color_count = 1;
    garment->groups = groups;
    garment->group_count = sizeof groups / sizeof *groups;
    garment->constraints[SLV_CONSTRAINT_DISTANCE] =
        (slv_constraints){SPRINGS, {spring_a, spring_b}, springs_rest};
    garment->constraints[SLV_CONSTRAINT_TETRAHEDRON] =
        (slv_constraints){2, {corners[0], corners[1], corners[2], corners[3]}, volumes};
    garment->phantoms = (slv_phantom_constraints){2, 3, originals, ends};
}

// SPDX-License-Identifier: MIT
// Every kernel of every instruction set, fast forms included, against the plain text of kernels/: the
// same bits everywhere in state. Here the bodies run one element at a time, as a GPU would.
#include "kernels/averaged.h"
#include "kernels/compliant.h"
#include "kernels/graph.h"
#include "kernels/grid.h"
#include "kernels/moves.h"
#include "kernels/phantom.h"
#include "kernels/slots.h"
#include "kernels/tetrahedron.h"
#include "runtime/cpu_kernels.h"
#include "runtime/form.h"
#include "runtime/world.h"
#include "tests/runtime/try_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// --- The plain forms --------------------------------------------------------------------------------

enum { PAIRS, STRIPS, LINES, COMPONENTS, SLOTS, BLOCKS, SLICES, BATCHES, MOVES, LANES, ONCE };

static int count_columns(const slv_part *part, int domain) {
    switch (domain) {
    case PAIRS:
    case STRIPS:
    case LINES:
    case COMPONENTS:
        return part->columns;
    case SLOTS:
    case BLOCKS:
        return SLV_BLOCK;
    case SLICES:
    case BATCHES:
    case MOVES:
    case LANES:
        return SLV_LANES;
    default:
        return 1;
    }
}

// Columns from the last to the first: their order must not matter.
#define SLV_KERNEL(name, domain, call)                                                             \
    static void plain_##name(float *state, const int *table, const slv_part *part,                 \
                             const slv_launch *launch, int first, int end) {                       \
        (void)table;                                                                               \
        (void)launch;                                                                              \
        for (int row = first; row < end; row++) {                                                  \
            for (int column = count_columns(part, domain) - 1; column >= 0; column--) {            \
                const int from = column, to = column + 1;                                          \
                (void)from, (void)to;                                                              \
                for (int d = (domain) == COMPONENTS ? 2 : 0; d >= 0; d--) {                        \
                    call;                                                                          \
                }                                                                                  \
            }                                                                                      \
        }                                                                                          \
    }
#include "kernels/list.h"
#undef SLV_KERNEL

typedef struct entry {
    const char *name;
    int domain;
    slv_cpu_kernel *plain;
} entry;

#define SLV_KERNEL(name, domain, call) {#name, domain, plain_##name},
static const entry entries[] = {
#include "kernels/list.h"
};
#undef SLV_KERNEL

// --- Comparing --------------------------------------------------------------------------------------

static int count_rows(const slv_form *form, const slv_part *part, int domain, int colour) {
    const int *table = form->table;
    switch (domain) {
    case PAIRS:
    case STRIPS:
    case LINES:
    case COMPONENTS:
        return part->rows * part->layers;
    case SLOTS:
    case BLOCKS:
        return part->slots / SLV_BLOCK;
    case SLICES:
        return table[part->colours + part->colour_count];
    case BATCHES:
        return (table[part->groups + 3 * colour + 1] + SLV_LANES - 1) / SLV_LANES;
    case MOVES:
        return part->move_room / SLV_LANES;
    case LANES: // lists that these garments have not; none has a faster form to be compared
        return 0;
    default:
        return 1;
    }
}

// What suits the part: by the layout and, on grids, by the number of axes.
static bool suits(const entry *kernel, const slv_part *part) {
    bool grid = part->stride == 1;
    if (strstr(kernel->name, "_split") || strstr(kernel->name, "_joined")) {
        return (strstr(kernel->name, "_split") != NULL) == grid;
    }
    if (strncmp(kernel->name, "flat_", 5) == 0 || strncmp(kernel->name, "solid_", 6) == 0) {
        return grid && (kernel->name[0] == 's') == (part->layers > 1);
    }
    return !grid || kernel->domain == MOVES;
}

static uint32_t next_random(uint32_t *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

// Shakes positions and corrections where there are particles.
static void shake(slv_form *form, uint32_t index, uint32_t *seed) {
    const slv_part *part = &form->parts[index];
    for (int p = 0; p < part->particles; p++) {
        int at = (int)form->slots[index][p] * part->stride;
        for (int d = 0; d < 3; d++) {
            int place = at + d * part->component;
            float noise = (float)next_random(seed) / 16777216.0f - 0.5f;
            form->state[part->q + place] += 0.02f * noise;
            form->state[part->u + place] = 0.001f * noise;
            form->state[part->b + place] = 0.002f * noise;
            form->state[part->y + place] = form->state[part->q + place] + 0.01f * noise;
        }
    }
    for (int g = 0; part->stride == 4 && g < part->group_count; g++) {
        const int *group = form->table + part->groups + 3 * g;
        for (int s = group[0]; s < group[0] + group[1]; s++) {
            float noise = (float)next_random(seed) / 16777216.0f - 0.5f;
            form->state[part->tensions + s] = noise;
            form->state[part->multipliers + 2 * s] = -noise; // there are two ends to a spring
        }
    }
}

static void compare_kernel(const slv_instruction_set *set, const entry *kernel,
                           const slv_form *form, const slv_part *part, slv_launch launch) {
    size_t floats = form->state_count;
    slv_cpu_kernel *fast = set->kernels[kernel - entries];
    int rows = count_rows(form, part, kernel->domain, launch.colour);
    float *expected = malloc(floats * sizeof *expected);
    float *found = malloc(floats * sizeof *found);
    assert_true(expected && found);
    memcpy(expected, form->state, floats * sizeof *expected);
    memcpy(found, form->state, floats * sizeof *found);
    if (kernel->domain == SLICES) { // only the slices of one colour may run at once
        int first = form->table[part->colours + launch.colour];
        int end = form->table[part->colours + launch.colour + 1];
        kernel->plain(expected, form->table, part, &launch, first, end);
        fast(found, form->table, part, &launch, first, end);
    } else {
        kernel->plain(expected, form->table, part, &launch, 0, rows);
        fast(found, form->table, part, &launch, 0, rows / 3);
        fast(found, form->table, part, &launch, rows / 3, rows);
    }
    if (memcmp(expected, found, floats * sizeof *found) != 0) {
        fail_msg("%s differs with %s", kernel->name, set->name);
    }
    free(expected);
    free(found);
}

static void compare_form(const slv_instruction_set *set, slv_world *world) {
    uint32_t seed = 12345;
    slv_form *form = &world->form;
    for (uint32_t i = 0; i < form->part_count; i++) {
        shake(form, i, &seed);
    }
    for (uint32_t i = 0; i < form->part_count; i++) {
        const slv_part *part = &form->parts[i];
        for (size_t k = 0; k < sizeof entries / sizeof *entries; k++) {
            int colours = entries[k].domain == BATCHES ? part->group_count : part->colour_count;
            for (int c = 0; suits(&entries[k], part) && c < 4 * colours; c++) {
                slv_launch launch = {.colour = c % colours,
                                     .parity = c & 1,
                                     .first = c / colours == 1,
                                     .damped = c / colours == 2,
                                     .relaxation = 1.3f,
                                     .keep = 0.99f,
                                     .drift = {1e-4f, -2e-4f, 0.0f, 0.0f},
                                     .limit = 10.0f};
                compare_kernel(set, &entries[k], form, part, launch);
            }
        }
    }
}

static void compare_set(const char *name) {
    const slv_instruction_set *set = slv_find_instruction_set(name);
    if (!set) {
        print_message("skipped: this processor has no %s\n", name);
        return;
    }
    for (int solver = 0; solver < SLV_SOLVER_COUNT; solver += 2) {
        slv_world_def def = slv_default_world_def();
        def.parameters.solver = solver == 4 ? SLV_PBD_GS : SLV_PD_RBGS;
        def.threads = 1;
        slv_world *world = try_create(&def);
        slv_garment_def garment = slv_default_garment_def();
        garment.particle_mass = 0.01f;
        garment.fixed = (const uint32_t[]){2};
        garment.fixed_count = 1;
        (void)try_add(world, make_grid(37, 1, 11, 0.05f, NULL), garment);
        (void)try_add(world, make_grid(9, 7, 8, 0.05f, NULL), garment);
        garment.bending_stiffness = 30.0f;
        (void)try_add(world, make_cloth(13, 11, 0.05f, false), garment);
        compare_form(set, world);
        slv_world_destroy(world);
    }
}

static void baseline_kernels_are_the_plain_ones(void **state) {
    (void)state;
    compare_set("baseline");
}

static void avx2_kernels_are_the_plain_ones(void **state) {
    (void)state;
    compare_set("avx2");
}

static void avx512_kernels_are_the_plain_ones(void **state) {
    (void)state;
    compare_set("avx512");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(baseline_kernels_are_the_plain_ones),
        cmocka_unit_test(avx2_kernels_are_the_plain_ones),
        cmocka_unit_test(avx512_kernels_are_the_plain_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

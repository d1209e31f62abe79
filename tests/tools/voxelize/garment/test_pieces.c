// SPDX-License-Identifier: MIT
#include "tests/tools/common/cmocka_all.h"
#include "tools/common/mesh_build.h"
#include "tools/common/obj_reader.h"
#include "tools/voxelize/field_source.h"
#include "tools/voxelize/pieces.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NX = 70, NY = 9, NZ = 7, SAMPLES = NX * NY * NZ, WORDS = 2 * NY * NZ };

static const slv_lattice lattice = {.cells = {NX, NY, NZ}, .spacing = 1.0};

static size_t word_of(int i, int j, int k) {
    return 2 * (size_t)(k * NY + j) + (size_t)i / 64;
}

static bool is_set(const uint64_t *bits, int i, int j, int k) {
    return i >= 0 && j >= 0 && k >= 0 && i < NX && j < NY && k < NZ &&
           (bits[word_of(i, j, k)] >> (i % 64) & 1) != 0;
}

// Size of the piece of a sample by flood fill; marks its samples with the label.
static uint32_t flood(const uint64_t *bits, int *labels, int start, int label) {
    static int stack[SAMPLES];
    int depth = 0;
    uint32_t size = 0;
    stack[depth++] = start;
    labels[start] = label;
    while (depth > 0) {
        const int at = stack[--depth];
        const int i = at % NX;
        const int j = at / NX % NY;
        const int k = at / NX / NY;
        const int steps[6][3] = {{1, 0, 0},  {-1, 0, 0}, {0, 1, 0},
                                 {0, -1, 0}, {0, 0, 1},  {0, 0, -1}};
        size++;
        for (int s = 0; s < 6; s++) {
            const int x = i + steps[s][0];
            const int y = j + steps[s][1];
            const int z = k + steps[s][2];
            const int next = (z * NY + y) * NX + x;
            if (is_set(bits, x, y, z) && labels[next] == 0) {
                labels[next] = label;
                stack[depth++] = next;
            }
        }
    }
    return size;
}

static void mark_random(uint64_t *bits, uint32_t *seed, uint32_t percent) {
    memset(bits, 0, WORDS * sizeof *bits);
    for (int n = 0; n < SAMPLES; n++) {
        *seed ^= *seed << 13;
        *seed ^= *seed >> 17;
        *seed ^= *seed << 5;
        if (*seed % 100 < percent) {
            bits[word_of(n % NX, n / NX % NY, n / NX / NY)] |= UINT64_C(1) << (n % NX % 64);
        }
    }
}

static void pieces_are_those_of_a_flood_fill(void **state) {
    (void)state;
    uint32_t seed = 2463534242u;
    for (uint32_t percent = 5; percent <= 60; percent += 5) {
        static uint64_t bits[WORDS];
        static uint64_t kept[WORDS];
        static int labels[SAMPLES];
        static uint32_t sizes[SAMPLES + 1];
        mark_random(bits, &seed, percent);
        memset(labels, 0, sizeof labels);
        int count = 0;
        int largest = 0;
        uint32_t loose = 0;
        for (int n = 0; n < SAMPLES; n++) {
            if (is_set(bits, n % NX, n / NX % NY, n / NX / NY) && labels[n] == 0) {
                count++;
                sizes[count] = flood(bits, labels, n, count);
                largest = sizes[count] > sizes[largest] || largest == 0 ? count : largest;
                loose += sizes[count] == 1 ? 1 : 0;
            }
        }
        const slv_keep keeps[] = {SLV_KEEP_ALL, SLV_KEEP_LARGEST, SLV_KEEP_JOINED};
        for (size_t c = 0; c < 3; c++) {
            slv_pieces pieces;
            slv_error error;
            memcpy(kept, bits, sizeof kept);
            assert_int_equal(slv_pieces_keep(&lattice, kept, keeps[c], &pieces, &error), SLV_OK);
            assert_int_equal(pieces.count, count);
            assert_int_equal(pieces.loose, loose);
            assert_int_equal(pieces.largest, sizes[largest]);
            for (int n = 0; n < SAMPLES; n++) {
                const bool expected =
                    labels[n] != 0 &&
                    (keeps[c] == SLV_KEEP_ALL ||
                     (keeps[c] == SLV_KEEP_LARGEST ? labels[n] == largest : sizes[labels[n]] > 1));
                assert_int_equal(is_set(kept, n % NX, n / NX % NY, n / NX / NY), expected);
            }
        }
    }
}

// Two tetrahedra, one of them between samples: no ball of it holds one.
static void parts_without_a_sample_are_lost(void **state) {
    (void)state;
    static const char text[] =
        "v 1 1 1\nv 5 1 1\nv 1 5 1\nv 1 1 5\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
        "v 20.1 1.1 1.1\nv 20.4 1.1 1.1\nv 20.1 1.4 1.1\nv 20.1 1.1 1.4\n"
        "f 5 7 6\nf 5 6 8\nf 5 8 7\nf 6 7 8\n";
    slv_raw_mesh raw;
    slv_mesh mesh;
    slv_error error;
    const slv_import_space space = slv_import_space_default();
    assert_int_equal(slv_obj_read(text, sizeof text - 1, &raw, &error), SLV_OK);
    assert_int_equal(slv_mesh_build(&raw, &space, true, &mesh, &error), SLV_OK);
    static uint64_t bits[WORDS];
    bits[word_of(2, 2, 2)] = UINT64_C(1) << 2;
    slv_lost_parts lost;
    assert_int_equal(slv_find_lost_parts(&mesh, &lattice, bits, &lost, &error), SLV_OK);
    assert_int_equal(lost.parts, 2);
    assert_int_equal(lost.lost, 1);
    const double volume = 0.3 * 0.3 * 0.3 / 6.0;
    const double area = 3.0 * 0.5 * 0.09 + 0.5 * 0.09 * sqrt(3.0);
    assert_true(fabs(lost.least_ratio - volume / area) < 1e-9);
    slv_raw_mesh_free(&raw);
    slv_mesh_free(&mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_are_those_of_a_flood_fill),
        cmocka_unit_test(parts_without_a_sample_are_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

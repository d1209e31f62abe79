// SPDX-License-Identifier: MIT
#include "tests/common/generated_body.h"

#include <stdio.h>
#include <stdlib.h>

static uint32_t *take(size_t count) {
    uint32_t *numbers = calloc(count + 1, sizeof *numbers);
    if (!numbers) {
        (void)fprintf(stderr, "making a body: out of memory\n");
        exit(4);
    }
    return numbers;
}

static uint32_t count_boxes(uint32_t cells, uint32_t side, uint32_t step) {
    return cells < side ? 0 : (cells - side) / step + 1;
}

static void add_box(uint32_t *ends, uint32_t *members, slv_clusters *clusters,
                    const uint32_t cells[3], const uint32_t origin[3], const uint32_t size[3]) {
    for (uint32_t k = origin[2]; k < origin[2] + size[2]; k++) {
        for (uint32_t j = origin[1]; j < origin[1] + size[1]; j++) {
            for (uint32_t i = origin[0]; i < origin[0] + size[0]; i++) {
                members[clusters->member_count++] = i + cells[0] * (j + cells[1] * k);
            }
        }
    }
    ends[clusters->count++] = clusters->member_count;
}

generated_garment *make_body(uint32_t nx, uint32_t ny, uint32_t nz, float spacing, uint32_t side,
                             uint32_t step) {
    const uint32_t cells[3] = {nx, ny, nz};
    const uint32_t whole[3] = {0, 0, 0};
    const uint32_t box[3] = {side, side, side};
    const uint32_t boxes[3] = {side > 0 ? count_boxes(nx, side, step) : 1,
                               side > 0 ? count_boxes(ny, side, step) : 1,
                               side > 0 ? count_boxes(nz, side, step) : 1};
    const size_t count = (size_t)boxes[0] * boxes[1] * boxes[2];
    const size_t each = side > 0 ? (size_t)side * side * side : (size_t)nx * ny * nz;
    generated_garment *made = make_loose_grid(nx, ny, nz, spacing, false);
    uint32_t *ends = take(count);
    uint32_t *members = take(count * each);
    slv_clusters clusters = {.end = ends, .member = members};
    if (side == 0) {
        add_box(ends, members, &clusters, cells, whole, cells);
    }
    for (uint32_t n = 0; side > 0 && n < count; n++) {
        const uint32_t origin[3] = {step * (n % boxes[0]), step * (n / boxes[0] % boxes[1]),
                                    step * (n / boxes[0] / boxes[1])};
        add_box(ends, members, &clusters, cells, origin, box);
    }
    generated_remove_springs(made);
    generated_view(made)->clusters = clusters;
    generated_keep(made, ends, members);
    return made;
}

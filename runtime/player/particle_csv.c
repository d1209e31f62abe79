// SPDX-License-Identifier: MIT
#include "runtime/player/particle_csv.h"

#include "runtime/player/subject.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define LONGEST_LINE 128 // two numbers of 20 digits, three of 15 characters, commas, newline

slv_result slv_csv_write_header(slv_atomic_file *file, slv_error *error) {
    static const char header[] = "frame,particle,x,y,z\n";
    return slv_atomic_write(file, header, sizeof header - 1, error);
}

// first is the number of the view's first particle among those of all garments.
static slv_result write_view(slv_atomic_file *file, const slv_particle_view *view, uint64_t frame,
                             uint64_t first, slv_error *error) {
    char text[1 << 16];
    size_t used = 0;
    slv_result result = SLV_OK;
    for (uint32_t p = 0; p < view->count && result == SLV_OK; p++) {
        const size_t at = (size_t)view->slot[p] * view->stride;
        const int length =
            snprintf(text + used, LONGEST_LINE, "%" PRIu64 ",%" PRIu64 ",%.9g,%.9g,%.9g\n", frame,
                     first + p, (double)view->x[at], (double)view->y[at], (double)view->z[at]);
        used += (size_t)length;
        if (used > sizeof text - LONGEST_LINE) {
            result = slv_atomic_write(file, text, used, error);
            used = 0;
        }
    }
    return result == SLV_OK ? slv_atomic_write(file, text, used, error) : result;
}

slv_result slv_csv_write_frame(slv_atomic_file *file, slv_world *world, uint64_t frame,
                               slv_error *error) {
    uint64_t first = 0;
    slv_result result = SLV_OK;
    const uint32_t garments = slv_world_garment_count(world);
    for (uint32_t g = 0; g < garments && result == SLV_OK; g++) {
        slv_particle_view view;
        const slv_status status = slv_garment_positions(world, (slv_garment_id){g}, &view);
        if (status != SLV_STATUS_OK) {
            return slv_fail(error, slv_play_result(status), "%s", slv_world_message(world));
        }
        result = write_view(file, &view, frame, first, error);
        first += view.count;
    }
    return result;
}

// SPDX-License-Identifier: MIT
#include "runtime/backends/cpu/cpu_strain.h"

bool slv_cpu_strain_create(slv_cpu_strain *strain, const slv_layout *layout,
                           slv_allocator allocator) {
    slv_cpu_strain made = {.memory = {.allocator = allocator}};
    const size_t bodies = (size_t)layout->body_count + 2;
    size_t count = 0;
    made.first = slv_memory_take(&made.memory, bodies, sizeof *made.first);
    for (size_t i = 0; made.first && i < bodies; i++) {
        const slv_body_layout *body_layout = &layout->bodies[i];
        made.first[i] = count;
        count += body_layout->strain > 0.0f ? (size_t)body_layout->tiles : 0;
    }
    made.tiles = slv_memory_take(&made.memory, count, sizeof *made.tiles);
    if (!made.first || !made.tiles) {
        slv_memory_release(&made.memory);
        return false;
    }
    *strain = made;
    return true;
}

void slv_cpu_strain_destroy(slv_cpu_strain *strain) {
    slv_memory memory = strain->memory;
    slv_memory_release(&memory);
    *strain = (slv_cpu_strain){.tiles = NULL};
}

// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "tests/runtime/try_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

slv_world *try_create(const slv_world_def *def) {
    char message[256];
    slv_world *world = NULL;
    if (slv_world_create(def, &world, message, sizeof message) != SLV_OK) {
        fail_msg("slv_world_create: %s", message);
    }
    return world;
}

static void try_status(slv_world *world, slv_result status) {
    if (status != SLV_OK) {
        fail_msg("status %d: %s", (int)status, slv_world_get_message(world));
    }
}

void try_near(double value, double expected, double tolerance) {
    double difference = value > expected ? value - expected : expected - value;
    if (!(difference <= tolerance)) {
        fail_msg("%.9g, should be %.9g within %g", value, expected, tolerance);
    }
}

const char *try_path(char *room, size_t size, const char *name) {
    const char *directory = getenv("TMPDIR");
    (void)snprintf(room, size, "%s/selvage-%ld-%s", directory ? directory : "/tmp", (long)getpid(),
                   name);
    return room;
}

try_memory try_plenty(void) {
    return (try_memory){.left = SIZE_MAX, .most = SIZE_MAX};
}

static void *allocate(void *context, size_t size, size_t alignment) {
    try_memory *memory = context;
    memory->calls++;
    if (memory->left == 0 || size > memory->most - memory->bytes) {
        return NULL;
    }
    memory->left--;
    memory->bytes += size;
    return aligned_alloc(alignment, size);
}

static void release(void *context, void *block, size_t size) {
    try_memory *memory = context;
    memory->calls++;
    memory->bytes -= size;
    free(block);
}

slv_allocator try_allocator(try_memory *memory) {
    return (slv_allocator){allocate, release, memory};
}

slv_garment_id try_add(slv_world *world, made_garment *made, slv_garment_def def) {
    char path[256];
    slv_garment_id id = {0};
    made_write_and_free(made, try_path(path, sizeof path, "garment.slv"));
    def.pack_path = path;
    slv_result status = slv_world_add_garment(world, &def, &id);
    (void)remove(path);
    try_status(world, status);
    return id;
}

void try_step(slv_world *world, uint32_t count) {
    try_status(world, slv_world_step(world, count));
}

uint64_t try_hash(slv_world *world) {
    uint64_t hash = 0;
    try_status(world, slv_world_get_hash(world, &hash));
    return hash;
}

slv_measures try_measure(slv_world *world) {
    slv_measures measures;
    try_status(world, slv_world_get_measures(world, &measures));
    return measures;
}

void try_position(slv_world *world, slv_garment_id id, uint32_t particle, float place[3]) {
    slv_particle_view view;
    try_status(world, slv_garment_get_positions(world, id, &view));
    assert_true(particle < view.count);
    size_t at = (size_t)view.slot[particle] * view.stride;
    place[0] = view.x[at];
    place[1] = view.y[at];
    place[2] = view.z[at];
}

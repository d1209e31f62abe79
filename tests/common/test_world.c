// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "tests/common/test_world.h"

#include "runtime/backends/cpu/cpu_engine.h"
#include "runtime/world/world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

slv_world_def plain_world(slv_solver solver, double time_step) {
    slv_world_def def = slv_default_world_def();
    def.parameters.solver = solver;
    def.parameters.damping = 0.0f;
    def.time_step = time_step;
    def.threads = 1;
    return def;
}

void soften_for_integrators(slv_world_def *def, float stiffness, float damping) {
    const slv_solver solver = def->parameters.solver;
    if (solver >= SLV_MS_EXPLICIT_EULER && solver <= SLV_MS_VERLET) {
        def->parameters.stiffness = stiffness;
        def->parameters.damping = damping;
    }
}

slv_world *must_create(const slv_world_def *def) {
    char message[256];
    slv_world *world = NULL;
    if (slv_world_create(def, &world, message, sizeof message) != SLV_OK) {
        fail_msg("slv_world_create: %s", message);
    }
    if (world->backend == &slv_cpu_backend) {
        slv_cpu_set_costs(world->engine, (slv_schedule_costs){.barrier = 0.0});
    }
    return world;
}

static void must_succeed(slv_world *world, slv_result status) {
    if (status != SLV_OK) {
        fail_msg("status %d: %s", (int)status, slv_world_get_message(world));
    }
}

void assert_near(double value, double expected, double tolerance) {
    double difference = value > expected ? value - expected : expected - value;
    if (!(difference <= tolerance)) {
        fail_msg("%.9g, should be %.9g within %g", value, expected, tolerance);
    }
}

const char *temporary_path(char *room, size_t size, const char *name) {
    const char *directory = getenv("TMPDIR");
    (void)snprintf(room, size, "%s/selvage-%ld-%s", directory ? directory : "/tmp", (long)getpid(),
                   name);
    return room;
}

counting_memory unlimited_memory(void) {
    return (counting_memory){.left = SIZE_MAX, .most = SIZE_MAX};
}

static void *allocate(void *context, size_t size, size_t alignment) {
    counting_memory *memory = context;
    memory->calls++;
    if (memory->left == 0 || size > memory->most - memory->bytes) {
        return NULL;
    }
    memory->left--;
    memory->bytes += size;
    return aligned_alloc(alignment, size);
}

static void release(void *context, void *block, size_t size) {
    counting_memory *memory = context;
    memory->calls++;
    memory->bytes -= size;
    free(block);
}

slv_allocator counting_allocator(counting_memory *memory) {
    return (slv_allocator){allocate, release, memory};
}

slv_garment_id must_add(slv_world *world, generated_garment *made, slv_garment_def def) {
    char path[256];
    slv_garment_id id = {0};
    generated_write_and_free(made, temporary_path(path, sizeof path, "garment.slv"));
    def.pack_path = path;
    slv_result status = slv_world_add_garment(world, &def, &id);
    (void)remove(path);
    must_succeed(world, status);
    must_step(world, 0);
    return id;
}

void must_step(slv_world *world, uint32_t count) {
    must_succeed(world, slv_world_step(world, count));
}

uint64_t must_hash(slv_world *world) {
    uint64_t hash = 0;
    must_succeed(world, slv_world_get_hash(world, &hash));
    return hash;
}

slv_measures must_measure(slv_world *world) {
    slv_measures measures;
    must_succeed(world, slv_world_get_measures(world, &measures));
    return measures;
}

saved_world must_save(slv_world *world) {
    const size_t size = slv_world_get_snapshot_size(world);
    const saved_world saved = {malloc(size), size};
    assert_non_null(saved.bytes);
    must_succeed(world, slv_world_save_snapshot(world, saved.bytes, size));
    return saved;
}

void must_restore(slv_world *world, const saved_world *saved) {
    must_succeed(world, slv_world_restore_snapshot(world, saved->bytes, saved->size));
}

void must_end_alike(slv_world *one, slv_world *other) {
    assert_int_equal(must_hash(one), must_hash(other));
    slv_world_destroy(one);
    slv_world_destroy(other);
}

slv_collider_def collider_of_every_shape(int number) {
    slv_collider_def collider = slv_default_collider_def();
    collider.kind = (slv_collider_kind)(1 + number % 6);
    collider.radius = 0.1f;
    collider.length = 0.2f;
    collider.size[0] = collider.size[1] = collider.size[2] = 0.15f;
    collider.low = -0.2f;
    collider.high = 0.2f;
    return collider;
}

void must_position(slv_world *world, slv_garment_id id, uint32_t particle, float position[3]) {
    slv_particle_view view;
    must_succeed(world, slv_garment_get_positions(world, id, &view));
    assert_true(particle < view.count);
    slv_particle_view_get(&view, particle, position);
}

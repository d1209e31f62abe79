// SPDX-License-Identifier: MIT
#include "tests/gpu/failure_scenario.h"

#include "runtime/step/feature.h"
#include "runtime/step/features/moves.h"
#include "runtime/world/world.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// --- The driver -------------------------------------------------------------------------------------

void driver_find(const failing_driver *driver, const char *name, void *function) {
    void *address = dlsym(driver->library, name);
    if (!address) {
        fail_msg("the test driver has no %s", name);
    }
    memcpy(function, &address, sizeof address);
}

bool driver_open(failing_driver *driver) {
    const char *path = getenv(driver->variable);
    driver->library = dlopen(path ? path : "", RTLD_NOW);
    if (!driver->library) {
        return false;
    }
    driver_find(driver, "driver_fail", &driver->make_fail);
    driver_find(driver, "driver_calls", &driver->calls);
    driver_find(driver, "driver_live", &driver->live);
    driver_find(driver, "driver_sent", &driver->sent);
    driver_find(driver, "driver_received", &driver->received);
    return true;
}

static void trip(const failing_driver *driver, const char *call, unsigned nth, bool device_lost) {
    static int turn;
    driver->make_fail(call, nth, driver->codes[turn++ % 2], device_lost);
}

// --- Each call in turn -------------------------------------------------------------------------

enum { STEPS = 3 };

typedef struct scenario {
    const failing_driver *driver; // NULL: on the CPU
    bool fallback;
    slv_world *world;
    slv_result status; // of the first call that failed
    char message[600];
    uint64_t hash; // of the last good state
    uint64_t steps;
} scenario;

// Keeps the first failure; true while there is none.
static bool succeeded(scenario *self, slv_result status) {
    if (status != SLV_OK && self->status == SLV_OK) {
        self->status = status;
        (void)snprintf(self->message, sizeof self->message, "%s",
                       slv_world_get_message(self->world));
    }
    return self->status == SLV_OK;
}

static bool step(scenario *self) {
    if (!succeeded(self, slv_world_step(self->world, STEPS))) {
        return false;
    }
    self->steps += STEPS;
    return succeeded(self, slv_world_get_hash(self->world, &self->hash));
}

static bool add(scenario *self) {
    char path[256];
    slv_garment_def def = slv_default_garment_def();
    generated_write_and_free(make_grid(9, 1, 11, 0.05f, NULL),
                             temporary_path(path, sizeof path, "g.slv"));
    def.pack_path = path;
    slv_garment_id id;
    slv_result status = slv_world_add_garment(self->world, &def, &id);
    (void)remove(path);
    if (!succeeded(self, status)) {
        return false;
    }
    const bool laid_out = succeeded(self, slv_world_step(self->world, 0));
    if (!laid_out) {
        assert_int_equal(slv_world_remove_garment(self->world, id), SLV_OK);
    }
    return laid_out;
}

// Drawing is optional: a failure does not count where it is not supported, or with fallback.
static bool draw(scenario *self) {
    slv_result status = SLV_OK;
    if (self->driver && self->driver->gl &&
        strcmp(slv_world_get_device(self->world).backend, self->driver->backend) == 0) {
        status = slv_garment_write_gl_buffer(self->world, slv_world_get_garment(self->world, 0), 1);
    }
    bool cannot = status == SLV_ERROR_UNSUPPORTED;
    return self->fallback || succeeded(self, cannot ? SLV_OK : status);
}

static bool lead(scenario *self) {
    const uint32_t corner = 0;
    const float position[3] = {0.1f, 0.2f, 0.0f};
    return succeeded(self, slv_garment_set_fixed(self->world, slv_world_get_garment(self->world, 0),
                                                 &corner, 1, true)) &&
           succeeded(self,
                     slv_garment_move_fixed(self->world, slv_world_get_garment(self->world, 0),
                                            &corner, 1, position, 2 * STEPS));
}

static bool change(scenario *self, slv_solver solver, float relaxation) {
    slv_parameters parameters = slv_world_get_parameters(self->world);
    parameters.solver = solver;
    parameters.relaxation = relaxation;
    parameters.gravity[0] += 0.5f;
    return succeeded(self, slv_world_set_parameters(self->world, &parameters));
}

static void run_scenario(scenario *self, bool timing) {
    slv_world_def def = parity_def(self->driver ? self->driver->backend : "cpu");
    def.parameters.outer_iterations = 1;
    def.fallback = self->fallback;
    def.keep_state = true;
    def.timing = timing;
    def.gl_context =
        self->driver && self->driver->gl ? self : NULL; // any value; only OpenCL reads it
    char message[600] = "";
    self->status = slv_world_create(&def, &self->world, message, sizeof message);
    if (self->status != SLV_OK) {
        (void)snprintf(self->message, sizeof self->message, "%s", message);
        return;
    }
    (void)(succeeded(self, slv_world_get_hash(self->world, &self->hash)) && add(self) &&
           step(self) && draw(self) && add(self) && lead(self) && step(self) && step(self) &&
           change(self, SLV_PD_RBGS, 1.3f) && step(self) && change(self, SLV_PBD_GS, 1.0f) &&
           step(self));
}

// Checks a world that failed: its message, its state, and that it can still be read.
static void check_failed_world(scenario *self, const char *call, const char *words) {
    uint64_t hash = 0;
    if (!strstr(self->message, call) || !strstr(self->message, words)) {
        fail_msg("%s failed with: %s", call, self->message);
    }
    if (self->world) {
        assert_int_equal(slv_world_get_hash(self->world, &hash), SLV_OK);
        assert_int_equal(slv_world_get_step_count(self->world), self->steps);
        if (self->steps > 0 && slv_world_get_garment_count(self->world) == 1) {
            assert_true(hash == self->hash);
        }
    }
}

static uint64_t hash_on_cpu(void) {
    scenario cpu = {.fallback = false};
    run_scenario(&cpu, false);
    assert_int_equal(cpu.status, SLV_OK);
    slv_world_destroy(cpu.world);
    return cpu.hash;
}

// The nth call fails; false where there is no nth.
static bool try_failure(const failing_driver *driver, const char *call, unsigned nth, bool lost,
                        bool fallback, uint64_t expected) {
    scenario one = {.driver = driver, .fallback = fallback};
    trip(driver, call, nth, lost);
    run_scenario(&one, strstr(call, "Event") || nth % 2 == 0); // events are only made for timing
    if (one.status != SLV_OK) {
        assert_false(fallback);
        // A device may be lost in a call whose result is ignored; then the next call fails.
        check_failed_world(&one, lost ? "" : call, driver->message);
    } else if (one.hash != expected) { // a recovered failure must not change the state
        fail_msg("%s, call %u%s: other bits", call, nth, lost ? ", device lost" : "");
    }
    slv_world_destroy(one.world);
    bool came = driver->calls(call) >= nth;
    trip(driver, NULL, 0, false);
    if (driver->live() != 0) {
        fail_msg("%s, call %u%s%s: %ld objects leaked", call, nth, lost ? ", device lost" : "",
                 fallback ? ", fallback" : "", driver->live());
    }
    return came;
}

// Fails call after call, each time it is made in turn, and checks what is left: without fallback an error with
// the driver's message and the last good state; with it the state of a CPU; and nothing leaked. Returns how often
// the call is made where nothing fails.
static unsigned try_failures(const failing_driver *driver, const char *call) {
    uint64_t expected = hash_on_cpu();
    unsigned made = 0;
    for (int variant = 0; variant < 4; variant++) {
        unsigned nth = 1;
        while (try_failure(driver, call, nth, (variant & 1) != 0, (variant & 2) != 0, expected)) {
            made = nth > made ? nth : made;
            nth += nth < driver->dense ? 1 : nth;
        }
    }
    return made;
}

static bool is_among(const char *call, const char *const *calls) {
    for (; *calls; calls++) {
        if (strcmp(*calls, call) == 0) {
            return true;
        }
    }
    return false;
}

void every_call_may_fail(void **state) {
    const failing_driver *driver = *state;
    for (const char *const *call = driver->all; *call; call++) {
        if (try_failures(driver, *call) == 0 && !is_among(*call, driver->optional)) {
            fail_msg("%s is never called", *call);
        }
    }
}

// --- Failures during a run --------------------------------------------------------------------------

enum { MIDWAY = 12 }; // steps

typedef slv_world *maker(const char *backend, bool fallback);

static slv_world *make_torn(const char *backend, bool fallback) {
    slv_world_def def = parity_def(backend);
    def.parameters.solver = SLV_PBD_GS;
    def.fallback = fallback;
    def.keep_state = true;
    slv_world *world = must_create(&def);
    slv_garment_def garment = slv_default_garment_def();
    garment.particle_mass = 0.01f;
    garment.fixed = (const uint32_t[]){0, 8};
    garment.fixed_count = 2;
    garment.velocity[1] = -12.0f;
    garment.tearing_threshold = 1.3f;
    (void)must_add(world, make_cloth(9, 7, 0.05f, false), garment);
    return world;
}

static uint64_t hash_after(slv_world *world, uint32_t steps) {
    uint64_t hash = 0;
    (void)slv_world_step(world, steps);
    assert_int_equal(slv_world_get_hash(world, &hash), SLV_OK);
    return hash;
}

// The last good state is that of some step, and the steps from there give the same bits.
static void try_midway(const failing_driver *driver, const char *call, maker *make) {
    slv_world *cpu = make("cpu", false);
    const uint64_t before = hash_after(cpu, MIDWAY);
    const uint64_t expected = hash_after(cpu, MIDWAY);
    slv_world_destroy(cpu);
    for (int fallback = 0; fallback < 2; fallback++) {
        for (unsigned nth = 1; nth < 4; nth++) {
            slv_world *world = make(driver->backend, fallback == 1);
            assert_true(hash_after(world, MIDWAY) == before);
            trip(driver, call, nth, false);
            uint64_t hash = hash_after(world, MIDWAY);
            trip(driver, NULL, 0, false);
            const uint32_t done = (uint32_t)slv_world_get_step_count(world);
            if (fallback == 0 && done < 2 * MIDWAY) {
                hash = hash_after(world, 2 * MIDWAY - done);
            }
            assert_true(hash == expected);
            slv_world_destroy(world);
        }
    }
}

void torn_springs_stay_torn_when_the_device_fails(void **state) {
    const failing_driver *driver = *state;
    slv_world *cpu = make_torn("cpu", false);
    uint32_t torn = 0;
    (void)hash_after(cpu, MIDWAY);
    assert_int_equal(slv_garment_get_torn_count(cpu, slv_world_get_garment(cpu, 0), &torn), SLV_OK);
    assert_true(torn > 0);
    slv_world_destroy(cpu);
    try_midway(driver, driver->read, make_torn);
    try_midway(driver, driver->launch, make_torn);
}

static slv_world *make_led(const char *backend, bool fallback) {
    slv_world_def def = parity_def(backend);
    def.fallback = fallback;
    def.keep_state = true;
    return parity_open(parity_find("clip"), SLV_PD_RBGS, &def);
}

void a_clip_goes_on_when_the_device_fails(void **state) {
    const failing_driver *driver = *state;
    try_midway(driver, driver->write, make_led);
    try_midway(driver, driver->launch, make_led);
}

// --- Without keep_state --------------------------------------------------------------------------

static slv_world *make_unkept(const char *backend, bool fallback) {
    slv_world_def def = parity_def(backend);
    def.fallback = fallback;
    assert_false(def.keep_state); // unless asked for
    return parity_open(parity_find("contacts"), SLV_PBD_GS, &def);
}

static size_t bytes_of(const slv_world *world, int aspect) {
    size_t numbers = 0;
    for (uint32_t i = 0; i < world->layout.body_count; i++) {
        numbers += world->layout.extents[i].state[aspect].count;
    }
    return numbers * sizeof(float);
}

// A step reads back a few status numbers and no state. State is read back on request, and only the requested part.
void only_requested_state_is_read_back(void **state) {
    const failing_driver *driver = *state;
    enum { CALLS = 10 };
    slv_world *world = make_unkept(driver->backend, false);
    slv_particle_view view;
    must_step(world, 4); // neighbor lists have their final size
    trip(driver, NULL, 0, false);
    for (int n = 0; n < CALLS; n++) {
        must_step(world, 2);
    }
    const size_t status_bytes = CALLS * SLV_HEAD_FLOATS * sizeof(float);
    assert_int_equal(driver->received(), status_bytes);
    const size_t positions = bytes_of(world, SLV_ASPECT_POSITIONS);
    for (int n = 0; n < 2; n++) { // the second time they are on the host
        assert_int_equal(slv_garment_get_positions(world, slv_world_get_garment(world, 0), &view),
                         SLV_OK);
        assert_int_equal(driver->received(), status_bytes + positions);
    }
    // From now on all state is kept on the host.
    assert_int_equal(slv_world_set_keep_state(world, true), SLV_OK);
    const size_t all = positions + bytes_of(world, SLV_ASPECT_PREVIOUS) / 2 +
                       bytes_of(world, SLV_ASPECT_REMAINDERS);
    assert_true(driver->received() >= status_bytes + all);
    const size_t before = driver->received();
    must_step(world, 2);
    assert_true(driver->received() >= before + all);
    slv_world_destroy(world);
    assert_int_equal(driver->live(), 0);
}

static void take_snapshot(slv_world *world) {
    const saved_world saved = must_save(world);
    free(saved.bytes);
}

// With state on the device only: the world reports the failure and is back at its start, from which the CPU
// continues or the device tries again. After a snapshot nothing is lost.
static void try_failure_unkept(const failing_driver *driver, const char *call) {
    slv_world *cpu = make_unkept("cpu", false);
    const uint64_t start = must_hash(cpu);
    const uint64_t before = hash_after(cpu, MIDWAY);
    const uint64_t expected = hash_after(cpu, MIDWAY);
    slv_world_destroy(cpu);
    for (int variant = 0; variant < 4; variant++) {
        const bool fallback = (variant & 1) != 0;
        const bool saved = (variant & 2) != 0;
        slv_world *world = make_unkept(driver->backend, fallback);
        must_step(world, MIDWAY);
        if (saved) {
            take_snapshot(world);
        }
        trip(driver, call, 1, true);
        slv_advance_report report;
        const slv_result status = slv_world_advance(world, MIDWAY * 0.002, &report);
        trip(driver, NULL, 0, false);
        assert_int_equal(status == SLV_OK, saved && fallback);
        assert_int_equal(slv_world_get_step_count(world), !saved ? 0 : MIDWAY * (fallback ? 2 : 1));
        if (!saved) {
            assert_non_null(strstr(slv_world_get_message(world), "back at its start"));
            assert_true(must_hash(world) == start);
            assert_int_equal(slv_world_advance(world, MIDWAY * 0.002, &report), SLV_OK);
            assert_int_equal(slv_world_get_step_count(world), MIDWAY);
        }
        assert_true(must_hash(world) == (saved && fallback ? expected : before));
        assert_string_equal(slv_world_get_device(world).backend,
                            fallback ? "cpu" : driver->backend);
        slv_world_destroy(world);
        assert_int_equal(driver->live(), 0);
    }
}

void unsaved_state_restarts_when_the_device_fails(void **state) {
    const failing_driver *driver = *state;
    try_failure_unkept(driver, driver->launch);
    try_failure_unkept(driver, driver->read);
}

static size_t bytes_of_moves(const slv_world *world) {
    size_t numbers = 0;
    for (uint32_t i = 0; i < world->layout.body_count; i++) {
        const slv_body_extents *extents = &world->layout.extents[i];
        numbers +=
            slv_moves_get_layout(&world->layout)->counts[i] > 0
                ? extents->state[SLV_ASPECT_moves].count + extents->table[SLV_ASPECT_moves].count
                : 0;
    }
    return numbers * sizeof(float);
}

// Moves of a clip are written once, into memory that the device copies from, and only when there are new ones;
// nothing else is sent to the device in a step but the head of its state.
void moves_are_written_into_staging_memory(void **state) {
    const failing_driver *driver = *state;
    enum { STEPS_WATCHED = 60 };
    slv_world *cpu = make_led("cpu", false);
    slv_world *world = make_led(driver->backend, false);
    size_t expected = 0;
    uint32_t segments = 0;
    must_step(cpu, 1);
    must_step(world, 1);
    trip(driver, NULL, 0, false);
    for (uint32_t n = 0; n < STEPS_WATCHED; n++) {
        const uint64_t written = slv_moves_get_layout(&world->layout)->written;
        must_step(cpu, 1);
        must_step(world, 1);
        if (slv_moves_get_layout(&world->layout)->written != written) {
            expected += bytes_of_moves(world);
            segments++;
        }
        assert_true(must_hash(cpu) == must_hash(world));
    }
    assert_in_range(segments, 2, STEPS_WATCHED / 2);
    assert_int_equal(driver->sent(true), expected);
    assert_int_equal(driver->sent(false), STEPS_WATCHED * SLV_HEAD_FLOATS * sizeof(float));
    slv_world_destroy(cpu);
    slv_world_destroy(world);
    assert_int_equal(driver->live(), 0);
}

// SPDX-License-Identifier: MIT
// Every call that computes, under each rounding mode and with subnormal numbers flushed to zero: state hashes and
// outputs are those of the default modes, and the caller's modes are left as they were.
#include "runtime/base/parameter.h"
#include "tests/common/folder.h"
#include "tests/common/generated_field.h"
#include "tests/common/test_world.h"
#include "tests/formats/sample_collider.h"
#include "tests/formats/sample_garment.h"

#include <fenv.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#if defined(__SSE2__)
#include <xmmintrin.h>
#endif
#include <xxhash.h>

// --- Modes ------------------------------------------------------------------------------------------

enum { FLUSH = -1 }; // in place of a rounding mode

static int mode;         // of the calls
static fenv_t own_modes; // of the test

#if defined(__SSE2__)
enum { FLUSH_BITS = 0x8040 }; // subnormal results and operands are zero
static void set_flush(void) {
    _mm_setcsr(_mm_getcsr() | FLUSH_BITS);
}
static int get_flush(void) {
    return (_mm_getcsr() & FLUSH_BITS) == FLUSH_BITS;
}
#elif defined(__aarch64__)
static const uint64_t flush_bit = 1u << 24;
static void set_flush(void) {
    uint64_t control;
    __asm__ volatile("mrs %0, fpcr" : "=r"(control));
    control |= flush_bit;
    __asm__ volatile("msr fpcr, %0" : : "r"(control));
}
static int get_flush(void) {
    uint64_t control;
    __asm__ volatile("mrs %0, fpcr" : "=r"(control));
    return (control & flush_bit) != 0;
}
#else
static void set_flush(void) {}
static int get_flush(void) {
    return 1;
}
#endif

static void enter(void) {
    assert_int_equal(fegetenv(&own_modes), 0);
    if (mode == FLUSH) {
        set_flush();
    } else {
        assert_int_equal(fesetround(mode), 0);
    }
}

static void leave(void) {
    const int rounding = fegetround();
    const int flush = get_flush();
    assert_int_equal(fesetenv(&own_modes), 0);
    assert_int_equal(mode == FLUSH ? flush : rounding, mode == FLUSH ? 1 : mode);
}

// --- Results ----------------------------------------------------------------------------------------

enum { MOST_NOTES = 1024 };
typedef struct note {
    uint64_t hash;
    const char *call;
} note;
static note notes[MOST_NOTES], expected[MOST_NOTES];
static size_t note_count;

static void note_bytes(const char *call, const void *bytes, size_t size) {
    assert_true(note_count < MOST_NOTES);
    notes[note_count++] = (note){XXH3_64bits(bytes, size), call};
}

// The state after a call, and the two after that: a call may change numbers that only steps read.
static void note_world(const char *call, slv_world *world) {
    for (int i = 0; world && i < 3; i++) {
        const uint64_t hash = must_hash(world);
        note_bytes(call, &hash, sizeof hash);
        if (i < 2) {
            must_step(world, 1);
        }
    }
}

// A call with a result.
#define CALL(...)                                                                                  \
    do {                                                                                           \
        enter();                                                                                   \
        const slv_result call_result = (__VA_ARGS__);                                              \
        leave();                                                                                   \
        if (call_result != SLV_OK) {                                                               \
            fail_msg("%s: %s", #__VA_ARGS__, world ? slv_world_get_message(world) : "");           \
        }                                                                                          \
        note_world(#__VA_ARGS__, world);                                                           \
    } while (0)

// Any other statement.
#define DO(statement)                                                                              \
    enter();                                                                                       \
    statement;                                                                                     \
    leave()

static void note_record(const char *call, const slv_parameter_table *table, const void *record) {
    for (size_t i = 0; i < table->count; i++) {
        double numbers[4] = {0};
        slv_read_numbers(&table->rows[i], record, numbers);
        note_bytes(call, numbers, sizeof numbers);
    }
}

static void note_surface(const char *call, const slv_surface_view *view) {
    note_bytes(call, view->positions, 3 * (size_t)view->vertex_count * sizeof *view->positions);
    note_bytes(call, view->normals, 3 * (size_t)view->vertex_count * sizeof *view->normals);
}

static void note_file(const char *path) {
    size_t size = 0;
    char *bytes = folder_read(path, &size);
    note_bytes(path, bytes, size);
    free(bytes);
}

// --- Calls ------------------------------------------------------------------------------------------

static slv_world *create_world(void) {
    slv_world *world = NULL;
    slv_world_def def;
    DO(def = slv_default_world_def());
    note_record("slv_default_world_def", &slv_world_table, &def);
    note_record("slv_default_world_def", &slv_parameters_table, &def.parameters);
    def.threads = 2;
    def.timing = true;
    def.time_step = 0.0031;
    def.parameters.gravity[0] = 1e-34f; // m/s²: subnormal metres a step
    def.parameters.wind[2] = 3.3f;
    CALL(slv_world_create(&def, &world, NULL, 0));
    return world;
}

static slv_garment_id add_garments(slv_world *world) {
    static const uint32_t fixed[2] = {0, 6};
    static const slv_limit_def limit = {.max_distance = 0.3f, .backstop = 0.07f};
    slv_garment_id ids[2];
    slv_garment_def def;
    slv_garment_material material;
    DO(def = slv_default_garment_def());
    note_record("slv_default_garment_def", &slv_garment_table, &def);
    def.pack_path = "grid.slv";
    def.particle_mass = 0.0123f;
    def.stretch_stiffness = 777.7f;
    def.shear_stiffness = 33.3f;
    def.drag = 0.7f;
    def.garment_collision = true;
    def.sleep_speed = 0.0037f;
    def.scale = 0.93f;
    def.rotation[0] = 0.36f;
    def.rotation[3] = 0.93295f;
    def.velocity[0] = 0.1f;
    def.fixed = fixed;
    def.fixed_count = 2;
    def.tether_slack = 1.07f;
    def.limits = &limit;
    def.limit_count = 1;
    def.position[1] = 0.4;
    CALL(slv_world_add_garment(world, &def, &ids[0]));
    def.pack_path = "box.slv";
    def.drag = 0.0f;
    def.tearing_threshold = 1.3f;
    def.position[1] = 0.7;
    def.limit_count = 0;
    CALL(slv_world_add_garment(world, &def, &ids[1]));
    CALL(slv_garment_cut(world, ids[1], (const uint32_t[]){3, 9}, 2));
    CALL(slv_garment_get_material(world, ids[0], &material));
    material.stretch_stiffness = 601.3f;
    material.thickness = 0.0041f;
    CALL(slv_garment_set_material(world, ids[0], &material));
    return ids[0];
}

static void use_garment(slv_world *world, slv_garment_id id) {
    static const uint32_t fixed[3] = {0, 6, 20};
    const float targets[9] = {0.1f, 0.2f, 0.3f, 0.7f, 0.3f, 0.1f, 0.3f, 0.31f, 0.1f};
    const double to[3] = {0.13, 0.21, -0.17};
    const double origin[3] = {31.7, 0.3, -7.9};
    const float turn[4] = {0.36f, 0.0f, 0.0f, 0.93295f};
    float positions[49 * 3];
    float distances[49];
    for (int i = 0; i < 49 * 3; i++) {
        positions[i] = 0.013f * (float)i;
        distances[i / 3] = 0.07f * (float)i;
    }
    CALL(slv_garment_set_fixed(world, id, fixed, 3, true));
    CALL(slv_garment_move_fixed(world, id, fixed, 3, targets, 7));
    CALL(slv_world_step(world, 3));
    CALL(slv_garment_teleport(world, id, to, turn));
    CALL(slv_world_set_origin(world, origin));
    CALL(slv_garment_lead_fixed(world, id, fixed, 2, targets, 0.017));
    CALL(slv_world_advance(world, 0.0111, NULL));
    CALL(slv_garment_lead_fixed(world, id, fixed, 2, targets, 0.027)); // within a step
    CALL(slv_garment_set_targets(world, id, positions, NULL));
    CALL(slv_garment_set_limits(world, id, distances, NULL));
    CALL(slv_garment_wake(world, id));
    CALL(slv_world_step(world, 3));
    slv_surface_view view;
    CALL(slv_garment_get_surface_at(world, slv_world_get_garment(world, 1), 0.37f, &view));
    note_surface("slv_garment_get_surface_at", &view);
    CALL(slv_garment_get_surface(world, slv_world_get_garment(world, 1), &view));
    note_surface("slv_garment_get_surface", &view);
    char message[256] = "";
    CALL(slv_garment_check_radius(world, id, message, sizeof message));
    note_bytes("slv_garment_check_radius", message, strlen(message));
}

static void use_colliders(slv_world *world) {
    const double to[3] = {0.31, -0.1, 0.07};
    const float turn[4] = {0.0f, 0.36f, 0.0f, 0.93295f};
    const float spin[3] = {0.1f, 3.3f, 0.7f};
    slv_collider_id ids[7];
    slv_collider_def def;
    DO(def = slv_default_collider_def());
    note_record("slv_default_collider_def", &slv_collider_table, &def);
    for (int i = 0; i < 6; i++) {
        def = collider_of_every_shape(i);
        def.position[0] = (double)(0.3f * (float)i);
        def.velocity[2] = 0.1f;
        def.angular_velocity[0] = 0.7f;
        CALL(slv_world_add_collider(world, &def, &ids[i]));
    }
    def = slv_default_collider_def();
    def.kind = SLV_COLLIDER_FIELD;
    def.pack_path = "field.slv";
    CALL(slv_world_add_collider(world, &def, &ids[6]));
    CALL(slv_world_step(world, 3));
    CALL(slv_collider_move(world, ids[1], to, turn, 7));
    CALL(slv_collider_lead(world, ids[2], to, turn, 0.013));
    CALL(slv_collider_set_velocity(world, ids[3], spin, spin));
    CALL(slv_world_step(world, 3));
    CALL(slv_world_remove_collider(world, ids[6]));
    slv_contact_point points[64];
    uint32_t count = 0;
    memset(points, 0, sizeof points);
    CALL(
        slv_garment_get_contact_points(world, slv_world_get_garment(world, 0), points, 64, &count));
    note_bytes("slv_garment_get_contact_points", points, sizeof points);
}

static void use_locks(slv_world *world) {
    slv_lock_id id;
    slv_lock_def def;
    double distance = 0.0;
    DO(def = slv_default_lock_def());
    note_record("slv_default_lock_def", &slv_lock_table, &def);
    def.garment = def.other_garment = slv_world_get_garment(world, 0);
    def.other_particle = 5;
    CALL(slv_world_add_lock(world, &def, &id));
    CALL(slv_lock_get_def(world, id, &def));
    note_record("slv_lock_get_def", &slv_lock_table, &def);
    CALL(slv_lock_get_distance(world, id, &distance));
    note_bytes("slv_lock_get_distance", &distance, sizeof distance);
    CALL(slv_world_remove_lock(world, id));
}

static slv_clip_id use_clip(slv_world *world, slv_garment_id garment) {
    const double to[3] = {0.31, -0.1, 0.07};
    const float turn[4] = {0.0f, 0.36f, 0.0f, 0.93295f};
    slv_clip_id id;
    slv_clip_def def;
    slv_surface_view surface;
    slv_motion_view motion;
    slv_clip_report report;
    double at[3];
    float pose[4];
    DO(def = slv_default_clip_def());
    note_record("slv_default_clip_def", &slv_clip_table, &def);
    def.pack_path = "clip.slv";
    def.scale = 0.77f;
    def.speed = 1.3;
    def.loop_from = 0.1;
    memcpy(def.rotation, turn, sizeof turn);
    CALL(slv_world_add_clip(world, &def, &id));
    CALL(slv_clip_attach(world, id, "belt", garment));
    CALL(slv_world_step(world, 20));
    CALL(slv_clip_seek(world, id, 0.77));
    CALL(slv_world_step(world, 3));
    CALL(slv_clip_set_speed(world, id, -0.7));
    CALL(slv_clip_lead(world, id, to, turn, 0.033));
    CALL(slv_world_advance(world, 0.02, NULL));
    CALL(slv_clip_get_pose(world, id, at, pose));
    note_bytes("slv_clip_get_pose", at, sizeof at);
    note_bytes("slv_clip_get_pose", pose, sizeof pose);
    CALL(slv_clip_set_pose(world, id, to, turn));
    CALL(slv_world_step(world, 9));
    CALL(slv_clip_get_report(world, id, &report));
    note_bytes("slv_clip_get_report", &report.time, sizeof report.time);
    note_bytes("slv_clip_get_report", &report.radius, sizeof report.radius);
    CALL(slv_clip_get_motion(world, id, &motion));
    note_bytes("slv_clip_get_motion", motion.positions, 3 * (size_t)motion.count * sizeof(float));
    note_bytes("slv_clip_get_motion", motion.velocities, 3 * (size_t)motion.count * sizeof(float));
    CALL(slv_clip_get_surface(world, id, &surface));
    note_surface("slv_clip_get_surface", &surface);
    return id;
}

static void use_world(slv_world *world) {
    slv_parameters parameters = slv_world_get_parameters(world);
    slv_measures measures;
    slv_contact_report contacts;
    slv_timing timing;
    parameters.stiffness = 0.77f;
    parameters.solver = SLV_PBD_GS;
    CALL(slv_world_set_parameters(world, &parameters));
    CALL(slv_world_step(world, 5));
    CALL(slv_world_reserve(world, 16));
    CALL(slv_world_set_keep_state(world, true));
    CALL(slv_world_drop_steps(world));
    const saved_world saved = must_save(world);
    CALL(slv_world_step(world, 5));
    CALL(slv_world_restore_snapshot(world, saved.bytes, saved.size));
    free(saved.bytes);
    CALL(slv_world_get_measures(world, &measures));
    note_bytes("slv_world_get_measures", &measures, sizeof measures);
    slv_inside_report inside;
    CALL(slv_world_find_inside(world, &inside));
    note_bytes("slv_world_find_inside", &inside, sizeof inside);
    CALL(slv_world_get_contact_report(world, &contacts));
    CALL(slv_world_get_timing(world, &timing));
}

static void export_frames(slv_world *world, const char *path) {
    slv_export_def def = slv_default_export_def();
    slv_export *run = NULL;
    def.path = path;
    def.frame_rate = 33.3;
    CALL(slv_export_open(world, &def, &run));
    CALL(slv_export_frame(run, world));
    CALL(slv_export_finish(run, world));
    note_file(path);
}

static void read_scene(void) {
    slv_world *world = NULL;
    slv_scene *scene = NULL;
    slv_scene_settings settings;
    slv_world_def def;
    char message[256];
    enter();
    const slv_result result = slv_scene_load("scene.json", &scene, message, sizeof message);
    leave();
    if (result != SLV_OK) {
        fail_msg("%s", message);
    }
    DO(settings = slv_scene_get_settings(scene));
    note_record("slv_scene_get_settings", &slv_parameters_table, &settings.parameters);
    note_bytes("slv_scene_get_settings", settings.camera_position, 3 * sizeof(double));
    DO(def = slv_scene_get_world_def(scene));
    note_record("slv_scene_get_world_def", &slv_world_table, &def);
    def.threads = 1;
    CALL(slv_scene_create_world(scene, &def, &world, message, sizeof message));
    CALL(slv_world_step(world, 5));
    slv_world_destroy(world);
    slv_scene_destroy(scene);
}

static void describe_parameters(void) {
    slv_parameter_info info;
    slv_garment_def def = slv_default_garment_def();
    char line[SLV_PARAMETER_LINE];
    double values[4] = {0.1, 0.1, 0.1, 0.1};
    bool found = true;
    for (uint32_t i = 0; found; i++) {
        DO(found = slv_get_parameter_info(SLV_GROUP_GARMENT, i, &info));
        if (found) {
            note_bytes("slv_get_parameter_info", &info.min, 2 * sizeof info.min);
            DO(slv_describe_parameter(&info, line, sizeof line));
            note_bytes("slv_describe_parameter", line, strlen(line));
            DO((void)slv_set_parameter_values(&info, &def, values));
            DO((void)slv_get_parameter_values(&info, &def, values));
        }
    }
    note_record("slv_set_parameter_values", &slv_garment_table, &def);
}

static void call_everything(void) {
    note_count = 0;
    slv_world *world = create_world();
    const slv_garment_id garment = add_garments(world);
    use_garment(world, garment);
    use_colliders(world);
    use_locks(world);
    const slv_clip_id clip = use_clip(world, garment);
    use_world(world);
    export_frames(world, "out.csv");
    export_frames(world, "out.usda");
    export_frames(world, "out.glb");
    CALL(slv_world_remove_clip(world, clip));
    CALL(slv_world_remove_garment(world, garment));
    CALL(slv_world_step(world, 5));
    CALL(slv_world_reset(world));
    CALL(slv_world_step(world, 5));
    slv_world_destroy(world);
    read_scene();
    describe_parameters();
    DO((void)slv_list_devices(NULL, 0));
}

static void write_inputs(void) {
    slv_error error = {.code = SLV_OK};
    const sample_collider sample = {.particles = 12, .frames = 41, .more = true, .error = 1e-4};
    generated_write_and_free(make_grid(7, 1, 7, 0.1f, NULL), "grid.slv");
    sample_garment box; // with a render mesh
    sample_grid(&box, 4, 3, 3);
    assert_int_equal(sample_write(&box.garment, NULL, "box.slv", &error), SLV_OK);
    sample_free(&box);
    write_ball_field("field.slv", 0.1);
    assert_int_equal(sample_collider_write(&sample, "clip.slv", &error), SLV_OK);
    folder_write_text("scene.json",
                      "{\"timestep\": 0.0031, \"gravity\": 9.807, \"cameraPos\": [0.1, 0.7, 3.3],"
                      " \"softObjects\": [{\"src\": \"grid.slv\", \"rotation\": [33, 0.7, 11],"
                      " \"position\": [0.1, 0.2, 0.3], \"particleMass\": 0.0123}],"
                      " \"colliders\": [{\"type\": \"plane\", \"normal\": [0.1, 1, 0.3],"
                      " \"offset\": -0.7}], \"modelPath\": \"clip.slv\", \"modelScale\": 0.7}");
}

static void no_call_depends_on_the_callers_floating_point_modes(void **state) {
    (void)state;
    static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO, FLUSH};
    write_inputs();
    for (size_t m = 0; m < sizeof modes / sizeof *modes; m++) {
        mode = modes[m];
        call_everything();
        if (m == 0) {
            memcpy(expected, notes, sizeof notes);
        }
        for (size_t i = 0; i < note_count; i++) {
            if (notes[i].hash != expected[i].hash) {
                fail_msg("mode %d: %s (note %zu)", mode, notes[i].call, i);
            }
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(no_call_depends_on_the_callers_floating_point_modes,
                                        folder_enter, folder_leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

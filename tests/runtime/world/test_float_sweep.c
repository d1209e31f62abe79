// SPDX-License-Identifier: MIT
// NaN, infinities, 1e30, subnormal numbers, zeros and negative numbers through every float and double that the library takes:
// fields of the definitions, arguments of the functions, keys of scene files. What is out of range is refused and changes
// nothing; what is accepted leaves a world that steps to finite numbers.
#include "runtime/scene/scene_keys.h"
#include "tests/common/folder.h"
#include "tests/common/generated_field.h"
#include "tests/common/test_world.h"
#include "tests/formats/sample_collider.h"
#include "tests/formats/sample_garment.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double numbers[] = {(double)NAN,
                                 (double)INFINITY,
                                 -(double)INFINITY,
                                 1e30,
                                 -1e30,
                                 1e300,
                                 -1e300,
                                 1e-40,
                                 -1e-40,
                                 5e-324,
                                 0.0,
                                 -0.0,
                                 -0.5,
                                 -1e-3,
                                 -2.0,
                                 1e7,
                                 1e-3,
                                 -1e7};
enum { NUMBERS = sizeof numbers / sizeof *numbers, CHAIN = 8 };

static size_t tried, accepted;

// --- Worlds ---------------------------------------------------------------------------------------

typedef struct sweep {
    slv_world *world;
    slv_garment_id garment, drawn;
    slv_collider_id collider;
    slv_clip_id clip;
    uint64_t hash;
} sweep;

static void write_inputs(void) {
    slv_error error = {.code = SLV_OK};
    const sample_collider sample = {.particles = 12, .frames = 41, .more = true, .error = 1e-4};
    generated_write_and_free(make_grid(4, 1, 4, 0.1f, NULL), "grid.slv");
    generated_write_and_free(make_chain(3, 0.1f), "chain.slv");
    sample_garment box; // with a render mesh
    sample_grid(&box, 3, 2, 2);
    assert_int_equal(sample_write(&box.garment, NULL, "box.slv", &error), SLV_OK);
    sample_free(&box);
    write_ball_field("field.slv", 0.1);
    assert_int_equal(sample_collider_write(&sample, "clip.slv", &error), SLV_OK);
}

static sweep make_sweep(void) {
    sweep s;
    slv_world_def def = slv_default_world_def();
    def.threads = 1;
    s.world = must_create(&def);
    slv_garment_def garment = slv_default_garment_def();
    garment.pack_path = "grid.slv";
    garment.fixed = (const uint32_t[]){0, 3};
    garment.fixed_count = 2;
    garment.position[1] = 1.0;
    assert_int_equal(slv_world_add_garment(s.world, &garment, &s.garment), SLV_OK);
    garment.pack_path = "box.slv";
    garment.fixed_count = 0;
    garment.position[1] = 2.0;
    assert_int_equal(slv_world_add_garment(s.world, &garment, &s.drawn), SLV_OK);
    const slv_collider_def ball = collider_of_every_shape(1);
    assert_int_equal(slv_world_add_collider(s.world, &ball, &s.collider), SLV_OK);
    slv_clip_def clip = slv_default_clip_def();
    clip.pack_path = "clip.slv";
    assert_int_equal(slv_world_add_clip(s.world, &clip, &s.clip), SLV_OK);
    must_step(s.world, 2);
    s.hash = must_hash(s.world);
    return s;
}

static void end_sweep(sweep *s) {
    slv_world_destroy(s->world);
}

static void expect_unchanged(const sweep *s, const char *what, double number) {
    if (must_hash(s->world) != s->hash) {
        fail_msg("%s = %g: refused, but the state has changed", what, number);
    }
}

// Steps; a divergence is rolled back and reported, so that the state is finite in any case.
static void expect_finite(slv_world *world, const char *what, double number) {
    const slv_result result = slv_world_step(world, 2);
    if (result != SLV_OK && result != SLV_ERROR_DIVERGED) {
        fail_msg("%s = %g: %s", what, number, slv_world_get_message(world));
    }
    for (uint32_t g = 0; g < slv_world_get_garment_count(world); g++) {
        slv_particle_view view;
        assert_int_equal(slv_garment_get_positions(world, slv_world_get_garment(world, g), &view),
                         SLV_OK);
        for (uint32_t p = 0; p < view.count; p++) {
            float at[3];
            slv_particle_view_get(&view, p, at);
            if (!isfinite(at[0]) || !isfinite(at[1]) || !isfinite(at[2])) {
                fail_msg("%s = %g: particle %u is not finite", what, number, p);
            }
        }
    }
}

// --- Fields of definitions ------------------------------------------------------------------------

typedef union any_struct {
    slv_parameters parameters;
    slv_world_def world;
    slv_garment_def garment;
    slv_collider_def collider;
    slv_clip_def clip;
    slv_lock_def lock;
} any_struct;

static void put_number(const slv_parameter_info *info, any_struct *record, uint32_t component,
                       double number) {
    char *field = (char *)record + info->offset;
    if (info->type == SLV_TYPE_FLOAT) {
        memcpy(field + component * sizeof(float), &(float){(float)number}, sizeof(float));
    } else {
        memcpy(field + component * sizeof(double), &number, sizeof number);
    }
}

static bool must_be_refused(const slv_parameter_info *info, double number) {
    const double stored = info->type == SLV_TYPE_FLOAT ? (double)(float)number : number;
    const double margin = 1e-6;
    const bool in_range = stored >= info->min - margin * fabs(info->min) &&
                          stored <= info->max + margin * fabs(info->max);
    return !in_range && !(info->has_none && stored == info->none) &&
           !(info->zero_is_off && stored == 0.0);
}

// The call with the struct, and its undoing where it has succeeded.
static slv_result use_struct(sweep *s, slv_parameter_group group, any_struct *record,
                             const char *what, double number) {
    slv_world *other = NULL;
    slv_garment_id garment;
    slv_collider_id collider;
    slv_clip_id clip;
    slv_lock_id lock;
    slv_result result = SLV_OK;
    switch (group) {
    case SLV_GROUP_PARAMETERS:
        result = slv_world_set_parameters(s->world, &record->parameters);
        if (result == SLV_OK) {
            const slv_parameters usual = slv_default_world_def().parameters;
            expect_finite(s->world, what, number);
            assert_int_equal(slv_world_set_parameters(s->world, &usual), SLV_OK);
        }
        break;
    case SLV_GROUP_WORLD:
        result = slv_world_create(&record->world, &other, NULL, 0);
        if (result == SLV_OK) {
            expect_finite(other, what, number);
        }
        slv_world_destroy(other);
        break;
    case SLV_GROUP_COLLIDER:
        result = slv_world_add_collider(s->world, &record->collider, &collider);
        if (result == SLV_OK) {
            expect_finite(s->world, what, number);
            assert_int_equal(slv_world_remove_collider(s->world, collider), SLV_OK);
        }
        break;
    case SLV_GROUP_CLIP:
        result = slv_world_add_clip(s->world, &record->clip, &clip);
        if (result == SLV_OK) {
            expect_finite(s->world, what, number);
            assert_int_equal(slv_world_remove_clip(s->world, clip), SLV_OK);
        }
        break;
    case SLV_GROUP_LOCK:
        record->lock.garment = s->garment;
        record->lock.other_garment = s->drawn;
        result = slv_world_add_lock(s->world, &record->lock, &lock);
        if (result == SLV_OK) {
            expect_finite(s->world, what, number);
            assert_int_equal(slv_world_remove_lock(s->world, lock), SLV_OK);
        }
        break;
    default:
        result = slv_world_add_garment(s->world, &record->garment, &garment);
        if (result == SLV_OK) {
            expect_finite(s->world, what, number);
            assert_int_equal(slv_world_remove_garment(s->world, garment), SLV_OK);
        }
        break;
    }
    return result;
}

static void try_field(sweep *s, const slv_parameter_info *info, const any_struct *good,
                      uint32_t component, double number) {
    any_struct record = *good;
    put_number(info, &record, component, number);
    const slv_result result = use_struct(s, info->group, &record, info->name, number);
    tried++;
    if (result == SLV_OK && must_be_refused(info, number)) {
        fail_msg("%s[%u] = %g is accepted", info->name, component, number);
    }
    if (result != SLV_OK) {
        expect_unchanged(s, info->name, number);
        return;
    }
    accepted++;
    end_sweep(s);
    *s = make_sweep();
}

static void try_group(sweep *s, slv_parameter_group group, const any_struct *good) {
    slv_parameter_info info;
    for (uint32_t i = 0; slv_get_parameter_info(group, i, &info); i++) {
        if (info.type != SLV_TYPE_FLOAT && info.type != SLV_TYPE_DOUBLE) {
            continue;
        }
        for (uint32_t n = 0; n < NUMBERS * info.count; n++) {
            try_field(s, &info, good, n / NUMBERS, numbers[n % NUMBERS]);
        }
    }
}

static void no_number_of_a_definition_harms_a_world(void **state) {
    (void)state;
    write_inputs();
    sweep s = make_sweep();
    any_struct good = {.parameters = slv_default_world_def().parameters};
    try_group(&s, SLV_GROUP_PARAMETERS, &good);
    good.world = slv_default_world_def();
    good.world.threads = 1;
    try_group(&s, SLV_GROUP_WORLD, &good);
    good.garment = slv_default_garment_def();
    good.garment.pack_path = "chain.slv";
    try_group(&s, SLV_GROUP_GARMENT, &good);
    for (int shape = 0; shape < 6; shape++) {
        good.collider = collider_of_every_shape(shape);
        try_group(&s, SLV_GROUP_COLLIDER, &good);
    }
    good.collider = slv_default_collider_def();
    good.collider.kind = SLV_COLLIDER_FIELD;
    good.collider.pack_path = "field.slv";
    try_group(&s, SLV_GROUP_COLLIDER, &good);
    good.clip = slv_default_clip_def();
    good.clip.pack_path = "clip.slv";
    try_group(&s, SLV_GROUP_CLIP, &good);
    good.lock = slv_default_lock_def();
    good.lock.particle = 5;
    try_group(&s, SLV_GROUP_LOCK, &good);
    print_message("%zu fields tried, %zu accepted\n", tried, accepted);
    assert_true(tried > 3000 && accepted > 500);
    end_sweep(&s);
}

// --- Arguments of functions -----------------------------------------------------------------------

// Good arguments, of which one number is replaced.
typedef struct arguments {
    double position[3];
    float rotation[4], vectors[6];
    float particles[16 * 3], normals[16 * 3], distances[16], backstops[16];
    double seconds[1];
    float fraction[1];
    slv_garment_material material;
} arguments;

#define FLOATS(field)                                                                              \
    offsetof(arguments, field), sizeof(((arguments *)0)->field) / sizeof(float), SLV_TYPE_FLOAT
#define DOUBLES(field)                                                                             \
    offsetof(arguments, field), sizeof(((arguments *)0)->field) / sizeof(double), SLV_TYPE_DOUBLE

typedef slv_result call(sweep *s, const arguments *a);

static slv_result set_origin(sweep *s, const arguments *a) {
    return slv_world_set_origin(s->world, a->position);
}
static slv_result advance(sweep *s, const arguments *a) {
    return slv_world_advance(s->world, a->seconds[0], NULL);
}
static slv_result teleport(sweep *s, const arguments *a) {
    return slv_garment_teleport(s->world, s->garment, a->position, a->rotation);
}
static slv_result move_fixed(sweep *s, const arguments *a) {
    return slv_garment_move_fixed(s->world, s->garment, (const uint32_t[]){0, 3}, 2, a->vectors, 3);
}
static slv_result lead_fixed(sweep *s, const arguments *a) {
    return slv_garment_lead_fixed(s->world, s->garment, (const uint32_t[]){0, 3}, 2, a->vectors,
                                  a->seconds[0]);
}
static slv_result set_targets(sweep *s, const arguments *a) {
    return slv_garment_set_targets(s->world, s->garment, a->particles, a->normals);
}
static slv_result set_limits(sweep *s, const arguments *a) {
    return slv_garment_set_limits(s->world, s->garment, a->distances, a->backstops);
}
static slv_result set_material(sweep *s, const arguments *a) {
    return slv_garment_set_material(s->world, s->garment, &a->material);
}
static slv_result move_collider(sweep *s, const arguments *a) {
    return slv_collider_move(s->world, s->collider, a->position, a->rotation, 3);
}
static slv_result lead_collider(sweep *s, const arguments *a) {
    return slv_collider_lead(s->world, s->collider, a->position, a->rotation, a->seconds[0]);
}
static slv_result set_velocity(sweep *s, const arguments *a) {
    return slv_collider_set_velocity(s->world, s->collider, a->vectors, a->vectors + 3);
}
static slv_result set_pose(sweep *s, const arguments *a) {
    return slv_clip_set_pose(s->world, s->clip, a->position, a->rotation);
}
static slv_result lead_clip(sweep *s, const arguments *a) {
    return slv_clip_lead(s->world, s->clip, a->position, a->rotation, a->seconds[0]);
}
static slv_result seek(sweep *s, const arguments *a) {
    return slv_clip_seek(s->world, s->clip, a->seconds[0]);
}
static slv_result set_speed(sweep *s, const arguments *a) {
    return slv_clip_set_speed(s->world, s->clip, a->seconds[0]);
}
static slv_result get_surface_at(sweep *s, const arguments *a) {
    slv_surface_view view;
    return slv_garment_get_surface_at(s->world, s->drawn, a->fraction[0], &view);
}
static slv_result open_export(sweep *s, const arguments *a) {
    slv_export_def def = slv_default_export_def();
    slv_export *run = NULL;
    def.path = "out.csv";
    def.frame_rate = a->seconds[0];
    const slv_result result = slv_export_open(s->world, &def, &run);
    slv_export_abandon(run);
    return result;
}

static const struct {
    const char *name;
    call *function;
    size_t offset, count;
    slv_parameter_type type;
} calls[] = {
    {"slv_world_set_origin: position", set_origin, DOUBLES(position)},
    {"slv_world_advance: seconds", advance, DOUBLES(seconds)},
    {"slv_garment_teleport: position", teleport, DOUBLES(position)},
    {"slv_garment_teleport: rotation", teleport, FLOATS(rotation)},
    {"slv_garment_move_fixed: targets", move_fixed, FLOATS(vectors)},
    {"slv_garment_lead_fixed: targets", lead_fixed, FLOATS(vectors)},
    {"slv_garment_lead_fixed: seconds", lead_fixed, DOUBLES(seconds)},
    {"slv_garment_set_targets: positions", set_targets, FLOATS(particles)},
    {"slv_garment_set_targets: normals", set_targets, FLOATS(normals)},
    {"slv_garment_set_limits: max_distances", set_limits, FLOATS(distances)},
    {"slv_garment_set_limits: backstops", set_limits, FLOATS(backstops)},
    {"slv_collider_move: position", move_collider, DOUBLES(position)},
    {"slv_collider_move: rotation", move_collider, FLOATS(rotation)},
    {"slv_collider_lead: position", lead_collider, DOUBLES(position)},
    {"slv_collider_lead: rotation", lead_collider, FLOATS(rotation)},
    {"slv_collider_lead: seconds", lead_collider, DOUBLES(seconds)},
    {"slv_collider_set_velocity", set_velocity, FLOATS(vectors)},
    {"slv_clip_set_pose: position", set_pose, DOUBLES(position)},
    {"slv_clip_set_pose: rotation", set_pose, FLOATS(rotation)},
    {"slv_clip_lead: position", lead_clip, DOUBLES(position)},
    {"slv_clip_lead: rotation", lead_clip, FLOATS(rotation)},
    {"slv_clip_lead: seconds", lead_clip, DOUBLES(seconds)},
    {"slv_clip_seek: seconds", seek, DOUBLES(seconds)},
    {"slv_clip_set_speed: speed", set_speed, DOUBLES(seconds)},
    {"slv_garment_get_surface_at: fraction", get_surface_at, FLOATS(fraction)},
    {"slv_export_open: frame_rate", open_export, DOUBLES(seconds)},
    // Every field of a material is a float.
    {"slv_garment_set_material", set_material, FLOATS(material)},
};

static arguments good_arguments(sweep *s) {
    arguments a = {.position = {0.1, 0.9, 0.2},
                   .rotation = {0, 0, 0, 1},
                   .seconds = {0.02},
                   .fraction = {0.5f}};
    for (int i = 0; i < 6; i++) {
        a.vectors[i] = 0.1f * (float)i;
    }
    for (int i = 0; i < 16; i++) {
        a.distances[i] = 0.2f;
        a.backstops[i] = 0.3f;
        a.particles[3 * i] = 0.1f * (float)i;
        a.normals[3 * i + 1] = 1.0f;
    }
    assert_int_equal(slv_garment_get_material(s->world, s->garment, &a.material), SLV_OK);
    return a;
}

static void try_call(sweep *s, size_t c, const arguments *good, size_t component, double number) {
    arguments a = *good;
    char *field = (char *)&a + calls[c].offset;
    if (calls[c].type == SLV_TYPE_FLOAT) {
        memcpy(field + component * sizeof(float), &(float){(float)number}, sizeof(float));
    } else {
        memcpy(field + component * sizeof(double), &number, sizeof number);
    }
    const slv_result result = calls[c].function(s, &a);
    tried++;
    if (result == SLV_OK &&
        (!isfinite(number) || (fabs(number) >= 1e30 && calls[c].function != set_material))) {
        fail_msg("%s[%zu] = %g is accepted", calls[c].name, component, number);
    }
    if (result != SLV_OK) {
        expect_unchanged(s, calls[c].name, number);
        return;
    }
    accepted++;
    expect_finite(s->world, calls[c].name, number);
    end_sweep(s);
    *s = make_sweep();
}

static void no_number_given_to_a_function_harms_a_world(void **state) {
    (void)state;
    write_inputs();
    sweep s = make_sweep();
    const arguments good = good_arguments(&s);
    tried = accepted = 0;
    for (size_t c = 0; c < sizeof calls / sizeof *calls; c++) {
        for (size_t n = 0; n < NUMBERS * calls[c].count; n++) {
            try_call(&s, c, &good, n / NUMBERS, numbers[n % NUMBERS]);
        }
    }
    print_message("%zu arguments tried, %zu accepted\n", tried, accepted);
    end_sweep(&s);
}

// --- Keys of scene files --------------------------------------------------------------------------

static const char *const texts[] = {"NaN",    "1e400",  "-1e400",    "1e30", "-1e30",  "1e300",
                                    "1e-40",  "-1e-40", "5e-324",    "0",    "-0",     "-0.5",
                                    "-2",     "1e7",    "1e-3",      "0.01", "0.0099", "3600",
                                    "3600.1", "-1",     "4294967296"};
enum { TEXTS = sizeof texts / sizeof *texts };

static const char *const shapes[] = {
    "\"type\": \"plane\"",
    "\"type\": \"sphere\", \"radius\": 0.1",
    "\"type\": \"capsule\", \"radius\": 0.1, \"length\": 0.2",
    "\"type\": \"box\"",
    "\"type\": \"wedge\"",
    "\"type\": \"funnel\", \"radius\": 0.1",
    "\"type\": \"field\", \"src\": \"field.slv\"",
};

// 0 for a key whose value is no number.
static uint32_t count_numbers(const slv_parameter *row) {
    const bool word = row->kind == SLV_VALUE_SWITCH || row->kind == SLV_VALUE_CHOICE;
    return word ? 0 : slv_count_numbers(row->kind);
}

// "key": 1e30, or "key": [0.5, 1e30, 0.5]
static void write_key(const slv_parameter *row, uint32_t component, const char *number, char *text,
                      size_t size) {
    const uint32_t count = count_numbers(row);
    size_t used = (size_t)snprintf(text, size, "\"%s\": %s", row->key, count > 1 ? "[" : "");
    for (uint32_t i = 0; i < count; i++) {
        used += (size_t)snprintf(text + used, size - used, "%s%s", i > 0 ? ", " : "",
                                 i == component ? number : "1");
    }
    (void)snprintf(text + used, size - used, "%s", count > 1 ? "]" : "");
}

static bool is_out_of_range(const slv_parameter *row, const char *number) {
    const double value = strtod(number, NULL);
    const double margin = 1e-6;
    const bool in_range =
        value >= row->min - margin * fabs(row->min) && value <= row->max + margin * fabs(row->max);
    const bool besides =
        (row->none_in_scene && value == row->none) || (row->zero_in_scene && value == 0.0);
    return !in_range && !besides;
}

static void try_scene(const slv_parameter *row, const char *number, const char *text) {
    slv_scene *scene = NULL;
    slv_world *world = NULL;
    char message[1024] = "";
    folder_write_text("scene.json", text);
    slv_result result = slv_scene_load("scene.json", &scene, message, sizeof message);
    if (result == SLV_OK) {
        slv_world_def def = slv_scene_get_world_def(scene);
        def.threads = 1;
        result = slv_scene_create_world(scene, &def, &world, message, sizeof message);
    }
    tried++;
    if (result == SLV_OK && is_out_of_range(row, number)) {
        fail_msg("accepted: %s", text);
    }
    if (result != SLV_OK && strstr(message, row->key) == NULL && strcmp(number, "NaN") != 0 &&
        isfinite(strtod(number, NULL)) && is_out_of_range(row, number)) {
        fail_msg("%s: the message names no %s: %s", text, row->key, message);
    }
    if (result == SLV_OK) {
        accepted++;
        expect_finite(world, row->key, strtod(number, NULL));
    } else {
        assert_null(world);
    }
    slv_world_destroy(world);
    slv_scene_destroy(scene);
}

// format has one %s for the key and its value.
static void try_keys(const slv_key_list *list, const char *before, const char *after) {
    slv_key key = slv_key_at(list, 0);
    for (size_t i = 1; key.row; key = slv_key_at(list, i++)) {
        for (uint32_t n = 0; n < TEXTS * count_numbers(key.row); n++) {
            char member[300];
            char text[700];
            if (strstr(before, key.row->key) != NULL) {
                continue; // once only in an object
            }
            write_key(key.row, n / TEXTS, texts[n % TEXTS], member, sizeof member);
            (void)snprintf(text, sizeof text, "%s, %s%s", before, member, after);
            try_scene(key.row, texts[n % TEXTS], text);
        }
    }
}

static void no_number_in_a_scene_harms_a_world(void **state) {
    (void)state;
    static const char object[] = "{\"softObjects\": [{\"src\": \"chain.slv\"";
    char before[300];
    write_inputs();
    tried = accepted = 0;
    try_keys(&slv_scene_keys,
             "{\"softObjects\": [{\"src\": \"chain.slv\"}], \"modelPath\": \"clip.slv\"", "}");
    try_keys(&slv_object_keys, object, "}]}");
    try_keys(&slv_paint_keys,
             "{\"softObjects\": [{\"src\": \"chain.slv\", \"paint\": {\"fixed\": \"red\"", "}}]}");
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        (void)snprintf(before, sizeof before, "%s}], \"colliders\": [{%s", object, shapes[s]);
        try_keys(&slv_collider_keys, before, "}]}");
    }
    (void)snprintf(before, sizeof before,
                   "%s}], \"locks\": [{\"object\": 0, \"particle\": 0, "
                   "\"otherObject\": 0, \"otherParticle\": 1",
                   object);
    try_keys(&slv_lock_keys, before, "}]}");
    print_message("%zu scenes tried, %zu accepted\n", tried, accepted);
}

static void a_number_that_a_float_rounds_out_of_its_range_is_refused_by_its_digits(void **state) {
    (void)state;
    slv_scene *scene = NULL;
    char message[256];
    write_inputs();
    folder_write_text("scene.json",
                      "{\"softObjects\": [{\"src\": \"chain.slv\", \"sleepDelay\": 0.009999999}]}");
    assert_int_equal(slv_scene_load("scene.json", &scene, message, sizeof message),
                     SLV_ERROR_CONTENT);
    assert_non_null(strstr(message, "0.009999999 is out of range"));
    folder_write_text("scene.json",
                      "{\"softObjects\": [{\"src\": \"chain.slv\", \"sleepDelay\": 0.01}]}");
    assert_int_equal(slv_scene_load("scene.json", &scene, message, sizeof message), SLV_OK);
    slv_scene_destroy(scene);
    sweep s = make_sweep();
    slv_garment_def def = slv_default_garment_def();
    def.pack_path = "chain.slv";
    def.sleep_delay = 0.01f;
    assert_int_equal(slv_world_add_garment(s.world, &def, NULL), SLV_OK);
    def.sleep_delay = 0.009999999f;
    assert_int_equal(slv_world_add_garment(s.world, &def, NULL), SLV_ERROR_ARGUMENT);
    assert_string_equal(slv_world_get_message(s.world),
                        "sleep_delay is 0.00999999885, should be from 0.01 to 3600");
    end_sweep(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_number_of_a_definition_harms_a_world),
        cmocka_unit_test(no_number_given_to_a_function_harms_a_world),
        cmocka_unit_test(no_number_in_a_scene_harms_a_world),
        cmocka_unit_test(a_number_that_a_float_rounds_out_of_its_range_is_refused_by_its_digits),
    };
    return cmocka_run_group_tests(tests, folder_enter, folder_leave);
}

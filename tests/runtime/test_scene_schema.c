// SPDX-License-Identifier: MIT
// data/scene.schema.json and the loader's tables say the same: keys, kinds, limits, what must be there.
#include "formats/file_bytes.h"
#include "runtime/base/json.h"
#include "runtime/scene/scene_keys.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const slv_json_value *schema_root;

static slv_json *read_json(const char *path) {
    slv_file_bytes file;
    slv_error error = {0};
    slv_json *json = NULL;
    if (slv_file_bytes_copy(path, &file, &error) != SLV_OK ||
        slv_json_parse(file.bytes, file.size, &json, &error) != SLV_OK) {
        fail_msg("%s: %s", path, error.text);
    }
    slv_file_bytes_free(&file);
    return json;
}

static int setup(void **state) {
    *state = read_json(SLV_SOURCE_DIR "/data/scene.schema.json");
    schema_root = slv_json_root(*state);
    return 0;
}

static int teardown(void **state) {
    slv_json_free(*state);
    return 0;
}

// What "#/$defs/NAME" leads to, or the schema itself where it refers to nothing.
static const slv_json_value *follow(const slv_json_value *schema) {
    const slv_json_value *reference = slv_json_member(schema, "$ref");
    if (reference == NULL) {
        return schema;
    }
    assert_int_equal(strncmp(reference->text, "#/$defs/", 8), 0);
    const slv_json_value *found =
        slv_json_member(slv_json_member(schema_root, "$defs"), reference->text + 8);
    assert_non_null(found);
    return found;
}

static const char *type_of(const slv_json_value *schema) {
    const slv_json_value *type = slv_json_member(schema, "type");
    return type ? type->text : "";
}

static void check_limit(const slv_scene_key *key, const slv_json_value *schema, const char *closed,
                        const char *open, double limit, bool is_open) {
    const slv_json_value *given = slv_json_member(schema, is_open ? open : closed);
    if (given == NULL || given->number != limit ||
        slv_json_member(schema, is_open ? closed : open)) {
        fail_msg("%s: the schema's %s is not %g", key->name, is_open ? open : closed, limit);
    }
}

static void check_numbers(const slv_scene_key *key, const slv_json_value *schema,
                          const char *type) {
    assert_string_equal(type_of(schema), type);
    check_limit(key, schema, "minimum", "exclusiveMinimum", key->min, key->min_open);
    check_limit(key, schema, "maximum", "exclusiveMaximum", key->max, key->max_open);
}

static void check_list(const slv_scene_key *key, const slv_json_value *schema, const char *type,
                       double shortest, double longest) {
    assert_string_equal(type_of(schema), "array");
    check_numbers(key, slv_json_member(schema, "items"), type);
    const slv_json_value *min = slv_json_member(schema, "minItems");
    const slv_json_value *max = slv_json_member(schema, "maxItems");
    assert_true(longest == 0 ? !min && !max : min->number == shortest && max->number == longest);
}

static void check_solvers(const slv_json_value *schema) {
    const slv_json_value *names = slv_json_member(schema, "enum");
    assert_int_equal(names->count, SLV_SOLVER_COUNT);
    const slv_json_value *name = names->first;
    for (int i = 0; i < SLV_SOLVER_COUNT; i++, name = name->next) {
        assert_string_equal(name->text, slv_solver_get_name((slv_solver)i));
    }
}

static void check_shapes(const slv_json_value *schema) {
    const slv_json_value *names = slv_json_member(schema, "enum");
    assert_int_equal(names->count, SLV_COLLIDER_FIELD);
    for (const slv_json_value *name = names->first; name; name = name->next) {
        assert_non_null(slv_shape_name(slv_shape_from_name(name->text)));
    }
}

static void check_channels(const slv_json_value *schema) {
    const slv_json_value *names = slv_json_member(schema, "enum");
    assert_int_equal(names->count, SLV_CHANNEL_ALPHA);
    for (const slv_json_value *name = names->first; name; name = name->next) {
        assert_int_not_equal(slv_channel_from_name(name->text), SLV_CHANNEL_NONE);
    }
}

static void check_key(const slv_scene_key *key, const slv_json_value *schema) {
    switch (key->kind) {
    case SLV_KEY_NUMBER:
    case SLV_KEY_SECONDS:
        check_numbers(key, schema, "number");
        break;
    case SLV_KEY_COUNT:
        check_numbers(key, schema, "integer");
        break;
    case SLV_KEY_SWITCH:
        assert_string_equal(type_of(schema), "boolean");
        break;
    case SLV_KEY_VECTOR:
        check_list(key, schema, "number", 3, 3);
        break;
    case SLV_KEY_GRAVITY:
        check_numbers(key, slv_json_member(schema, "oneOf")->first, "number");
        check_list(key, follow(slv_json_member(schema, "oneOf")->first->next), "number", 3, 3);
        break;
    case SLV_KEY_ROTATION:
        check_list(key, schema, "number", 3, 4);
        break;
    case SLV_KEY_COLOR:
        check_list(key, schema, "integer", 3, 3);
        break;
    case SLV_KEY_FIXED:
        check_list(key, schema, "integer", 0, 0);
        break;
    case SLV_KEY_SOLVER:
        check_solvers(schema);
        break;
    case SLV_KEY_PATH:
        assert_true(slv_json_member(schema, "minLength")->number == 1);
        assert_string_equal(type_of(schema), "string");
        break;
    case SLV_KEY_REMARK:
        assert_string_equal(type_of(schema), "string");
        break;
    case SLV_KEY_SHAPE:
        check_shapes(schema);
        break;
    case SLV_KEY_CHANNEL:
        check_channels(schema);
        break;
    case SLV_KEY_PAINT:
        assert_string_equal(type_of(schema), "object");
        break;
    case SLV_KEY_LIMITS:
        check_list(key, slv_json_member(schema, "additionalProperties"), "number", 2, 2);
        break;
    case SLV_KEY_SETS:
    case SLV_KEY_NAMES:
    case SLV_KEY_COLLIDERS:
    case SLV_KEY_OBJECTS:
        assert_string_equal(type_of(schema), "array");
        break;
    }
}

static bool is_required(const slv_json_value *schema, const char *name) {
    const slv_json_value *required = slv_json_member(schema, "required");
    const slv_json_value *item = required ? required->first : NULL;
    while (item && strcmp(item->text, name) != 0) {
        item = item->next;
    }
    return item != NULL;
}

static void check_keys(const slv_scene_key *keys, size_t count, const slv_json_value *schema) {
    const slv_json_value *properties = slv_json_member(schema, "properties");
    assert_false(slv_json_member(schema, "additionalProperties")->boolean);
    for (const slv_json_value *known = properties->first; known; known = known->next) {
        if (slv_find_scene_key(keys, count, known->name) == NULL) {
            fail_msg("the loader does not know the schema's %s", known->name);
        }
        assert_true(slv_json_member(known, "description") ||
                    slv_json_member(follow(known), "description"));
    }
    for (size_t i = 0; i < count; i++) {
        const slv_json_value *property = slv_json_member(properties, keys[i].name);
        if (property == NULL) {
            fail_msg("the schema does not know the loader's %s", keys[i].name);
        }
        check_key(&keys[i], follow(property));
        assert_int_equal(is_required(schema, keys[i].name), keys[i].required);
    }
    assert_int_equal(properties->count, count);
}

static void schema_and_loader_agree_about_scenes(void **state) {
    (void)state;
    size_t count = 0;
    const slv_scene_key *keys = slv_scene_keys(&count);
    check_keys(keys, count, schema_root);
}

static void schema_and_loader_agree_about_objects(void **state) {
    (void)state;
    size_t count = 0;
    const slv_scene_key *keys = slv_scene_object_keys(&count);
    check_keys(keys, count, slv_json_member(slv_json_member(schema_root, "$defs"), "softObject"));
}

static void schema_and_loader_agree_about_colliders(void **state) {
    (void)state;
    size_t count = 0;
    const slv_scene_key *keys = slv_scene_collider_keys(&count);
    check_keys(keys, count, slv_json_member(slv_json_member(schema_root, "$defs"), "collider"));
}

static void schema_and_loader_agree_about_paint(void **state) {
    (void)state;
    size_t count = 0;
    const slv_scene_key *keys = slv_scene_paint_keys(&count);
    check_keys(keys, count, slv_json_member(slv_json_member(schema_root, "$defs"), "paint"));
}

static double default_of(const char *key) {
    const slv_json_value *properties = slv_json_member(schema_root, "properties");
    return slv_json_member(slv_json_member(properties, key), "default")->number;
}

static void defaults_in_the_schema_are_the_librarys(void **state) {
    (void)state;
    const slv_world_def def = slv_default_world_def();
    assert_true(default_of("timestep") == def.time_step);
    assert_true(default_of("innerIterations") == def.parameters.inner_iterations);
    assert_true(default_of("outerIterations") == def.parameters.outer_iterations);
    assert_true((float)default_of("relaxation") == def.parameters.relaxation);
    assert_true((float)default_of("gravity") == -def.parameters.gravity[1]);
    assert_true((float)default_of("damping") == def.parameters.damping);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(schema_and_loader_agree_about_scenes),
        cmocka_unit_test(schema_and_loader_agree_about_objects),
        cmocka_unit_test(schema_and_loader_agree_about_colliders),
        cmocka_unit_test(schema_and_loader_agree_about_paint),
        cmocka_unit_test(defaults_in_the_schema_are_the_librarys),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}

// SPDX-License-Identifier: MIT
#include "runtime/scene/scene_keys.h"

#include "runtime/base/parameter.h"
#include "runtime/base/parameters/rows.h"

#include <string.h>

// --- Rows that are no field of a definition -------------------------------------------------------

#define STRUCT slv_scene_settings
static const slv_parameter settings_rows[] = {
#include "runtime/base/parameters/scene_settings.def"
};
#undef STRUCT
#define STRUCT slv_scene_object
static const slv_parameter object_rows[] = {
#include "runtime/base/parameters/scene_object.def"
};
#undef STRUCT
#define STRUCT slv_scene_collider
static const slv_parameter collider_rows[] = {
#include "runtime/base/parameters/scene_collider.def"
};
#undef STRUCT
#define STRUCT slv_scene_lock
static const slv_parameter lock_rows[] = {
#include "runtime/base/parameters/scene_lock.def"
};
#undef STRUCT

const slv_parameter_table slv_settings_table = TABLE(settings_rows);
static const slv_parameter_table object_table = TABLE(object_rows);
static const slv_parameter_table collider_table = TABLE(collider_rows);
static const slv_parameter_table lock_table = TABLE(lock_rows);

// --- Lists ----------------------------------------------------------------------------------------

#define LIST(groups_)                                                                              \
    { .groups = (groups_), .count = sizeof(groups_) / sizeof *(groups_) }

static const slv_key_group scene_groups[] = {
    {&slv_settings_table, offsetof(slv_scene_values, settings), false},
    {&slv_parameters_table, offsetof(slv_scene_values, world.parameters), false},
    {&slv_world_table, offsetof(slv_scene_values, world), false},
    {&slv_garment_table, offsetof(slv_scene_values, garment), true},
    {&slv_clip_table, offsetof(slv_scene_values, model), false},
};
static const slv_key_group object_groups[] = {
    {&slv_garment_table, offsetof(slv_scene_object, garment), false},
    {&object_table, 0, false},
};
static const slv_key_group collider_groups[] = {
    {&slv_collider_table, offsetof(slv_scene_collider, def), false},
    {&collider_table, 0, false},
};
static const slv_key_group lock_groups[] = {
    {&slv_lock_table, offsetof(slv_scene_lock, def), false},
    {&lock_table, 0, false},
};
static const slv_key_group paint_groups[] = {{&slv_paint_table, 0, false}};

const slv_key_list slv_scene_keys = LIST(scene_groups);
const slv_key_list slv_object_keys = LIST(object_groups);
const slv_key_list slv_collider_keys = LIST(collider_groups);
const slv_key_list slv_paint_keys = LIST(paint_groups);
const slv_key_list slv_lock_keys = LIST(lock_groups);

slv_key slv_key_at(const slv_key_list *list, size_t index) {
    for (size_t g = 0; g < list->count; g++) {
        const slv_key_group *group = &list->groups[g];
        for (size_t r = 0; r < group->table->count; r++) {
            const slv_parameter *row = &group->table->rows[r];
            if (row->key && !(group->inherited && row->object_only) && index-- == 0) {
                return (slv_key){row, group->offset + row->offset};
            }
        }
    }
    return (slv_key){NULL, 0};
}

slv_key slv_find_key(const slv_key_list *list, const char *name) {
    slv_key key;
    size_t i = 0;
    do {
        key = slv_key_at(list, i++);
    } while (key.row && strcmp(key.row->key, name) != 0);
    return key;
}

void slv_fill_record(const slv_key_list *list, void *record) {
    for (size_t g = 0; g < list->count; g++) {
        slv_fill_defaults(list->groups[g].table, (char *)record + list->groups[g].offset);
    }
}

// --- Suggestions ---------------------------------------------------------------------------------

#define LONGEST_NAME 40

static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

// Levenshtein distance, without regard to case.
static size_t edit_distance(const char *a, const char *b, size_t b_length) {
    size_t row[LONGEST_NAME + 1];
    for (size_t j = 0; j <= b_length; j++) {
        row[j] = j;
    }
    for (size_t i = 0; a[i]; i++) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t j = 0; j < b_length; j++) {
            const size_t replaced = diagonal + (lower(a[i]) != lower(b[j]) ? 1 : 0);
            const size_t fewer = (row[j] < row[j + 1] ? row[j] : row[j + 1]) + 1;
            diagonal = row[j + 1];
            row[j + 1] = replaced < fewer ? replaced : fewer;
        }
    }
    return row[b_length];
}

slv_key slv_guess_key(const slv_key_list *list, const char *name) {
    const size_t length = strlen(name);
    slv_key best = {NULL, 0};
    size_t best_distance = length / 3 + 2; // more than a third of the letters differ: another word
    slv_key key = slv_key_at(list, 0);
    for (size_t i = 1; key.row && length <= LONGEST_NAME; key = slv_key_at(list, i++)) {
        const size_t distance = edit_distance(key.row->key, name, length);
        if (distance < best_distance) {
            best = key;
            best_distance = distance;
        }
    }
    return best;
}

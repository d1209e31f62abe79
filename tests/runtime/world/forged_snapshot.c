// SPDX-License-Identifier: MIT
#include "tests/runtime/world/forged_snapshot.h"

#include "runtime/step/features.h"
#include "runtime/world/snapshot.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// --- Fields -----------------------------------------------------------------------------------------

size_t get_field_size(field_type type) {
    return type == FIELD_TRUTH ? 1 : type == FIELD_WORD || type == FIELD_FLOAT ? 4 : 8;
}

// `count` numbers of a type, one after another; returns the offset behind them.
static size_t add(snapshot_fields *list, int part, field_type type, size_t offset, size_t count) {
    for (size_t i = 0; i < count; i++, offset += get_field_size(type)) {
        if (list->count == list->room) {
            list->room = 2 * list->room + 64;
            list->fields = realloc(list->fields, list->room * sizeof *list->fields);
            assert_non_null(list->fields);
        }
        list->fields[list->count++] = (snapshot_field){offset, type, part};
    }
    return offset;
}

static void add_parameters(snapshot_fields *list) {
    const size_t offset = offsetof(slv_snapshot_head, parameters);
    for (size_t i = 0; i < slv_parameters_table.count; i++) {
        const slv_parameter *row = &slv_parameters_table.rows[i];
        const field_type type = row->kind == SLV_VALUE_SWITCH ? FIELD_TRUTH
                                : row->kind == SLV_VALUE_COUNT || row->kind == SLV_VALUE_CHOICE
                                    ? FIELD_WORD
                                : row->kind == SLV_VALUE_DOUBLE ? FIELD_DOUBLE
                                                                : FIELD_FLOAT;
        (void)add(list, PART_PARAMETERS, type, offset + row->offset, slv_count_numbers(row->kind));
    }
}

static void add_play(snapshot_fields *list, size_t play) {
    (void)add(list, PART_CLIPS, FIELD_DOUBLE, play + offsetof(slv_clip_play, base_time), 1);
    (void)add(list, PART_CLIPS, FIELD_LONG, play + offsetof(slv_clip_play, base_step), 1);
    (void)add(list, PART_CLIPS, FIELD_DOUBLE, play + offsetof(slv_clip_play, speed), 1);
    (void)add(list, PART_CLIPS, FIELD_LONG, play + offsetof(slv_clip_play, segment_end), 1);
    (void)add(list, PART_CLIPS, FIELD_DOUBLE, play + offsetof(slv_clip_play, loop_from), 1);
    (void)add(list, PART_CLIPS, FIELD_WORD, play + offsetof(slv_clip_play, loop), 2);
    (void)add(list, PART_CLIPS, FIELD_FLOAT, play + offsetof(slv_clip_play, from), 14);
    (void)add(list, PART_CLIPS, FIELD_LONG, play + offsetof(slv_clip_play, move_step), 1);
    (void)add(list, PART_CLIPS, FIELD_DOUBLE, play + offsetof(slv_clip_play, move_begin), 2);
}

static size_t add_head(snapshot_fields *list, const slv_world *world) {
    (void)add(list, PART_HEAD, FIELD_LONG, offsetof(slv_snapshot_head, size), 1);
    (void)add(list, PART_HEAD, FIELD_WORD, offsetof(slv_snapshot_head, version), 3);
    (void)add(list, PART_HEAD, FIELD_WORD, offsetof(slv_snapshot_head, clip_count), 1);
    add_parameters(list);
    (void)add(list, PART_HEAD, FIELD_DOUBLE, offsetof(slv_snapshot_head, origin), 3);
    const size_t clock = offsetof(slv_snapshot_head, clock);
    (void)add(list, PART_CLOCK, FIELD_LONG, clock + offsetof(slv_clock, steps), 2);
    (void)add(list, PART_CLOCK, FIELD_DOUBLE, clock + offsetof(slv_clock, time), 2);
    for (uint32_t i = 0; i < world->clip_count; i++) {
        add_play(list, offsetof(slv_snapshot_head, plays) + i * sizeof(slv_clip_play));
    }
    return sizeof(slv_snapshot_head);
}

// Bytes of features: moves have words and floats, tears have truth values, the others floats.
static size_t add_feature(snapshot_fields *list, uint32_t number, size_t at, size_t size) {
    const int part = PART_FEATURES + (int)number;
    const char *name = slv_features[number]->name;
    if (strcmp(name, "moves") == 0) {
        const size_t moves = size / (sizeof(slv_move) + sizeof(slv_move_path));
        at = add(list, part, FIELD_WORD, at, 3 * moves);
        return add(list, part, FIELD_FLOAT, at, 8 * moves);
    }
    const bool bytes = strcmp(name, "tearing") == 0;
    return add(list, part, bytes ? FIELD_TRUTH : FIELD_FLOAT, at, bytes ? size : size / 4);
}

static size_t add_body(snapshot_fields *list, const slv_body *body, const char *bytes, size_t at) {
    at = add(list, PART_BODIES, FIELD_WORD, at, 1);
    at = add(list, PART_BODIES, FIELD_FLOAT, at, 7);
    at = add(list, PART_PARTICLES, FIELD_FLOAT, at, 6 * (size_t)body->count);
    at += 6 * (size_t)body->count * sizeof(int16_t); // remainders: any number is one
    at = add(list, PART_BODIES, FIELD_TRUTH, at, body->count);
    for (uint32_t f = 0; slv_features[f]; f++) {
        uint64_t size = 0;
        memcpy(&size, bytes + at, sizeof size);
        at = add(list, PART_FEATURES + (int)f, FIELD_LONG, at, 1);
        at = add_feature(list, f, at, (size_t)size);
    }
    return at;
}

static int compare_parts(const void *one, const void *other) {
    const snapshot_field *a = one;
    const snapshot_field *b = other;
    return a->part != b->part ? a->part - b->part : a->offset < b->offset ? -1 : 1;
}

snapshot_fields list_snapshot_fields(const slv_world *world, const saved_world *saved) {
    snapshot_fields list = {.count = 0};
    size_t at = add_head(&list, world);
    for (uint32_t i = 0; i < world->colliders.count; i++) {
        at = add(&list, PART_COLLIDERS, FIELD_WORD, at, 1);
        at = add(&list, PART_COLLIDERS, FIELD_FLOAT, at, SLV_COLLIDER_FLOATS);
    }
    for (uint32_t i = 0; i < world->body_count; i++) {
        at = add_body(&list, world->bodies[i], saved->bytes, at);
    }
    assert_int_equal(at, saved->size);
    qsort(list.fields, list.count, sizeof *list.fields, compare_parts);
    for (size_t i = list.count; i-- > 0;) {
        list.first[list.fields[i].part] = i;
    }
    for (int part = SNAPSHOT_PARTS; part-- > 0;) { // parts without fields
        const bool has = list.first[part] > 0 || part == 0;
        list.first[SNAPSHOT_PARTS] = list.count;
        list.first[part] = has ? list.first[part] : list.first[part + 1];
    }
    return list;
}

void free_snapshot_fields(snapshot_fields *list) {
    free(list->fields);
    *list = (snapshot_fields){.count = 0};
}

void set_snapshot_checksum(void *bytes, size_t size) {
    const uint64_t checksum = slv_snapshot_get_checksum(bytes, size);
    memcpy((char *)bytes + offsetof(slv_snapshot_head, checksum), &checksum, sizeof checksum);
}

// --- Forging ----------------------------------------------------------------------------------------

uint64_t next_random(uint64_t *seed) {
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

static double forged_number(uint64_t *seed, double old) {
    static const double numbers[] = {(double)NAN,
                                     (double)INFINITY,
                                     -(double)INFINITY,
                                     0.0,
                                     -0.0,
                                     1.0,
                                     -1.0,
                                     0.5,
                                     2.0,
                                     1e-40,
                                     1e-20,
                                     1e6,
                                     -1e6,
                                     1e9,
                                     -1e9,
                                     1e15,
                                     1e30,
                                     -1e30,
                                     (double)FLT_MAX,
                                     9e15,
                                     1e300,
                                     1e7,
                                     3600.0,
                                     1000.0,
                                     -1000,
                                     3.6e9,
                                     1e-300};
    const size_t count = sizeof numbers / sizeof *numbers;
    const uint64_t which = next_random(seed) % (count + 6);
    if (which < count) {
        return numbers[which];
    }
    const double others[] = {-old,       2.0 * old,       old - 1.0,
                             old + 1e-3, old * 1.0000001, old * (double)(next_random(seed) % 1000)};
    return others[which - count];
}

static uint64_t forged_integer(uint64_t *seed, uint64_t old) {
    static const uint64_t integers[] = {
        0,         1,        2,          3,          255,        1u << 16,  1u << 20,   1u << 30,
        INT32_MAX, 1u << 31, UINT32_MAX, 1ull << 32, 1ull << 53, INT64_MAX, 1ull << 63, UINT64_MAX};
    const size_t count = sizeof integers / sizeof *integers;
    const uint64_t which = next_random(seed) % (count + 6);
    if (which < count) {
        return integers[which];
    }
    const uint64_t some = next_random(seed);
    const uint64_t others[] = {old + 1, old - 1, old + (1u << 20), 2 * old, some % 100, some};
    return others[which - count];
}

void forge_field(uint64_t *seed, const snapshot_field *field, char *bytes) {
    char *at = bytes + field->offset;
    const uint64_t bits = next_random(seed);
    const bool random = next_random(seed) % 8 == 0;
    uint32_t word = 0;
    float single = 0.0f;
    double number = 0.0;
    uint64_t integer = 0;
    memcpy(&word, at, get_field_size(field->type) >= 4 ? 4 : 0);
    memcpy(&integer, at, get_field_size(field->type) == 8 ? 8 : 0);
    memcpy(&single, &word, sizeof single);
    memcpy(&number, &integer, sizeof number);
    switch (random ? FIELD_LONG : field->type) {
    case FIELD_TRUTH:
        *at = (char)(next_random(seed) % 2 ? *at ^ 1 : (char)(2 + bits % 254));
        break;
    case FIELD_WORD:
        word = (uint32_t)forged_integer(seed, word);
        memcpy(at, &word, sizeof word);
        break;
    case FIELD_LONG:
        integer = random ? bits : forged_integer(seed, integer);
        memcpy(at, &integer, get_field_size(field->type));
        break;
    case FIELD_FLOAT:
        single = (float)forged_number(seed, (double)single);
        memcpy(at, &single, sizeof single);
        break;
    case FIELD_DOUBLE:
        number = forged_number(seed, number);
        memcpy(at, &number, sizeof number);
        break;
    }
}

static void add_to_long(char *at, int64_t more) {
    uint64_t number = 0;
    memcpy(&number, at, sizeof number);
    number += (uint64_t)more;
    memcpy(at, &number, sizeof number);
}

// Sizes of features are the only long numbers of their parts.
void forge_length(uint64_t *seed, const snapshot_fields *list, char *bytes, size_t *size,
                  size_t room) {
    const size_t first = list->first[PART_FEATURES];
    const snapshot_field *field = NULL;
    do {
        field = &list->fields[first + next_random(seed) % (list->count - first)];
    } while (field->type != FIELD_LONG);
    uint64_t own = 0;
    memcpy(&own, bytes + field->offset, sizeof own);
    static const size_t amounts[] = {1, 4, 12, 24, 32, 44, 88, 176};
    size_t amount = next_random(seed) % 3 == 0 ? (size_t)own : amounts[next_random(seed) % 8];
    char *at = bytes + field->offset + sizeof own;
    const size_t behind = *size - (field->offset + sizeof own);
    if (next_random(seed) % 2 == 0) {
        amount = amount < own ? amount : (size_t)own;
        memmove(at, at + amount, behind - amount);
        *size -= amount;
        add_to_long(bytes + field->offset, -(int64_t)amount);
        add_to_long(bytes + offsetof(slv_snapshot_head, size), -(int64_t)amount);
    } else if (*size + amount <= room) {
        memmove(at + amount, at, behind); // what was there occurs twice
        *size += amount;
        add_to_long(bytes + field->offset, (int64_t)amount);
        add_to_long(bytes + offsetof(slv_snapshot_head, size), (int64_t)amount);
    }
}

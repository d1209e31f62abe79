// SPDX-License-Identifier: MIT
#include "tools/common/fbx_clip_start.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

// A binary FBX file is a header of 27 bytes and a list of records. A record has its end offset,
// number and size of its properties, its name, the properties, then nested records. Offsets have 32
// bits up to version 7400, 64 bits from 7500.

#define HEADER 27u
#define TICKS_PER_SECOND 46186158000.0

typedef struct record {
    size_t properties, properties_end;
    size_t inside, end;
    const char *name;
    uint8_t name_length;
} record;

typedef struct file {
    const uint8_t *bytes;
    size_t size;
    unsigned width; // bytes of an offset: 4 or 8
} file;

static uint64_t number_at(const file *f, size_t at, unsigned width) {
    uint64_t number = 0;
    for (unsigned b = 0; b < width; b++) {
        number |= (uint64_t)f->bytes[at + b] << (8 * b);
    }
    return number;
}

// Reads the record at `at`, which must end within `limit`; false at the end of a list and in
// damaged files.
static bool read_record(const file *f, size_t at, size_t limit, record *r) {
    const size_t head = 3 * (size_t)f->width + 1;
    if (limit > f->size || at >= limit || limit - at < head) {
        return false;
    }
    const uint64_t end = number_at(f, at, f->width);
    const uint64_t length = number_at(f, at + 2 * (size_t)f->width, f->width);
    r->name_length = f->bytes[at + head - 1];
    if (end <= at || end > limit || end - at < head + r->name_length ||
        length > end - at - head - r->name_length) {
        return false;
    }
    r->name = (const char *)f->bytes + at + head;
    r->properties = at + head + r->name_length;
    r->inside = r->properties_end = r->properties + (size_t)length;
    r->end = (size_t)end;
    return true;
}

static bool is_named(const record *r, const char *name) {
    return strlen(name) == r->name_length && !memcmp(r->name, name, r->name_length);
}

// Finds the next record of that name from *at on and advances *at behind it.
static bool find(const file *f, size_t *at, size_t limit, const char *name, record *r) {
    while (read_record(f, *at, limit, r)) {
        *at = r->end;
        if (is_named(r, name)) {
            return true;
        }
    }
    return false;
}

// Reads a text ('S') or integer ('L') property and advances *at.
static bool next_property(const file *f, const record *r, size_t *at, char kind, const char **text,
                          uint64_t *value) {
    if (*at >= r->properties_end || f->bytes[*at] != (uint8_t)kind) {
        return false;
    }
    const size_t left = r->properties_end - *at - 1;
    const size_t size = kind == 'L' ? 8 : 4;
    if (left < size) {
        return false;
    }
    *value = number_at(f, *at + 1, (unsigned)size);
    *at += 1 + size;
    if (kind == 'S') {
        if (*value > r->properties_end - *at) {
            return false;
        }
        *text = (const char *)f->bytes + *at;
        *at += (size_t)*value;
    }
    return true;
}

static bool property_is(const file *f, const record *r, size_t *at, const char *wanted) {
    const char *text = NULL;
    uint64_t length = 0;
    return next_property(f, r, at, 'S', &text, &length) && length == strlen(wanted) &&
           !memcmp(text, wanted, (size_t)length);
}

// P: "LocalStart", "KTime", "Time", "", ticks
static bool read_start(const file *f, const record *list, double *seconds) {
    size_t at = list->inside;
    record entry;
    while (find(f, &at, list->end, "P", &entry)) {
        size_t property = entry.properties;
        const char *text = NULL;
        uint64_t value = 0;
        if (property_is(f, &entry, &property, "LocalStart") &&
            next_property(f, &entry, &property, 'S', &text, &value) &&
            next_property(f, &entry, &property, 'S', &text, &value) &&
            next_property(f, &entry, &property, 'S', &text, &value) &&
            next_property(f, &entry, &property, 'L', &text, &value)) {
            *seconds = (double)(int64_t)value / TICKS_PER_SECOND;
            return true;
        }
    }
    return false;
}

// A stack's properties: its number, then "NAME\0\1AnimStack".
static bool is_stack_of(const file *f, const record *stack, const char *clip) {
    size_t property = stack->properties;
    const char *text = NULL;
    uint64_t value = 0;
    return next_property(f, stack, &property, 'L', &text, &value) &&
           next_property(f, stack, &property, 'S', &text, &value) && value > strlen(clip) &&
           !memcmp(text, clip, strlen(clip)) && text[strlen(clip)] == '\0';
}

double slv_fbx_clip_start(const void *bytes, size_t size, const char *clip) {
    static const char magic[] = "Kaydara FBX Binary  ";
    file f = {.bytes = bytes, .size = size};
    if (size < HEADER || memcmp(bytes, magic, sizeof magic) != 0) {
        return 0.0;
    }
    f.width = number_at(&f, 23, 4) >= 7500 ? 8 : 4;
    size_t at = HEADER;
    record objects;
    if (!find(&f, &at, size, "Objects", &objects)) {
        return 0.0;
    }
    double seconds = 0.0;
    record stack;
    at = objects.inside;
    while (find(&f, &at, objects.end, "AnimationStack", &stack)) {
        size_t inside = stack.inside;
        record list;
        if (is_stack_of(&f, &stack, clip) && find(&f, &inside, stack.end, "Properties70", &list) &&
            read_start(&f, &list, &seconds)) {
            break;
        }
    }
    return seconds;
}

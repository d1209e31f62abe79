// SPDX-License-Identifier: MIT
// Snapshots with changed numbers and a valid checksum.
#ifndef SLV_TESTS_FORGED_SNAPSHOT_H
#define SLV_TESTS_FORGED_SNAPSHOT_H

#include "tests/common/test_world.h"

typedef enum field_type {
    FIELD_TRUTH, // one byte, 0 or 1
    FIELD_WORD,  // 32 bits
    FIELD_LONG,  // 64 bits
    FIELD_FLOAT,
    FIELD_DOUBLE
} field_type;

// Parts of a snapshot, so that a test tries small ones as often as large ones.
enum {
    PART_HEAD,
    PART_PARAMETERS,
    PART_CLOCK,
    PART_CLIPS,
    PART_COLLIDERS,
    PART_BODIES,
    PART_PARTICLES,
    PART_FEATURES // and one for each feature of a step
};
enum { SNAPSHOT_PARTS = PART_FEATURES + 16 };

typedef struct snapshot_field {
    size_t offset;
    field_type type;
    int part;
} snapshot_field;

// Every number of a snapshot.
typedef struct snapshot_fields {
    snapshot_field *fields; // sorted by part
    size_t count, room;
    size_t first[SNAPSHOT_PARTS + 1]; // by part
} snapshot_fields;

// Of a snapshot that this world has just saved. Fails the running test without memory.
snapshot_fields list_snapshot_fields(const slv_world *world, const saved_world *saved);
void free_snapshot_fields(snapshot_fields *list);

size_t get_field_size(field_type type);
void set_snapshot_checksum(void *bytes, size_t size);

// Pseudo-random numbers.
uint64_t next_random(uint64_t *seed);

// Overwrites a number with one that is wrong, at the end of a range, or random.
void forge_field(uint64_t *seed, const snapshot_field *field, char *bytes);
// Inserts or removes bytes of a feature and adapts all sizes. `bytes` has room for `room`.
void forge_length(uint64_t *seed, const snapshot_fields *list, char *bytes, size_t *size,
                  size_t room);

#endif

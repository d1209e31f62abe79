// SPDX-License-Identifier: MIT
// selvage-play --headless from a shell, in a folder with a pack and a scene.
#ifndef SLV_TESTS_HEADLESS_H
#define SLV_TESTS_HEADLESS_H

#include "runtime/base/json.h"

#include <stdbool.h>
#include <stddef.h>

// Every test runs in a folder of its own with cloth.slv and scene.json; *state is its scratch.
int setup(void **state);
int teardown(void **state);

void write_file(const char *path, const char *text);
char *read_file(const char *path); // for free()

// Runs the program with these arguments; its output is in out.txt and err.txt.
int play(const char *arguments);
void play_well(const char *arguments);
void refuse(const char *arguments, int status, const char *message);
void expect_file(const char *path, const char *text);
slv_json *read_json(const char *path);
const slv_json_value *get(const slv_json_value *object, const char *key, slv_json_type type);
// Whether two reports have the same states.
bool same_hashes(const char *path, const char *other);

typedef struct csv_row {
    unsigned long frame, particle;
    float position[3];
} csv_row;

// The rows of an exported .csv, `room` at most; returns their number.
size_t read_csv(const char *path, csv_row *rows, size_t room);

#endif

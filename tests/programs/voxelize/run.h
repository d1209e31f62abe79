// SPDX-License-Identifier: MIT
// selvage-voxelize run in the folder of the test, with what it said caught.
#ifndef SLV_TESTS_VOXELIZE_RUN_H
#define SLV_TESTS_VOXELIZE_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

typedef struct program_run {
    int status;     // exit status; 128 + signal where one ended it
    char *out;      // standard output, terminated
    char *messages; // standard error
} program_run;

// Runs selvage-voxelize with arguments separated by single spaces.
program_run run_voxelize(const char *arguments);
// The two halves of it: starts the program, waits for its end.
pid_t start_voxelize(const char *arguments);
program_run end_voxelize(pid_t child);
void discard_run(program_run *run);

// The same, expecting success and no messages.
void expect_voxelize(const char *arguments);

bool has_file(const char *path);
bool have_same_bytes(const char *path, const char *other);
size_t count_files(void); // in the folder, those that the runs caught their output in aside

// A closed box of twelve triangles, as OBJ; corners low … high on every axis.
void write_box_mesh(const char *path, double low, double high);

#endif

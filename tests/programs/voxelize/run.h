// SPDX-License-Identifier: MIT
// Runs selvage-voxelize in the folder of the test and captures its output.
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
// The same in two steps: starts the program, waits for its end.
pid_t start_voxelize(const char *arguments);
program_run end_voxelize(pid_t child);
void discard_run(program_run *run);

// The same, expecting success and no messages.
void expect_voxelize(const char *arguments);

bool has_file(const char *path);
bool have_same_bytes(const char *path, const char *other);
size_t count_files(void); // files in the folder, without those of captured output

// A closed box of twelve triangles, as OBJ; corners low … high on every axis.
void write_box_mesh(const char *path, double low, double high);

#endif

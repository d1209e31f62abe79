// SPDX-License-Identifier: MIT
// selvage-voxelize run in the folder of the test, with what it said caught.
#ifndef SLV_TESTS_WORKSHOP_H
#define SLV_TESTS_WORKSHOP_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

typedef struct workshop_run {
    int status;     // exit status; 128 + signal where one ended it
    char *out;      // standard output, terminated
    char *messages; // standard error
} workshop_run;

// Runs selvage-voxelize with arguments separated by single spaces.
workshop_run workshop_voxelize(const char *arguments);
// The two halves of it: starts the program, waits for its end.
pid_t workshop_start(const char *arguments);
workshop_run workshop_end(pid_t child);
void workshop_discard(workshop_run *run);

// The same, expecting success and no messages.
void workshop_make(const char *arguments);

bool workshop_has(const char *path);
bool workshop_same_bytes(const char *path, const char *other);
size_t
workshop_count_files(void); // in the folder, those that the runs caught their output in aside

// A closed box of twelve triangles, as OBJ; corners low … high on every axis.
void workshop_write_box(const char *path, double low, double high);

#endif

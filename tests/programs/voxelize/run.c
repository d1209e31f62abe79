// SPDX-License-Identifier: MIT
#define _XOPEN_SOURCE 700
#include "tests/programs/voxelize/run.h"

#include "tests/common/folder.h"

#include <fcntl.h>
#include <setjmp.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

extern char **environ;

static const char OUT[] = ".out";
static const char MESSAGES[] = ".messages";

pid_t start_voxelize(const char *arguments) {
    char line[2048];
    char *argv[64] = {(char[]){"selvage-voxelize"}};
    size_t count = 1;
    assert_true(strlen(arguments) < sizeof line);
    (void)snprintf(line, sizeof line, "%s", arguments);
    for (char *word = line[0] != '\0' ? line : NULL; word != NULL && count < 63; count++) {
        argv[count] = word;
        word = strchr(word, ' ');
        if (word != NULL) {
            *word++ = '\0';
        }
    }
    posix_spawn_file_actions_t actions;
    assert_int_equal(posix_spawn_file_actions_init(&actions), 0);
    const int flags = O_WRONLY | O_CREAT | O_TRUNC;
    assert_int_equal(posix_spawn_file_actions_addopen(&actions, 1, OUT, flags, 0600), 0);
    assert_int_equal(posix_spawn_file_actions_addopen(&actions, 2, MESSAGES, flags, 0600), 0);
    pid_t child = 0;
    assert_int_equal(posix_spawn(&child, SLV_VOXELIZE, &actions, NULL, argv, environ), 0);
    (void)posix_spawn_file_actions_destroy(&actions);
    return child;
}

program_run end_voxelize(pid_t child) {
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    size_t size = 0;
    program_run run = {.out = folder_read(OUT, &size), .messages = folder_read(MESSAGES, &size)};
    run.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return run;
}

program_run run_voxelize(const char *arguments) {
    return end_voxelize(start_voxelize(arguments));
}

void discard_run(program_run *run) {
    free(run->out);
    free(run->messages);
}

void expect_voxelize(const char *arguments) {
    program_run run = run_voxelize(arguments);
    if (run.status != 0 || run.messages[0] != '\0') {
        fail_msg("%s: status %d: %s", arguments, run.status, run.messages);
    }
    discard_run(&run);
}

bool has_file(const char *path) {
    struct stat status;
    return lstat(path, &status) == 0;
}

bool have_same_bytes(const char *path, const char *other) {
    size_t size = 0;
    size_t other_size = 0;
    char *bytes = folder_read(path, &size);
    char *other_bytes = folder_read(other, &other_size);
    const bool same = size == other_size && memcmp(bytes, other_bytes, size) == 0;
    free(bytes);
    free(other_bytes);
    return same;
}

size_t count_files(void) {
    return folder_count() - has_file(OUT) - has_file(MESSAGES);
}

void write_box_mesh(const char *path, double low, double high) {
    static const char faces[] =
        "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n";
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (int corner = 0; corner < 8; corner++) {
        (void)fprintf(file, "v %.17g %.17g %.17g\n", (corner & 1) != 0 ? high : low,
                      (corner & 2) != 0 ? high : low, (corner & 4) != 0 ? high : low);
    }
    (void)fputs(faces, file);
    assert_int_equal(fclose(file), 0);
}

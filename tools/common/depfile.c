// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L // stpcpy
#include "tools/common/depfile.h"

#include "formats/atomic_file.h"

#include <stdlib.h>
#include <string.h>

// Escapes as Make and Ninja both read them: a backslash before blanks, '#' and ':', a doubled '$'.
// Backslashes are themselves only before a blank or '#', where Make wants them doubled.

// Writes at `at`, with no zero after it, and returns where it stopped.
static char *put_escaped(char *at, const char *path) {
    size_t backslashes = 0; // in a row, just before *path
    for (; *path; path++) {
        if (*path == ' ' || *path == '\t' || *path == '#' || *path == ':') {
            memset(at, '\\', backslashes + 1);
            at += backslashes + 1;
        } else if (*path == '$') {
            *at++ = '$';
        }
        *at++ = *path;
        backslashes = *path == '\\' ? backslashes + 1 : 0;
    }
    return at;
}

// Every character may become two, and a run of backslashes is doubled once.
static size_t room_for(const char *path) {
    return 2 * strlen(path) + sizeof " \\\n  ";
}

static slv_result write_text(const char *path, const char *bytes, size_t size, slv_error *error) {
    slv_atomic_file *file = NULL;
    slv_result result = slv_atomic_open(path, &file, error);
    if (result != SLV_OK) {
        return result;
    }
    result = slv_atomic_write(file, bytes, size, error);
    if (result != SLV_OK) {
        slv_atomic_abandon(file);
        return result;
    }
    return slv_atomic_commit(file, error);
}

slv_result slv_depfile_write(const char *path, const char *output, const char *const *inputs,
                             size_t input_count, slv_error *error) {
    size_t room = room_for(output) + 2;
    size_t breaks = strcspn(output, "\r\n") < strlen(output) ? 1 : 0;
    for (size_t i = 0; i < input_count; i++) {
        room += room_for(inputs[i]);
        breaks += strcspn(inputs[i], "\r\n") < strlen(inputs[i]) ? 1 : 0;
    }
    if (breaks > 0) {
        return slv_fail(error, SLV_ERROR_UNSUPPORTED,
                        "a dependency rule cannot hold a file name with a line break in it");
    }
    char *rule = malloc(room);
    if (rule == NULL) {
        return slv_fail(error, SLV_ERROR_INTERNAL, "out of memory");
    }
    char *at = stpcpy(put_escaped(rule, output), ":");
    for (size_t i = 0; i < input_count; i++) {
        at = put_escaped(stpcpy(at, " \\\n  "), inputs[i]);
    }
    at = stpcpy(at, "\n");
    slv_result result = write_text(path, rule, (size_t)(at - rule), error);
    free(rule);
    return result;
}

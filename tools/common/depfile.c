// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L // stpcpy
#include "tools/common/depfile.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// Escapes that Make and Ninja both accept: a backslash before blanks, '#' and ':', a doubled '$'.
// Backslashes are doubled only before a blank or '#', as Make requires.

// Writes at `at` without a terminating zero; returns the end.
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

// Upper bound: every character may become two, and a run of backslashes is doubled once.
static size_t room_for(const char *const *paths, size_t count) {
    size_t room = 0;
    for (size_t i = 0; i < count; i++) {
        room += 2 * strlen(paths[i]) + sizeof " \\\n  ";
    }
    return room;
}

static bool has_line_break(const char *const *paths, size_t count) {
    bool found = false;
    for (size_t i = 0; i < count; i++) {
        found = found || paths[i][strcspn(paths[i], "\r\n")] != '\0';
    }
    return found;
}

slv_result slv_depfile_put(const slv_depfile_rule *rule, slv_atomic_file *file, slv_error *error) {
    if (has_line_break(rule->outputs, rule->output_count) ||
        has_line_break(rule->inputs, rule->input_count)) {
        return slv_fail(error, SLV_ERROR_UNSUPPORTED,
                        "a dependency rule cannot hold a file name with a line break in it");
    }
    char *text = malloc(room_for(rule->outputs, rule->output_count) +
                        room_for(rule->inputs, rule->input_count) + sizeof ":\n");
    if (text == NULL) {
        return slv_no_memory(error);
    }
    char *at = text;
    for (size_t i = 0; i < rule->output_count; i++) {
        at = put_escaped(stpcpy(at, i > 0 ? " " : ""), rule->outputs[i]);
    }
    at = stpcpy(at, ":");
    for (size_t i = 0; i < rule->input_count; i++) {
        at = put_escaped(stpcpy(at, " \\\n  "), rule->inputs[i]);
    }
    at = stpcpy(at, "\n");
    slv_result result = slv_atomic_write(file, text, (size_t)(at - text), error);
    free(text);
    return result;
}

// SPDX-License-Identifier: MIT
// Detects changed files by checking their time and size at intervals.
#ifndef SLV_PLAYER_FILE_WATCH_H
#define SLV_PLAYER_FILE_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct slv_watched_file {
    char *path;
    int64_t seconds, nanoseconds; // time of the last change
    int64_t size;                 // -1: the file does not exist
} slv_watched_file;

typedef struct slv_file_watch {
    slv_watched_file *files;
    size_t count;
    double next;  // time of the next check, seconds
    bool changed; // a change was seen; reported when the next check finds no further change
} slv_file_watch;

bool slv_file_watch_make(slv_file_watch *watch, const char *const *paths,
                         size_t count); // false: out of memory
void slv_file_watch_free(slv_file_watch *watch);

// True once after a change, when the files have not changed further between two checks: a file that is still being
// written is not reported. `now` in seconds. Cheap between checks.
bool slv_file_watch_look(slv_file_watch *watch, double now);

#endif

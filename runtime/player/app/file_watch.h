// SPDX-License-Identifier: MIT
// Notices when files have been changed, by looking at them now and then.
#ifndef SLV_PLAYER_FILE_WATCH_H
#define SLV_PLAYER_FILE_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct slv_watched_file {
    char *path;
    int64_t seconds, nanoseconds; // of the last change
    int64_t size;                 // -1: not there
} slv_watched_file;

typedef struct slv_file_watch {
    slv_watched_file *files;
    size_t count;
    double next;  // when to look again
    bool changed; // seen once; told when it has stayed so
} slv_file_watch;

bool slv_file_watch_make(slv_file_watch *watch, const char *const *paths,
                         size_t count); // false: no memory
void slv_file_watch_free(slv_file_watch *watch);

// Whether something has changed since the last time this said so, and has come to rest: a file that is
// still being written is not told of. `now` in seconds; cheap to ask often.
bool slv_file_watch_look(slv_file_watch *watch, double now);

#endif

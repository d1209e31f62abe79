// SPDX-License-Identifier: MIT
// Notices when files have been changed, by looking at them now and then.
#ifndef SLV_PLAYER_WATCH_H
#define SLV_PLAYER_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct slv_watched {
    char *path;
    int64_t seconds, nanoseconds; // of the last change
    int64_t size;                 // -1: not there
} slv_watched;

typedef struct slv_watch {
    slv_watched *files;
    size_t count;
    double next;  // when to look again
    bool changed; // seen once; told when it has stayed so
} slv_watch;

bool slv_watch_make(slv_watch *watch, const char *const *paths, size_t count); // false: no memory
void slv_watch_free(slv_watch *watch);

// Whether something has changed since the last time this said so, and has come to rest: a file that is
// still being written is not told of. `now` in seconds; cheap to ask often.
bool slv_watch_look(slv_watch *watch, double now);

#endif

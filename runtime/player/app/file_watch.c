// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "runtime/player/app/file_watch.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const double interval = 0.25; // seconds between checks

static slv_watched_file look_at(char *path) {
    struct stat found;
    slv_watched_file file = {.path = path, .size = -1};
    if (stat(path, &found) == 0) {
        file.seconds = found.st_mtim.tv_sec;
        file.nanoseconds = found.st_mtim.tv_nsec;
        file.size = found.st_size;
    }
    return file;
}

bool slv_file_watch_make(slv_file_watch *watch, const char *const *paths, size_t count) {
    *watch = (slv_file_watch){.files = calloc(count + 1, sizeof *watch->files)};
    for (size_t i = 0; watch->files && i < count; i++) {
        char *path = strdup(paths[i]);
        if (path == NULL) {
            slv_file_watch_free(watch);
            return false;
        }
        watch->files[watch->count++] = look_at(path);
    }
    return watch->files != NULL;
}

void slv_file_watch_free(slv_file_watch *watch) {
    for (size_t i = 0; i < watch->count; i++) {
        free(watch->files[i].path);
    }
    free(watch->files);
    *watch = (slv_file_watch){.count = 0};
}

bool slv_file_watch_look(slv_file_watch *watch, double now) {
    if (now < watch->next) {
        return false;
    }
    watch->next = now + interval;
    bool moving = false;
    for (size_t i = 0; i < watch->count; i++) {
        slv_watched_file *file = &watch->files[i];
        const slv_watched_file seen = look_at(file->path);
        moving = moving || seen.size != file->size || seen.seconds != file->seconds ||
                 seen.nanoseconds != file->nanoseconds;
        *file = seen;
    }
    const bool tell = watch->changed && !moving;
    watch->changed = moving;
    return tell;
}

// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "tests/formats/scratch.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int scratch_open(scratch *place) {
    const char *parent = getenv("TMPDIR");
    (void)snprintf(place->folder, sizeof place->folder, "%s/selvage-test-XXXXXX",
                   parent ? parent : "/tmp");
    return mkdtemp(place->folder) ? 0 : -1;
}

const char *scratch_path(scratch *place, const char *name) {
    (void)snprintf(place->path, sizeof place->path, "%s/%s", place->folder, name);
    return place->path;
}

// Calls unlink on each file if remove is set; returns how many there were.
static unsigned visit(const scratch *place, int remove) {
    unsigned count = 0;
    DIR *folder = opendir(place->folder);
    for (const struct dirent *entry; folder && (entry = readdir(folder)) != NULL;) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) {
            continue;
        }
        count++;
        if (remove) {
            (void)unlinkat(dirfd(folder), entry->d_name, 0);
        }
    }
    if (folder) {
        (void)closedir(folder);
    }
    return count;
}

unsigned scratch_count(const scratch *place) {
    return visit(place, 0);
}

void scratch_close(scratch *place) {
    (void)visit(place, 1);
    (void)rmdir(place->folder);
}

int scratch_set_up(void **state) {
    scratch *place = calloc(1, sizeof *place);
    *state = place;
    return place ? scratch_open(place) : -1;
}

int scratch_tear_down(void **state) {
    scratch_close(*state);
    free(*state);
    return 0;
}

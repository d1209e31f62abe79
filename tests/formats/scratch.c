// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "tests/formats/scratch.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int scratch_open(scratch *temporary) {
    const char *parent = getenv("TMPDIR");
    (void)snprintf(temporary->folder, sizeof temporary->folder, "%s/selvage-test-XXXXXX",
                   parent ? parent : "/tmp");
    return mkdtemp(temporary->folder) ? 0 : -1;
}

const char *scratch_path(scratch *temporary, const char *name) {
    (void)snprintf(temporary->path, sizeof temporary->path, "%s/%s", temporary->folder, name);
    return temporary->path;
}

// Calls unlink on each file if remove is set; returns how many there were.
static unsigned visit(const scratch *temporary, int remove) {
    unsigned count = 0;
    DIR *folder = opendir(temporary->folder);
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

unsigned scratch_count(const scratch *temporary) {
    return visit(temporary, 0);
}

void scratch_close(scratch *temporary) {
    (void)visit(temporary, 1);
    (void)rmdir(temporary->folder);
}

int scratch_set_up(void **state) {
    scratch *temporary = calloc(1, sizeof *temporary);
    *state = temporary;
    return temporary ? scratch_open(temporary) : -1;
}

int scratch_tear_down(void **state) {
    scratch_close(*state);
    free(*state);
    return 0;
}

// SPDX-License-Identifier: MIT
#define _GNU_SOURCE // O_TMPFILE, mkostemp
#include "formats/unnamed_file.h"

#include "formats/signal_hold.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Where the file system has no O_TMPFILE, the name is removed at once; signals are held, so that none ends the program in
// between.
static int open_named(const char *folder) {
    static const char name[] = ".selvage-XXXXXX";
    const size_t room = strlen(folder) + sizeof "/" + sizeof name;
    char *path = malloc(room);
    if (!path) {
        return -1;
    }
    (void)snprintf(path, room, "%s/%s", folder, name);
    slv_signal_hold();
    const int descriptor = mkostemp(path, O_CLOEXEC);
    if (descriptor >= 0) {
        (void)unlink(path);
    }
    slv_signal_release();
    free(path);
    return descriptor;
}

static int open_in(const char *folder) {
    const int descriptor = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    return descriptor >= 0 ? descriptor : open_named(folder);
}

int slv_unnamed_file(const char *target) {
    const char *slash = strrchr(target, '/');
    char *folder = slash ? strndup(target, (size_t)(slash - target) + 1) : strdup(".");
    if (!folder) {
        return -1;
    }
    int descriptor = open_in(folder);
    if (descriptor < 0 && errno != ENOMEM) {
        descriptor = open_in("/tmp");
    }
    free(folder);
    return descriptor;
}

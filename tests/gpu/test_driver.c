// SPDX-License-Identifier: MIT
#include "tests/gpu/test_driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CALL_LIMIT = 64 };

static struct {
    char name[DRIVER_NAME_ROOM];
    unsigned count;
} calls[CALL_LIMIT];
static struct {
    char name[DRIVER_NAME_ROOM];
    unsigned nth;
    int code;
    int device_lost;
} failure;
static int lost_code; // of a device that is lost
static _Atomic long live;
static size_t sent[2]; // bytes; from staging memory in the second
static size_t received;

static unsigned *counter(const char *name) {
    for (int i = 0; i < CALL_LIMIT; i++) {
        if (!calls[i].name[0]) {
            (void)snprintf(calls[i].name, sizeof calls[i].name, "%s", name);
        }
        if (strcmp(calls[i].name, name) == 0) {
            return &calls[i].count;
        }
    }
    abort();
}

void driver_fail(const char *call, unsigned nth, int code, int device_lost) {
    memset(&failure, 0, sizeof failure);
    memset(calls, 0, sizeof calls);
    memset(sent, 0, sizeof sent);
    received = 0;
    lost_code = 0;
    if (call) {
        (void)snprintf(failure.name, sizeof failure.name, "%s", call);
        failure.nth = nth;
        failure.code = code;
        failure.device_lost = device_lost;
    }
}

unsigned driver_calls(const char *call) {
    return *counter(call);
}

long driver_live(void) {
    return live;
}

size_t driver_sent(int staged) {
    return sent[staged];
}

size_t driver_received(void) {
    return received;
}

int driver_begin(const char *name) {
    const unsigned count = ++*counter(name);
    if (!lost_code && failure.nth == count && strcmp(failure.name, name) == 0) {
        lost_code = failure.device_lost ? failure.code : 0;
        return failure.code;
    }
    return lost_code;
}

void driver_add_live(long count) {
    live += count;
}

void driver_add_sent(bool staged, size_t bytes) {
    sent[staged ? 1 : 0] += bytes;
}

void driver_add_received(size_t bytes) {
    received += bytes;
}

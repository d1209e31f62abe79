// SPDX-License-Identifier: MIT
#include "runtime/player/app/devices.h"

#include "runtime/player/app/report.h"

#include <stdio.h>
#include <string.h>

enum { DEVICE_ROOM = 64 };

static void print_line(const slv_device *device) {
    (void)printf("%-7s %u  %s, %.1f GiB, %s%s\n", device->backend, (unsigned)device->index,
                 device->name, (double)device->memory_bytes / (double)(1 << 30), device->driver,
                 device->is_gpu ? "" : " (CPU)");
}

static void print_object(const slv_device *device) {
    (void)fputs("{\"backend\": ", stdout);
    slv_report_string(stdout, device->backend);
    (void)printf(", \"index\": %u, \"name\": ", (unsigned)device->index);
    slv_report_string(stdout, device->name);
    (void)printf(", \"memoryBytes\": %llu, \"driver\": ", (unsigned long long)device->memory_bytes);
    slv_report_string(stdout, device->driver);
    (void)printf(", \"gpu\": %s}", device->is_gpu ? "true" : "false");
}

// Prints the reason for each backend that is not available.
static void print_absent(bool json) {
    static const char *const backends[] = {"cuda", "opencl"};
    bool any = false;
    for (size_t i = 0; i < sizeof backends / sizeof *backends; i++) {
        char reason[512];
        if (slv_check_backend(backends[i], reason, sizeof reason) == SLV_OK) {
            continue;
        }
        if (json) {
            (void)fputs(any ? ", {\"backend\": " : "{\"backend\": ", stdout);
            slv_report_string(stdout, backends[i]);
            (void)fputs(", \"reason\": ", stdout);
            slv_report_string(stdout, reason);
            (void)fputs("}", stdout);
        } else {
            (void)printf("%-7s -  not available: %s\n", backends[i], reason);
        }
        any = true;
    }
}

slv_result slv_play_list_devices(bool json) {
    slv_device devices[DEVICE_ROOM];
    uint32_t count = slv_list_devices(devices, DEVICE_ROOM);
    count = count < DEVICE_ROOM ? count : DEVICE_ROOM;
    if (json) {
        (void)fputs("{\"devices\": [", stdout);
        for (uint32_t i = 0; i < count; i++) {
            (void)fputs(i > 0 ? ", " : "", stdout);
            print_object(&devices[i]);
        }
        (void)fputs("], \"absent\": [", stdout);
        print_absent(true);
        (void)fputs("]}\n", stdout);
        return SLV_OK;
    }
    for (uint32_t i = 0; i < count; i++) {
        print_line(&devices[i]);
    }
    print_absent(false);
    (void)puts("cpu        always available");
    return SLV_OK;
}

void slv_play_note_transfer(slv_console *console, bool in_gl_buffers) {
    slv_console_note(console, "positions: %s",
                     in_gl_buffers ? "written into OpenGL buffers by the device"
                                   : "copied to OpenGL through the host");
}

bool slv_play_print_note(const char *note, slv_console *console, char last_note[SLV_NOTE_ROOM]) {
    const bool is_new = note[0] && strncmp(last_note, note, SLV_NOTE_ROOM - 1) != 0;
    if (is_new) {
        (void)snprintf(last_note, SLV_NOTE_ROOM, "%s", note);
        slv_console_warning(console, NULL, "%s", note);
    }
    return is_new;
}

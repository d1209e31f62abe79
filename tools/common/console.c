// SPDX-License-Identifier: MIT
#define _DEFAULT_SOURCE // TIOCGWINSZ
#define _POSIX_C_SOURCE 200809L
#include "tools/common/console.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

// File names and messages of importers are untrusted: control characters could change terminal
// colors or imitate a second message, so they are replaced. Each message is one write, so that the
// lines of parallel programs do not mix.

#define MESSAGE_SIZE 4096
#define REDRAW_SECONDS 0.1

double slv_console_seconds(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void replace_controls(char *text) {
    for (; *text; text++) {
        if ((unsigned char)*text < 0x20 || *text == 0x7f) {
            *text = '?';
        }
    }
}

SLV_PRINTF(4, 0)
static void print_message(slv_console *console, const char *kind, const char *source,
                          const char *format, va_list arguments) {
    slv_console_progress_end(console);
    char line[MESSAGE_SIZE];
    int length = snprintf(line, sizeof line, "%s: %s%s%s", console->program, kind,
                          source ? source : "", source ? ": " : "");
    if (length >= 0 && (size_t)length < sizeof line) {
        (void)vsnprintf(line + length, sizeof line - (size_t)length, format, arguments);
    }
    replace_controls(line);
    (void)fprintf(stderr, "%s\n", line);
}

void slv_console_error(slv_console *console, const char *source, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    print_message(console, "error: ", source, format, arguments);
    va_end(arguments);
}

void slv_console_warning(slv_console *console, const char *source, const char *format, ...) {
    if (!console->quiet) {
        va_list arguments;
        va_start(arguments, format);
        print_message(console, "warning: ", source, format, arguments);
        va_end(arguments);
    }
}

void slv_console_note(slv_console *console, const char *format, ...) {
    if (console->verbose && !console->quiet) {
        va_list arguments;
        va_start(arguments, format);
        print_message(console, "", NULL, format, arguments);
        va_end(arguments);
    }
}

static int terminal_width(void) {
    struct winsize size;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
        return size.ws_col;
    }
    return 80;
}

// "what  [#####     ]  42%  rate", within the terminal's width so that it never wraps.
static void draw_bar(const char *what, uint64_t done, uint64_t total, const char *rate) {
    double part = total == 0 ? 1.0 : (double)done / (double)total;
    part = part > 1.0 ? 1.0 : part;
    int columns =
        terminal_width() - (int)strlen(what) - (int)strlen(rate) - (int)sizeof "  []  100% ";
    char bar[61];
    int width = columns > (int)sizeof bar - 1 ? (int)sizeof bar - 1 : columns;
    if (width < 4) {
        (void)fprintf(stderr, "\r%3d%%", (int)(part * 100.0));
        return;
    }
    int filled = (int)(part * width);
    memset(bar, ' ', sizeof bar);
    memset(bar, '#', (size_t)filled);
    (void)fprintf(stderr, "\r%s  [%.*s]  %3d%%%s", what, width, bar, (int)(part * 100.0), rate);
}

static void show_bar(slv_console *console, const char *what, uint64_t done, uint64_t total,
                     const char *rate) {
    if (isatty(STDERR_FILENO)) {
        draw_bar(what, done, total, rate);
        (void)fflush(stderr);
        console->bar_shown = true;
    }
}

static bool is_due(slv_console *console, double now) {
    if (console->quiet || now - console->bar_time < REDRAW_SECONDS) {
        return false;
    }
    console->bar_time = now;
    return true;
}

void slv_console_progress(slv_console *console, const char *what, uint64_t done, uint64_t total) {
    if (is_due(console, slv_console_seconds())) {
        show_bar(console, what, done, total, "");
    }
}

void slv_console_progress_rate(slv_console *console, const char *what, const char *unit,
                               uint64_t done, uint64_t total) {
    const double now = slv_console_seconds();
    if (console->rate_of != what) {
        console->rate_of = what;
        console->rate_start = now;
    }
    if (!is_due(console, now)) {
        return;
    }
    char text[64] = "";
    const double rate = now > console->rate_start ? (double)done / (now - console->rate_start) : 0;
    if (rate > 0) {
        const double left = (double)(total - done) / rate;
        (void)snprintf(text, sizeof text, "  %.0f %s/s, %.0f %s left  ", rate, unit,
                       left < 90 ? left : left / 60, left < 90 ? "s" : "min");
    }
    show_bar(console, what, done, total, text);
}

void slv_console_progress_end(slv_console *console) {
    if (console->bar_shown) {
        (void)fputs("\r\033[K", stderr); // back to the left edge, clear the line
        (void)fflush(stderr);
        console->bar_shown = false;
    }
    console->rate_of = NULL;
}

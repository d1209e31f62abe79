// SPDX-License-Identifier: MIT
#define _XOPEN_SOURCE 700 // posix_openpt
#include "tests/tools/common/cmocka_all.h"
#include "tools/common/console.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Redirects standard error to `target` while body runs; returns what `source` received.
static void capture(int target, int source, void (*body)(slv_console *), slv_console *console,
                    char *text, size_t size) {
    (void)fflush(stderr);
    int saved = dup(STDERR_FILENO);
    assert_true(dup2(target, STDERR_FILENO) >= 0);
    body(console);
    (void)fflush(stderr);
    assert_true(dup2(saved, STDERR_FILENO) >= 0);
    (void)close(saved);
    // A terminal delivers with a delay: read until nothing more arrives.
    size_t length = 0;
    struct pollfd ready = {.fd = source, .events = POLLIN};
    while (length < size - 1 && poll(&ready, 1, 200) == 1) {
        ssize_t got = read(source, text + length, size - 1 - length);
        if (got <= 0) {
            break;
        }
        length += (size_t)got;
    }
    text[length] = '\0';
}

static void capture_pipe(void (*body)(slv_console *), slv_console *console, char *text,
                         size_t size) {
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    capture(ends[1], ends[0], body, console, text, size);
    (void)close(ends[0]);
    (void)close(ends[1]);
}

static void say_everything(slv_console *console) {
    slv_console_error(console, "a.obj", "line %d: bad", 3);
    slv_console_error(console, NULL, "alone");
    slv_console_warning(console, "b.obj", "odd");
    slv_console_note(console, "reading %s", "c.obj");
    slv_console_progress(console, "work", 1, 2);
    slv_console_progress_end(console);
}

static void messages_have_program_kind_and_source(void **state) {
    (void)state;
    char text[1024];
    slv_console console = {.program = "selvage-test", .verbose = true};
    capture_pipe(say_everything, &console, text, sizeof text);
    assert_string_equal(text, "selvage-test: error: a.obj: line 3: bad\n"
                              "selvage-test: error: alone\n"
                              "selvage-test: warning: b.obj: odd\n"
                              "selvage-test: reading c.obj\n");
}

static void quiet_keeps_errors_and_notes_need_verbose(void **state) {
    (void)state;
    char text[1024];
    slv_console quiet = {.program = "p", .quiet = true, .verbose = true};
    capture_pipe(say_everything, &quiet, text, sizeof text);
    assert_string_equal(text, "p: error: a.obj: line 3: bad\np: error: alone\n");
    slv_console plain = {.program = "p"};
    capture_pipe(say_everything, &plain, text, sizeof text);
    assert_string_equal(text,
                        "p: error: a.obj: line 3: bad\np: error: alone\np: warning: b.obj: odd\n");
}

static void say_controls(slv_console *console) {
    slv_console_error(console, "a\nb\033[31m.obj", "tab\there");
}

static void control_characters_do_not_reach_the_terminal(void **state) {
    (void)state;
    char text[1024];
    slv_console console = {.program = "p"};
    capture_pipe(say_controls, &console, text, sizeof text);
    assert_string_equal(text, "p: error: a?b?[31m.obj: tab?here\n");
}

static void say_much(slv_console *console) {
    static char name[6000];
    memset(name, 'x', sizeof name - 1);
    slv_console_error(console, name, "end");
}

static void a_long_message_is_truncated_to_one_line(void **state) {
    (void)state;
    static char text[8192];
    slv_console console = {.program = "p"};
    capture_pipe(say_much, &console, text, sizeof text);
    assert_true(strlen(text) > 4000 && strlen(text) < 4200);
    assert_ptr_equal(strchr(text, '\n'), text + strlen(text) - 1);
}

static void many_steps(slv_console *console) {
    for (uint64_t i = 0; i < 100000; i++) {
        slv_console_progress(console, "sampling", i, 100000);
    }
    slv_console_error(console, NULL, "stop");
}

static void messages_clear_the_progress_bar_of_a_terminal(void **state) {
    (void)state;
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0) {
        print_message("skipped: no pseudo-terminals here\n");
        skip();
    }
    int terminal = open(ptsname(master), O_RDWR | O_NOCTTY);
    assert_true(terminal >= 0);
    static char text[65536];
    slv_console console = {.program = "p"};
    double start = slv_console_seconds();
    capture(terminal, master, many_steps, &console, text, sizeof text);
    double seconds = slv_console_seconds() - start;
    (void)close(terminal);
    (void)close(master);

    size_t draws = 0;
    for (const char *at = text; (at = strstr(at, "\rsampling  [")) != NULL; at++) {
        draws++;
    }
    assert_true(draws >= 1 && (double)draws <= 1.0 + 10.0 * seconds + 1.0);
    assert_non_null(strstr(text, "\r\033[Kp: error: stop"));
    assert_true(strchr(text, '\n') > strstr(text, "stop")); // the bar itself never breaks the line
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_have_program_kind_and_source),
        cmocka_unit_test(quiet_keeps_errors_and_notes_need_verbose),
        cmocka_unit_test(control_characters_do_not_reach_the_terminal),
        cmocka_unit_test(a_long_message_is_truncated_to_one_line),
        cmocka_unit_test(messages_clear_the_progress_bar_of_a_terminal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "tests/tools/common/cmocka_all.h"
#include "tools/common/child_process.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const slv_child_limits limits = {.processor_seconds = 1, .memory = UINT64_C(1) << 30};

static slv_result run(void (*work)(FILE *, void *), void *context, char *text, size_t size,
                      slv_error *error) {
    slv_child child;
    assert_int_equal(slv_child_start(&limits, work, context, &child, error), SLV_OK);
    size_t length = fread(text, 1, size - 1, child.output);
    text[length] = '\0';
    slv_result result = slv_child_finish(&child, length > 0, error);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); // all children were waited for
    return result;
}

static void greet(FILE *out, void *context) {
    (void)printf("noise on standard output\n");
    (void)fprintf(stderr, "noise on standard error\n");
    (void)fflush(stdout);
    (void)fprintf(out, "hello %s", (const char *)context);
}

static void the_output_of_the_child_is_received(void **state) {
    (void)state;
    char text[64];
    slv_error error = {.code = SLV_OK};
    assert_int_equal(run(greet, "world", text, sizeof text, &error), SLV_OK);
    assert_string_equal(text, "hello world");
}

static void raise_signal(FILE *out, void *context) {
    (void)out;
    (void)raise(*(int *)context);
}

static void a_crash_is_an_error_that_names_the_signal(void **state) {
    (void)state;
    static const int signals[] = {SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGILL};
    for (size_t s = 0; s < sizeof signals / sizeof *signals; s++) {
        char text[64];
        char message[128];
        slv_error error = {.code = SLV_OK};
        int number = signals[s];
        (void)snprintf(message, sizeof message,
                       "the file makes the importer crash (signal %d): it is damaged or not what "
                       "its name says",
                       number);
        assert_int_equal(run(raise_signal, &number, text, sizeof text, &error), SLV_ERROR_CONTENT);
        assert_string_equal(error.text, message);
    }
}

static void spin(FILE *out, void *context) {
    (void)out;
    for (volatile unsigned *at = context;; (*at)++) {
    }
}

static void endless_work_is_stopped_by_the_time_limit(void **state) {
    (void)state;
    char text[64];
    unsigned counter = 0;
    slv_error error = {.code = SLV_OK};
    assert_int_equal(run(spin, &counter, text, sizeof text, &error), SLV_ERROR_CONTENT);
    assert_string_equal(error.text,
                        "the file keeps the importer busy without end: it is damaged or too large");
}

static void write_for_ever(FILE *out, void *context) {
    (void)context;
    while (fputs("more and more ", out) >= 0) {
    }
}

static void sleep_for_ever(FILE *out, void *context) {
    (void)context;
    (void)fputs("x", out);
    (void)fflush(out);
    for (;;) {
        (void)pause();
    }
}

static void an_abandoned_child_is_stopped(void **state) {
    (void)state;
    static void (*const works[])(FILE *, void *) = {write_for_ever, sleep_for_ever};
    for (size_t w = 0; w < 2; w++) {
        slv_child child;
        slv_error error = {.code = SLV_OK};
        assert_int_equal(slv_child_start(&limits, works[w], NULL, &child, &error), SLV_OK);
        assert_true(fgetc(child.output) != EOF);
        assert_int_equal(slv_child_finish(&child, false, &error), SLV_ERROR_CONTENT);
    }
}

static void say_nothing(FILE *out, void *context) {
    (void)out;
    (void)context;
}

static void a_child_without_output_is_an_error(void **state) {
    (void)state;
    char text[64];
    slv_error error = {.code = SLV_OK};
    assert_int_equal(run(say_nothing, NULL, text, sizeof text, &error), SLV_ERROR_CONTENT);
}

static void run_out_of_memory(FILE *out, void *context) {
    (void)out;
    (void)context;
    slv_child_out_of_memory();
}

static void a_child_without_memory_is_no_fault_of_the_file_alone(void **state) {
    (void)state;
    char text[64];
    slv_error error = {.code = SLV_OK};
    assert_int_equal(run(run_out_of_memory, NULL, text, sizeof text, &error), SLV_ERROR_MEMORY);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_output_of_the_child_is_received),
        cmocka_unit_test(a_crash_is_an_error_that_names_the_signal),
        cmocka_unit_test(endless_work_is_stopped_by_the_time_limit),
        cmocka_unit_test(an_abandoned_child_is_stopped),
        cmocka_unit_test(a_child_without_output_is_an_error),
        cmocka_unit_test(a_child_without_memory_is_no_fault_of_the_file_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "tests/tools/common/cmocka_all.h"
#include "tools/common/options.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct parsed_values {
    const char *output;
    double spacing;
    double angle;
    uint64_t cells;
    int mode;
    bool flag;
    bool spacing_given;
    slv_common_options common;
    const char *operands[2];
    size_t operand_count;
    slv_error error;
} parsed_values;

static const char *const modes[] = {"solid", "shell", "surface", NULL};

#define MAX_ARGUMENTS 16

// The program of all tests: a table over *values.
static slv_result with_program(parsed_values *values, int argc, char **argv, bool help) {
    const slv_option options[] = {
        {.type = SLV_OPTION_TEXT,
         .name = "--output",
         .letter = 'o',
         .argument = "FILE",
         .help = "Where to write.",
         .value = &values->output},
        {.type = SLV_OPTION_HEADING, .help = "Sampling"},
        {.type = SLV_OPTION_NUMBER,
         .name = "--spacing",
         .argument = "METRES",
         .help = "Distance between samples, more than 0; a long text that has to be wrapped "
                 "because no terminal of 80 columns could hold it.",
         .value = &values->spacing,
         .given = &values->spacing_given,
         .min = 0.0,
         .max = HUGE_VAL,
         .min_open = true},
        {.type = SLV_OPTION_NUMBER,
         .name = "--angle",
         .argument = "DEGREES",
         .help = "Any.",
         .value = &values->angle,
         .min = -180.0,
         .max = 180.0},
        {.type = SLV_OPTION_COUNT,
         .name = "--cells",
         .argument = "CELLS",
         .help = "How many.",
         .value = &values->cells,
         .min = 1,
         .max = 4096},
        {.type = SLV_OPTION_CHOICE,
         .name = "--mode",
         .help = "What is filled.",
         .value = &values->mode,
         .choices = modes},
        {.name = "--flag", .letter = 'f', .help = "A flag.", .value = &values->flag},
        {.name = NULL},
    };
    const slv_program program = {.name = "selvage-test",
                                 .synopsis = "MESH -o FILE [options]\n--shape SHAPE -o FILE",
                                 .summary = "Does what a test needs.",
                                 .epilogue = "Example:\n  selvage-test a.obj -o a.slv",
                                 .options = options,
                                 .common = &values->common};
    if (help) {
        slv_options_print_help(&program);
        return SLV_OK;
    }
    return slv_options_parse(&program, argc, argv, values->operands, 2, &values->operand_count,
                             &values->error);
}

// line: arguments separated by single blanks.
static slv_result parse(parsed_values *values, const char *line) {
    static char copy[512];
    char *argv[MAX_ARGUMENTS] = {"selvage-test"};
    int argc = 1;
    memset(values, 0, sizeof *values);
    (void)snprintf(copy, sizeof copy, "%s", line);
    for (char *word = strtok(copy, " "); word && argc < MAX_ARGUMENTS; word = strtok(NULL, " ")) {
        argv[argc++] = word;
    }
    return with_program(values, argc, argv, false);
}

static void expect_error(const char *line, const char *message) {
    parsed_values values;
    assert_int_equal(parse(&values, line), SLV_ERROR_ARGUMENT);
    assert_int_equal(values.error.code, SLV_ERROR_ARGUMENT);
    assert_string_equal(values.error.text, message);
}

static void every_form_of_an_option_is_accepted(void **state) {
    (void)state;
    parsed_values values;
    assert_int_equal(parse(&values, "a.obj --spacing 0.25 -o x.slv --mode=shell -fqv b"), SLV_OK);
    assert_int_equal(values.operand_count, 2);
    assert_string_equal(values.operands[0], "a.obj");
    assert_string_equal(values.operands[1], "b");
    assert_true(values.spacing == 0.25 && values.spacing_given);
    assert_string_equal(values.output, "x.slv");
    assert_int_equal(values.mode, 1);
    assert_true(values.flag && values.common.quiet && values.common.verbose);
    assert_false(values.common.json);

    assert_int_equal(parse(&values, "-oy.slv --cells=12 --threads 3 --depfile d -- --spacing"),
                     SLV_OK);
    assert_string_equal(values.output, "y.slv");
    assert_int_equal(values.cells, 12);
    assert_int_equal(values.common.threads, 3);
    assert_string_equal(values.common.depfile, "d");
    assert_string_equal(values.operands[0], "--spacing");
    assert_false(values.spacing_given);

    assert_int_equal(parse(&values, "-fo z.slv - --json"), SLV_OK);
    assert_string_equal(values.output, "z.slv");
    assert_string_equal(values.operands[0], "-");
    assert_true(values.common.json);
}

static void the_last_of_a_repeated_option_counts(void **state) {
    (void)state;
    parsed_values values;
    assert_int_equal(parse(&values, "--spacing 1 --spacing 2 -o a -o b"), SLV_OK);
    assert_true(values.spacing == 2.0);
    assert_string_equal(values.output, "b");
}

static void negative_numbers_are_values_not_options(void **state) {
    (void)state;
    parsed_values values;
    assert_int_equal(parse(&values, "--angle -12.5"), SLV_OK);
    assert_true(values.angle == -12.5);
}

static void messages_for_numbers_out_of_range_give_the_range(void **state) {
    (void)state;
    expect_error("--spacing 0", "--spacing: 0 is not allowed; it must be greater than 0 (metres)");
    expect_error("--spacing=-1e3",
                 "--spacing: -1e3 is not allowed; it must be greater than 0 (metres)");
    expect_error("--angle 181",
                 "--angle: 181 is not allowed; it must be from -180 to 180 (degrees)");
    expect_error("--cells 0", "--cells: 0 is not allowed; it must be from 1 to 4096 (cells)");
    expect_error("--cells 99999999999999999999999",
                 "--cells: 99999999999999999999999 is not allowed; it must be from 1 to 4096 "
                 "(cells)");
    expect_error("--threads 1025", "--threads: 1025 is not allowed; it must be from 0 to 1024");
}

static void only_whole_finite_decimals_are_numbers(void **state) {
    (void)state;
    static const char *const words[] = {"nan", "inf", "0x10", "1.5m", "1e999", "1,5", "--"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        char line[64];
        char message[128];
        (void)snprintf(line, sizeof line, "--spacing %s", words[i]);
        (void)snprintf(message, sizeof message,
                       "--spacing: '%s' is not a number; write one like 0.25 or 1e-3", words[i]);
        expect_error(line, message);
    }
    expect_error("--cells 1.5", "--cells: '1.5' is not a whole number like 12");
    expect_error("--cells -3", "--cells: '-3' is not a whole number like 12");
    expect_error("--cells=", "--cells: '' is not a whole number like 12");
}

static void choices_are_listed(void **state) {
    (void)state;
    expect_error("--mode sold", "--mode: 'sold' is none of its choices: solid, shell or surface");
}

static void an_unknown_option_gets_a_suggestion(void **state) {
    (void)state;
    expect_error("--space 1", "--space: unknown option; did you mean --spacing?");
    expect_error("--spacin=1", "--spacin: unknown option; did you mean --spacing?");
    expect_error("--verbos", "--verbos: unknown option; did you mean --verbose?");
    expect_error("--xyzzy", "--xyzzy: unknown option; --help lists them");
    expect_error("-x", "-x: unknown option; --help lists them");
}

static void missing_and_needless_arguments_are_rejected(void **state) {
    (void)state;
    expect_error("-o", "--output: needs an argument: --output FILE");
    expect_error("--output --quiet", "--output: needs an argument: --output FILE");
    expect_error("--mode", "--mode: needs an argument: --mode one of its choices");
    expect_error("--flag=1", "--flag: takes no argument");
    expect_error("a b c", "'c' is one argument too many");
}

static void help_and_version_ignore_later_arguments(void **state) {
    (void)state;
    parsed_values values;
    assert_int_equal(parse(&values, "-h --nonsense"), SLV_OK);
    assert_true(values.common.help);
    assert_int_equal(parse(&values, "--version --spacing 0"), SLV_OK);
    assert_true(values.common.version);
}

static void very_long_arguments_are_truncated_in_messages(void **state) {
    (void)state;
    static char line[480];
    memset(line, 'a', sizeof line - 1);
    line[0] = line[1] = '-';
    parsed_values values;
    assert_int_equal(parse(&values, line), SLV_ERROR_ARGUMENT);
    assert_true(strlen(values.error.text) < 100);
}

static void help_lists_everything_within_80_columns(void **state) {
    (void)state;
    FILE *file = tmpfile();
    assert_non_null(file);
    (void)fflush(stdout);
    int saved = dup(STDOUT_FILENO);
    assert_true(dup2(fileno(file), STDOUT_FILENO) >= 0);
    parsed_values values;
    memset(&values, 0, sizeof values);
    (void)with_program(&values, 0, NULL, true);
    (void)fflush(stdout);
    assert_true(dup2(saved, STDOUT_FILENO) >= 0);
    (void)close(saved);
    static char text[8192];
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    (void)fclose(file);

    static const char wrapped[] =
        "      --spacing METRES    Distance between samples, more than 0; a long text\n"
        "                          that has to be wrapped because no terminal of 80\n"
        "                          columns could hold it.\n";
    static const char *const parts[] = {
        "Usage: selvage-test MESH -o FILE [options]\n       selvage-test --shape SHAPE -o FILE\n",
        "\nOptions:\n  -o, --output FILE       Where to write.\n",
        "\nSampling:\n",
        wrapped,
        "      --mode solid|shell|surface\n                          What is filled.\n",
        "  -h, --help              Print this text.\n",
        "  -q, --quiet ",
        "  -v, --verbose ",
        "      --json ",
        "      --version ",
        "      --depfile FILE ",
        "      --threads N ",
        "Example:\n  selvage-test a.obj -o a.slv\n",
        "Exit status: 0 done"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (strstr(text, parts[i]) == NULL) {
            fail_msg("the help lacks\n%s\nin\n%s", parts[i], text);
        }
    }
    for (const char *line = text; *line;) {
        size_t length = strcspn(line, "\n");
        assert_true(length <= 80);
        assert_true(length == 0 || line[length - 1] != ' ');
        line += length + 1;
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form_of_an_option_is_accepted),
        cmocka_unit_test(the_last_of_a_repeated_option_counts),
        cmocka_unit_test(negative_numbers_are_values_not_options),
        cmocka_unit_test(messages_for_numbers_out_of_range_give_the_range),
        cmocka_unit_test(only_whole_finite_decimals_are_numbers),
        cmocka_unit_test(choices_are_listed),
        cmocka_unit_test(an_unknown_option_gets_a_suggestion),
        cmocka_unit_test(missing_and_needless_arguments_are_rejected),
        cmocka_unit_test(help_and_version_ignore_later_arguments),
        cmocka_unit_test(very_long_arguments_are_truncated_in_messages),
        cmocka_unit_test(help_lists_everything_within_80_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

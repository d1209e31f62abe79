// SPDX-License-Identifier: MIT
#include "tools/common/options.h"

#include "tools/common/option_rows.h"

#include <stdio.h>
#include <string.h>

// Help in two columns, 80 wide: syntax and description. A row whose left side is too long gets a
// line of its own.

#define WIDTH 80
#define HELP_COLUMN 26

// Prints text wrapped at WIDTH, every line but the first indented; column is where the first starts.
// A newline in the text breaks the line too.
static void print_wrapped(const char *text, int indent, int column) {
    while (*text) {
        int word = (int)strcspn(text, " \n");
        if (column > indent && column + 1 + word > WIDTH) {
            printf("\n%*s", indent, "");
            column = indent;
        } else if (column > indent && word > 0) {
            putchar(' ');
            column++;
        }
        printf("%.*s", word, text);
        column += word;
        text += word;
        if (*text == '\n') {
            printf("\n%*s", text[1] && text[1] != '\n' ? indent : 0, "");
            column = indent;
        }
        text += *text ? 1 : 0;
    }
    putchar('\n');
}

static int print_choices(const char *const *choices) {
    int length = 0;
    for (int c = 0; choices[c]; c++) {
        length += printf("%s%s", c == 0 ? " " : "|", choices[c]);
    }
    return length;
}

static void print_option(const slv_option *option) {
    int column = option->letter ? printf("  -%c, ", option->letter) : printf("      ");
    column += printf("%s", option->name);
    if (option->argument) {
        column += printf(" %s", option->argument);
    } else if (option->type == SLV_OPTION_CHOICE) {
        column += print_choices(option->choices);
    }
    if (column > HELP_COLUMN - 2) {
        putchar('\n');
        column = 0;
    }
    printf("%*s", HELP_COLUMN - column, "");
    print_wrapped(option->help ? option->help : "", HELP_COLUMN, HELP_COLUMN);
}

static void print_table(const slv_option *row) {
    if (!slv_option_is_last(row) && row->type != SLV_OPTION_HEADING) {
        puts("\nOptions:");
    }
    for (; !slv_option_is_last(row); row++) {
        if (row->type == SLV_OPTION_HEADING) {
            printf("\n%s:\n", row->help ? row->help : row->name);
        } else {
            print_option(row);
        }
    }
}

static void print_synopsis(const slv_program *program) {
    const char *label = "Usage:";
    for (const char *line = program->synopsis; line; label = "      ") {
        int length = (int)strcspn(line, "\n");
        printf("%s %s %.*s\n", label, program->name, length, line);
        line = line[length] ? line + length + 1 : NULL;
    }
}

void slv_options_print_help(const slv_program *program) {
    slv_common_rows common;
    slv_common_option_rows(program, &common);
    print_synopsis(program);
    putchar('\n');
    print_wrapped(program->summary, 0, 0);
    print_table(program->options);
    print_table(common.rows);
    if (program->epilogue) {
        printf("\n%s\n", program->epilogue);
    }
    putchar('\n');
    print_wrapped("Exit status: 0 done, 1 wrong usage, 2 a file cannot be read or written, 3 its "
                  "content is bad, 4 out of memory or an internal fault, 5 not supported here.",
                  0, 0);
}

void slv_options_print_version(const slv_program *program) {
    printf("%s (Selvage) %s\n", program->name, SLV_VERSION);
}

slv_result slv_options_read(const slv_program *program, int argc, char **argv, const char **operand,
                            slv_error *error) {
    size_t operands = 0;
    const slv_result result = slv_options_parse(program, argc, argv, operand, 1, &operands, error);
    if (result == SLV_OK && program->common->help) {
        slv_options_print_help(program);
    } else if (result == SLV_OK && program->common->version) {
        slv_options_print_version(program);
    }
    return result;
}

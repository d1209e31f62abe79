// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "tools/common/options.h"

#include "tools/common/number.h"
#include "tools/common/option_rows.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Parsing. Every message states the error and a correct form, because it is often read in a build
// log.

typedef struct options_parser {
    slv_common_rows common;
    const slv_option *tables[2]; // rows of the program, then the common ones
    char **next;                 // the argument after the one being read
    char **end;
    slv_error *error;
} options_parser;

// --- finding an option ---------------------------------------------------------------------------

static const slv_option *find_name(const options_parser *parser, const char *name, size_t length) {
    for (int t = 0; t < 2; t++) {
        for (const slv_option *row = parser->tables[t]; !slv_option_is_last(row); row++) {
            if (row->name && strlen(row->name) == length && !memcmp(row->name, name, length)) {
                return row;
            }
        }
    }
    return NULL;
}

static const slv_option *find_letter(const options_parser *parser, char letter) {
    for (int t = 0; t < 2; t++) {
        for (const slv_option *row = parser->tables[t]; !slv_option_is_last(row); row++) {
            if (row->name && row->letter == letter) {
                return row;
            }
        }
    }
    return NULL;
}

#define MAX_NAME 40 // limit of names that are compared and suggested

// Levenshtein distance. Both texts have at most MAX_NAME characters.
static size_t edit_distance(const char *a, size_t a_length, const char *b, size_t b_length) {
    size_t row[MAX_NAME + 1];
    for (size_t j = 0; j <= b_length; j++) {
        row[j] = j;
    }
    for (size_t i = 0; i < a_length; i++) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t j = 0; j < b_length; j++) {
            size_t best = diagonal + (a[i] != b[j] ? 1 : 0);
            diagonal = row[j + 1];
            best = best < row[j] + 1 ? best : row[j] + 1;
            row[j + 1] = best < diagonal + 1 ? best : diagonal + 1;
        }
    }
    return row[b_length];
}

// The most similar option, or NULL where more than half of the name differs.
static const slv_option *find_similar(const options_parser *parser, const char *name,
                                      size_t length) {
    const slv_option *best = NULL;
    size_t best_distance = SIZE_MAX;
    for (int t = 0; t < 2 && length <= MAX_NAME; t++) {
        for (const slv_option *row = parser->tables[t]; !slv_option_is_last(row); row++) {
            size_t row_length = row->name ? strlen(row->name) : SIZE_MAX;
            if (row_length > MAX_NAME) {
                continue;
            }
            size_t distance = edit_distance(name, length, row->name, row_length);
            size_t longer = row_length > length ? row_length : length;
            if (distance < best_distance && 2 * distance <= longer - strlen("--")) {
                best = row;
                best_distance = distance;
            }
        }
    }
    return best;
}

// --- storing a value -----------------------------------------------------------------------------

// "it must be greater than 0 (metres)" for the range of a row.
static void describe_range(const slv_option *option, char *text, size_t size) {
    char unit[32] = "";
    if (option->argument && strlen(option->argument) > 1 && strlen(option->argument) < 24) {
        (void)snprintf(unit, sizeof unit, " (%s)", option->argument);
        const bool capitals = strpbrk(unit, "abcdefghijklmnopqrstuvwxyz") == NULL;
        for (char *at = unit; *at && capitals; at++) { // "MiB" is written so on purpose
            *at = (char)tolower((unsigned char)*at);
        }
    }
    bool has_min = option->min > -1e300;
    bool has_max = option->max < 1e300;
    const char *from = option->min_open ? "greater than" : "at least";
    if (has_min && has_max && !option->min_open) {
        (void)snprintf(text, size, "it must be from %.10g to %.10g%s", option->min, option->max,
                       unit);
    } else if (has_min && has_max) {
        (void)snprintf(text, size, "it must be %s %.10g and at most %.10g%s", from, option->min,
                       option->max, unit);
    } else if (has_min) {
        (void)snprintf(text, size, "it must be %s %.10g%s", from, option->min, unit);
    } else {
        (void)snprintf(text, size, "it must be at most %.10g%s", option->max, unit);
    }
}

static slv_result check_range(const slv_option *option, const char *text, double value,
                              slv_error *error) {
    if (value < option->min || value > option->max || (option->min_open && value <= option->min)) {
        char range[160];
        describe_range(option, range, sizeof range);
        return slv_fail(error, SLV_ERROR_ARGUMENT, "%s: %.60s is not allowed; %s", option->name,
                        text, range);
    }
    return SLV_OK;
}

static slv_result store_number(const slv_option *option, const char *text, slv_error *error) {
    double value;
    if (!slv_parse_whole_number(text, &value)) {
        return slv_fail(error, SLV_ERROR_ARGUMENT,
                        "%s: '%.60s' is not a number; write one like 0.25 or 1e-3", option->name,
                        text);
    }
    slv_result result = check_range(option, text, value, error);
    if (result == SLV_OK) {
        *(double *)option->value = value;
    }
    return result;
}

static slv_result store_count(const slv_option *option, const char *text, slv_error *error) {
    if (text[0] == '\0' || text[strspn(text, "0123456789")] != '\0') {
        return slv_fail(error, SLV_ERROR_ARGUMENT, "%s: '%.60s' is not a whole number like 12",
                        option->name, text);
    }
    errno = 0;
    unsigned long long value = strtoull(text, NULL, 10);
    slv_result result = check_range(option, text, errno ? 1e301 : (double)value, error);
    if (result == SLV_OK) {
        *(uint64_t *)option->value = value;
    }
    return result;
}

static slv_result store_choice(const slv_option *option, const char *text, slv_error *error) {
    char list[256] = "";
    size_t used = 0;
    for (int c = 0; option->choices[c]; c++) {
        if (!strcmp(option->choices[c], text)) {
            *(int *)option->value = c;
            return SLV_OK;
        }
        const char *separator = c == 0 ? "" : option->choices[c + 1] ? ", " : " or ";
        if (used < sizeof list) {
            int length =
                snprintf(list + used, sizeof list - used, "%s%s", separator, option->choices[c]);
            used += length > 0 ? (size_t)length : 0;
        }
    }
    return slv_fail(error, SLV_ERROR_ARGUMENT, "%s: '%.60s' is none of its choices: %s",
                    option->name, text, list);
}

static slv_result store(const slv_option *option, const char *text, slv_error *error) {
    slv_result result = SLV_OK;
    switch (option->type) {
    case SLV_OPTION_FLAG:
        *(bool *)option->value = true;
        break;
    case SLV_OPTION_TEXT:
        *(const char **)option->value = text;
        break;
    case SLV_OPTION_NUMBER:
        result = store_number(option, text, error);
        break;
    case SLV_OPTION_COUNT:
        result = store_count(option, text, error);
        break;
    case SLV_OPTION_CHOICE:
        result = store_choice(option, text, error);
        break;
    case SLV_OPTION_HEADING:
        break;
    }
    if (result == SLV_OK && option->given) {
        *option->given = true;
    }
    return result;
}

// --- walking the arguments -----------------------------------------------------------------------

// value: the value in the same argument ("--name=value", "-ovalue"), or NULL.
static slv_result read_value(options_parser *parser, const slv_option *option, const char *value) {
    if (value == NULL) {
        // "-o --quiet" is a missing file name far more often than a file called "--quiet".
        if (parser->next == parser->end ||
            find_name(parser, *parser->next, strlen(*parser->next))) {
            const char *argument = option->argument ? option->argument : "one of its choices";
            return slv_fail(parser->error, SLV_ERROR_ARGUMENT, "%s: needs an argument: %s %s",
                            option->name, option->name, argument);
        }
        value = *parser->next++;
    }
    return store(option, value, parser->error);
}

static slv_result parse_long(options_parser *parser, const char *text) {
    size_t length = strcspn(text, "=");
    const char *value = text[length] == '=' ? text + length + 1 : NULL;
    const slv_option *option = find_name(parser, text, length);
    if (option == NULL) {
        const slv_option *similar = find_similar(parser, text, length);
        int shown = length > MAX_NAME ? MAX_NAME : (int)length;
        return similar
                   ? slv_fail(parser->error, SLV_ERROR_ARGUMENT,
                              "%.*s: unknown option; did you mean %s?", shown, text, similar->name)
                   : slv_fail(parser->error, SLV_ERROR_ARGUMENT,
                              "%.*s: unknown option; --help lists them", shown, text);
    }
    if (option->type == SLV_OPTION_FLAG) {
        return value ? slv_fail(parser->error, SLV_ERROR_ARGUMENT, "%s: takes no argument",
                                option->name)
                     : store(option, NULL, parser->error);
    }
    return read_value(parser, option, value);
}

static slv_result parse_letters(options_parser *parser, const char *letters) {
    for (; *letters; letters++) {
        const slv_option *option = find_letter(parser, *letters);
        if (option == NULL) {
            return slv_fail(parser->error, SLV_ERROR_ARGUMENT,
                            "-%c: unknown option; --help lists them",
                            isprint((unsigned char)*letters) ? *letters : '?');
        }
        if (option->type != SLV_OPTION_FLAG) {
            return read_value(parser, option, letters[1] ? letters + 1 : NULL);
        }
        slv_result result = store(option, NULL, parser->error);
        if (result != SLV_OK) {
            return result;
        }
    }
    return SLV_OK;
}

slv_result slv_options_parse(const slv_program *program, int argc, char **argv,
                             const char **operands, size_t max_operands, size_t *operand_count,
                             slv_error *error) {
    options_parser parser = {.next = argv + (argc > 0 ? 1 : 0), .end = argv + argc, .error = error};
    slv_common_option_rows(program, &parser.common);
    parser.tables[0] = program->options;
    parser.tables[1] = parser.common.rows;
    *operand_count = 0;

    slv_result result = SLV_OK;
    bool options_ended = false;
    while (result == SLV_OK && parser.next < parser.end && !program->common->help &&
           !program->common->version) {
        const char *text = *parser.next++;
        if (options_ended || text[0] != '-' || text[1] == '\0') {
            if (*operand_count == max_operands) {
                return slv_fail(error, SLV_ERROR_ARGUMENT, "'%.200s' is one argument too many",
                                text);
            }
            operands[(*operand_count)++] = text;
        } else if (!strcmp(text, "--")) {
            options_ended = true;
        } else if (text[1] == '-') {
            result = parse_long(&parser, text);
        } else {
            result = parse_letters(&parser, text + 1);
        }
    }
    return result;
}

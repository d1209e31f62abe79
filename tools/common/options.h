// SPDX-License-Identifier: MIT
// Command lines from one table: the same rows parse the arguments and print the help.
#ifndef SLV_TOOLS_OPTIONS_H
#define SLV_TOOLS_OPTIONS_H

#include "formats/result.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum slv_option_type {
    SLV_OPTION_FLAG,   // bool
    SLV_OPTION_TEXT,   // const char *
    SLV_OPTION_NUMBER, // double within [min, max], finite
    SLV_OPTION_COUNT,  // uint64_t within [min, max]
    SLV_OPTION_CHOICE, // int: index into choices
    SLV_OPTION_HEADING // a heading in the help (its text is `help`), not parsed
} slv_option_type;

// Fields in reading order; there are few rows, so padding does not matter.
// NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding)
typedef struct slv_option {
    slv_option_type type;
    const char *name;           // "--spacing"; "-o" style short form in `letter`
    char letter;                // 'o' or 0
    const char *argument;       // "METRES", NULL for flags; choices may leave it NULL
    const char *help;           // one or more lines: what, unit, range, default
    void *value;                // destination, of the type above
    bool *given;                // set when the option was on the command line; may be NULL
    double min, max;            // for numbers and counts
    bool min_open;              // min itself is excluded ("greater than")
    const char *const *choices; // NULL-terminated, for SLV_OPTION_CHOICE
} slv_option;

#define SLV_MAX_THREADS 1024u // of the tools

// Options of every program: --help --version --quiet --verbose --json --depfile FILE --threads N.
typedef struct slv_common_options {
    bool help, version, quiet, verbose, json;
    const char *depfile;
    uint64_t threads; // 0 = one per processor
} slv_common_options;

typedef struct slv_program {
    const char *name;     // "selvage-voxelize"
    const char *synopsis; // "MESH -o OUT.slv [options]" (lines separated by \n)
    const char *summary;  // a sentence or two
    const char *epilogue; // examples; may be NULL
    const slv_option
        *options; // options of the program, ended by a row with name NULL and type FLAG
    slv_common_options *common;
    uint64_t max_threads; // of --threads; 0: SLV_MAX_THREADS
} slv_program;

// Parses argv; operands (arguments that are not options) are stored in operands (max_operands
// elements). "--" ends options; "--name=value", "-ovalue" and bundled flags "-qv" work. Options and
// operands may be mixed. Of repeated options the last one counts, so that a pipeline can append to
// a command line. --help and --version end the parsing at once, so that later errors have no
// effect. SLV_ERROR_ARGUMENT names the option.
slv_result slv_options_parse(const slv_program *program, int argc, char **argv,
                             const char **operands, size_t max_operands, size_t *operand_count,
                             slv_error *error);

// The same for a program with one operand; prints help or version where requested.
slv_result slv_options_read(const slv_program *program, int argc, char **argv, const char **operand,
                            slv_error *error);

void slv_options_print_help(const slv_program *program); // to standard output
void slv_options_print_version(const slv_program *program);

#endif

// SPDX-License-Identifier: MIT
// One option of a command line, and the table of a program.
#ifndef SLV_TOOLS_OPTION_H
#define SLV_TOOLS_OPTION_H

#include <stdbool.h>
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

#endif

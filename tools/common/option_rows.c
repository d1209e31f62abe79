// SPDX-License-Identifier: MIT
#include "tools/common/option_rows.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void slv_common_option_rows(const slv_program *program, slv_common_rows *out) {
    slv_common_options *common = program->common;
    const uint64_t max_threads = program->max_threads ? program->max_threads : SLV_MAX_THREADS;
    (void)snprintf(out->threads_help, sizeof out->threads_help,
                   "Threads to work with, at most %" PRIu64
                   "; 0 means one per processor. The output does not depend on it. Default: 0.",
                   max_threads);
    const slv_option table[SLV_COMMON_OPTION_ROWS] = {
        {.type = SLV_OPTION_HEADING, .help = "Common to all programs"},
        {.name = "--help", .letter = 'h', .help = "Print this text.", .value = &common->help},
        {.name = "--version", .help = "Print the version.", .value = &common->version},
        {.name = "--quiet", .letter = 'q', .help = "Print only errors.", .value = &common->quiet},
        {.name = "--verbose",
         .letter = 'v',
         .help = "Print what is being done.",
         .value = &common->verbose},
        {.name = "--json",
         .help = "Print one machine-readable report on standard output.",
         .value = &common->json},
        {.type = SLV_OPTION_TEXT,
         .name = "--depfile",
         .argument = "FILE",
         .help = "Write a Make/Ninja rule that names every file read.",
         .value = &common->depfile},
        {.type = SLV_OPTION_COUNT,
         .name = "--threads",
         .argument = "N",
         .help = out->threads_help,
         .value = &common->threads,
         .max = (double)max_threads},
    };
    memcpy(out->rows, table, sizeof table);
}

// SPDX-License-Identifier: MIT
// Command lines from one table: the same rows parse the arguments and print the help.
#ifndef SLV_TOOLS_OPTIONS_H
#define SLV_TOOLS_OPTIONS_H

#include "formats/result.h"
#include "tools/common/option.h"

#include <stddef.h>

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

// SPDX-License-Identifier: MIT
// Fuzzes the command lines of the tools: lines of the input are arguments of each program. --help and --version, which
// print, are left out.
#include "tests/tools/common/fuzz_text.h"
#include "tools/bake-collider/command_line.h"
#include "tools/colorize/command_line.h"
#include "tools/inspect/command_line.h"
#include "tools/voxelize/command_line.h"

enum { ARGUMENTS_MOST = 64 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool prints(const char *argument) {
    return argument[0] == '-' && (argument[1] != '-' ? strchr(argument, 'h') != NULL
                                                     : strncmp(argument, "--h", 3) == 0 ||
                                                           strncmp(argument, "--vers", 6) == 0);
}

static void expect_reason(slv_result result, const slv_error *error) {
    if (result != SLV_OK && (error->code != result || error->text[0] == '\0')) {
        abort(); // refused without a reason
    }
}

static void parse(int count, char **arguments) {
    slv_common_options common = {0};
    slv_error error = {.code = SLV_OK};
    slv_voxelize_options voxelize = {0};
    expect_reason(slv_voxelize_parse(count, arguments, &voxelize, &common, &error), &error);
    slv_colorize_options colorize = {0};
    error = (slv_error){.code = SLV_OK};
    expect_reason(slv_colorize_parse(count, arguments, &colorize, &common, &error), &error);
    slv_bake_options bake = {0};
    error = (slv_error){.code = SLV_OK};
    expect_reason(slv_bake_parse(count, arguments, &bake, &common, &error), &error);
    slv_request request = {0};
    error = (slv_error){.code = SLV_OK};
    expect_reason(slv_command_line_read(count, arguments, &common, &request, &error), &error);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = fuzz_text(data, size);
    char *arguments[ARGUMENTS_MOST + 1] = {text};
    int count = 1;
    if (text == NULL) {
        return 0;
    }
    for (char *at = text; at && count < ARGUMENTS_MOST; count++) {
        arguments[count] = at;
        if ((at = strchr(at, '\n')) != NULL) {
            *at++ = '\0';
        }
        if (prints(arguments[count])) {
            free(text);
            return 0;
        }
    }
    static char name[] = "fuzz";
    arguments[0] = name;
    parse(count, arguments);
    free(text);
    return 0;
}

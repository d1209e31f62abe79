// SPDX-License-Identifier: MIT
#include "tools/inspect/command_line.h"

#include "tools/common/memory_limit.h"
#include "tools/common/number.h"
#include "tools/common/parallel.h"
#include "tools/inspect/dump.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

// The options before interpretation.
typedef struct typed {
    bool verify;
    bool copy;
    uint64_t memory_limit;
    const char *dump;
    int format;
    bool format_given;
    const char *picture;
    const char *size;
    const char *view;
    int what;
    bool what_given;
    char dump_help[640];
} typed;

enum { OPTION_ROWS = 12 };

static void list_dumps(char *text, size_t size) {
    int used = snprintf(text, size, "Print a section as a table:");
    for (const slv_dump *dump = slv_dumps; dump->name; dump++) {
        if (used >= 0 && (size_t)used < size) {
            used += snprintf(text + used, size - (size_t)used, " %s,", dump->name);
        }
    }
    if (used >= 0 && (size_t)used < size) {
        (void)snprintf(
            text + used, size - (size_t)used,
            " frame:N, attachments:N and mesh:N of a collider pack (positions in frame N), or a section's four capitals. Particles are numbered in the object's own "
            "order.");
    }
}

static void fill_rows(typed *t, slv_option rows[OPTION_ROWS]) {
    static const char *const formats[] = {"csv", "json", NULL};
    static const char *const parts[] = {"particles", "mesh", "both", "paint", NULL};
    const slv_option table[OPTION_ROWS] = {
        {.name = "--verify", .help = "Print only whether the pack is valid.", .value = &t->verify},
        {.type = SLV_OPTION_TEXT,
         .name = "--dump",
         .argument = "SECTION",
         .help = t->dump_help,
         .value = &t->dump},
        {.type = SLV_OPTION_CHOICE,
         .name = "--format",
         .choices = formats,
         .help = "How --dump prints: CSV with a header, or a JSON array of objects. Default: csv.",
         .value = &t->format,
         .given = &t->format_given},
        {.name = "--copy",
         .help = "Read the file into memory in place of mapping it: for a file that another "
                 "program may cut short meanwhile.",
         .value = &t->copy},
        {.type = SLV_OPTION_COUNT,
         .name = "--memory-limit",
         .argument = "MiB",
         .help = SLV_MEMORY_LIMIT_HELP,
         .value = &t->memory_limit,
         .min = 1,
         .max = 1e9},
        {.type = SLV_OPTION_HEADING, .help = "Pictures"},
        {.type = SLV_OPTION_TEXT,
         .name = "--picture",
         .argument = "FILE.png",
         .help = "Draw the garment, in place of the summary.",
         .value = &t->picture},
        {.type = SLV_OPTION_TEXT,
         .name = "--size",
         .argument = "WxH",
         .help = "Pixels, 16 to 8192 per side. Default: 1280x960.",
         .value = &t->size},
        {.type = SLV_OPTION_TEXT,
         .name = "--view",
         .argument = "AZIMUTH,ELEVATION",
         .help = "Where the eye is, in degrees: around the vertical (0 looks from +z, 90 from +x) "
                 "and above the horizon (-90 to 90). Default: 35,28.",
         .value = &t->view},
        {.type = SLV_OPTION_CHOICE,
         .name = "--what",
         .choices = parts,
         .help = "Particles in their colors, the render mesh, one half of each, or particles as "
                 "the mesh was painted. Default: particles.",
         .value = &t->what,
         .given = &t->what_given},
        {.name = NULL},
    };
    memcpy(rows, table, sizeof table);
}

static bool parse_two(const char *text, char separator, double values[2]) {
    const char *end = slv_parse_number(text, &values[0]);
    return end && *end == separator && slv_parse_whole_number(end + 1, &values[1]);
}

static bool is_side(double value) {
    return value >= SLV_PICTURE_SIDE_MIN && value <= SLV_PICTURE_SIDE_MAX &&
           value == (double)(uint32_t)value;
}

static slv_result read_picture(const typed *t, slv_picture_options *picture, slv_error *error) {
    double pair[2];
    if (t->size) {
        if (!parse_two(t->size, 'x', pair) || !is_side(pair[0]) || !is_side(pair[1])) {
            return slv_fail(error, SLV_ERROR_ARGUMENT,
                            "--size: '%.40s' is no size; write WxH, %u to %u pixels each, like "
                            "1280x960",
                            t->size, SLV_PICTURE_SIDE_MIN, SLV_PICTURE_SIDE_MAX);
        }
        picture->width = (uint32_t)pair[0];
        picture->height = (uint32_t)pair[1];
    }
    if (t->view) {
        if (!parse_two(t->view, ',', pair) || !(pair[0] >= -360.0 && pair[0] <= 360.0) ||
            !(pair[1] >= -90.0 && pair[1] <= 90.0)) {
            return slv_fail(error, SLV_ERROR_ARGUMENT,
                            "--view: '%.40s' is no view; write AZIMUTH,ELEVATION in degrees, -360 "
                            "to 360 and -90 to 90, like 35,28",
                            t->view);
        }
        picture->azimuth = pair[0];
        picture->elevation = pair[1];
    }
    picture->parts = (slv_scene_parts)t->what;
    return SLV_OK;
}

// The name of another format than the one that is written.
static bool is_other_picture(const char *path) {
    static const char *const others[] = {".jpg", ".jpeg", ".gif", ".bmp", ".webp", ".tif", ".tiff",
                                         ".tga", ".ppm",  ".svg", ".pdf", ".exr",  ".hdr"};
    const char *ending = strrchr(path, '.');
    for (size_t i = 0; ending && i < sizeof others / sizeof *others; i++) {
        if (strcasecmp(ending, others[i]) == 0) {
            return true;
        }
    }
    return false;
}

static slv_result check_together(const typed *t, const slv_common_options *common,
                                 slv_error *error) {
    if (t->dump && (t->verify || common->json || t->picture)) {
        return slv_fail(error, SLV_ERROR_ARGUMENT,
                        "--dump: prints one section and nothing else, without --verify, --json "
                        "or --picture; --format json gives JSON");
    }
    if (t->format_given && !t->dump) {
        return slv_fail(error, SLV_ERROR_ARGUMENT, "--format: is about --dump SECTION");
    }
    if ((t->size || t->view || t->what_given) && !t->picture) {
        return slv_fail(error, SLV_ERROR_ARGUMENT, "%s: is about --picture FILE.png",
                        t->size ? "--size" : (t->view ? "--view" : "--what"));
    }
    if (t->picture && is_other_picture(t->picture)) {
        return slv_fail(error, SLV_ERROR_ARGUMENT,
                        "--picture: '%.200s' is written as PNG; name it FILE.png", t->picture);
    }
    if (common->depfile && !t->picture) {
        return slv_fail(error, SLV_ERROR_ARGUMENT,
                        "--depfile: is about --picture FILE.png, the only file this program makes");
    }
    return t->dump ? slv_dump_check_name(t->dump, error) : SLV_OK;
}

static slv_result make_request(const typed *t, const slv_common_options *common, const char *pack,
                               slv_request *request, slv_error *error) {
    slv_result result = check_together(t, common, error);
    if (result) {
        return result;
    }
    *request = (slv_request){
        .pack = pack,
        .open_mode = t->copy ? SLV_OPEN_COPY : SLV_OPEN_MAP,
        .memory_limit = t->memory_limit,
        .quiet = common->quiet,
        .verify = t->verify,
        .json = common->json,
        .dump = t->dump,
        .format = (slv_table_format)t->format,
        .picture_path = t->picture,
        .picture = slv_default_picture_options(),
        .depfile = common->depfile,
    };
    request->picture.threads = common->threads ? (unsigned)common->threads : slv_processor_count();
    return read_picture(t, &request->picture, error);
}

slv_result slv_command_line_read(int argc, char **argv, slv_common_options *common,
                                 slv_request *request, slv_error *error) {
    typed t = {.dump = NULL};
    slv_option rows[OPTION_ROWS];
    list_dumps(t.dump_help, sizeof t.dump_help);
    fill_rows(&t, rows);
    const slv_program program = {
        .name = "selvage-inspect",
        .synopsis = "PACK [--verify] [--json]\n"
                    "PACK --dump SECTION [--format csv|json]\n"
                    "PACK --picture FILE.png [--size WxH] [--view AZIMUTH,ELEVATION]",
        .summary = "Shows what is in a pack, after verifying all of it.",
        .epilogue = "Examples:\n"
                    "  selvage-inspect shirt.slv\n"
                    "  selvage-inspect shirt.slv --verify && echo valid\n"
                    "  selvage-inspect shirt.slv --dump constraints > constraints.csv\n"
                    "  selvage-inspect shirt.slv --picture shirt.png --what both",
        .options = rows,
        .common = common,
    };
    const char *operand = NULL;
    size_t operand_count = 0;
    *request = (slv_request){.pack = NULL};
    slv_result result = slv_options_parse(&program, argc, argv, &operand, 1, &operand_count, error);
    if (result) {
        return result;
    }
    if (common->help) {
        slv_options_print_help(&program);
        return SLV_OK;
    }
    if (common->version) {
        slv_options_print_version(&program);
        return SLV_OK;
    }
    if (operand_count == 0) {
        return slv_fail(error, SLV_ERROR_ARGUMENT,
                        "which pack? Usage: selvage-inspect PACK; --help "
                        "says more");
    }
    return make_request(&t, common, operand, request, error);
}

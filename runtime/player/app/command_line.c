// SPDX-License-Identifier: MIT
#include "runtime/player/app/command_line.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { OPTION_ROWS = 36, LARGEST_SIDE = 16384 };

static const char *const views[] = {"cloth",       "stretch", "particles", "partitions",
                                    "constraints", "colors",  NULL};

// In the order of slv_collider_look.
static const char *const collider_looks[] = {"solid", "particles", "hidden", NULL};

// In the order of slv_export_what.
static const char *const export_whats[] = {"usual", "render", "particles", NULL};

static const char *const backends[] = {"auto", "cpu", "opencl", "cuda", NULL};
enum { CPU_CHOICE = 1 };
static const char *const instruction_sets[] = {"baseline", "avx2", "avx512", NULL};

// The options of the program itself, up to the heading of those that override the scene.
static void fill_rows(slv_play_request *r, slv_option rows[OPTION_ROWS]) {
    const slv_option table[] = {
        {.name = "--headless",
         .help = "Run as fast as possible, without a window.",
         .value = &r->headless},
        {.type = SLV_OPTION_COUNT,
         .name = "--frames",
         .argument = "N",
         .help = "Frames to run, 0 to 100000000. Default: 100; in a window, until it is closed.",
         .value = &r->frames,
         .given = &r->frames_given,
         .max = 1e8},
        {.type = SLV_OPTION_NUMBER,
         .name = "--settle",
         .argument = "SECONDS",
         .help =
             "Simulate so long before frame 0, at most 3600, while characters stand at their start. "
             "Default: 0.",
         .value = &r->settle,
         .max = 3600},
        {.type = SLV_OPTION_TEXT,
         .name = "--report",
         .argument = "FILE.json",
         .help = "Write the measurements of every frame, headless or with pictures.",
         .value = &r->report},
        {.type = SLV_OPTION_TEXT,
         .name = "--export",
         .argument = "FILE",
         .help =
             "Write every frame for other programs: .csv, .####.csv or .obj (one file per frame), "
             ".pc2 or .mdd "
             "(with FILE.rest.obj), .usda, .glb.",
         .value = &r->export_file},
        {.type = SLV_OPTION_CHOICE,
         .name = "--export-what",
         .argument = "WHAT",
         .choices = export_whats,
         .help = "render: the meshes; particles: the particles in pack order. Default: "
                 "particles in .csv, else render.",
         .value = &r->export_what},
        {.type = SLV_OPTION_TEXT,
         .name = "--fixed",
         .argument = "LIST",
         .help =
             "For packs: fixed particles, as numbers in pack order and names of sets, separated "
             "by commas. Default: none.",
         .value = &r->fixed},
        {.type = SLV_OPTION_TEXT,
         .name = "--record",
         .argument = "FILE",
         .help = "Record all input by mouse and keys.",
         .value = &r->record},
        {.type = SLV_OPTION_TEXT,
         .name = "--replay",
         .argument = "FILE",
         .help = "Replay a recording to its end, and compare the final state.",
         .value = &r->replay},
        {.type = SLV_OPTION_FLAG,
         .name = "--allow-paths",
         .help = "The scene may name files outside of its own folder.",
         .value = &r->allow_paths},
        {.type = SLV_OPTION_HEADING, .help = "Pictures without a display"},
        {.type = SLV_OPTION_TEXT,
         .name = "--offscreen",
         .argument = "WxH",
         .help = "Size in pixels. Default: 1280x720.",
         .value = &r->offscreen},
        {.type = SLV_OPTION_TEXT,
         .name = "--png",
         .argument = "DIR",
         .help = "Write every frame as DIR/frame-00001.png and so on.",
         .value = &r->png},
        {.type = SLV_OPTION_TEXT,
         .name = "--video",
         .argument = "FILE.mp4",
         .help = "Write a video (needs ffmpeg).",
         .value = &r->video},
        {.type = SLV_OPTION_TEXT,
         .name = "--gif",
         .argument = "FILE.gif",
         .help = "Write an animated GIF (needs ffmpeg).",
         .value = &r->gif},
        {.type = SLV_OPTION_TEXT,
         .name = "--screenshot",
         .argument = "FILE.png",
         .help = "Write one frame.",
         .value = &r->screenshot},
        {.type = SLV_OPTION_COUNT,
         .name = "--frame",
         .argument = "N",
         .help = "Number of that frame; 0 is the start. Default: the last of --frames.",
         .value = &r->frame,
         .given = &r->frame_given,
         .max = 1e8},
        {.type = SLV_OPTION_HEADING, .help = "View"},
        {.type = SLV_OPTION_CHOICE,
         .name = "--view",
         .argument = "WHAT",
         .choices = views,
         .help = "cloth, stretch, particles, partitions (particles by color), constraints or "
                 "colors (constraints by color, phantoms as balls). Default: cloth.",
         .value = &r->view},
        {.type = SLV_OPTION_CHOICE,
         .name = "--colliders",
         .argument = "HOW",
         .choices = collider_looks,
         .help = "solid, particles (collision particles of animated models) or hidden. "
                 "Default: solid.",
         .value = &r->colliders},
        {.name = "--contacts", .help = "Draw contact normals.", .value = &r->contacts},
        {.name = "--smooth",
         .help = "Smooth the cloth between its vertices by their normals.",
         .value = &r->smooth},
        {.type = SLV_OPTION_TEXT,
         .name = "--camera",
         .argument = "X,Y,Z,TX,TY,TZ",
         .help = "Position of the camera and the point it looks at, metres. Default: the scene's.",
         .value = &r->camera_text},
        {.type = SLV_OPTION_COUNT,
         .name = "--samples",
         .argument = "N",
         .help = "Samples per pixel for antialiasing, 1 to 16. 1 is the fastest. Default: 4.",
         .value = &r->samples,
         .min = 1,
         .max = 16},
        {.type = SLV_OPTION_TEXT,
         .name = "--window",
         .argument = "WxH",
         .help = "Initial size of the window. Default: 1280x720.",
         .value = &r->window},
        {.name = "--no-vsync",
         .help = "Do not wait for the vertical sync of the screen.",
         .value = &r->no_vsync},
        {.name = "--gl-debug",
         .help = "Fail on every error that the OpenGL driver reports.",
         .value = &r->gl_debug},
        {.type = SLV_OPTION_HEADING, .help = "Device"},
        {.type = SLV_OPTION_CHOICE,
         .name = "--backend",
         .argument = "NAME",
         .choices = backends,
         .help =
             "cpu, opencl, cuda, or auto: a real GPU where there is one, else cpu. All give the "
             "same bits. Default: cpu.",
         .value = &r->backend_choice},
        {.type = SLV_OPTION_TEXT,
         .name = "--device",
         .argument = "WHICH",
         .help = "GPU by its number in --list-devices or by part of its name. Default: the best.",
         .value = &r->device},
        {.name = "--list-devices",
         .help =
             "Print all GPUs with memory and driver, or the reason why there is none, and exit.",
         .value = &r->list_devices},
        {.name = "--deterministic",
         .help = "Refuse a GPU whose rounding is not exact. Default: warn.",
         .value = &r->deterministic},
        {.name = "--no-fallback",
         .help = "Fail where the GPU is absent or fails. Default: continue on the CPU.",
         .value = &r->no_fallback},
        {.name = "--no-sharing",
         .help =
             "Copy positions through the host, even where the GPU can write into OpenGL buffers.",
         .value = &r->no_sharing},
        {.type = SLV_OPTION_CHOICE,
         .name = "--instruction-set",
         .argument = "NAME",
         .choices = instruction_sets,
         .help = "baseline, avx2 or avx512, for comparisons. All give the same bits. Default: the "
                 "best of this machine.",
         .value = &r->instruction_choice,
         .given = &r->instruction_given},
        {.type = SLV_OPTION_HEADING, .help = "Overrides of the scene"},
    };
    _Static_assert(sizeof table == OPTION_ROWS * sizeof *table, "a row is missing");
    memcpy(rows, table, sizeof table);
}

static slv_result read_size(slv_play_request *request, slv_error *error) {
    const char *text = request->offscreen ? request->offscreen : request->window;
    char rest = 0;
    request->width = 1280;
    request->height = 720;
    if (text &&
        (sscanf(text, "%5dx%5d%c", &request->width, &request->height, &rest) != 2 || // NOLINT
         request->width < 1 || request->width > LARGEST_SIDE || request->height < 1 ||
         request->height > LARGEST_SIDE)) {
        return slv_fail(
            error, SLV_ERROR_ARGUMENT,
            "%s: \"%.40s\" is not a size; it should be like 1280x720, each side 1 to %d",
            request->offscreen ? "--offscreen" : "--window", text, LARGEST_SIDE);
    }
    return SLV_OK;
}

static const double furthest_camera = 1e6; // metres

static slv_result read_camera(slv_play_request *request, slv_error *error) {
    double *at = request->camera;
    char rest = 0;
    if (request->camera_text == NULL) {
        return SLV_OK;
    }
    bool valid = sscanf(request->camera_text, "%lf,%lf,%lf,%lf,%lf,%lf%c", at, at + 1, // NOLINT
                        at + 2, at + 3, at + 4, at + 5, &rest) == 6;
    for (int i = 0; valid && i < 6; i++) {
        valid = fabs(at[i]) <= furthest_camera;
    }
    if (!valid) {
        return slv_fail(error, SLV_ERROR_ARGUMENT,
                        "--camera: \"%.60s\" should be six numbers, like 0,1,3,0,1,0",
                        request->camera_text);
    }
    request->camera_given = true;
    return SLV_OK;
}

static bool draws_offscreen(const slv_play_request *r) {
    return r->offscreen || r->png || r->video || r->gif || r->screenshot;
}

static slv_result check_ending(const char *option, const char *path, const char *ending,
                               slv_error *error) {
    const size_t length = path ? strlen(path) : 0;
    return path == NULL || (length > 4 && strcmp(path + length - 4, ending) == 0)
               ? SLV_OK
               : slv_fail(error, SLV_ERROR_ARGUMENT, "%s: \"%.300s\" should end in %s", option,
                          path, ending);
}

static slv_result check_offscreen(slv_play_request *request, slv_error *error) {
    if (request->headless) {
        return slv_fail(error, SLV_ERROR_ARGUMENT,
                        "--headless draws nothing; omit it for pictures");
    }
    if (!request->png && !request->video && !request->gif && !request->screenshot) {
        return slv_fail(
            error, SLV_ERROR_ARGUMENT,
            "--offscreen: needs an output: --png DIR, --video FILE.mp4, --gif FILE.gif or "
            "--screenshot FILE.png");
    }
    if (request->frame_given && request->frames_given && request->frame > request->frames) {
        return slv_fail(error, SLV_ERROR_ARGUMENT, "--frame: is after the last of --frames");
    }
    request->frame = request->frame_given ? request->frame : request->frames;
    slv_result result = check_ending("--screenshot", request->screenshot, ".png", error);
    if (result == SLV_OK) {
        result = check_ending("--video", request->video, ".mp4", error);
    }
    return result == SLV_OK ? check_ending("--gif", request->gif, ".gif", error) : result;
}

static slv_result check_outputs(const slv_play_request *request, slv_error *error) {
    if (request->depfile && !request->report && !request->export_file) {
        return slv_fail(error, SLV_ERROR_ARGUMENT, "--depfile: needs --report or --export");
    }
    const struct {
        const char *option, *path;
    } outputs[] = {{"--report", request->report},
                   {"--depfile", request->depfile},
                   {"--export", request->export_file},
                   {"--video", request->video},
                   {"--gif", request->gif},
                   {"--screenshot", request->screenshot}};
    const size_t count = sizeof outputs / sizeof *outputs;
    for (size_t i = 0; i < count; i++) {
        for (size_t k = i + 1; outputs[i].path && k < count; k++) {
            if (outputs[k].path && strcmp(outputs[i].path, outputs[k].path) == 0) {
                return slv_fail(error, SLV_ERROR_ARGUMENT, "%s and %s name the same file",
                                outputs[i].option, outputs[k].option);
            }
        }
    }
    return SLV_OK;
}

static slv_result check_request(slv_play_request *request, slv_error *error) {
    if (request->list_devices) {
        request->mode = SLV_PLAY_DEVICES;
        return SLV_OK;
    }
    request->mode = request->headless          ? SLV_PLAY_HEADLESS
                    : draws_offscreen(request) ? SLV_PLAY_OFFSCREEN
                                               : SLV_PLAY_WINDOW;
    if (request->file_count == 0 && request->mode != SLV_PLAY_WINDOW) {
        return slv_fail(error, SLV_ERROR_ARGUMENT,
                        "no scene or pack given. Usage: selvage-play SCENE.json; see --help");
    }
    slv_result result = read_size(request, error);
    if (result == SLV_OK) {
        result = read_camera(request, error);
    }
    if (result == SLV_OK && draws_offscreen(request)) {
        result = check_offscreen(request, error);
    }
    return result == SLV_OK ? check_outputs(request, error) : result;
}

static uint64_t find_max_threads(void) {
    slv_parameter_info info = {.max = 0};
    (void)slv_find_parameter_info(SLV_GROUP_WORLD, "threads", &info);
    return (uint64_t)info.max;
}

slv_result slv_play_read_command_line(int argc, char **argv, slv_common_options *common,
                                      slv_play_request *request, slv_error *error) {
    *request = (slv_play_request){.frames = 100, .backend_choice = CPU_CHOICE, .samples = 4};
    slv_option rows[OPTION_ROWS + SLV_MAX_OVERRIDES + 1];
    slv_override_help help;
    fill_rows(request, rows);
    const size_t count = slv_override_rows(&request->overrides, &help, rows + OPTION_ROWS);
    rows[OPTION_ROWS + count] = (slv_option){.name = NULL};
    const slv_program program = {
        .name = "selvage-play",
        .synopsis = "[SCENE.json] [options]\n"
                    "PACK… [--fixed LIST] [options]\n"
                    "SCENE.json --headless [--frames N] [options]\n"
                    "SCENE.json --offscreen WxH --video FILE.mp4 [--frames N] [options]",
        .summary =
            "Plays a scene or packs: in a window, where F1 shows all keys, as pictures, or headless. "
            "Without a file it shows a menu of scenes.",
        .epilogue =
            "Examples:\n"
            "  selvage-play dressed-walk.json\n"
            "  selvage-play capes.json --offscreen 1920x1080 --frames 300 --video capes.mp4\n"
            "  selvage-play curtain.json --screenshot curtain.png --frame 90 --smooth\n"
            "  selvage-play curtain.json --headless --frames 600 --report run.json\n"
            "  selvage-play cape.slv --headless --fixed collar --export cape.usda\n"
            "  selvage-play curtain.json --headless --solver PD_GS --relaxation 1.7",
        .options = rows,
        .max_threads = find_max_threads(),
        .common = common,
    };
    slv_result result = slv_options_parse(&program, argc, argv, request->files, SLV_PLAY_MAX_FILES,
                                          &request->file_count, error);
    if (result != SLV_OK) {
        return result;
    }
    if (common->help || common->version) {
        request->mode = SLV_PLAY_NOTHING;
        (common->help ? slv_options_print_help : slv_options_print_version)(&program);
        return SLV_OK;
    }
    request->backend = backends[request->backend_choice];
    request->instruction_set =
        request->instruction_given ? instruction_sets[request->instruction_choice] : NULL;
    request->json = common->json;
    request->quiet = common->quiet;
    request->threads = common->threads;
    request->depfile = common->depfile;
    return check_request(request, error);
}

void slv_play_override(const slv_play_request *request, slv_world_def *def,
                       uint32_t *steps_per_frame) {
    def->backend = request->backend;
    def->device = request->device;
    def->deterministic = request->deterministic;
    def->fallback = !request->no_fallback;
    def->keep_state = def->fallback; // without it a failed GPU would restart the scene
    def->timing = request->report || request->json || request->timing;
    def->instruction_set = request->instruction_set;
    def->threads = (uint32_t)request->threads;
    def->gl_context = request->gl_context;
    def->gl_display = request->gl_display;
    def->gl_is_egl = request->gl_is_egl;
    slv_override_values(&request->overrides, def, steps_per_frame);
}

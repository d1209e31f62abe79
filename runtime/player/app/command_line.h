// SPDX-License-Identifier: MIT
// The command line of selvage-play.
#ifndef SLV_PLAYER_COMMAND_LINE_H
#define SLV_PLAYER_COMMAND_LINE_H

#include "formats/result.h"
#include "runtime/include/selvage/selvage.h"
#include "runtime/player/app/scene_options.h"
#include "tools/common/options.h"

#define SLV_PLAY_MAX_FILES 256u

// How the program runs.
typedef enum slv_play_mode {
    SLV_PLAY_NOTHING, // --help, --version
    SLV_PLAY_DEVICES, // --list-devices
    SLV_PLAY_HEADLESS,
    SLV_PLAY_OFFSCREEN, // pictures without a window
    SLV_PLAY_WINDOW
} slv_play_mode;

typedef struct slv_play_request {
    slv_play_mode mode;
    int export_what;                       // slv_export_what
    const char *files[SLV_PLAY_MAX_FILES]; // one scene, or packs
    size_t file_count;                     // 0: the window shows a menu
    bool headless;
    bool json, quiet;
    uint64_t frames;
    double settle;                          // seconds before frame 0
    uint64_t threads;                       // 0 = one per processor
    int backend_choice, instruction_choice; // indices into the tables of names
    const char *backend;
    const char *device; // NULL: the best
    bool list_devices;
    bool deterministic;
    bool no_fallback;
    bool no_sharing;
    bool gl_is_egl; // kind of gl_context below
    bool instruction_given;
    const char *instruction_set; // NULL: the best of this machine
    const char *fixed;           // for packs: numbers and sets, separated by commas; NULL: none
    const char *report;          // output files; NULL: none
    const char *export_file;     // its extension is the format
    const char *depfile;
    const char *record; // input log; NULL: none
    const char *replay;
    bool allow_paths; // a scene may name files outside of its folder
    bool frames_given;
    const char *window;    // "1280x720": size of the window; NULL: not given
    const char *offscreen; // the same for pictures without a window
    int width, height;     // pixels: of pictures, and initially of the window
    const char *png;       // folder for all frames; NULL: none, as below
    const char *video;
    const char *gif;
    const char *screenshot;
    uint64_t frame; // of the screenshot
    bool frame_given;
    uint64_t samples; // per pixel
    int view;         // slv_view_mode
    int colliders;    // slv_collider_look
    bool smooth;
    bool contacts;
    const char *camera_text;
    void *gl_context, *gl_display; // not options: the OpenGL context whose buffers a GPU may write
    double camera[6];              // eye and target, metres in the world
    bool camera_given;
    bool gl_debug;
    bool timing; // not an option: measure the stages of a step for the HUD
    bool no_vsync;
    slv_play_overrides overrides;
} slv_play_request;

// Prints the help or the version itself; mode is then SLV_PLAY_NOTHING.
slv_result slv_play_read_command_line(int argc, char **argv, slv_common_options *common,
                                      slv_play_request *request, slv_error *error);

// Applies the command line to a world definition and to the steps per frame.
void slv_play_override(const slv_play_request *request, slv_world_def *def,
                       uint32_t *steps_per_frame);

#endif

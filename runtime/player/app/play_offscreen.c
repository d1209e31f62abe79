// SPDX-License-Identifier: MIT
#define _XOPEN_SOURCE 700
#include "runtime/player/app/play_offscreen.h"

#include "runtime/player/app/devices.h"
#include "runtime/player/app/measured_run.h"
#include "runtime/player/app/session.h"
#include "runtime/player/output/offscreen_context.h"
#include "runtime/player/output/picture.h"
#include "runtime/player/output/video.h"
#include "runtime/player/view/gl_interop.h"
#include "runtime/player/view/renderer.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct offscreen_play {
    const slv_play_request *request;
    slv_play_request playing; // the request with the OpenGL context
    slv_console *console;
    slv_session session;
    slv_measured_run measured;
    bool measuring; // --report, --depfile or --json
    slv_snapshots snapshots;
    slv_offscreen_context *context;
    slv_renderer renderer;
    bool drawing; // the renderer has been made
    slv_camera camera;
    slv_picture picture;
    slv_video *videos[2]; // MP4, GIF
    uint64_t drawn;       // frames
    bool shot;            // the screenshot is written
    double begin;         // time of the start, seconds
} offscreen_play;

// --- Opening -------------------------------------------------------------------------------------

static slv_result take_snapshot(offscreen_play *f, slv_error *error) {
    slv_snapshot *snapshot = slv_snapshots_get_back(&f->snapshots);
    (void)slv_gl_interop_fill(&f->snapshots, f->session.loaded.world, UINT64_MAX);
    slv_result status = slv_session_fill_snapshot(&f->session, snapshot, false);
    if (status == SLV_OK && f->request->contacts) {
        status = slv_snapshot_find_contacts(snapshot, f->session.loaded.world);
    }
    return status == SLV_OK
               ? SLV_OK
               : slv_fail(error, status, "%s", slv_world_get_message(f->session.loaded.world));
}

static slv_result open_drawing(offscreen_play *f, slv_error *error) {
    const slv_play_request *request = f->request;
    slv_gl_info info;
    slv_result result = slv_offscreen_open(request->gl_debug, &f->context, &info, error);
    if (result == SLV_OK) {
        const slv_gl_native native = slv_offscreen_native(f->context);
        f->playing.gl_context = native.context;
        f->playing.gl_display = native.display;
        f->playing.gl_is_egl = native.egl;
        slv_console_note(f->console, "drawn by %s, OpenGL %d.%d", info.driver, info.version / 100,
                         info.version / 10 % 10);
        f->drawing = true;
        result = slv_renderer_make(&f->renderer, &info, (int)request->samples, error);
    }
    if (result == SLV_OK) {
        result = slv_picture_make(&f->picture, request->width, request->height, true, error);
    }
    return result;
}

static slv_result open_show(offscreen_play *f, slv_error *error) {
    const slv_loaded_scene *loaded = &f->session.loaded;
    const slv_view_source source = {.scene = loaded->scene,
                                    .world = loaded->world,
                                    .camera = f->request->camera_given ? f->request->camera : NULL};
    slv_result result = slv_snapshots_make(&f->snapshots, loaded->world,
                                           slv_session_solid_count(&f->session), error);
    if (result == SLV_OK) {
        result = take_snapshot(f, error);
    }
    if (result == SLV_OK) {
        const slv_snapshot *snapshot = slv_snapshots_get_back(&f->snapshots);
        f->renderer.mode = (slv_view_mode)f->request->view;
        f->renderer.smooth = f->request->smooth;
        f->renderer.colliders = (slv_collider_look)f->request->colliders;
        f->renderer.contacts = f->request->contacts;
        f->camera = slv_renderer_camera(&source, snapshot);
        result = slv_renderer_show(&f->renderer, &source, snapshot, error);
    }
    if (result == SLV_OK && !f->request->no_sharing && slv_loaded_scene_on_gpu(loaded)) {
        slv_gl_interop_make(&f->snapshots);
    }
    return result;
}

static slv_result open_outputs(offscreen_play *f, slv_error *error) {
    const slv_play_request *request = f->request;
    const slv_loaded_scene *loaded = &f->session.loaded;
    const double rate = 1.0 / (loaded->steps_per_frame * loaded->time_step);
    if (request->png && mkdir(request->png, 0777) != 0 && errno != EEXIST) {
        return slv_fail(error, SLV_ERROR_FILE, "%.300s: cannot create the folder: %s", request->png,
                        strerror(errno));
    }
    slv_result result = SLV_OK;
    const char *const paths[2] = {request->video, request->gif};
    for (int i = 0; i < 2 && result == SLV_OK; i++) {
        if (paths[i]) {
            result = slv_video_open(&f->videos[i], (slv_video_kind)i, paths[i], request->width,
                                    request->height, rate, error);
        }
    }
    return result;
}

// --- A frame -------------------------------------------------------------------------------------

static slv_result write_frame(offscreen_play *f, uint64_t frame, slv_error *error) {
    const slv_play_request *request = f->request;
    slv_result result = SLV_OK;
    if (request->png) {
        char path[4200];
        (void)snprintf(path, sizeof path, "%.4000s/frame-%05" PRIu64 ".png", request->png, frame);
        result = slv_picture_save(&f->picture, path, error);
    }
    for (int i = 0; i < 2 && result == SLV_OK; i++) {
        if (f->videos[i]) {
            result = slv_video_add(f->videos[i], f->picture.pixels, error);
        }
    }
    if (result == SLV_OK && request->screenshot && frame == request->frame) {
        result = slv_picture_save(&f->picture, request->screenshot, error);
        f->shot = true;
    }
    return result;
}

static bool is_wanted(const offscreen_play *f, uint64_t frame) {
    const slv_play_request *request = f->request;
    return request->png || f->videos[0] || f->videos[1] || frame == request->frame;
}

static slv_result draw_frame(offscreen_play *f, uint64_t frame, slv_error *error) {
    slv_result result = take_snapshot(f, error);
    if (result != SLV_OK || !is_wanted(f, frame)) {
        return result;
    }
    slv_renderer_update(&f->renderer, slv_snapshots_get_back(&f->snapshots));
    result = slv_renderer_draw(&f->renderer, &f->camera, f->picture.framebuffer, f->picture.width,
                               f->picture.height, error);
    if (result == SLV_OK) {
        slv_picture_read(&f->picture);
        if (f->drawn++ == 0) {
            slv_console_note(f->console, "first picture after %.3f s",
                             slv_console_seconds() - f->begin);
        }
        result = write_frame(f, frame, error);
    }
    const char *first = NULL;
    if (result == SLV_OK && slv_gl_errors(&first) > 0) {
        result = slv_fail(error, SLV_ERROR_MEMORY, "OpenGL error: %s", first);
    }
    return result;
}

// The replay has ended before the frame of the screenshot: takes its last frame, unless --frame is given.
static slv_result save_last_frame(offscreen_play *f, slv_error *error) {
    const slv_play_request *request = f->request;
    if (request->frame_given) {
        return slv_fail(error, SLV_ERROR_ARGUMENT, "--frame: the replay ends before frame %" PRIu64,
                        request->frame);
    }
    return f->drawn > 0 ? slv_picture_save(&f->picture, request->screenshot, error)
                        : draw_frame(f, request->frame, error);
}

static slv_result run_frames(offscreen_play *f, slv_error *error) {
    const slv_play_request *request = f->request;
    const uint64_t frames = request->screenshot && !request->frames_given && request->frame_given
                                ? request->frame
                                : request->frames;
    slv_result result =
        request->frame == 0 && request->screenshot ? draw_frame(f, 0, error) : SLV_OK;
    for (uint64_t frame = 1; frame <= frames && result == SLV_OK; frame++) {
        if (slv_session_done(&f->session)) {
            break;
        }
        result = f->measuring
                     ? slv_measured_run_frame(&f->measured, frame, error)
                     : slv_session_run(&f->session, f->session.loaded.steps_per_frame, error);
        if (result == SLV_OK) {
            result = draw_frame(f, frame, error);
        }
        slv_console_progress(f->console, "Frames", frame, frames);
    }
    slv_console_progress_end(f->console);
    return result == SLV_OK && request->screenshot && !f->shot ? save_last_frame(f, error) : result;
}

// --- All of it -----------------------------------------------------------------------------------

static slv_result finish(offscreen_play *f, slv_error *error) {
    slv_result result = SLV_OK;
    for (int i = 0; i < 2 && result == SLV_OK; i++) {
        slv_video *video = f->videos[i];
        f->videos[i] = NULL;
        result = video ? slv_video_finish(video, error) : SLV_OK;
    }
    if (result == SLV_OK) {
        result = slv_session_finish(&f->session, error);
    }
    if (result == SLV_OK && slv_loaded_scene_on_gpu(&f->session.loaded)) {
        slv_play_note_transfer(f->console, f->snapshots.gl_interop);
    }
    char last_note[SLV_NOTE_ROOM] = "";
    (void)slv_play_print_note(slv_world_get_device(f->session.loaded.world).note, f->console,
                              last_note);
    if (result == SLV_OK && f->measuring) {
        result = slv_measured_run_finish(&f->measured, error);
    }
    uint64_t hash = 0;
    if (result == SLV_OK && f->request->json) {
        (void)fputs(f->measured.text, stdout);
    } else if (result == SLV_OK && !f->request->quiet &&
               slv_world_get_hash(f->session.loaded.world, &hash) == SLV_OK) {
        (void)printf("%" PRIu64 " frames of %d x %d drawn by %s; state %016" PRIx64 "\n", f->drawn,
                     f->picture.width, f->picture.height, f->renderer.info.driver, hash);
    }
    return result;
}

static void close_play(offscreen_play *f) {
    slv_video_abandon(f->videos[0]);
    slv_video_abandon(f->videos[1]);
    if (f->drawing) {
        slv_picture_free(&f->picture);
        slv_renderer_free(&f->renderer);
        slv_gl_interop_forget(&f->snapshots, f->session.loaded.world);
        slv_gl_interop_free(&f->snapshots);
    }
    slv_offscreen_close(f->context);
    slv_snapshots_free(&f->snapshots);
    slv_measured_run_free(&f->measured);
    slv_session_close(&f->session);
}

slv_result slv_play_offscreen(const slv_play_request *request, slv_console *console,
                              slv_error *error) {
    offscreen_play f = {.request = request,
                        .playing = *request,
                        .console = console,
                        .measuring = request->report || request->depfile || request->json,
                        .begin = slv_console_seconds()};
    f.measured = (slv_measured_run){.request = request, .console = console, .session = &f.session};
    slv_result result = open_drawing(&f, error);
    if (result == SLV_OK) {
        result = slv_session_open(&f.session, &f.playing, console, error);
    }
    if (result == SLV_OK) {
        result = open_show(&f, error);
    }
    if (result == SLV_OK) {
        result = open_outputs(&f, error);
    }
    if (result == SLV_OK && f.measuring) {
        result = slv_measured_run_begin(&f.measured, error);
    }
    if (result == SLV_OK) {
        result = run_frames(&f, error);
    }
    if (result == SLV_OK) {
        result = finish(&f, error);
    }
    close_play(&f);
    return result;
}

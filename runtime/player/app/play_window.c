// SPDX-License-Identifier: MIT
#include "runtime/player/app/play_window.h"

#include "runtime/player/app/player.h"
#include "runtime/player/view/gl_interop.h"

#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double idle_wait = 0.004; // seconds between checks for a new snapshot
// Of a picture's rate in the mean: the least, and what is added per second of the picture. A rate of 60 Hz is that of
// about eight pictures, one of 2 Hz that of the last one.
static const double rate_smoothing = 0.1;
static const double rate_catch_up = 2.0; // 1/s

void slv_player_show_message(slv_player *player, double seconds, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(player->message, sizeof player->message, format, arguments);
    va_end(arguments);
    player->message_end = seconds > 0.0 ? slv_console_seconds() + seconds : 0.0;
    if (player->message[0]) {
        slv_console_note(player->console, "%s", player->message);
    }
    player->needs_redraw = true;
}

// --- What is played ------------------------------------------------------------------------------

// The state of one world. It is loaded beside the current one, which continues if loading fails.
typedef struct loading {
    slv_session session;
    slv_snapshots snapshots;
    slv_file_watch watch;
} loading;

static void free_loading(loading *l) {
    slv_snapshots_free(&l->snapshots);
    slv_file_watch_free(&l->watch);
    slv_session_close(&l->session);
}

static slv_result watch_files(const slv_play_request *request, loading *l, slv_error *error) {
    size_t count = 0;
    const char **inputs = slv_loaded_scene_list_files(request, &l->session.loaded, &count);
    const bool made = inputs && slv_file_watch_make(&l->watch, inputs, count);
    free(inputs);
    return made ? SLV_OK : slv_fail(error, SLV_ERROR_MEMORY, "out of memory");
}

// A GPU world that writes into OpenGL buffers needs the context when it is made.
static void make_shared_context(slv_player *player) {
    slv_gl_native native = {.context = NULL};
    if (strcmp(player->playing.backend, "cpu") != 0 && !player->playing.no_sharing &&
        slv_window_make_shared_context(player->window, &native)) {
        player->playing.gl_context = native.context;
        player->playing.gl_display = native.display;
        player->playing.gl_is_egl = native.egl;
        player->sim.shared_context = (slv_shared_context){.context = player->window,
                                                          .enter = slv_window_make_shared_current,
                                                          .leave = slv_window_release_shared};
    }
}

static slv_result load(const slv_play_request *request, slv_console *console, loading *l,
                       slv_error *error) {
    slv_result result = slv_session_open(&l->session, request, console, error);
    if (result == SLV_OK) {
        result = watch_files(request, l, error);
    }
    if (result == SLV_OK) {
        result = slv_snapshots_make(&l->snapshots, l->session.loaded.world,
                                    slv_session_solid_count(&l->session), error);
    }
    if (result == SLV_OK) {
        (void)slv_session_fill_snapshot(&l->session, slv_snapshots_get_back(&l->snapshots), true);
        slv_snapshots_publish(&l->snapshots);
    }
    return result;
}

static slv_result unload(slv_player *player, slv_error *error) {
    slv_result result = SLV_OK;
    slv_sim_thread_stop(&player->sim);
    slv_file_watch_free(&player->watch);
    if (player->loaded) {
        result = slv_session_finish(&player->session, error);
        slv_session_close(&player->session);
        slv_gl_interop_free(&player->snapshots);
        slv_snapshots_free(&player->snapshots);
    }
    player->loaded = false;
    player->snapshot = NULL;
    return result;
}

static void count_parts(slv_player *player) {
    player->constraints = 0;
    player->colors = 0;
    for (uint32_t g = 0; g < player->renderer.garment_count; g++) {
        const slv_garment_structure *a = &player->renderer.garments[g].structure;
        player->constraints += a->constraint_count;
        player->colors = a->color_count > player->colors ? a->color_count : player->colors;
    }
}

static void show_error(slv_player *player, double seconds, const slv_error *error) {
    slv_console_error(player->console, NULL, "%s", error->text);
    slv_player_show_message(player, seconds, "%s", error->text);
}

static void name_window(slv_player *player) {
    char name[128];
    char title[160];
    slv_scene_title(player->playing.files[0], name, sizeof name);
    (void)snprintf(title, sizeof title, "%s - Selvage", name);
    slv_window_set_title(player->window, title);
}

// Replaces the current world by a loaded one and starts it. keep_view: the same scene, reloaded.
static slv_result take_over(slv_player *player, loading *l, bool keep_view, slv_error *error) {
    slv_error late = {0};
    if (unload(player, &late) !=
        SLV_OK) { // recording or export of the old world; the new one starts anyway
        show_error(player, 12.0, &late);
    }
    player->session = l->session;
    player->snapshots = l->snapshots;
    player->watch = l->watch;
    player->loaded = true;
    player->broken = false;
    atomic_store(&player->snapshots.want_contacts, player->renderer.contacts);
    player->snapshot = slv_snapshots_get_newest(&player->snapshots, NULL);
    player->parameters = slv_world_get_parameters(player->session.loaded.world);
    const slv_view_source source = {
        .scene = player->session.loaded.scene,
        .world = player->session.loaded.world,
        .camera = player->request->camera_given ? player->request->camera : NULL};
    const slv_result result =
        slv_renderer_show(&player->renderer, &source, player->snapshot, error);
    if (result != SLV_OK) {
        return result;
    }
    if (player->sim.shared_context.context && slv_loaded_scene_on_gpu(&player->session.loaded)) {
        slv_gl_interop_make(&player->snapshots);
    }
    count_parts(player);
    player->start_camera = slv_renderer_camera(&source, player->snapshot);
    player->camera = keep_view ? player->camera : player->start_camera;
    player->needs_redraw = true;
    player->menu = false;
    player->mouse.job = SLV_MOUSE_IDLE;
    player->video_tick = player->snapshot->ticks;
    name_window(player);
    const uint64_t frames = player->request->frames_given ? player->request->frames : 0;
    atomic_store(&player->sim.held, true);
    return slv_sim_thread_start(&player->sim, &player->session, &player->snapshots, frames, error);
}

// Loads and starts the files of player->playing.
static slv_result start(slv_player *player, bool keep_view, slv_error *error) {
    loading l = {.session = {.ticks = 0}};
    make_shared_context(player);
    slv_result result = load(&player->playing, player->console, &l, error);
    if (result != SLV_OK) {
        free_loading(&l);
        return result;
    }
    return take_over(player, &l, keep_view, error);
}

// Loads the files while the window opens, which takes about as long. Not for GPUs: they need the context of the
// window first.
typedef struct early_load {
    const slv_play_request *request;
    slv_console *console;
    loading loaded;
    slv_result result;
    slv_error error;
    pthread_t thread;
    bool running;
} early_load;

static void *load_early(void *argument) {
    early_load *early = argument;
    early->result = load(early->request, early->console, &early->loaded, &early->error);
    return NULL;
}

static void begin_early(early_load *early, const slv_player *player) {
    const slv_play_request *request = &player->playing;
    early->request = request;
    early->console = player->console;
    early->running = request->file_count > 0 && strcmp(request->backend, "cpu") == 0 &&
                     pthread_create(&early->thread, NULL, load_early, early) == 0;
}

static slv_result take_early(slv_player *player, early_load *early, slv_error *error) {
    early->running = false;
    (void)pthread_join(early->thread, NULL);
    if (early->result != SLV_OK) {
        free_loading(&early->loaded);
        *error = early->error;
        return early->result;
    }
    return take_over(player, &early->loaded, false, error);
}

static void forget_early(early_load *early) {
    if (early->running) {
        (void)pthread_join(early->thread, NULL);
        free_loading(&early->loaded);
    }
}

void slv_player_open(slv_player *player, const char *path) {
    slv_error error = {0};
    const slv_play_request before = player->playing;
    char *copy = malloc(strlen(path) + 1);
    if (copy == NULL) {
        return;
    }
    memcpy(copy, path, strlen(path) + 1);
    player->playing.files[0] = copy;
    player->playing.file_count = 1;
    player->playing.fixed = NULL;
    player->playing.record = NULL; // recordings belong to the previous world
    player->playing.replay = NULL;
    player->playing.export_file = NULL;
    if (start(player, false, &error) == SLV_OK) {
        free(player->path);
        player->path = copy;
        slv_player_show_message(player, 0.0, "%s", "");
    } else {
        player->playing = before;
        free(copy);
        show_error(player, 12.0, &error);
    }
}

// Reloads a changed scene. If it has an error, the old scene continues.
static void reload_if_changed(slv_player *player) {
    const slv_session *session = &player->session;
    slv_error error = {0};
    if (!slv_file_watch_look(&player->watch, slv_console_seconds())) {
        return;
    }
    if (session->recorder.file || session->replaying || session->exporter) {
        slv_player_show_message(player, 8.0, "file changed, not reloaded during %s",
                                session->replaying ? "a replay" : "a recording or an export");
        return;
    }
    if (start(player, player->loaded, &error) == SLV_OK) {
        slv_player_show_message(player, 2.0, "file changed: reloaded");
    } else {
        show_error(player, 0.0, &error);
    }
}

// A scene with an error at the start: the window shows the error and plays the scene when the file is corrected.
static slv_result wait_for_correction(slv_player *player, const slv_error *why, slv_error *error) {
    player->broken = true;
    show_error(player, 0.0, why);
    name_window(player);
    return slv_file_watch_make(&player->watch, player->playing.files, player->playing.file_count)
               ? SLV_OK
               : slv_fail(error, SLV_ERROR_MEMORY, "out of memory");
}

// --- A picture -----------------------------------------------------------------------------------

static void add_to_video(slv_player *player, int width, int height) {
    slv_error error = {0};
    if (width != player->video_picture.width || height != player->video_picture.height) {
        slv_player_end_video(player, "the window size changed");
        return;
    }
    const uint32_t steps = player->session.loaded.steps_per_frame;
    slv_picture_read(&player->video_picture);
    while (player->video && player->video_tick + steps <= player->snapshot->ticks) {
        player->video_tick += steps;
        if (slv_video_add(player->video, player->video_picture.pixels, &error) != SLV_OK) {
            slv_video_abandon(player->video);
            player->video = NULL;
            slv_picture_free(&player->video_picture);
            slv_player_show_message(player, 8.0, "%s", error.text);
        }
    }
}

static void note_timing(slv_player *player, double carry, double draw) {
    const double now = slv_console_seconds();
    const double since = now - player->last_time;
    const slv_snapshot *s = player->snapshot;
    player->last_time = now;
    if (since > 0.0) {
        const double part = fmin(rate_smoothing + rate_catch_up * since, 1.0);
        player->fps += part * (1.0 / since - player->fps);
    }
    player->history[player->pictures % SLV_HISTORY] = (slv_picture_time){
        .step = s ? (float)(s->step_ms * player->session.loaded.steps_per_frame) : 0.0f,
        .upload = (float)(1000.0 * carry + (s ? s->gather_ms : 0.0)),
        .draw = (float)(1000.0 * draw),
    };
    if (player->pictures++ == 0) {
        slv_console_note(player->console, "first picture after %.3f s", now - player->begin);
    }
}

static slv_result draw(slv_player *player, bool fresh, slv_error *error) {
    int width = 0;
    int height = 0;
    float scale = 1.0f;
    slv_window_size(player->window, &width, &height, &scale);
    const double begin = slv_console_seconds();
    if (player->snapshot && (fresh || player->renderer.stale)) {
        slv_renderer_update(&player->renderer, player->snapshot);
    }
    const double carried = slv_console_seconds();
    slv_overlay_begin(&player->overlay, width, height, scale);
    const slv_result result =
        slv_renderer_draw(&player->renderer, &player->camera, 0, width, height, error);
    if (player->video) {
        add_to_video(player, width, height);
    }
    slv_hud_draw(player);
    slv_overlay_end(&player->overlay, 0);
    if (player->shot_wanted) {
        player->shot_wanted = false;
        slv_player_screenshot(player, width, height);
    }
    const double drawn = slv_console_seconds();
    slv_window_show(player->window);
    note_timing(player, carried - begin, drawn - carried);
    return result;
}

static slv_result check_gl(slv_error *error) {
    const char *first = NULL;
    return slv_gl_errors(&first) == 0
               ? SLV_OK
               : slv_fail(error, SLV_ERROR_MEMORY, "OpenGL error: %s", first);
}

// Starts the simulation after the first picture; in a hidden window at once.
static void release_simulation(slv_player *player) {
    if (atomic_load(&player->sim.held)) {
        player->started = slv_console_seconds();
        atomic_store(&player->sim.held, false);
    }
}

// --- The loop ------------------------------------------------------------------------------------

static bool message_shown(const slv_player *player) {
    return player->message_end > 0.0 && player->message[0];
}

static slv_result run(slv_player *player, slv_error *error) {
    slv_result result = SLV_OK;
    double last = slv_console_seconds();
    while (result == SLV_OK && !slv_window_closing(player->window)) {
        const bool hidden = slv_window_hidden(player->window);
        slv_window_wait(player->window, player->needs_redraw ? 0.0 : hidden ? 0.1 : idle_wait);
        const double now = slv_console_seconds();
        slv_player_fly(player, now - last < 0.1 ? now - last : 0.1);
        last = now;
        slv_player_request_positions(player);
        slv_player_drag(player);
        slv_player_end_gust(player);
        reload_if_changed(player);
        if (player->loaded && atomic_load(&player->sim.finished)) {
            slv_window_ask_to_close(player->window);
        }
        bool fresh = false;
        if (player->loaded) {
            player->snapshot = slv_snapshots_get_newest(&player->snapshots, &fresh);
        }
        if (player->loaded && slv_play_print_note(player->snapshot->device.note, player->console,
                                                  player->last_note)) {
            slv_player_show_message(player, 12.0, "%s", player->last_note);
        }
        if (message_shown(player) && now > player->message_end) {
            player->message[0] = '\0';
            player->needs_redraw = true;
        }
        if (!slv_window_hidden(player->window) && (fresh || player->needs_redraw)) {
            player->needs_redraw = false;
            result = draw(player, fresh, error);
            result = result == SLV_OK ? check_gl(error) : result;
        }
        if (player->loaded) {
            release_simulation(player);
        }
    }
    return result;
}

static slv_result open_window(slv_player *player, slv_error *error) {
    const slv_play_request *request = player->request;
    const slv_window_def def = {.title = "Selvage",
                                .width = request->width,
                                .height = request->height,
                                .debug = request->gl_debug,
                                .vsync = !request->no_vsync};
    const slv_window_callbacks callbacks = slv_player_window_callbacks(player);
    slv_result result = slv_window_open(&player->window, &def, &callbacks, &player->info, error);
    if (result != SLV_OK) {
        return result;
    }
    player->drawing = true;
    result = slv_renderer_make(&player->renderer, &player->info, (int)request->samples, error);
    if (result == SLV_OK) {
        result = slv_overlay_make(&player->overlay, error);
    }
    player->renderer.mode = (slv_view_mode)request->view;
    player->renderer.smooth = request->smooth;
    player->renderer.colliders = (slv_collider_look)request->colliders;
    player->renderer.contacts = request->contacts;
    int width = 1;
    int height = 1;
    float scale = 1.0f;
    slv_window_size(player->window, &width, &height, &scale);
    slv_overlay_begin(&player->overlay, width, height, scale);
    return result;
}

static slv_result begin(slv_player *player, early_load *early, slv_error *error) {
    const char *first = player->playing.file_count ? player->playing.files[0] : NULL;
    if (!slv_scene_list_make(&player->scenes, first)) {
        return slv_fail(error, SLV_ERROR_MEMORY, "out of memory");
    }
    const float low[3] = {-0.5f, 0.1f, -0.5f};
    const float high[3] = {0.5f, 1.0f, 0.5f};
    player->renderer.environment = slv_environment_make(low, high, 0.0f);
    player->camera = slv_camera_frame(slv_v3(-1.0f, 0.0f, -1.0f), slv_v3(1.0f, 1.0f, 1.0f));
    player->menu = player->playing.file_count == 0;
    if (player->menu) {
        return SLV_OK;
    }
    slv_error why = {0};
    const slv_result result =
        early->running ? take_early(player, early, &why) : start(player, false, &why);
    if (result == SLV_ERROR_CONTENT) {
        return wait_for_correction(player, &why, error);
    }
    *error = why;
    return result;
}

// Prints simulated time, wall time and number of pictures.
static void note_times(slv_player *player) {
    const slv_loaded_scene *loaded = &player->session.loaded;
    if (player->loaded && player->started > 0.0) {
        slv_console_note(player->console, "simulated %.2f s in %.2f s; %zu pictures",
                         loaded->time_step * (double)player->snapshot->ticks,
                         slv_console_seconds() - player->started, player->pictures);
        if (player->snapshot->device.on_gpu) {
            slv_play_note_transfer(player->console, player->snapshot->in_gl_buffers);
        }
    }
}

static slv_result end(slv_player *player, slv_error *error) {
    note_times(player);
    slv_player_end_video(player, NULL);
    slv_result result = unload(player, error);
    if (result == SLV_OK && player->broken) {
        result = slv_fail(error, SLV_ERROR_CONTENT, "%.300s: not played because of the error above",
                          player->playing.files[0]);
    }
    if (player->drawing) {
        slv_picture_free(&player->video_picture);
        slv_overlay_free(&player->overlay);
        slv_renderer_free(&player->renderer);
    }
    slv_window_close(player->window);
    slv_scene_list_free(&player->scenes);
    free(player->path);
    return result;
}

slv_result slv_play_window(const slv_play_request *request, slv_console *console,
                           slv_error *error) {
    slv_player *player = calloc(1, sizeof *player);
    if (player == NULL) {
        return slv_fail(error, SLV_ERROR_MEMORY, "out of memory");
    }
    player->request = request;
    player->console = console;
    player->playing = *request;
    player->playing.timing = true;
    player->hud = true;
    player->needs_redraw = true;
    player->begin = slv_console_seconds();
    player->last_time = player->begin;
    atomic_store(&player->sim.speed_milli, 1000);
    early_load early = {.result = SLV_OK};
    begin_early(&early, player);
    slv_result result = open_window(player, error);
    if (result == SLV_OK) {
        result = begin(player, &early, error);
    }
    if (result == SLV_OK) {
        result = run(player, error);
    }
    forget_early(&early);
    slv_error late = {0};
    const slv_result ended = end(player, &late);
    if (result == SLV_OK && ended != SLV_OK) {
        *error = late;
        result = ended;
    }
    free(player);
    return result;
}

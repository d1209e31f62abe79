// SPDX-License-Identifier: MIT
// Actions of keys and mouse on the world, the view and the window.
#define _POSIX_C_SOURCE 200809L
#include "runtime/player/app/player.h"

#include "tools/common/console.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const float grab_spacings = 2.3f; // radius of a grab, in particle spacings
static const float ball_speed = 7.0f;    // m/s
static const float gust_speed = 9.0f;    // m/s
static const double gust_seconds = 0.7;
static const double look_seconds =
    1.0; // positions are requested for this long after a mouse movement
static const float orbit_rate = 0.008f; // radians per point of mouse movement

bool slv_player_send(slv_player *player, const slv_input *input) {
    if (player->session.replaying) {
        slv_player_show_message(player, 2.0, "input is ignored during a replay");
        return false;
    }
    slv_console_note(player->console, "%s", slv_input_name(input->kind));
    return slv_sim_thread_send(&player->sim, input);
}

static void send(slv_player *player, slv_input_kind kind) {
    const slv_input input = {.kind = kind};
    (void)slv_player_send(player, &input);
}

// --- Mouse ---------------------------------------------------------------------------------------

static slv_ray mouse_ray(const slv_player *player) {
    const float width = slv_overlay_width(&player->overlay);
    const float height = slv_overlay_height(&player->overlay);
    return slv_camera_ray(&player->camera, width / height,
                          2.0f * (float)player->mouse.x / width - 1.0f,
                          1.0f - 2.0f * (float)player->mouse.y / height);
}

static float spacing_of(const slv_player *player, uint32_t garment) {
    return garment < player->renderer.garment_count ? player->renderer.garments[garment].spacing
                                                    : 0.01f;
}

static bool grab(slv_player *player) {
    slv_pick pick;
    slv_input input;
    const slv_ray ray = mouse_ray(player);
    const float pixel = 2.0f * player->camera.slope / slv_overlay_height(&player->overlay);
    if (!player->snapshot ||
        !slv_pick_particle(player->snapshot, &ray, spacing_of(player, 0), 4.0f * pixel, &pick)) {
        return false;
    }
    slv_pick_grab(player->snapshot, &pick, grab_spacings * spacing_of(player, pick.garment),
                  &input);
    player->mouse.grabbed = pick.position;
    player->mouse.pulled = pick.position;
    player->mouse.forward =
        slv_v3_unit(slv_v3_sub(player->camera.target, slv_camera_eye(&player->camera)));
    return slv_player_send(player, &input);
}

void slv_player_request_positions(slv_player *player) {
    const bool near = slv_console_seconds() < player->mouse.moved + look_seconds;
    atomic_store(&player->snapshots.want_positions, near || player->mouse.job != SLV_MOUSE_IDLE);
}

// Cuts the constraints that the last part of the stroke crosses. Waits while positions are not up to date.
static void cut(slv_player *player) {
    slv_mouse *mouse = &player->mouse;
    if (!player->snapshot || !player->snapshot->has_positions ||
        (mouse->x == mouse->cut_x && mouse->y == mouse->cut_y)) {
        return;
    }
    const float width = slv_overlay_width(&player->overlay);
    const float height = slv_overlay_height(&player->overlay);
    const float from[2] = {2.0f * (float)mouse->cut_x / width - 1.0f,
                           1.0f - 2.0f * (float)mouse->cut_y / height};
    const float to[2] = {2.0f * (float)mouse->x / width - 1.0f,
                         1.0f - 2.0f * (float)mouse->y / height};
    const slv_mat4 project = slv_camera_view_projection(&player->camera, width / height);
    mouse->cut_x = mouse->x;
    mouse->cut_y = mouse->y;
    mouse->stroke[mouse->stroke_count % SLV_STROKE][0] = (float)mouse->x;
    mouse->stroke[mouse->stroke_count++ % SLV_STROKE][1] = (float)mouse->y;
    for (uint32_t g = 0; g < player->renderer.garment_count; g++) {
        const slv_cloth_view *view = &player->renderer.garments[g];
        const slv_swipe swipe = {.project = &project,
                                 .from = {from[0], from[1]},
                                 .to = {to[0], to[1]},
                                 .layer = 4.0f * view->spacing};
        slv_input input = {.kind = SLV_INPUT_CUT, .garment = g};
        uint32_t next = 0;
        while (!view->model_surface &&
               slv_pick_cut(player->snapshot, &view->structure, &swipe, &next, &input)) {
            mouse->has_cut = slv_player_send(player, &input) || mouse->has_cut;
        }
    }
}

void slv_player_drag(slv_player *player) {
    if (player->mouse.job == SLV_MOUSE_REACH && player->snapshot->has_positions) {
        player->mouse.job = grab(player) ? SLV_MOUSE_DRAG : SLV_MOUSE_ORBIT;
    }
    if (player->mouse.job == SLV_MOUSE_CUT) {
        cut(player);
    }
    if (player->mouse.job != SLV_MOUSE_DRAG) {
        return;
    }
    const slv_ray ray = mouse_ray(player);
    const slv_vec3 position = slv_pick_on_plane(&ray, player->mouse.grabbed, player->mouse.forward);
    const slv_vec3 moved = slv_v3_sub(position, player->mouse.pulled);
    if (slv_v3_dot(moved, moved) > 0.0f) {
        const slv_vec3 by = slv_v3_sub(position, player->mouse.grabbed);
        const slv_input input = {.kind = SLV_INPUT_PULL, .vector = {by.x, by.y, by.z}};
        if (slv_player_send(player, &input)) {
            player->mouse.pulled = position;
        }
    }
}

static void begin_stroke(slv_mouse *mouse) {
    mouse->job = SLV_MOUSE_CUT;
    mouse->cut_x = mouse->x;
    mouse->cut_y = mouse->y;
    mouse->stroke[0][0] = (float)mouse->x;
    mouse->stroke[0][1] = (float)mouse->y;
    mouse->stroke_count = 1;
    mouse->has_cut = false;
}

static void on_button(void *context, slv_button button, bool down, int modifiers) {
    slv_player *player = context;
    slv_mouse *mouse = &player->mouse;
    player->needs_redraw = true;
    if (!down) {
        if (mouse->job == SLV_MOUSE_DRAG) {
            send(player, SLV_INPUT_RELEASE);
        } else if (mouse->job == SLV_MOUSE_CUT && !mouse->has_cut) {
            slv_player_show_message(player, 3.0, "nothing cut: draw the stroke across cloth");
        }
        mouse->job = SLV_MOUSE_IDLE;
        return;
    }
    if (button == SLV_BUTTON_LEFT && (slv_menu_click(player, mouse->x, mouse->y) ||
                                      slv_controls_click(player, mouse->x, mouse->y))) {
        return;
    }
    if (button == SLV_BUTTON_MIDDLE || (button == SLV_BUTTON_RIGHT && (modifiers & SLV_SHIFT))) {
        mouse->job = SLV_MOUSE_PAN;
    } else if (button == SLV_BUTTON_LEFT && (modifiers & SLV_CONTROL) && player->loaded) {
        begin_stroke(mouse);
    } else if (button == SLV_BUTTON_LEFT && player->loaded && !player->menu &&
               !player->snapshot->has_positions) {
        mouse->job = SLV_MOUSE_REACH;
    } else if (button == SLV_BUTTON_LEFT && player->loaded && !player->menu && grab(player)) {
        mouse->job = SLV_MOUSE_DRAG;
    } else {
        mouse->job = SLV_MOUSE_ORBIT;
    }
}

static void on_moved(void *context, double x, double y) {
    slv_player *player = context;
    slv_mouse *mouse = &player->mouse;
    const bool known = mouse->moved > 0.0;
    const double old_x = mouse->x;
    const double old_y = mouse->y;
    mouse->x = x;
    mouse->y = y;
    mouse->moved = slv_console_seconds();
    const float dx = (float)(mouse->x - old_x);
    const float dy = (float)(mouse->y - old_y);
    if (mouse->job == SLV_MOUSE_ORBIT) {
        slv_camera_orbit(&player->camera, -orbit_rate * dx, orbit_rate * dy);
    } else if (mouse->job == SLV_MOUSE_CUT) {
        cut(player);
    } else if (mouse->job == SLV_MOUSE_PAN) {
        const float height = slv_overlay_height(&player->overlay);
        slv_camera_pan(&player->camera, -dx / height, dy / height);
    }
    if (known) { // the initial position of the mouse selects nothing
        slv_menu_hover(player, x, y);
    }
    player->needs_redraw = player->needs_redraw || mouse->job != SLV_MOUSE_IDLE;
}

static void move_choice(slv_player *player, int direction) {
    if (player->help) {
        player->help_first += player->help_first + direction < 0 ? 0 : direction;
    } else if (player->menu && player->scenes.count > 0) {
        const size_t count = player->scenes.count;
        player->choice = (player->choice + count + (size_t)(direction + (int)count)) % count;
    } else {
        const int count = slv_control_count();
        player->controls = true;
        player->control = (player->control + direction + count) % count;
        slv_console_note(player->console, "selected: %s", slv_control_label(player->control));
    }
}

static void on_scrolled(void *context, double steps) {
    slv_player *player = context;
    if (player->menu || player->help) {
        move_choice(player, steps < 0.0 ? 1 : -1);
    } else {
        slv_camera_zoom(&player->camera, (float)steps);
    }
    player->needs_redraw = true;
}

static void on_dropped(void *context, int count, const char **paths) {
    if (count > 0) {
        slv_player_open(context, paths[0]);
    }
}

static void on_exposed(void *context) {
    ((slv_player *)context)->needs_redraw = true;
}

void slv_player_fly(slv_player *player, double seconds) {
    const float speed = player->camera.distance * (float)seconds;
    for (size_t i = 0; i < slv_fly_key_count; i++) {
        const slv_fly_key *key = &slv_fly_keys[i];
        if (!player->menu && slv_window_key_down(player->window, key->key)) {
            slv_camera_fly(&player->camera, speed * key->forward, speed * key->right,
                           speed * key->up);
            player->needs_redraw = true;
        }
    }
}

// --- Keys ----------------------------------------------------------------------------------------

static void change_pace(slv_player *player, bool faster) {
    static const unsigned paces[] = {50,   100,  250,  500,
                                     1000, 2000, 4000, 0}; // thousandths of real time; 0: unlimited
    const int count = sizeof paces / sizeof *paces;
    const unsigned now = atomic_load(&player->sim.speed_milli);
    int at = 0;
    while (at < count - 1 && paces[at] != now) {
        at++;
    }
    at += faster ? 1 : -1;
    at = at < 0 ? 0 : at >= count ? count - 1 : at;
    atomic_store(&player->sim.speed_milli, paces[at]);
    if (paces[at] == 0) {
        slv_player_show_message(player, 2.0, "speed: unlimited");
    } else {
        slv_player_show_message(player, 2.0, "speed x %g", paces[at] / 1000.0);
    }
}

static void go_to_scene(slv_player *player, int direction) {
    const size_t count = player->scenes.count;
    if (count == 0) {
        slv_player_show_message(player, 3.0, "no other scenes found");
        return;
    }
    size_t at = slv_scene_list_find(&player->scenes,
                                    player->playing.file_count ? player->playing.files[0] : NULL);
    at = at == count ? 0 : (at + count + (size_t)(direction + (int)count)) % count;
    slv_player_open(player, player->scenes.paths[at]);
}

static void toggle_menu(slv_player *player) {
    const size_t at = slv_scene_list_find(
        &player->scenes, player->playing.file_count ? player->playing.files[0] : NULL);
    player->menu = !player->menu || player->playing.file_count == 0;
    player->choice = at < player->scenes.count ? at : 0;
}

static void choose(slv_player *player) {
    if (player->menu && player->choice < player->scenes.count) {
        slv_player_open(player, player->scenes.paths[player->choice]);
    }
}

static void throw_ball(slv_player *player) {
    const slv_ray ray = mouse_ray(player);
    const slv_vec3 from = slv_v3_add(ray.origin, slv_v3_scale(ray.direction, 0.2f));
    const slv_vec3 velocity = slv_v3_scale(ray.direction, ball_speed);
    const slv_input input = {.kind = SLV_INPUT_BALL,
                             .vector = {from.x, from.y, from.z},
                             .velocity = {velocity.x, velocity.y, velocity.z}};
    if (player->loaded) {
        (void)slv_player_send(player, &input);
    }
}

static void send_wind(slv_player *player, slv_vec3 gust) {
    slv_input input = {.kind = SLV_INPUT_PARAMETERS, .parameters = player->parameters};
    input.parameters.wind[0] += gust.x;
    input.parameters.wind[1] += gust.y;
    input.parameters.wind[2] += gust.z;
    (void)slv_player_send(player, &input);
}

static void begin_gust(slv_player *player) {
    const slv_ray ray = slv_camera_ray(&player->camera, 1.0f, 0.0f, 0.0f);
    if (player->loaded) {
        send_wind(player, slv_v3_scale(ray.direction, gust_speed));
        player->gust_end = slv_console_seconds() + gust_seconds;
    }
}

void slv_player_end_gust(slv_player *player) {
    if (player->gust_end > 0.0 && slv_console_seconds() > player->gust_end) {
        player->gust_end = 0.0;
        send_wind(player, slv_v3(0.0f, 0.0f, 0.0f));
    }
}

static void toggle_pause(slv_player *player) {
    const bool paused = !atomic_load(&player->sim.paused);
    atomic_store(&player->sim.paused, paused);
    slv_player_show_message(player, 0.0, "%s",
                            ""); // the HUD shows the pause itself
    slv_console_note(player->console, "%s", paused ? "paused" : "continued");
}

static void restart(slv_player *player) {
    if (player->loaded) {
        send(player, SLV_INPUT_RESET);
        slv_player_show_message(player, 1.0, "restarted");
    }
}

// The next snapshot has the contacts.
static void toggle_contacts(slv_player *player) {
    const bool shown = !player->renderer.contacts;
    player->renderer.contacts = shown;
    atomic_store(&player->snapshots.want_contacts, shown);
    slv_player_show_message(player, 2.0, "contact normals %s", shown ? "on" : "off");
}

static void close_something(slv_player *player) {
    if (player->help) {
        player->help = false;
    } else if (player->menu && player->playing.file_count > 0) {
        player->menu = false;
    } else {
        slv_window_ask_to_close(player->window);
    }
}

// An unused file name in the current folder.
static void free_name(slv_player *player, const char *ending, char *name, size_t size) {
    do {
        (void)snprintf(name, size, "selvage-%03u.%s", ++player->shots, ending);
    } while (access(name, F_OK) == 0 && player->shots < 999);
}

void slv_player_screenshot(slv_player *player, int width, int height) {
    slv_picture picture;
    slv_error error = {0};
    char name[64];
    free_name(player, "png", name, sizeof name);
    slv_result result = slv_picture_make(&picture, width, height, false, &error);
    if (result == SLV_OK) {
        slv_picture_read(&picture);
        result = slv_picture_save(&picture, name, &error);
    }
    slv_picture_free(&picture);
    if (result == SLV_OK) {
        slv_player_show_message(player, 3.0, "saved %s", name);
    } else {
        slv_player_show_message(player, 8.0, "%s", error.text);
    }
}

void slv_player_end_video(slv_player *player, const char *why) {
    slv_error error = {0};
    slv_video *video = player->video;
    if (video == NULL) {
        return;
    }
    player->video = NULL;
    if (slv_video_finish(video, &error) == SLV_OK) {
        slv_player_show_message(player, 3.0, "video saved%s%s", why ? ": " : "", why ? why : "");
    } else {
        slv_player_show_message(player, 8.0, "%s", error.text);
    }
    slv_picture_free(&player->video_picture);
}

static void begin_video(slv_player *player) {
    const slv_loaded_scene *loaded = &player->session.loaded;
    const double rate = 1.0 / (loaded->steps_per_frame * loaded->time_step);
    slv_error error = {0};
    char name[64];
    int width = 0;
    int height = 0;
    float scale = 1.0f;
    slv_window_size(player->window, &width, &height, &scale);
    free_name(player, "mp4", name, sizeof name);
    slv_result result = slv_picture_make(&player->video_picture, width, height, false, &error);
    if (result == SLV_OK) {
        result = slv_video_open(&player->video, SLV_VIDEO_MP4, name, width, height, rate, &error);
    }
    if (result == SLV_OK) {
        player->video_tick = player->snapshot->ticks;
        slv_player_show_message(player, 3.0, "recording %s; F9 stops it", name);
    } else {
        slv_video_abandon(player->video);
        player->video = NULL;
        slv_picture_free(&player->video_picture);
        slv_player_show_message(player, 8.0, "%s", error.text);
    }
}

static void toggle_video(slv_player *player) {
    if (player->video) {
        slv_player_end_video(player, NULL);
    } else if (player->loaded && player->snapshot) {
        begin_video(player);
    }
}

void slv_player_perform(slv_player *player, slv_action action) {
    player->needs_redraw = true;
    switch (action) {
    case SLV_ACTION_NONE:
        break;
    case SLV_ACTION_HELP:
        player->help = !player->help;
        player->help_first = 0;
        break;
    case SLV_ACTION_CLOSE:
        close_something(player);
        break;
    case SLV_ACTION_QUIT:
        slv_window_ask_to_close(player->window);
        break;
    case SLV_ACTION_PAUSE:
        toggle_pause(player);
        break;
    case SLV_ACTION_SINGLE:
        atomic_store(&player->sim.paused, true);
        (void)atomic_fetch_add(&player->sim.single_frames, 1);
        slv_console_note(player->console, "advanced one frame");
        break;
    case SLV_ACTION_RESTART:
        restart(player);
        break;
    case SLV_ACTION_BALL:
        throw_ball(player);
        break;
    case SLV_ACTION_GUST:
        begin_gust(player);
        break;
    case SLV_ACTION_SLOWER:
    case SLV_ACTION_FASTER:
        change_pace(player, action == SLV_ACTION_FASTER);
        break;
    case SLV_ACTION_NEXT_SCENE:
    case SLV_ACTION_LAST_SCENE:
        go_to_scene(player, action == SLV_ACTION_NEXT_SCENE ? 1 : -1);
        break;
    case SLV_ACTION_MENU:
        toggle_menu(player);
        break;
    case SLV_ACTION_VIEW:
        player->renderer.mode = (slv_view_mode)((player->renderer.mode + 1) % SLV_VIEW_MODES);
        player->renderer.stale = true;
        slv_player_show_message(player, 2.0, "%s", slv_view_mode_name(player->renderer.mode));
        break;
    case SLV_ACTION_COLLIDERS:
        player->renderer.colliders =
            (slv_collider_look)((player->renderer.colliders + 1) % SLV_COLLIDER_LOOKS);
        slv_player_show_message(player, 2.0, "colliders %s",
                                slv_collider_look_name(player->renderer.colliders));
        break;
    case SLV_ACTION_CONTACTS:
        toggle_contacts(player);
        break;
    case SLV_ACTION_SMOOTH:
        player->renderer.smooth = !player->renderer.smooth;
        slv_player_show_message(player, 2.0, "smoothing %s",
                                player->renderer.smooth ? "on" : "off");
        break;
    case SLV_ACTION_GRID:
        player->renderer.grid = !player->renderer.grid;
        slv_player_show_message(player, 2.0, "grid %s", player->renderer.grid ? "on" : "off");
        break;
    case SLV_ACTION_CAMERA:
        player->camera = player->start_camera;
        slv_player_show_message(player, 2.0, "camera reset");
        break;
    case SLV_ACTION_HUD:
        player->hud = !player->hud;
        slv_player_show_message(player, 2.0, "statistics %s",
                                player->hud ? "on" : "off: H shows them");
        break;
    case SLV_ACTION_CONTROLS:
        player->controls = !player->controls;
        slv_console_note(player->console, "controls %s", player->controls ? "on" : "off");
        break;
    case SLV_ACTION_UP:
    case SLV_ACTION_DOWN:
        move_choice(player, action == SLV_ACTION_DOWN ? 1 : -1);
        break;
    case SLV_ACTION_LESS:
    case SLV_ACTION_MORE:
        slv_control_change(player, player->control, action == SLV_ACTION_MORE ? 1 : -1);
        break;
    case SLV_ACTION_CHOOSE:
        choose(player);
        break;
    case SLV_ACTION_SCREENSHOT:
        player->shot_wanted = true;
        break;
    case SLV_ACTION_VIDEO:
        toggle_video(player);
        break;
    case SLV_ACTION_FULL_SCREEN:
        slv_player_show_message(player, 2.0, "%s",
                                slv_window_toggle_full_screen(player->window)
                                    ? "full screen: F11 leaves it"
                                    : "windowed");
        break;
    }
}

// Whether a held key repeats the action: selections, changes and single frames, not switches.
static bool repeats(slv_action action) {
    return action == SLV_ACTION_SINGLE || action == SLV_ACTION_BALL || action == SLV_ACTION_UP ||
           action == SLV_ACTION_DOWN || action == SLV_ACTION_LESS || action == SLV_ACTION_MORE;
}

static void on_key(void *context, int key, int modifiers, bool again) {
    const slv_action action = slv_key_action(key, modifiers);
    if (!again || repeats(action)) {
        slv_player_perform(context, action);
    }
}

slv_window_callbacks slv_player_window_callbacks(slv_player *player) {
    return (slv_window_callbacks){.context = player,
                                  .key = on_key,
                                  .button = on_button,
                                  .moved = on_moved,
                                  .scrolled = on_scrolled,
                                  .dropped = on_dropped,
                                  .exposed = on_exposed};
}

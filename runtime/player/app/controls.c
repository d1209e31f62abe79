// SPDX-License-Identifier: MIT
// The list of controls on the right side of the window. Arrow keys or clicks on - and + change a value. One table
// lists all controls.
#include "runtime/player/app/player.h"

#include "tools/common/console.h"

#include <stdio.h>
#include <string.h>

static const float row_height = 20.0f; // points
static const float panel_width = 268.0f;
static const float label_width = 110.0f;

typedef struct control {
    const char *label;
    void (*change)(slv_player *player, int direction);
    void (*print)(const slv_player *player, char *text, size_t size);
} control;

// --- Parameters of the world ---------------------------------------------------------------------

static void send(slv_player *player) {
    const slv_input input = {.kind = SLV_INPUT_PARAMETERS, .parameters = player->parameters};
    (void)slv_player_send(player, &input);
}

// The ranges of the controls are narrower than those of the parameters: what a few key presses are to reach.
static void set(slv_player *player, float *number, float value, float low, float high) {
    *number = value < low ? low : value > high ? high : value;
    send(player);
}

static void change_solver(slv_player *player, int direction) {
    const int count = SLV_SOLVER_COUNT - SLV_SOLVER_AUTO;
    const int present = (int)player->parameters.solver - SLV_SOLVER_AUTO;
    player->parameters.solver =
        (slv_solver)(SLV_SOLVER_AUTO + (present + direction + count) % count);
    send(player);
}

static void print_solver(const slv_player *player, char *text, size_t size) {
    (void)snprintf(text, size, "%s", slv_solver_get_name(player->parameters.solver));
}

// Steps of 1 up to 16, then steps of 4.
static void change_count(slv_player *player, uint32_t *count, int direction) {
    const uint32_t step = *count + (direction > 0) > 16 ? 4 : 1;
    *count = direction > 0 ? *count + step : *count > step ? *count - step : 1;
    *count = *count > 1000 ? 1000 : *count;
    send(player);
}

static void change_outer(slv_player *player, int direction) {
    change_count(player, &player->parameters.outer_iterations, direction);
}

static void print_outer(const slv_player *player, char *text, size_t size) {
    (void)snprintf(text, size, "%u", (unsigned)player->parameters.outer_iterations);
}

static void change_inner(slv_player *player, int direction) {
    change_count(player, &player->parameters.inner_iterations, direction);
}

static void print_inner(const slv_player *player, char *text, size_t size) {
    (void)snprintf(text, size, "%u", (unsigned)player->parameters.inner_iterations);
}

static void change_relaxation(slv_player *player, int direction) {
    set(player, &player->parameters.relaxation,
        player->parameters.relaxation + 0.05f * (float)direction, 0.1f, 1.95f);
}

static void print_relaxation(const slv_player *player, char *text, size_t size) {
    (void)snprintf(text, size, "%.2f", (double)player->parameters.relaxation);
}

static void change_stiffness(slv_player *player, int direction) {
    set(player, &player->parameters.stiffness,
        player->parameters.stiffness * (direction > 0 ? 1.25f : 0.8f), 0.001f, 1000.0f);
}

static void print_stiffness(const slv_player *player, char *text, size_t size) {
    (void)snprintf(text, size, "x %.3g", (double)player->parameters.stiffness);
}

static void change_damping(slv_player *player, int direction) {
    set(player, &player->parameters.damping, player->parameters.damping + 0.1f * (float)direction,
        0.0f, 20.0f);
}

static void print_damping(const slv_player *player, char *text, size_t size) {
    (void)snprintf(text, size, "%.1f 1/s", (double)player->parameters.damping);
}

static void change_gravity(slv_player *player, int direction) {
    set(player, &player->parameters.gravity[1],
        player->parameters.gravity[1] - 0.981f * (float)direction, -49.05f, 49.05f);
}

static void print_gravity(const slv_player *player, char *text, size_t size) {
    (void)snprintf(text, size, "%.1f m/s2", -(double)player->parameters.gravity[1]);
}

static void change_wind(slv_player *player, int direction) {
    set(player, &player->parameters.wind[0], player->parameters.wind[0] + 0.5f * (float)direction,
        -30.0f, 30.0f);
}

static void print_wind(const slv_player *player, char *text, size_t size) {
    (void)snprintf(text, size, "%+.1f m/s", (double)player->parameters.wind[0]);
}

// --- Settings of the player ----------------------------------------------------------------------------

static void change_pace(slv_player *player, int direction) {
    slv_player_perform(player, direction > 0 ? SLV_ACTION_FASTER : SLV_ACTION_SLOWER);
}

static void print_pace(const slv_player *player, char *text, size_t size) {
    const unsigned milli = atomic_load(&player->sim.speed_milli);
    if (milli == 0) {
        (void)snprintf(text, size, "unlimited");
    } else {
        (void)snprintf(text, size, "x %g", milli / 1000.0);
    }
}

static void change_view(slv_player *player, int direction) {
    const int count = SLV_VIEW_MODES;
    player->renderer.mode =
        (slv_view_mode)(((int)player->renderer.mode + direction + count) % count);
    player->renderer.stale = true;
}

static void print_view(const slv_player *player, char *text, size_t size) {
    (void)snprintf(text, size, "%s", slv_view_mode_name(player->renderer.mode));
}

static void change_colliders(slv_player *player, int direction) {
    const int count = SLV_COLLIDER_LOOKS;
    player->renderer.colliders =
        (slv_collider_look)(((int)player->renderer.colliders + direction + count) % count);
}

static void print_colliders(const slv_player *player, char *text, size_t size) {
    (void)snprintf(text, size, "%s", slv_collider_look_name(player->renderer.colliders));
}

static void change_contacts(slv_player *player, int direction) {
    (void)direction;
    slv_player_perform(player, SLV_ACTION_CONTACTS);
}

static void print_contacts(const slv_player *player, char *text, size_t size) {
    (void)snprintf(text, size, "%s",
                   atomic_load(&player->snapshots.want_contacts) ? "normals" : "off");
}

static void change_smooth(slv_player *player, int direction) {
    (void)direction;
    player->renderer.smooth = !player->renderer.smooth;
}

static void print_smooth(const slv_player *player, char *text, size_t size) {
    (void)snprintf(text, size, "%s", player->renderer.smooth ? "on" : "off");
}

static const control controls[] = {
    {"solver", change_solver, print_solver},
    {"outer", change_outer, print_outer},
    {"inner", change_inner, print_inner},
    {"relaxation", change_relaxation, print_relaxation},
    {"stiffness", change_stiffness, print_stiffness},
    {"damping", change_damping, print_damping},
    {"gravity", change_gravity, print_gravity},
    {"wind", change_wind, print_wind},
    {"speed", change_pace, print_pace},
    {"view", change_view, print_view},
    {"colliders", change_colliders, print_colliders},
    {"contacts", change_contacts, print_contacts},
    {"smooth", change_smooth, print_smooth},
};

// --- The list ------------------------------------------------------------------------------------

int slv_control_count(void) {
    return (int)(sizeof controls / sizeof *controls);
}

const char *slv_control_label(int row) {
    return controls[row].label;
}

void slv_control_change(slv_player *player, int row, int direction) {
    if (player->loaded) {
        char text[64];
        controls[row].change(player, direction);
        controls[row].print(player, text, sizeof text);
        slv_console_note(player->console, "%s: %s", controls[row].label, text);
        player->needs_redraw = true;
    }
}

static float left_of(const slv_player *player) {
    return slv_overlay_width(&player->overlay) - panel_width - 12.0f;
}

// Scrolls only as far as needed to show the selected row, so that rows do not move under the mouse pointer.
static void scroll_to_selected(slv_player *player) {
    const int fit = (int)((slv_overlay_height(&player->overlay) - 18.0f) / row_height);
    const int shown = fit > 1 ? fit : 1;
    if (player->control < player->control_first || slv_control_count() <= shown) {
        player->control_first = slv_control_count() <= shown ? 0 : player->control;
    } else if (player->control >= player->control_first + shown) {
        player->control_first = player->control - shown + 1;
    }
}

void slv_controls_draw(slv_player *player) {
    const slv_color panel = {20, 24, 30, 190};
    const slv_color chosen = {255, 255, 255, 30};
    const slv_color label = {170, 180, 190, 255};
    const slv_color value = {240, 243, 246, 255};
    const slv_color button = {255, 190, 110, 255};
    const float left = left_of(player);
    slv_overlay *overlay = &player->overlay;
    scroll_to_selected(player);
    const int first = player->control_first;
    slv_overlay_box(overlay, left, 12.0f, panel_width,
                    row_height * (float)(slv_control_count() - first) + 12.0f, panel);
    for (int row = first; row < slv_control_count(); row++) {
        char text[64];
        const float y = 18.0f + row_height * (float)(row - first);
        controls[row].print(player, text, sizeof text);
        if (row == player->control) {
            slv_overlay_box(overlay, left + 4.0f, y - 1.0f, panel_width - 8.0f, row_height - 2.0f,
                            chosen);
        }
        (void)slv_overlay_text(overlay, left + 10.0f, y, label, controls[row].label);
        (void)slv_overlay_text(overlay, left + label_width, y, button, "-");
        (void)slv_overlay_text(overlay, left + label_width + 22.0f, y, value, text);
        (void)slv_overlay_text(overlay, left + panel_width - 20.0f, y, button, "+");
    }
}

bool slv_controls_click(slv_player *player, double x, double y) {
    const double left = (double)left_of(player);
    const int row = player->control_first + (int)((y - 17.0) / (double)row_height);
    if (!player->controls || x < left || x > left + (double)panel_width || y < 17.0 ||
        row >= slv_control_count()) {
        return false;
    }
    player->control = row;
    if (x > left + (double)label_width - 8.0) {
        const bool less = x < left + (double)label_width + 18.0;
        slv_control_change(player, row, less ? -1 : 1);
    }
    player->needs_redraw = true;
    return true;
}

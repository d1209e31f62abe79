// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L // strnlen
#include "runtime/player/app/player.h"

#include "tools/common/console.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const slv_color panel = {20, 24, 30, 190};
static const slv_color plain = {226, 231, 236, 255};
static const slv_color faint = {160, 170, 180, 255};
static const slv_color bright = {255, 200, 120, 255};
static const slv_color step_color = {110, 180, 255, 255};
static const slv_color upload_color = {150, 220, 140, 255};
static const slv_color draw_color = {255, 170, 90, 255};

enum { SHOWN_STAGES = 3 };

static const float line = (float)SLV_OVERLAY_LINE;
static const float letter = (float)SLV_OVERLAY_LETTER;

// --- Figures -------------------------------------------------------------------------------------

// The mean of the last 16 pictures: single values change too fast to read.
static slv_picture_time mean_timing(const slv_player *player) {
    const size_t count = player->pictures < 16 ? player->pictures : 16;
    slv_picture_time sum = {0};
    for (size_t i = 0; i < count; i++) {
        const slv_picture_time *t = &player->history[(player->pictures - 1 - i) % SLV_HISTORY];
        sum.step += t->step / (float)count;
        sum.upload += t->upload / (float)count;
        sum.draw += t->draw / (float)count;
    }
    return sum;
}

// Groups digits by thousands: 10000 as "10 000".
static void print_count(uint64_t value, char *text, size_t size) {
    char digits[32];
    const int length = snprintf(digits, sizeof digits, "%llu", (unsigned long long)value);
    size_t used = 0;
    for (int i = 0; i < length && used + 2 < size; i++) {
        if (i > 0 && (length - i) % 3 == 0) {
            text[used++] = ' ';
        }
        text[used++] = digits[i];
    }
    text[used] = '\0';
}

static void draw_graph(slv_player *player, float x, float y, float width, float height) {
    const float full = 33.3f; // milliseconds: full height of the graph
    const float bar = width / (float)SLV_HISTORY;
    slv_overlay_box(&player->overlay, x, y, width, height, (slv_color){0, 0, 0, 70});
    for (size_t i = 0; i < SLV_HISTORY && i < player->pictures; i++) {
        const slv_picture_time *t = &player->history[(player->pictures - 1 - i) % SLV_HISTORY];
        const float values[3] = {t->step, t->upload, t->draw};
        const slv_color colors[3] = {step_color, upload_color, draw_color};
        float bottom = y + height;
        for (int n = 0; n < 3; n++) {
            const float size = fminf(height * values[n] / full, bottom - y);
            slv_overlay_box(&player->overlay, x + width - bar * (float)(i + 1), bottom - size, bar,
                            size, colors[n]);
            bottom -= size;
        }
    }
    slv_overlay_box(&player->overlay, x, y + height * 0.5f, width, 1.0f,
                    (slv_color){255, 255, 255, 60});
}

// The most expensive stages of a step. Returns the y of the last line.
static float draw_stages(slv_player *player, float x, float y) {
    const slv_timing *t = &player->snapshot->timing;
    bool shown[SLV_STAGE_LIMIT] = {false};
    for (int row = 0; row < SHOWN_STAGES; row++) {
        int best = -1;
        for (int i = 0; i < (int)t->stage_count; i++) {
            if (!shown[i] && (best < 0 || t->stages[i].seconds > t->stages[best].seconds)) {
                best = i;
            }
        }
        y += line;
        if (best >= 0 && t->steps > 0) {
            shown[best] = true;
            (void)slv_overlay_print(&player->overlay, x, y, faint, "  %-11s%6.3f ms/step",
                                    t->stages[best].name,
                                    1000.0 * t->stages[best].seconds / (double)t->steps);
        }
    }
    return y;
}

static void draw_device(slv_player *player, float x, float y) {
    const slv_device_info *device = &player->snapshot->device;
    if (device->on_gpu) {
        (void)slv_overlay_print(&player->overlay, x, y, faint, "%.12s, %s", device->backend,
                                player->snapshot->in_gl_buffers ? "shared with OpenGL"
                                                                : "copied through host");
    } else {
        (void)slv_overlay_print(&player->overlay, x, y, faint, "%s, %u thread%s", device->backend,
                                (unsigned)device->threads, device->threads == 1 ? "" : "s");
    }
    (void)slv_overlay_print(&player->overlay, x, y + line, faint, "%.31s", device->device);
}

// The times of a frame and their graph. Returns the y of the last line.
static float draw_times(slv_player *player, float x, float y) {
    const slv_picture_time t = mean_timing(player);
    y = draw_stages(player, x, y);
    (void)slv_overlay_print(&player->overlay, x, y += line, upload_color, "upload %6.2f ms",
                            (double)t.upload);
    (void)slv_overlay_print(&player->overlay, x, y += line, draw_color, "draw   %6.2f ms%s",
                            (double)t.draw, player->info.software ? " (software)" : "");
    draw_graph(player, x, y += line + 4.0f, 284.0f, 48.0f);
    return y + 34.0f;
}

// Explicit integrators have no iterations.
static void print_solver(slv_overlay *f, float x, float y, slv_solver solver,
                         const slv_parameters *p) {
    const char *name = slv_solver_get_name(solver);
    if (solver >= SLV_MS_EXPLICIT_EULER && solver <= SLV_MS_VERLET) {
        (void)slv_overlay_print(f, x, y, plain, "%s", name);
    } else {
        (void)slv_overlay_print(f, x, y, plain, "%s, %u x %u iterations", name,
                                (unsigned)p->outer_iterations, (unsigned)p->inner_iterations);
    }
}

// A low window omits the times of stages and the graph.
static void draw_statistics(slv_player *player) {
    const slv_snapshot *s = player->snapshot;
    const slv_parameters *p = &s->parameters;
    char particles[32];
    char constraints[32];
    print_count(s->first[s->garment_count], particles, sizeof particles);
    print_count(player->constraints, constraints, sizeof constraints);
    slv_overlay *f = &player->overlay;
    const float whole = 12.0f + 14.0f * line + 56.0f;
    const bool high = slv_overlay_height(f) >= whole + 60.0f; // leaves room for a message
    const float x = 20.0f;
    float y = 18.0f;
    slv_overlay_box(f, 12.0f, 12.0f, 300.0f, high ? whole : 12.0f + 9.0f * line, panel);
    (void)slv_overlay_print(f, x, y, bright, "%5.1f fps   x %.2f real time", player->fps,
                            s->real_time_factor);
    (void)slv_overlay_print(f, x, y += line, step_color, "steps  %6.2f ms  %u x %.3f",
                            (double)mean_timing(player).step,
                            (unsigned)player->session.loaded.steps_per_frame, s->step_ms);
    y = high ? draw_times(player, x, y) : y;
    (void)slv_overlay_print(f, x, y += line, plain, "%s particles, %u colors", particles,
                            (unsigned)player->colors);
    y += line;
    if (s->asleep > 0) {
        (void)slv_overlay_print(f, x, y, plain, "%s constraints, %u of %u asleep", constraints,
                                (unsigned)s->asleep, (unsigned)s->garment_count);
    } else {
        (void)slv_overlay_print(f, x, y, plain, "%s constraints", constraints);
    }
    y += line;
    print_solver(f, x, y, s->solver, p);
    (void)slv_overlay_print(f, x, y += line, plain, "residual %.3e m2", s->measures.residual);
    (void)slv_overlay_print(f, x, y += line, plain, "max stretch %.3f", s->measures.max_stretch);
    draw_device(player, x, y + line);
}

// --- Message, help, menu -------------------------------------------------------------------------

// Number of letters in the first line of a text that wraps at `width`, at a space if possible.
static int fit_line(const char *text, int width) {
    const int length = (int)strnlen(text, (size_t)width + 1);
    int cut = length;
    if (length > width) {
        for (cut = width; cut > width / 2 && text[cut] != ' ';) {
            cut--;
        }
    }
    return cut;
}

static const char *next_line(const char *text, int width) {
    const int cut = fit_line(text, width);
    return text + cut + (text[cut] == ' ');
}

// The message to show: an error, else the last event, else the pause.
static const char *choose_message(const slv_player *player) {
    if (player->snapshot && player->snapshot->message[0]) {
        return player->snapshot->message;
    }
    if (player->message[0] &&
        (player->message_end == 0.0 || slv_console_seconds() <= player->message_end)) {
        return player->message;
    }
    return player->loaded && atomic_load(&player->sim.paused)
               ? "paused: Space continues, . advances one frame"
               : "";
}

static void draw_message(slv_player *player) {
    const char *text = choose_message(player);
    const float most = fminf(slv_overlay_width(&player->overlay) - 24.0f, 720.0f);
    const int letters = (int)fmaxf((most - 24.0f) / letter, 8.0f);
    float lines = 0.0f;
    float width = 0.0f;
    for (const char *t = text; *t; t = next_line(t, letters)) {
        width = fmaxf(width, 24.0f + letter * (float)fit_line(t, letters));
        lines += 1.0f;
    }
    if (lines == 0.0f) {
        return;
    }
    float y = slv_overlay_height(&player->overlay) - 24.0f - lines * line;
    slv_overlay_box(&player->overlay, 12.0f, y - 6.0f, width, lines * line + 12.0f, panel);
    for (; *text; text = next_line(text, letters)) {
        (void)slv_overlay_print(&player->overlay, 24.0f, y, bright, "%.*s", fit_line(text, letters),
                                text);
        y += line;
    }
}

// A scroll bar, where not all rows of a list are shown.
static void draw_bar(slv_overlay *f, float x, float y, float height, float first, float shown,
                     float all) {
    if (shown < all) {
        slv_overlay_box(f, x, y + height * first / all, 3.0f, height * shown / all, faint);
    }
}

// Layout of the help: a column of key names and a column of explanations.
typedef struct help_layout {
    float left, top, width;
    int letters;      // per line of an explanation
    int lines, shown; // total; visible
} help_layout;

static const float help_column = 124.0f; // width of the column of key names, points
static const float help_edge = 16.0f;

static help_layout lay_out_help(const slv_player *player) {
    const slv_overlay *f = &player->overlay;
    help_layout h = {.width = fminf(620.0f, slv_overlay_width(f) - 12.0f)};
    h.letters = (int)fmaxf((h.width - 2.0f * help_edge - help_column) / letter, 8.0f);
    for (size_t i = 0; i < slv_key_count; i++) {
        for (const char *t = slv_keys[i].help; t && *t; t = next_line(t, h.letters)) {
            h.lines++;
        }
    }
    const int most = (int)((slv_overlay_height(f) - 16.0f) / line) - 2;
    h.shown = h.lines < most ? h.lines : most < 1 ? 1 : most;
    h.left = 0.5f * (slv_overlay_width(f) - h.width);
    h.top = fmaxf(0.5f * (slv_overlay_height(f) - ((float)h.shown + 2.0f) * line), 10.0f);
    return h;
}

static void draw_help_lines(slv_player *player, const help_layout *h, float y) {
    slv_overlay *f = &player->overlay;
    int number = 0; // of the line; help_first is the first visible one
    for (size_t i = 0; i < slv_key_count; i++) {
        const char *name = slv_keys[i].name;
        for (const char *t = slv_keys[i].help; t && *t; t = next_line(t, h->letters)) {
            if (number >= player->help_first && number < player->help_first + h->shown) {
                (void)slv_overlay_text(f, h->left + help_edge, y, step_color, name);
                (void)slv_overlay_print(f, h->left + help_edge + help_column, y, plain, "%.*s",
                                        fit_line(t, h->letters), t);
                y += line;
            }
            name = ""; // printed on the first line only
            number++;
        }
    }
}

static void draw_help(slv_player *player) {
    slv_overlay *f = &player->overlay;
    const help_layout h = lay_out_help(player);
    const int last = h.lines - h.shown;
    player->help_first = player->help_first > last ? last : player->help_first;
    const float y = h.top + 1.5f * line;
    slv_overlay_box(f, h.left, h.top - 10.0f, h.width, ((float)h.shown + 2.0f) * line + 16.0f,
                    (slv_color){20, 24, 30, 255});
    (void)slv_overlay_text(f, h.left + help_edge, h.top, bright,
                           last > 0 ? "Selvage player   Up Down: more" : "Selvage player");
    draw_help_lines(player, &h, y);
    draw_bar(f, h.left + h.width - 6.0f, y, (float)h.shown * line, (float)player->help_first,
             (float)h.shown, (float)h.lines);
}

typedef struct menu_layout {
    float left, top, width, row;
    size_t first, shown; // visible rows of the list
} menu_layout;

static menu_layout lay_out_menu(const slv_player *player) {
    const slv_overlay *f = &player->overlay;
    menu_layout m = {.width = fminf(420.0f, slv_overlay_width(f) - 16.0f), .row = 26.0f};
    const size_t most = (size_t)fmaxf((slv_overlay_height(f) - 120.0f) / m.row, 1.0f);
    m.shown = player->scenes.count < most ? player->scenes.count : most;
    m.first = player->menu_first; // scrolls only as far as needed
    if (player->choice < m.first) {
        m.first = player->choice;
    } else if (player->choice >= m.first + m.shown) {
        m.first = player->choice - m.shown + 1;
    }
    m.first = m.first + m.shown > player->scenes.count ? player->scenes.count - m.shown : m.first;
    m.left = 0.5f * (slv_overlay_width(f) - m.width);
    m.top = fmaxf(0.5f * (slv_overlay_height(f) - m.row * (float)m.shown) + 10.0f, 50.0f);
    return m;
}

static void draw_menu(slv_player *player) {
    slv_overlay *f = &player->overlay;
    const menu_layout m = lay_out_menu(player);
    const float bottom = m.top + m.row * (float)m.shown;
    player->menu_first = m.first;
    slv_overlay_box(f, m.left, m.top - 44.0f, m.width, bottom - m.top + 84.0f,
                    (slv_color){20, 24, 30, 225});
    (void)slv_overlay_text(f, m.left + 20.0f, m.top - 34.0f, bright, "Selvage");
    (void)slv_overlay_text(f, m.left + 100.0f, m.top - 34.0f, faint,
                           player->scenes.count ? "choose a scene"
                                                : "no scenes found; drop a file here");
    for (size_t i = 0; i < m.shown; i++) {
        char title[128];
        const float y = m.top + m.row * (float)i;
        slv_scene_title(player->scenes.paths[m.first + i], title, sizeof title);
        if (m.first + i == player->choice) {
            slv_overlay_box(f, m.left + 8.0f, y, m.width - 16.0f, m.row - 2.0f,
                            (slv_color){255, 255, 255, 36});
        }
        (void)slv_overlay_print(f, m.left + 20.0f, y + 4.0f, plain, "%.40s", title);
    }
    (void)slv_overlay_print(f, m.left + 20.0f, bottom + 12.0f, faint,
                            "Enter or click: play   F1: %s",
                            m.width > 400.0f ? "all keys" : "keys");
    draw_bar(f, m.left + m.width - 6.0f, m.top, bottom - m.top, (float)m.first, (float)m.shown,
             (float)player->scenes.count);
}

// Selects the row at a position; false where there is none.
static bool point_at_row(slv_player *player, double x, double y) {
    const menu_layout m = lay_out_menu(player);
    const int row = (int)floor((y - (double)m.top) / (double)m.row);
    if (!player->menu || player->help || x < (double)m.left || x > (double)(m.left + m.width) ||
        row < 0 || row >= (int)m.shown) {
        return false;
    }
    player->choice = m.first + (size_t)row;
    return true;
}

bool slv_menu_click(slv_player *player, double x, double y) {
    const bool chosen = point_at_row(player, x, y);
    if (chosen) {
        slv_player_perform(player, SLV_ACTION_CHOOSE);
    }
    return chosen;
}

void slv_menu_hover(slv_player *player, double x, double y) {
    const size_t before = player->choice;
    if (point_at_row(player, x, y) && player->choice != before) {
        player->needs_redraw = true;
    }
}

// The stroke of a cut; older parts are thinner.
static void draw_stroke(slv_player *player) {
    const slv_mouse *mouse = &player->mouse;
    const size_t count = mouse->stroke_count < SLV_STROKE ? mouse->stroke_count : SLV_STROKE;
    for (size_t i = 0; i + 1 < count; i++) {
        const float *to = mouse->stroke[(mouse->stroke_count - 1 - i) % SLV_STROKE];
        const float *from = mouse->stroke[(mouse->stroke_count - 2 - i) % SLV_STROKE];
        const float size = 1.0f + 2.0f * (float)(count - i) / (float)SLV_STROKE;
        const float length = fmaxf(fabsf(to[0] - from[0]), fabsf(to[1] - from[1]));
        for (int at = 0; (float)at < length; at++) {
            const float t = (float)at / length;
            slv_overlay_box(&player->overlay, from[0] + (to[0] - from[0]) * t,
                            from[1] + (to[1] - from[1]) * t, size, size, bright);
        }
    }
}

void slv_hud_draw(slv_player *player) {
    if (player->mouse.job == SLV_MOUSE_CUT) {
        draw_stroke(player);
    }

    const bool room = slv_overlay_width(&player->overlay) >= 604.0f || !player->controls;
    if (player->hud && player->loaded && player->snapshot && room) { // the controls would cover it
        draw_statistics(player);
    }
    if (player->controls && player->loaded) {
        slv_controls_draw(player);
    }
    if (!player->shot_wanted) { // a screenshot does not show messages
        draw_message(player);
    }
    if (player->help) {
        draw_help(player);
    } else if (player->menu) {
        draw_menu(player);
    }
}

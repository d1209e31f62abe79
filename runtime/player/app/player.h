// SPDX-License-Identifier: MIT
// Everything about a window in which a world is played; parts of it have files of their own.
#ifndef SLV_PLAYER_PLAYER_H
#define SLV_PLAYER_PLAYER_H

#include "runtime/player/app/devices.h"
#include "runtime/player/app/file_watch.h"
#include "runtime/player/app/keys.h"
#include "runtime/player/app/picking.h"
#include "runtime/player/app/scene_list.h"
#include "runtime/player/app/sim_thread.h"
#include "runtime/player/app/window.h"
#include "runtime/player/output/picture.h"
#include "runtime/player/output/video.h"
#include "runtime/player/view/overlay.h"
#include "runtime/player/view/renderer.h"

enum { SLV_HISTORY = 120 }; // frames that the graph shows
enum { SLV_STROKE = 24 };   // points of a stroke that are seen

// What the mouse is doing.
typedef enum slv_mouse_job {
    SLV_MOUSE_IDLE,
    SLV_MOUSE_ORBIT,
    SLV_MOUSE_PAN,
    SLV_MOUSE_REACH, // for cloth whose place is not known here yet
    SLV_MOUSE_DRAG,
    SLV_MOUSE_CUT
} slv_mouse_job;

typedef struct slv_mouse {
    slv_mouse_job job;
    double x, y;                 // points
    double cut_x, cut_y;         // up to where a stroke has been cut
    float stroke[SLV_STROKE][2]; // its last points
    size_t stroke_count;
    bool has_cut;     // something
    double moved;     // when, in seconds
    slv_vec3 grabbed; // where the cloth was grabbed
    slv_vec3 forward; // across the plane it is dragged in
    slv_vec3 pulled;  // last sent
} slv_mouse;

// Milliseconds of one picture.
typedef struct slv_picture_time {
    float step;   // all steps of its frame
    float upload; // snapshot and upload
    float draw;   // our own share of drawing, and what the driver did meanwhile
} slv_picture_time;

typedef struct slv_player {
    const slv_play_request *request;
    slv_console *console;
    slv_window *window;
    slv_gl_info info;
    slv_renderer renderer;
    slv_overlay overlay;
    bool drawing; // the two above have been made

    slv_play_request playing; // the request with the file that is played now
    char *path;               // of that file, where it was chosen here
    slv_session session;
    slv_snapshots snapshots;
    slv_sim_thread sim;
    bool loaded; // the three above hold something
    bool broken; // what was asked for has an error, and nothing else has been played since
    slv_file_watch watch;
    const slv_snapshot *snapshot;
    slv_parameters parameters; // as they were last set here
    uint32_t constraints, colors;

    slv_camera camera, start_camera;
    slv_mouse mouse;
    bool needs_redraw; // must be drawn
    bool help, hud, controls, menu;
    int control;       // chosen row
    int control_first; // the row on top, where there are more than fit
    int help_first;    // the help's line on top, where there are more than fit
    size_t choice;     // of the menu
    size_t menu_first; // the row on top, where there are more than fit
    slv_scene_list scenes;
    double gust_end;          // when the gust is over; 0: there is none
    char told[SLV_NOTE_ROOM]; // about the device
    char message[256];
    double message_end; // when it goes away; 0: stays

    slv_picture_time history[SLV_HISTORY];
    size_t pictures; // drawn so far
    double begin;    // when the window was asked for
    double started;  // when the present world was
    double last_time;
    double fps;

    slv_video *video;
    slv_picture video_picture;
    uint64_t video_tick;
    bool shot_wanted; // of the next picture
    unsigned shots;
} slv_player;

// --- play_window.c -------------------------------------------------------------------------------

// In the window, for so long (0: until there is something else to say); with --verbose on the terminal too.
void slv_player_show_message(slv_player *player, double seconds, const char *format, ...)
    SLV_PRINTF(3, 4);
// Plays another file. On failure the present one goes on, and the window says why.
void slv_player_open(slv_player *player, const char *path);

// --- player_input.c ------------------------------------------------------------------------------

slv_window_callbacks slv_player_window_callbacks(slv_player *player);
// To the world; false where it was not taken.
bool slv_player_send(slv_player *player, const slv_input *input);
void slv_player_perform(slv_player *player, slv_action action);
void slv_player_fly(slv_player *player, double seconds); // with the keys that are held down
void slv_player_end_gust(slv_player *player);            // when it is time
void slv_player_drag(slv_player *player);                // cloth follows the mouse, or is cut
void slv_player_request_positions(
    slv_player *player); // where the cloth is, while the mouse may want it
void slv_player_screenshot(slv_player *player, int width, int height);
void slv_player_end_video(slv_player *player, const char *why); // none is fine

// --- controls.c: what can be changed while it runs ---------------------------------------------

int slv_control_count(void);
const char *slv_control_label(int row);
void slv_control_change(slv_player *player, int row, int direction); // -1, 1
void slv_controls_draw(slv_player *player);
// A click at a place in points; false where there is no control.
bool slv_controls_click(slv_player *player, double x, double y);

// --- hud.c ---------------------------------------------------------------------------------------

void slv_hud_draw(slv_player *player); // figures, graph, message, help, menu
bool slv_menu_click(slv_player *player, double x, double y);
void slv_menu_hover(slv_player *player, double x, double y);

#endif

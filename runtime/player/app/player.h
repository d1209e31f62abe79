// SPDX-License-Identifier: MIT
// The state of the window mode. play_window.c, player_input.c, controls.c and hud.c work on it.
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

enum { SLV_HISTORY = 120 }; // pictures in the graph of times
enum { SLV_STROKE = 24 };   // visible points of a cut stroke

// The current mouse gesture.
typedef enum slv_mouse_job {
    SLV_MOUSE_IDLE,
    SLV_MOUSE_ORBIT,
    SLV_MOUSE_PAN,
    SLV_MOUSE_REACH, // a grab that waits for up-to-date positions
    SLV_MOUSE_DRAG,
    SLV_MOUSE_CUT
} slv_mouse_job;

typedef struct slv_mouse {
    slv_mouse_job job;
    double x, y;                 // points
    double cut_x, cut_y;         // end of the part of the stroke that has been cut
    float stroke[SLV_STROKE][2]; // the last points of the stroke, points
    size_t stroke_count;
    bool has_cut;     // the stroke has cut a constraint
    double moved;     // time of the last movement, seconds
    slv_vec3 grabbed; // position of the grabbed particle, metres
    slv_vec3 forward; // normal of the plane of the drag
    slv_vec3 pulled;  // last position sent, metres
} slv_mouse;

// Times of one picture, milliseconds.
typedef struct slv_picture_time {
    float step;   // all steps of its frame
    float upload; // filling the snapshot and uploading it
    float draw;   // OpenGL calls of the drawing thread
} slv_picture_time;

typedef struct slv_player {
    const slv_play_request *request;
    slv_console *console;
    slv_window *window;
    slv_gl_info info;
    slv_renderer renderer;
    slv_overlay overlay;
    bool drawing; // renderer and overlay are made

    slv_play_request playing; // the request with the file that is played
    char *path;               // of that file, if it was chosen in the window
    slv_session session;
    slv_snapshots snapshots;
    slv_sim_thread sim;
    bool loaded; // session, snapshots and sim are in use
    bool broken; // the requested file has an error and nothing has been played since
    slv_file_watch watch;
    const slv_snapshot *snapshot;
    slv_parameters parameters; // as last set by the controls
    uint32_t constraints, colors;

    slv_camera camera, start_camera;
    slv_mouse mouse;
    bool needs_redraw;
    bool help, hud, controls, menu;
    int control;       // selected row
    int control_first; // first visible row
    int help_first;    // first visible line of the help
    size_t choice;     // selected row of the menu
    size_t menu_first; // first visible row
    slv_scene_list scenes;
    double gust_end;               // end of the gust, seconds; 0: none
    char last_note[SLV_NOTE_ROOM]; // last note about the device
    char message[256];
    double message_end; // time at which it disappears; 0: it stays

    slv_picture_time history[SLV_HISTORY];
    size_t pictures; // number drawn
    double begin;    // time of the start, seconds
    double started;  // time at which the current world started
    double last_time;
    double fps;

    slv_video *video;
    slv_picture video_picture;
    uint64_t video_tick;
    bool shot_wanted; // save the next picture
    unsigned shots;
} slv_player;

// --- play_window.c -------------------------------------------------------------------------------

// Shows a message for some seconds; 0: until the next message. With --verbose it is also printed.
void slv_player_show_message(slv_player *player, double seconds, const char *format, ...)
    SLV_PRINTF(3, 4);
// Plays another file. On failure the current one continues, and the window shows the error.
void slv_player_open(slv_player *player, const char *path);

// --- player_input.c ------------------------------------------------------------------------------

slv_window_callbacks slv_player_window_callbacks(slv_player *player);
// Sends an input to the simulating thread; false where it was refused.
bool slv_player_send(slv_player *player, const slv_input *input);
void slv_player_perform(slv_player *player, slv_action action);
void slv_player_fly(slv_player *player,
                    double seconds);          // moves the camera by the keys that are held down
void slv_player_end_gust(slv_player *player); // at its end time
void slv_player_drag(slv_player *player);     // continues a drag or a cut
void slv_player_request_positions(
    slv_player *player); // requests host positions while the mouse is in use
void slv_player_screenshot(slv_player *player, int width, int height);
void slv_player_end_video(slv_player *player, const char *why); // also where there is none

// --- controls.c ---------------------------------------------

int slv_control_count(void);
const char *slv_control_label(int row);
void slv_control_change(slv_player *player, int row, int direction); // -1, 1
void slv_controls_draw(slv_player *player);
// A click at a position in points; false where there is no control.
bool slv_controls_click(slv_player *player, double x, double y);

// --- hud.c ---------------------------------------------------------------------------------------

void slv_hud_draw(slv_player *player); // statistics, graph, message, help, menu
bool slv_menu_click(slv_player *player, double x, double y);
void slv_menu_hover(slv_player *player, double x, double y);

#endif

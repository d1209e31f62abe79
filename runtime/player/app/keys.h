// SPDX-License-Identifier: MIT
// All keys and their actions. One list drives the keyboard and the help.
#ifndef SLV_PLAYER_KEYS_H
#define SLV_PLAYER_KEYS_H

#include <stddef.h>

typedef enum slv_action {
    SLV_ACTION_NONE, // a line of the help without an action: the mouse, keys that are held down
    SLV_ACTION_HELP,
    SLV_ACTION_CLOSE, // the help, the menu, or the window
    SLV_ACTION_QUIT,
    SLV_ACTION_PAUSE,
    SLV_ACTION_SINGLE,
    SLV_ACTION_RESTART,
    SLV_ACTION_BALL,
    SLV_ACTION_GUST,
    SLV_ACTION_SLOWER,
    SLV_ACTION_FASTER,
    SLV_ACTION_NEXT_SCENE,
    SLV_ACTION_LAST_SCENE,
    SLV_ACTION_MENU,
    SLV_ACTION_VIEW,
    SLV_ACTION_COLLIDERS,
    SLV_ACTION_CONTACTS,
    SLV_ACTION_SMOOTH,
    SLV_ACTION_GRID,
    SLV_ACTION_CAMERA,
    SLV_ACTION_HUD,
    SLV_ACTION_CONTROLS,
    SLV_ACTION_UP,
    SLV_ACTION_DOWN,
    SLV_ACTION_LESS,
    SLV_ACTION_MORE,
    SLV_ACTION_CHOOSE,
    SLV_ACTION_SCREENSHOT,
    SLV_ACTION_VIDEO,
    SLV_ACTION_FULL_SCREEN
} slv_action;

typedef struct slv_key {
    slv_action action;
    int key;       // GLFW key code
    int modifiers; // GLFW modifier bits
    const char *name;
    const char *help; // NULL: not listed, the line above describes it
} slv_key;

extern const slv_key slv_keys[];
extern const size_t slv_key_count;

slv_action slv_key_action(int key, int modifiers);

// Keys that move the camera while they are held down.
typedef struct slv_fly_key {
    int key;
    float forward, right, up;
} slv_fly_key;
extern const slv_fly_key slv_fly_keys[];
extern const size_t slv_fly_key_count;

#endif

// SPDX-License-Identifier: MIT
#include "runtime/player/app/keys.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

const slv_key slv_keys[] = {
    {SLV_ACTION_NONE, 0, 0, "Left mouse", "drag cloth; on the background: rotate the view"},
    {SLV_ACTION_NONE, 0, 0, "Ctrl + left", "cut cloth along a stroke; a hard pull tears it"},
    {SLV_ACTION_NONE, 0, 0, "Right mouse", "rotate the view; Shift or middle button: move it"},
    {SLV_ACTION_NONE, 0, 0, "Wheel", "zoom"},
    {SLV_ACTION_NONE, 0, 0, "W A S D Q E", "fly"},
    {SLV_ACTION_CAMERA, GLFW_KEY_C, 0, "C", "reset the camera"},
    {SLV_ACTION_BALL, GLFW_KEY_B, 0, "B", "throw a ball towards the mouse pointer"},
    {SLV_ACTION_GUST, GLFW_KEY_F, 0, "F", "gust of wind along the view direction"},
    {SLV_ACTION_PAUSE, GLFW_KEY_SPACE, 0, "Space", "pause, continue"},
    {SLV_ACTION_SINGLE, GLFW_KEY_PERIOD, 0, ". (period)", "advance one frame while paused"},
    {SLV_ACTION_SLOWER, GLFW_KEY_LEFT_BRACKET, 0, "[  ]", "slower; faster"},
    {SLV_ACTION_FASTER, GLFW_KEY_RIGHT_BRACKET, 0, "]", NULL},
    {SLV_ACTION_RESTART, GLFW_KEY_R, 0, "R", "restart"},
    {SLV_ACTION_NEXT_SCENE, GLFW_KEY_N, 0, "N  P", "next scene; previous scene"},
    {SLV_ACTION_LAST_SCENE, GLFW_KEY_P, 0, "P", NULL},
    {SLV_ACTION_MENU, GLFW_KEY_M, 0, "M", "menu of scenes"},
    {SLV_ACTION_VIEW, GLFW_KEY_V, 0, "V", "view: cloth, stretch, particles, constraints, ..."},
    {SLV_ACTION_COLLIDERS, GLFW_KEY_K, 0, "K", "colliders: solid, particles, hidden"},
    {SLV_ACTION_CONTACTS, GLFW_KEY_X, 0, "X", "contact normals"},
    {SLV_ACTION_SMOOTH, GLFW_KEY_T, 0, "T", "smooth surfaces (tessellation)"},
    {SLV_ACTION_HUD, GLFW_KEY_H, 0, "H  G", "statistics; floor grid"},
    {SLV_ACTION_GRID, GLFW_KEY_G, 0, "G", NULL},
    {SLV_ACTION_CONTROLS, GLFW_KEY_TAB, 0, "Tab", "controls: solver, iterations, stiffness, ..."},
    {SLV_ACTION_UP, GLFW_KEY_UP, 0, "Arrows", "select and change a control"},
    {SLV_ACTION_DOWN, GLFW_KEY_DOWN, 0, "Down", NULL},
    {SLV_ACTION_LESS, GLFW_KEY_LEFT, 0, "Left", NULL},
    {SLV_ACTION_MORE, GLFW_KEY_RIGHT, 0, "Right", NULL},
    {SLV_ACTION_CHOOSE, GLFW_KEY_ENTER, 0, "Enter", NULL},
    {SLV_ACTION_SCREENSHOT, GLFW_KEY_F12, 0, "F12  F9", "screenshot; start or stop a video"},
    {SLV_ACTION_VIDEO, GLFW_KEY_F9, 0, "F9", NULL},
    {SLV_ACTION_FULL_SCREEN, GLFW_KEY_F11, 0, "F11", "full screen"},
    {SLV_ACTION_HELP, GLFW_KEY_F1, 0, "F1", "this help"},
    {SLV_ACTION_CLOSE, GLFW_KEY_ESCAPE, 0, "Esc  Ctrl+Q",
     "close the help, the menu or the window; quit"},
    {SLV_ACTION_QUIT, GLFW_KEY_Q, GLFW_MOD_CONTROL, "Ctrl+Q", NULL},
};
const size_t slv_key_count = sizeof slv_keys / sizeof *slv_keys;

const slv_fly_key slv_fly_keys[] = {
    {GLFW_KEY_W, 1.0f, 0.0f, 0.0f}, {GLFW_KEY_S, -1.0f, 0.0f, 0.0f},
    {GLFW_KEY_D, 0.0f, 1.0f, 0.0f}, {GLFW_KEY_A, 0.0f, -1.0f, 0.0f},
    {GLFW_KEY_E, 0.0f, 0.0f, 1.0f}, {GLFW_KEY_Q, 0.0f, 0.0f, -1.0f},
};
const size_t slv_fly_key_count = sizeof slv_fly_keys / sizeof *slv_fly_keys;

slv_action slv_key_action(int key, int modifiers) {
    for (size_t i = 0; i < slv_key_count; i++) {
        if (slv_keys[i].action != SLV_ACTION_NONE && slv_keys[i].key == key &&
            slv_keys[i].modifiers == (modifiers & ~GLFW_MOD_SHIFT)) { // Shift does not matter
            return slv_keys[i].action;
        }
    }
    return SLV_ACTION_NONE;
}

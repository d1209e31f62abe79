// SPDX-License-Identifier: MIT
// The scenes there are to choose from: those beside the one that is played, and the installed ones.
#ifndef SLV_PLAYER_SCENE_LIST_H
#define SLV_PLAYER_SCENE_LIST_H

#include <stdbool.h>
#include <stddef.h>

typedef struct slv_scene_list {
    char **paths; // within a folder by name; showcases first, experiments last
    size_t count;
} slv_scene_list;

// Looks into the folder of `played` (may be NULL), then into SELVAGE_SCENES, out/scenes, and
// share/selvage/scenes beside the program. Folders that are not there are no error. False without memory.
bool slv_scene_list_make(slv_scene_list *list, const char *played);
void slv_scene_list_free(slv_scene_list *list);

// The place of a scene, or count where it is not in the list.
size_t slv_scene_list_find(const slv_scene_list *list, const char *path);

// "hanging-cloth" from ".../hanging-cloth.json", as a person would write it: "Hanging cloth".
void slv_scene_title(const char *path, char *title, size_t size);

#endif

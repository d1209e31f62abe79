// SPDX-License-Identifier: MIT
// The scenes of the menu: those in the folder of the played file, and the installed ones.
#ifndef SLV_PLAYER_SCENE_LIST_H
#define SLV_PLAYER_SCENE_LIST_H

#include <stdbool.h>
#include <stddef.h>

typedef struct slv_scene_list {
    char **paths; // within a folder by name; showcases first, experiments last
    size_t count;
} slv_scene_list;

// Lists the folder of `played` (may be NULL), then SELVAGE_SCENES, out/scenes, and share/selvage/scenes of the
// installation. Missing folders are ignored. False without memory.
bool slv_scene_list_make(slv_scene_list *list, const char *played);
void slv_scene_list_free(slv_scene_list *list);

// The index of a scene, or count where it is not in the list.
size_t slv_scene_list_find(const slv_scene_list *list, const char *path);

// A title from a file name: "Hanging cloth" for ".../hanging-cloth.json".
void slv_scene_title(const char *path, char *title, size_t size);

#endif

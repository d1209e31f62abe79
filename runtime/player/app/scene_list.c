// SPDX-License-Identifier: MIT
#define _XOPEN_SOURCE 700
#include "runtime/player/app/scene_list.h"

#include <ctype.h>
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_ROOM = 4096 };

static bool has_ending(const char *name, const char *ending) {
    const size_t length = strlen(name);
    const size_t size = strlen(ending);
    return length > size && strcmp(name + length - size, ending) == 0;
}

// Takes ownership of the path.
static bool add(slv_scene_list *list, char *path) {
    char **paths = path ? realloc(list->paths, (list->count + 1) * sizeof *paths) : NULL;
    if (paths == NULL) {
        free(path);
        return false;
    }
    list->paths = paths;
    list->paths[list->count++] = path;
    return true;
}

static bool add_scene(slv_scene_list *list, const char *folder, const char *name) {
    char path[PATH_ROOM];
    (void)snprintf(path, sizeof path, "%.2000s/%.2000s", folder, name);
    if (slv_scene_list_find(list, path) < list->count) {
        return true;
    }
    return add(list, realpath(path, NULL));
}

// Sample scenes that a menu shows first, in this order: those with characters.
static const char *const first_scenes[] = {"dressed-walk.json", "poncho.json",
                                           "curtain-drawn.json"};
// Experiments of papers: shown last.
static const char *const last_scenes[] = {"enlarged-cloth.json", "enlarged-knots.json",
                                          "fabric-paper.json", "hanging-cloth.json"};

static int rank_of(const char *name) {
    const int first_count = (int)(sizeof first_scenes / sizeof *first_scenes);
    for (int i = 0; i < first_count; i++) {
        if (strcmp(name, first_scenes[i]) == 0) {
            return i;
        }
    }
    for (size_t i = 0; i < sizeof last_scenes / sizeof *last_scenes; i++) {
        if (strcmp(name, last_scenes[i]) == 0) {
            return first_count + 1;
        }
    }
    return first_count;
}

static int compare_entries(const struct dirent **a, const struct dirent **b) {
    const int order = rank_of((*a)->d_name) - rank_of((*b)->d_name);
    return order != 0 ? order : strcmp((*a)->d_name, (*b)->d_name);
}

static bool add_folder(slv_scene_list *list, const char *folder) {
    struct dirent **entries = NULL;
    const int count = scandir(folder, &entries, NULL, compare_entries);
    bool added = true;
    for (int i = 0; i < count; i++) {
        if (has_ending(entries[i]->d_name, ".json") &&
            !has_ending(entries[i]->d_name, ".schema.json")) {
            added = added && add_scene(list, folder, entries[i]->d_name);
        }
        free(entries[i]);
    }
    free(entries);
    return added;
}

// The folder of a path.
static void cut_name(char *path) {
    char *slash = strrchr(path, '/');
    if (slash) {
        *slash = '\0';
    } else {
        path[0] = '.'; // a file in the current folder
        path[1] = '\0';
    }
}

static bool add_beside(slv_scene_list *list, const char *played) {
    char folder[PATH_ROOM];
    if (played == NULL || !has_ending(played, ".json")) {
        return true;
    }
    (void)snprintf(folder, sizeof folder, "%.4000s", played);
    cut_name(folder);
    return add_folder(list, folder);
}

static bool add_installed(slv_scene_list *list) {
    char program[PATH_ROOM];
    char folder[PATH_ROOM + 64];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0) {
        return true;
    }
    program[length] = '\0';
    cut_name(program);
    (void)snprintf(folder, sizeof folder, "%s/../share/selvage/scenes", program);
    return add_folder(list, folder);
}

bool slv_scene_list_make(slv_scene_list *list, const char *played) {
    *list = (slv_scene_list){.count = 0};
    const char *chosen = getenv("SELVAGE_SCENES");
    const bool made = add_beside(list, played) && (!chosen || add_folder(list, chosen)) &&
                      add_folder(list, "out/scenes") && add_installed(list);
    if (!made) {
        slv_scene_list_free(list);
    }
    return made;
}

void slv_scene_list_free(slv_scene_list *list) {
    for (size_t i = 0; i < list->count; i++) {
        free(list->paths[i]);
    }
    free(list->paths);
    *list = (slv_scene_list){.count = 0};
}

size_t slv_scene_list_find(const slv_scene_list *list, const char *path) {
    char *real = path ? realpath(path, NULL) : NULL;
    size_t found = list->count;
    for (size_t i = 0; real && i < list->count && found == list->count; i++) {
        found = strcmp(list->paths[i], real) == 0 ? i : found;
    }
    free(real);
    return found;
}

void slv_scene_title(const char *path, char *title, size_t size) {
    const char *slash = strrchr(path, '/');
    (void)snprintf(title, size, "%s", slash ? slash + 1 : path);
    char *dot = strrchr(title, '.');
    if (dot && dot != title) {
        *dot = '\0';
    }
    for (char *c = title; *c; c++) {
        *c = (char)(*c == '-' || *c == '_' ? ' ' : *c);
    }
    title[0] = (char)toupper((unsigned char)title[0]);
}

// SPDX-License-Identifier: MIT
// Scenes that together use every kernel, for comparing backends.
#ifndef SLV_TESTS_PARITY_SCENES_H
#define SLV_TESTS_PARITY_SCENES_H

#include "tests/common/test_world.h"

typedef struct parity_scene {
    const char *name;
    void (*fill)(slv_world *world);
    void (*disturb)(slv_world *world, uint32_t step); // called between steps; NULL: none
} parity_scene;

extern const parity_scene parity_scenes[];
extern const size_t parity_scene_count;
const parity_scene *parity_find(const char *name); // must exist

// A world with the scene. Everything but the backend is the same.
slv_world *parity_open(const parity_scene *scene, slv_solver solver, const slv_world_def *def);
slv_world_def parity_def(const char *backend);

#endif

// SPDX-License-Identifier: MIT
// Real meshes in every format and mode: each gives a verified pack that draws the mesh at its
// position, with the same bytes for any number of threads. Skipped where the meshes are not installed.
#define _XOPEN_SOURCE 700
#include "formats/garment.h"
#include "tests/common/folder.h"
#include "tests/programs/voxelize/run.h"
#include "tests/tools/voxelize/garment/drawing.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char MESHES[] = SLV_SOURCE_DIR "/../shared/assets/mesh";

static void check_drawing(const char *name, const slv_garment *garment) {
    const slv_render_mesh *mesh = &garment->render;
    const float *const particles[3] = {garment->x, garment->y, garment->z};
    float reach = 0;
    float worst = 0;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        float drawn[3];
        draw_vertex(mesh, particles, v, drawn);
        for (int axis = 0; axis < 3; axis++) {
            const float wanted = mesh->positions[3 * (size_t)v + (size_t)axis];
            reach = fmaxf(reach, fabsf(wanted));
            worst = fmaxf(worst, fabsf(drawn[axis] - wanted));
        }
    }
    if (!(mesh->vertex_count > 0 && worst <= 1e-6f * reach)) {
        fail_msg("%s: %u vertices, drawn up to %g off, coordinates up to %g", name,
                 mesh->vertex_count, (double)worst, (double)reach);
    }
}

static void check_pack(const char *name, const char *path) {
    slv_pack *pack = NULL;
    slv_garment garment;
    slv_error error = {0};
    if (slv_pack_open(path, NULL, &pack, &error) != SLV_OK ||
        slv_garment_open(pack, &garment, &error) != SLV_OK) {
        fail_msg("%s: %s", name, error.text);
        abort(); // not reached: cmocka jumps, which analyzers do not model
    }
    assert_true(garment.info.particle_count > 0);
    check_drawing(name, &garment);
    slv_pack_close(pack);
}

// Success. At this resolution thin parts of some meshes come apart, which is said in one line; nothing else may be.
static void expect_pack(const char *arguments) {
    program_run run = run_voxelize(arguments);
    const char *line_end = strchr(run.messages, '\n');
    const bool about_pieces = strstr(run.messages, "the particles fall into") != NULL &&
                              line_end != NULL && line_end[1] == '\0';
    if (run.status != 0 || (run.messages[0] != '\0' && !about_pieces)) {
        fail_msg("%s: status %d: %s", arguments, run.status, run.messages);
    }
    discard_run(&run);
}

static void check_mesh(const char *name) {
    static const char *const modes[] = {"solid", "shell", "surface"};
    for (size_t m = 0; m < 3; m++) {
        for (int threads = 1; threads <= 3; threads++) {
            char line[1024];
            (void)snprintf(line, sizeof line,
                           "%s/%s -o %d.slv --sdf %d.sdf --mode %s --resolution 40 --threads %d",
                           MESHES, name, threads, threads, modes[m], threads);
            expect_pack(line);
        }
        assert_true(have_same_bytes("1.slv", "2.slv"));
        assert_true(have_same_bytes("1.slv", "3.slv"));
        assert_true(have_same_bytes("1.sdf", "2.sdf"));
        check_pack(name, "1.slv");
    }
    print_message("%s: solid, shell, surface\n", name);
}

static void every_mesh_becomes_a_verified_pack_in_every_mode(void **state) {
    (void)state;
    DIR *folder = opendir(MESHES);
    assert_non_null(folder);
    size_t count = 0;
    for (const struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        if (entry->d_name[0] != '.') {
            check_mesh(entry->d_name);
            count++;
        }
    }
    (void)closedir(folder);
    assert_true(count > 0);
}

int main(void) {
    if (!has_file(MESHES)) {
        printf("skipped: no meshes in %s\n", MESHES);
        return 77;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_mesh_becomes_a_verified_pack_in_every_mode,
                                        folder_enter, folder_leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

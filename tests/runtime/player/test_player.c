// SPDX-License-Identifier: MIT
// The parts of the player that need neither a display nor OpenGL.
#define _XOPEN_SOURCE 700
#include "runtime/player/app/file_watch.h"
#include "runtime/player/app/picking.h"
#include "runtime/player/app/scene_list.h"
#include "runtime/player/view/camera.h"
#include "runtime/player/view/cloth_mesh.h"
#include "runtime/player/view/font.h"
#include "runtime/player/view/scissor.h"
#include "tests/formats/scratch.h"

#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static void near(float value, float expected, float tolerance) {
    if (!(fabsf(value - expected) <= tolerance)) {
        fail_msg("%g, expected %g", (double)value, (double)expected);
    }
}

// --- Camera --------------------------------------------------------------------------------------

static void project(const slv_mat4 *m, slv_vec3 p, float ndc[3]) {
    float clip[4];
    for (int r = 0; r < 4; r++) {
        clip[r] = m->m[r] * p.x + m->m[4 + r] * p.y + m->m[8 + r] * p.z + m->m[12 + r];
    }
    for (int d = 0; d < 3; d++) {
        ndc[d] = clip[d] / clip[3];
    }
}

static void a_camera_ray_projects_to_its_pixel(void **state) {
    (void)state;
    const slv_camera camera = slv_camera_look(slv_v3(1.0f, 2.0f, 3.0f), slv_v3(-0.5f, 0.7f, 0.2f));
    const slv_mat4 m = slv_camera_view_projection(&camera, 1.5f);
    const float points[][2] = {{0.0f, 0.0f}, {0.9f, -0.4f}, {-1.0f, 1.0f}, {0.3f, 0.8f}};
    for (size_t i = 0; i < 4; i++) {
        const slv_ray ray = slv_camera_ray(&camera, 1.5f, points[i][0], points[i][1]);
        float ndc[3];
        project(&m, slv_v3_add(ray.origin, slv_v3_scale(ray.direction, 2.5f)), ndc);
        near(ndc[0], points[i][0], 1e-4f);
        near(ndc[1], points[i][1], 1e-4f);
    }
}

static void a_camera_keeps_eye_and_target(void **state) {
    (void)state;
    const slv_vec3 eye = slv_v3(0.3f, 1.4f, -2.0f);
    const slv_camera camera = slv_camera_look(eye, slv_v3(0.1f, 1.0f, 0.4f));
    near(slv_v3_length(slv_v3_sub(slv_camera_eye(&camera), eye)), 0.0f, 1e-5f);
}

static void a_framed_box_is_inside_the_picture(void **state) {
    (void)state;
    const slv_vec3 low = slv_v3(-2.0f, 0.5f, -0.1f);
    const slv_vec3 high = slv_v3(1.0f, 1.5f, 0.4f);
    const slv_camera camera = slv_camera_frame(low, high);
    const slv_mat4 m = slv_camera_view_projection(&camera, 1.0f);
    for (int corner = 0; corner < 8; corner++) {
        float ndc[3];
        project(&m,
                slv_v3(corner & 1 ? high.x : low.x, corner & 2 ? high.y : low.y,
                       corner & 4 ? high.z : low.z),
                ndc);
        assert_true(fabsf(ndc[0]) < 1.0f && fabsf(ndc[1]) < 1.0f && fabsf(ndc[2]) < 1.0f);
    }
}

static void orbit_keeps_distance_and_pan_keeps_direction(void **state) {
    (void)state;
    slv_camera camera = slv_camera_look(slv_v3(0.0f, 1.0f, 3.0f), slv_v3(0.0f, 1.0f, 0.0f));
    slv_camera_orbit(&camera, 0.7f, 0.2f);
    near(slv_v3_length(slv_v3_sub(slv_camera_eye(&camera), camera.target)), 3.0f, 1e-5f);
    slv_camera_orbit(&camera, 0.0f, 9.0f); // pitch is limited
    assert_true(camera.pitch < 1.5708f);
    const slv_vec3 before = slv_v3_sub(slv_camera_eye(&camera), camera.target);
    slv_camera_pan(&camera, 0.3f, -0.2f);
    const slv_vec3 after = slv_v3_sub(slv_camera_eye(&camera), camera.target);
    near(slv_v3_length(slv_v3_sub(before, after)), 0.0f, 1e-5f);
    slv_camera_zoom(&camera, 1.0f);
    near(camera.distance, 2.7f, 1e-5f);
}

// --- Scissor rectangle ---------------------------------------------------------------------------

static slv_frame_block block_of(const slv_camera *camera, float floor) {
    slv_frame_block block = {
        .screen = {640.0f, 360.0f, slv_camera_near(camera), 1.0f},
        .floor_center = {0.0f, floor, 0.0f, 1.0f},
        .light_direction = {{-0.6f, 0.7f, 0.3f, 0.0f}, {0.8f, 0.5f, 0.3f, 0.0f}}};
    block.view_projection = slv_camera_view_projection(camera, 640.0f / 360.0f);
    return block;
}

static void must_be_inside(const slv_scissor *scissor, const slv_mat4 *m, slv_vec3 p) {
    float ndc[3];
    project(m, p, ndc);
    const float x = 320.0f * (ndc[0] + 1.0f);
    const float y = 180.0f * (ndc[1] + 1.0f);
    const bool seen = fabsf(ndc[0]) < 1.0f && fabsf(ndc[1]) < 1.0f;
    if (seen && !(x >= (float)scissor->left && x < (float)scissor->right &&
                  y >= (float)scissor->bottom && y < (float)scissor->top)) {
        fail_msg("%g, %g is outside", (double)x, (double)y);
    }
}

static void objects_and_shadows_are_inside_the_scissor(void **state) {
    (void)state;
    const slv_camera camera = slv_camera_look(slv_v3(0.4f, 1.5f, 3.0f), slv_v3(0.0f, 0.6f, 0.0f));
    const slv_frame_block block = block_of(&camera, 0.0f);
    const float points[][3] = {
        {-0.3f, 0.4f, -0.2f}, {0.2f, 0.9f, 0.1f}, {0.0f, 0.7f, 0.3f}, {0.3f, 0.5f, 0.0f}};
    slv_bounds bounds = slv_bounds_none();
    slv_bounds_add(&bounds, points[0], 4, 3);
    const slv_scissor scissor = slv_scissor_find(&block, &bounds, 0.0f, 640, 360);
    assert_true(scissor.right - scissor.left < 500 && scissor.top - scissor.bottom < 340);
    for (size_t i = 0; i < 4; i++) {
        const slv_vec3 p = slv_v3(points[i][0], points[i][1], points[i][2]);
        must_be_inside(&scissor, &block.view_projection, p);
        for (int n = 0; n < 2; n++) {
            const float *d = block.light_direction[n];
            const slv_vec3 shadow = slv_v3(p.x - d[0] * p.y / d[1], 0.0f, p.z - d[2] * p.y / d[1]);
            must_be_inside(&scissor, &block.view_projection, shadow);
        }
    }
}

static void bounds_around_the_camera_give_the_whole_picture(void **state) {
    (void)state;
    const slv_camera camera = slv_camera_look(slv_v3(0.0f, 1.0f, 1.0f), slv_v3(0.0f, 1.0f, 0.0f));
    const slv_frame_block block = block_of(&camera, 0.0f);
    const slv_bounds bounds = {{-0.1f, 0.5f, -0.5f}, {0.1f, 1.5f, 3.0f}};
    const slv_bounds nothing = slv_bounds_none();
    const slv_scissor scissor = slv_scissor_find(&block, &bounds, 0.0f, 640, 360);
    assert_true(scissor.left == 0 && scissor.bottom == 0 && scissor.right == 640 &&
                scissor.top == 360);
    const slv_scissor none = slv_scissor_find(&block, &nothing, 0.1f, 640, 360);
    assert_true(none.left == none.right && none.bottom == none.top);
}

// --- Picking -------------------------------------------------------------------------------------

// Two sheets of 5 x 5 particles, a metre apart along z, in two garments.
static float sheet_positions[50][3];
static uint32_t sheet_first[3] = {0, 25, 50};

static slv_snapshot make_sheets(void) {
    for (int i = 0; i < 50; i++) {
        sheet_positions[i][0] = 0.1f * (float)(i % 5);
        const int row = i % 25 / 5;
        sheet_positions[i][1] = 0.1f * (float)row;
        sheet_positions[i][2] = i < 25 ? 0.0f : 1.0f;
    }
    static uint8_t body[2];
    return (slv_snapshot){.positions = &sheet_positions[0][0],
                          .first = sheet_first,
                          .garment_count = 2,
                          .model_surface = body};
}

static void the_front_sheet_is_picked(void **state) {
    (void)state;
    const slv_snapshot snapshot = make_sheets();
    const slv_ray ray = {{0.21f, 0.12f, 5.0f}, {0.0f, 0.0f, -1.0f}};
    slv_pick pick;
    assert_true(slv_pick_particle(&snapshot, &ray, 0.05f, 0.0f, &pick));
    assert_int_equal(pick.garment, 1);
    assert_int_equal(pick.particle, 7);
    const slv_ray behind = {{0.21f, 0.12f, -5.0f}, {0.0f, 0.0f, 1.0f}};
    assert_true(slv_pick_particle(&snapshot, &behind, 0.05f, 0.0f, &pick));
    assert_int_equal(pick.garment, 0);
}

static void a_model_is_not_picked(void **state) {
    (void)state;
    slv_snapshot snapshot = make_sheets();
    uint8_t model_surface[2] = {0, 1}; // the front sheet
    snapshot.model_surface = model_surface;
    const slv_ray ray = {{0.21f, 0.12f, 5.0f}, {0.0f, 0.0f, -1.0f}};
    slv_pick pick;
    assert_true(slv_pick_particle(&snapshot, &ray, 0.05f, 0.0f, &pick));
    assert_int_equal(pick.garment, 0);
}

static void nothing_is_picked_beside_cloth_or_behind_the_camera(void **state) {
    (void)state;
    const slv_snapshot snapshot = make_sheets();
    const slv_ray beside = {{0.6f, 0.1f, 5.0f}, {0.0f, 0.0f, -1.0f}};
    const slv_ray away = {{0.2f, 0.1f, 5.0f}, {0.0f, 0.0f, 1.0f}};
    slv_pick pick;
    assert_false(slv_pick_particle(&snapshot, &beside, 0.05f, 0.0f, &pick));
    assert_false(slv_pick_particle(&snapshot, &away, 0.05f, 0.0f, &pick));
}

static void a_grab_holds_neighbors_of_the_same_garment(void **state) {
    (void)state;
    const slv_snapshot snapshot = make_sheets();
    const slv_pick pick = {1, 12, slv_v3(0.2f, 0.2f, 1.0f)};
    slv_input input;
    slv_pick_grab(&snapshot, &pick, 0.11f, &input);
    assert_int_equal(input.garment, 1);
    assert_int_equal(input.count, 5);
    assert_int_equal(input.particles[0], 12);
    slv_pick_grab(&snapshot, &pick, 9.0f,
                  &input); // all 25 of the picked garment, none of the other
    assert_int_equal(input.count, 25);
}

// A stroke across the middle of both sheets cuts the constraints between rows, of the front sheet only.
static void a_stroke_cuts_the_front_sheet(void **state) {
    (void)state;
    const slv_snapshot snapshot = make_sheets();
    slv_constraint constraints[40];
    uint32_t count = 0;
    for (uint32_t i = 0; i < 25; i++) {
        if (i % 5 < 4) {
            constraints[count++] = (slv_constraint){.a = i, .b = i + 1, .rest = 0.1f};
        }
        if (i < 20) {
            constraints[count++] = (slv_constraint){.a = i, .b = i + 5, .rest = 0.1f};
        }
    }
    const slv_garment_structure structure = {.constraints = constraints, .constraint_count = count};
    const slv_camera camera = slv_camera_look(slv_v3(0.2f, 0.25f, 3.0f), slv_v3(0.2f, 0.25f, 0.0f));
    const slv_mat4 project = slv_camera_view_projection(&camera, 1.0f);
    const slv_swipe swipe = {
        .project = &project, .from = {-0.9f, 0.0f}, .to = {0.9f, 0.001f}, .layer = 0.1f};
    slv_input input = {.kind = SLV_INPUT_CUT, .garment = 1};
    uint32_t next = 0;
    assert_true(slv_pick_cut(&snapshot, &structure, &swipe, &next, &input));
    assert_int_equal(input.count, 5);
    for (uint32_t i = 0; i < input.count; i++) {
        assert_int_equal(constraints[input.particles[i]].a / 5, 2);
        assert_int_equal(constraints[input.particles[i]].b / 5, 3);
    }
    assert_false(slv_pick_cut(&snapshot, &structure, &swipe, &next, &input));
    const slv_swipe beside = {
        .project = &project, .from = {-0.9f, 0.9f}, .to = {0.9f, 0.9f}, .layer = 0.1f};
    next = 0;
    assert_false(slv_pick_cut(&snapshot, &structure, &beside, &next, &input));
}

static void a_drag_stays_in_its_plane(void **state) {
    (void)state;
    const slv_vec3 forward = slv_v3_unit(slv_v3(0.3f, -0.2f, -1.0f));
    const slv_vec3 start = slv_v3(0.1f, 0.2f, 0.3f);
    const slv_ray ray = {{2.0f, 1.0f, 4.0f}, slv_v3_unit(slv_v3(-0.5f, -0.1f, -1.0f))};
    const slv_vec3 position = slv_pick_on_plane(&ray, start, forward);
    near(slv_v3_dot(slv_v3_sub(position, start), forward), 0.0f, 1e-5f);
    const slv_ray along = {{0.0f, 0.0f, 0.0f}, slv_v3_unit(slv_v3_cross(forward, start))};
    near(slv_v3_length(slv_v3_sub(slv_pick_on_plane(&along, start, forward), start)), 0.0f, 0.0f);
}

// --- Meshes --------------------------------------------------------------------------------------

// Two triangles that share the edge of particles 1 and 2, with a texture seam along it: vertices 1 and 3 have the same
// particle, and vertices 2 and 4.
static const uint32_t seam_particles[6] = {0, 1, 2, 1, 2, 3};
static const float seam_weights[6] = {1, 1, 1, 1, 1, 1};
static const uint32_t seam_triangles[6] = {0, 1, 2, 3, 5, 4};
static const slv_constraint seam_constraints[5] = {
    {0, 1, 1.0f, 0}, {1, 2, 1.5f, 0}, {0, 2, 1.0f, 0}, {1, 3, 1.0f, 0}, {2, 3, 2.0f, 0}};
static const float seam_positions[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0};

static slv_garment_structure seam_structure(void) {
    return (slv_garment_structure){.particle_count = 4,
                                   .constraints = seam_constraints,
                                   .constraint_count = 5,
                                   .distance_count = 5,
                                   .vertex_count = 6,
                                   .influence_count = 1,
                                   .influences = seam_particles,
                                   .weights = seam_weights,
                                   .triangle_count = 2,
                                   .triangles = seam_triangles};
}

static void vertices_at_a_texture_seam_share_a_ring(void **state) {
    (void)state;
    const slv_garment_structure structure = seam_structure();
    slv_cloth_mesh mesh;
    assert_true(slv_cloth_mesh_make(&mesh, &structure, seam_positions));
    assert_false(mesh.direct);
    const uint32_t triangles[6] = {1, 2, 2, 2, 2, 1};
    for (int v = 0; v < 6; v++) {
        assert_int_equal(mesh.ring_spans[2 * v + 1] - mesh.ring_spans[2 * v], triangles[v]);
    }
    assert_int_equal(mesh.ring_spans[2], mesh.ring_spans[6]); // vertices 1 and 3
    assert_int_equal(mesh.rings[2 * mesh.ring_spans[0]], 1);  // ring of vertex 0: 1, then 2
    assert_int_equal(mesh.rings[2 * mesh.ring_spans[0] + 1], 2);
    slv_cloth_mesh_free(&mesh);
}

static void segments_of_a_vertex_are_those_of_its_particle(void **state) {
    (void)state;
    const slv_garment_structure structure = seam_structure();
    uint32_t *spans = NULL;
    uint32_t *segments = NULL;
    size_t count = 0;
    assert_true(slv_cloth_mesh_segments(&structure, &spans, &segments, &count));
    const uint32_t expected[6] = {2, 3, 3, 3, 3, 2};
    for (int v = 0; v < 6; v++) {
        assert_int_equal(spans[v + 1] - spans[v], expected[v]);
        for (uint32_t s = spans[v]; s < spans[v + 1]; s++) {
            assert_true(segments[3 * s] == seam_particles[v] ||
                        segments[3 * s + 1] == seam_particles[v]);
        }
    }
    assert_int_equal(count, 16);
    free(spans);
    free(segments);
}

// --- Snapshots -----------------------------------------------------------------------------------

enum { PASSED = 20000, VALUES = 64 };

static void *fill_snapshots(void *argument) {
    slv_snapshots *snapshots = argument;
    for (uint64_t n = 1; n <= PASSED; n++) {
        slv_snapshot *snapshot = slv_snapshots_get_back(snapshots);
        snapshot->step = n;
        for (int i = 0; i < VALUES; i++) {
            snapshot->positions[i] = (float)n;
        }
        slv_snapshots_publish(snapshots);
    }
    return NULL;
}

static void snapshots_are_complete_and_in_order_across_threads(void **state) {
    (void)state;
    static float rooms[3][VALUES];
    static slv_snapshots snapshots = {.back = 0, .front = 1};
    atomic_init(&snapshots.ready, 2);
    for (int i = 0; i < 3; i++) {
        snapshots.each[i].positions = rooms[i];
    }
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, fill_snapshots, &snapshots), 0);
    uint64_t last = 0;
    while (last < PASSED) {
        bool fresh = false;
        const slv_snapshot *snapshot = slv_snapshots_get_newest(&snapshots, &fresh);
        if (fresh) {
            assert_true(snapshot->step > last);
            last = snapshot->step;
            for (int i = 0; i < VALUES; i++) {
                assert_true(snapshot->positions[i] == (float)last);
            }
        }
    }
    assert_int_equal(pthread_join(thread, NULL), 0);
}

// --- Files and letters ------------------------------------------------------------------------------

static void write_text(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    (void)fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void a_file_change_is_reported_once_when_complete(void **state) {
    scratch *temporary = *state;
    slv_file_watch watch;
    const char *path = scratch_path(temporary, "scene.json");
    write_text(path, "one");
    assert_true(slv_file_watch_make(&watch, &path, 1));
    assert_false(slv_file_watch_look(&watch, 10.0));
    write_text(path, "another");
    assert_false(slv_file_watch_look(&watch, 10.1)); // before the next check
    assert_false(slv_file_watch_look(&watch, 11.0)); // the file may still change
    assert_true(slv_file_watch_look(&watch, 12.0));
    assert_false(slv_file_watch_look(&watch, 13.0));
    (void)unlink(path);
    assert_false(slv_file_watch_look(&watch, 14.0));
    assert_true(slv_file_watch_look(&watch, 15.0));
    slv_file_watch_free(&watch);
}

static void scenes_in_the_folder_of_the_played_file_are_listed(void **state) {
    scratch *temporary = *state;
    slv_scene_list list;
    write_text(scratch_path(temporary, "b-two.json"), "{}");
    write_text(scratch_path(temporary, "a.json"), "{}");
    write_text(scratch_path(temporary, "cloth.slv"), "");
    write_text(scratch_path(temporary, "scene.schema.json"), "{}");
    const char *played = scratch_path(temporary, "b-two.json");
    char title[64];
    assert_true(slv_scene_list_make(&list, played));
    assert_true(list.count >= 2);
    assert_int_equal(slv_scene_list_find(&list, played), 1);
    assert_non_null(strstr(list.paths[0], "/a.json"));
    slv_scene_title(list.paths[1], title, sizeof title);
    assert_string_equal(title, "B two");
    slv_scene_list_free(&list);
}

static void the_menu_begins_with_a_dressed_character_and_ends_with_experiments(void **state) {
    scratch *temporary = *state;
    const char *const order[] = {"dressed-walk.json", "capes.json", "rope.json",
                                 "enlarged-cloth.json", "hanging-cloth.json"};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        write_text(scratch_path(temporary, order[i]), "{}");
    }
    slv_scene_list list;
    assert_true(slv_scene_list_make(&list, scratch_path(temporary, "rope.json")));
    size_t before = 0;
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        const size_t at = slv_scene_list_find(&list, scratch_path(temporary, order[i]));
        assert_true(at < list.count && (i == 0 ? at == 0 : at > before));
        before = at;
    }
    slv_scene_list_free(&list);
}

static void every_letter_is_inside_its_cell(void **state) {
    (void)state;
    slv_font font;
    assert_true(slv_font_make(&font, 2.0f));
    for (int letter = 33; letter < SLV_FONT_LAST; letter++) {
        const int number = letter - SLV_FONT_FIRST;
        const int left = number % SLV_FONT_COLUMNS * font.cell_width;
        const int top = number / SLV_FONT_COLUMNS * font.cell_height;
        long ink = 0;
        for (int y = 0; y < font.cell_height; y++) {
            for (int x = 0; x < font.cell_width; x++) {
                const int value = font.coverage[(top + y) * font.width + left + x];
                const bool border = y == 0 || y == font.cell_height - 1 || x == font.cell_width - 1;
                ink += value;
                assert_true(!border || value == 0);
            }
        }
        assert_true(ink > 255);
    }
    slv_font_free(&font);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_camera_ray_projects_to_its_pixel),
        cmocka_unit_test(a_camera_keeps_eye_and_target),
        cmocka_unit_test(a_framed_box_is_inside_the_picture),
        cmocka_unit_test(orbit_keeps_distance_and_pan_keeps_direction),
        cmocka_unit_test(objects_and_shadows_are_inside_the_scissor),
        cmocka_unit_test(bounds_around_the_camera_give_the_whole_picture),
        cmocka_unit_test(the_front_sheet_is_picked),
        cmocka_unit_test(a_model_is_not_picked),
        cmocka_unit_test(nothing_is_picked_beside_cloth_or_behind_the_camera),
        cmocka_unit_test(a_grab_holds_neighbors_of_the_same_garment),
        cmocka_unit_test(a_stroke_cuts_the_front_sheet),
        cmocka_unit_test(a_drag_stays_in_its_plane),
        cmocka_unit_test(vertices_at_a_texture_seam_share_a_ring),
        cmocka_unit_test(segments_of_a_vertex_are_those_of_its_particle),
        cmocka_unit_test(snapshots_are_complete_and_in_order_across_threads),
        cmocka_unit_test_setup_teardown(a_file_change_is_reported_once_when_complete,
                                        scratch_set_up, scratch_tear_down),
        cmocka_unit_test_setup_teardown(scenes_in_the_folder_of_the_played_file_are_listed,
                                        scratch_set_up, scratch_tear_down),
        cmocka_unit_test_setup_teardown(
            the_menu_begins_with_a_dressed_character_and_ends_with_experiments, scratch_set_up,
            scratch_tear_down),
        cmocka_unit_test(every_letter_is_inside_its_cell),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: MIT
#include "tests/runtime/world/clip_world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <unistd.h>

#include <cmocka.h>

static char path[512];

const char *clip_path(void) {
    return path;
}

int write_clip_pack(void **state) {
    (void)state;
    slv_error error = {.code = SLV_OK};
    const sample_collider sample = {
        .particles = CLIP_PARTICLES, .frames = CLIP_FRAMES, .more = true, .error = CLIP_ERROR};
    (void)temporary_path(path, sizeof path, "clip.slv");
    return sample_collider_write(&sample, path, &error) == SLV_OK ? 0 : -1;
}

int remove_clip_pack(void **state) {
    (void)state;
    return unlink(path);
}

slv_world *make_clip_world(void) {
    slv_world_def def = slv_default_world_def();
    def.threads = 2;
    def.time_step = CLIP_STEP;
    return must_create(&def);
}

slv_clip_id add_clip(slv_world *world, slv_clip_def def) {
    slv_clip_id id;
    def.pack_path = path;
    if (slv_world_add_clip(world, &def, &id) != SLV_OK) {
        fail_msg("%s", slv_world_get_message(world));
    }
    return id;
}

slv_clip_report get_report(slv_world *world, slv_clip_id id) {
    slv_clip_report report;
    assert_int_equal(slv_clip_get_report(world, id, &report), SLV_OK);
    return report;
}

void expected_position(slv_motion_kind kind, uint32_t point, double frame, double at[3]) {
    double a[3];
    double b[3];
    const double whole = floor(frame);
    sample_collider_at(kind, point, whole, a);
    sample_collider_at(kind, point, whole + 1.0 < CLIP_FRAMES ? whole + 1.0 : whole, b);
    for (int d = 0; d < 3; d++) {
        at[d] = a[d] + (frame - whole) * (b[d] - a[d]);
    }
}

void check_clip_surface(slv_world *world, slv_garment_id surface, double frame) {
    for (uint32_t i = 0; i < CLIP_PARTICLES; i++) {
        double at[3];
        float position[3];
        expected_position(SLV_MOTION_PARTICLES, i, frame, at);
        must_position(world, surface, i, position);
        for (int d = 0; d < 3; d++) {
            assert_near((double)position[d], at[d], CLIP_ERROR + 1e-6);
        }
    }
}

// SPDX-License-Identifier: MIT
#include "tools/inspect/lights.h"

#include "tools/common/parallel.h"

#include <stdlib.h>

// Texels along a side of a shadow map: a quarter of the camera samples, within these limits. More
// has no visible effect, and all maps need 4 * 96 * side^2 bytes (157 MB at most).
enum { MAP_SIDE_MIN = 128, MAP_SIDE_MAX = 640 };

// Radius of the disc of the key light at unit distance.
static const float key_radius = 0.16f;

// Cosine and sine of the golden angle: multiples of it distribute points evenly.
static const float golden_cos = -0.73736888f;
static const float golden_sin = -0.67549029f;

slv_vec3 slv_lights_key_direction(const slv_view *camera) {
    slv_vec3 direction = slv_vec3_scale(camera->toward, 0.55f);
    direction = slv_vec3_add(direction, slv_vec3_scale(camera->right, -0.55f));
    return slv_vec3_unit(slv_vec3_add(direction, (slv_vec3){0.0f, 0.95f, 0.0f}));
}

// Directions over the upper hemisphere, slightly brighter at the zenith. The lowest few degrees are
// omitted: their shadows would leave the picture.
static void aim_sky(slv_light *sky) {
    slv_vec3 turn = {1.0f, 0.0f, 0.0f};
    float total = 0.0f;
    for (int i = 0; i < SLV_SKY_LIGHTS; i++) {
        float y = 0.06f + 0.94f * ((float)i + 0.5f) / SLV_SKY_LIGHTS;
        float around = sqrtf(1.0f - y * y);
        sky[i].direction = (slv_vec3){around * turn.x, y, around * turn.z};
        sky[i].weight = 0.6f + 0.4f * y;
        total += sky[i].weight * y;
        turn = (slv_vec3){turn.x * golden_cos - turn.z * golden_sin, 0.0f,
                          turn.x * golden_sin + turn.z * golden_cos};
    }
    for (int i = 0; i < SLV_SKY_LIGHTS; i++) {
        sky[i].weight /= total; // an unoccluded surface that faces up has 1
    }
}

static void aim_key(slv_light *key, const slv_view *camera) {
    slv_vec3 center = slv_lights_key_direction(camera);
    slv_vec3 side = slv_vec3_unit(slv_vec3_cross(center, camera->up));
    slv_vec3 over = slv_vec3_cross(side, center);
    slv_vec3 turn = {1.0f, 0.0f, 0.0f};
    for (int i = 0; i < SLV_KEY_LIGHTS; i++) {
        float out = key_radius * sqrtf(((float)i + 0.5f) / SLV_KEY_LIGHTS);
        slv_vec3 direction = slv_vec3_add(center, slv_vec3_scale(side, out * turn.x));
        direction = slv_vec3_add(direction, slv_vec3_scale(over, out * turn.z));
        key[i].direction = slv_vec3_unit(direction);
        key[i].weight = 1.0f / SLV_KEY_LIGHTS;
        turn = (slv_vec3){turn.x * golden_cos - turn.z * golden_sin, 0.0f,
                          turn.x * golden_sin + turn.z * golden_cos};
    }
}

typedef struct map_work {
    const slv_scene *scene;
    slv_lights *lights;
} map_work;

static void draw_map(void *context, size_t index, unsigned worker) {
    (void)worker;
    const map_work *work = context;
    slv_light *light = &work->lights->light[index];
    uint32_t side = work->lights->map_side;
    light->view = slv_view_fit(work->scene, light->direction, side, side, 0.01f);
    slv_raster raster = {.width = side, .row_count = side, .depth = light->depth};
    slv_raster_clear(&raster);
    slv_raster_draw(&raster, &light->view, work->scene);
}

static uint32_t choose_map_side(const slv_view *camera) {
    uint32_t side = (camera->width > camera->height ? camera->width : camera->height) / 4;
    side = side > MAP_SIDE_MIN ? side : MAP_SIDE_MIN;
    return side < MAP_SIDE_MAX ? side : MAP_SIDE_MAX;
}

slv_result slv_lights_make(const slv_scene *scene, const slv_view *camera, unsigned threads,
                           slv_lights *lights, slv_error *error) {
    lights->map_side = choose_map_side(camera);
    size_t texels = (size_t)lights->map_side * lights->map_side;
    lights->maps = malloc(SLV_LIGHTS * texels * sizeof *lights->maps);
    if (!lights->maps) {
        return slv_fail(error, SLV_ERROR_MEMORY, "out of memory for the picture's shadows");
    }
    aim_sky(lights->light);
    aim_key(lights->light + SLV_SKY_LIGHTS, camera);
    for (size_t i = 0; i < SLV_LIGHTS; i++) {
        lights->light[i].depth = lights->maps + i * texels;
    }
    map_work work = {scene, lights};
    slv_parallel_for(threads, SLV_LIGHTS, draw_map, &work);
    return SLV_OK;
}

void slv_lights_free(slv_lights *lights) {
    free(lights->maps);
    lights->maps = NULL;
}

// Shadow bias in pixels of the map: a point is tested slightly off its surface, because coarse
// texels would cause self-shadowing.
static const float normal_offset = 1.5f;
static const float depth_offset = 1.0f;

// Fraction of the light that passes: percentage-closer filtering of four texels with bilinear
// weights.
static float visible(const slv_light *light, slv_vec3 point, slv_vec3 normal) {
    float offset = normal_offset / light->view.scale;
    slv_vec3 lifted = slv_vec3_add(point, slv_vec3_scale(normal, offset));
    slv_vec3 pixel = slv_view_project(&light->view, lifted);
    float x = pixel.x - 0.5f;
    float y = pixel.y - 0.5f;
    float last = (float)light->view.width - 1.0f;
    if (!(x >= 0.0f && x < last && y >= 0.0f && y < last)) {
        return 1.0f; // outside the map: not occluded
    }
    uint32_t column = (uint32_t)x;
    uint32_t row = (uint32_t)y;
    float right = x - (float)column;
    float down = y - (float)row;
    float depth = pixel.z + depth_offset;
    const float *texel = light->depth + (size_t)row * light->view.width + column;
    float above = (depth >= texel[0] ? 1.0f - right : 0.0f) + (depth >= texel[1] ? right : 0.0f);
    texel += light->view.width;
    float below = (depth >= texel[0] ? 1.0f - right : 0.0f) + (depth >= texel[1] ? right : 0.0f);
    return above + (below - above) * down;
}

slv_irradiance slv_lights_open(const slv_lights *lights, slv_vec3 normal) {
    float sum[2] = {0.0f, 0.0f};
    for (int i = 0; i < SLV_LIGHTS; i++) {
        const slv_light *light = &lights->light[i];
        float facing = slv_larger(slv_vec3_dot(light->direction, normal), 0.0f);
        sum[i >= SLV_SKY_LIGHTS] += light->weight * facing;
    }
    return (slv_irradiance){sum[0], sum[1]};
}

slv_irradiance slv_lights_gather(const slv_lights *lights, slv_vec3 point, slv_vec3 normal) {
    float sum[2] = {0.0f, 0.0f};
    for (int i = 0; i < SLV_LIGHTS; i++) {
        const slv_light *light = &lights->light[i];
        float facing = slv_vec3_dot(light->direction, normal);
        if (facing > 0.0f) {
            sum[i >= SLV_SKY_LIGHTS] += light->weight * facing * visible(light, point, normal);
        }
    }
    return (slv_irradiance){sum[0], sum[1]};
}

// SPDX-License-Identifier: MIT
// Bands of rows are rendered at twice the resolution in each direction: first visibility of each
// sample, then shading. The floor shows only shadows; elsewhere it has the background color, so
// there is no horizon.
#include "tools/inspect/picture.h"

#include "tools/common/parallel.h"
#include "tools/inspect/lights.h"
#include "tools/inspect/palette.h"
#include "tools/inspect/raster.h"
#include "tools/inspect/view.h"

#include <stdlib.h>

enum { SAMPLES = 2, BAND_ROWS = 32 }; // samples per pixel in each direction; picture rows per band

static const float margin = 0.09f;

slv_picture_options slv_default_picture_options(void) {
    return (slv_picture_options){.width = 1280,
                                 .height = 960,
                                 .azimuth = 35.0,
                                 .elevation = 28.0,
                                 .parts = SLV_SCENE_PARTICLES,
                                 .threads = 1};
}

typedef struct studio {
    const slv_scene *scene;
    slv_view camera; // of the samples
    slv_lights lights;
    slv_vec3 key_direction;
    slv_vec3 background;
    slv_irradiance open_floor; // irradiance of an unoccluded floor
    bool has_floor;
    slv_srgb_encoder encoder;
    uint32_t width, height;
    uint8_t *pixels;
    float *depth;  // one band for each worker
    uint32_t *ids; // likewise
} studio;

// Surface hit by a sample.
typedef struct surface {
    slv_vec3 point, normal, color;
    float gloss;
} surface;

static surface sphere_surface(const studio *room, uint32_t sphere, slv_vec3 point) {
    slv_vec3 normal = slv_vec3_unit(slv_vec3_sub(point, room->scene->spheres[sphere]));
    return (surface){point, normal, room->scene->sphere_color[sphere], 0.10f};
}

static surface triangle_surface(const studio *room, uint32_t triangle, slv_vec3 point) {
    const slv_scene *scene = room->scene;
    const uint32_t *corner = scene->triangles + 3 * (size_t)triangle;
    slv_vec3 a = scene->vertices[corner[0]];
    slv_vec3 ab = slv_vec3_sub(scene->vertices[corner[1]], a);
    slv_vec3 ac = slv_vec3_sub(scene->vertices[corner[2]], a);
    slv_vec3 ap = slv_vec3_sub(point, a);
    slv_vec3 flat = slv_vec3_cross(ab, ac);
    float area = slv_vec3_dot(flat, flat);
    slv_vec3 normal = flat;
    if (area > 0.0f) {
        float wb = slv_vec3_dot(slv_vec3_cross(ap, ac), flat) / area;
        float wc = slv_vec3_dot(slv_vec3_cross(ab, ap), flat) / area;
        normal = slv_vec3_scale(scene->normals[corner[0]], 1.0f - wb - wc);
        normal = slv_vec3_add(normal, slv_vec3_scale(scene->normals[corner[1]], wb));
        normal = slv_vec3_add(normal, slv_vec3_scale(scene->normals[corner[2]], wc));
    }
    if (slv_vec3_dot(normal, normal) < 1e-6f) {
        normal = flat; // a vertex without a normal
    }
    normal = slv_vec3_unit(normal);
    if (slv_vec3_dot(flat, room->camera.toward) * slv_vec3_dot(normal, flat) < 0.0f) {
        normal = slv_vec3_scale(normal, -1.0f); // two-sided shading
    }
    return (surface){point, normal, scene->mesh_color, 0.04f};
}

static float power16(float x) {
    float x2 = x * x;
    float x4 = x2 * x2;
    float x8 = x4 * x4;
    return x8 * x8;
}

static slv_vec3 lit(const studio *room, const surface *seen) {
    slv_irradiance light = slv_lights_gather(&room->lights, seen->point, seen->normal);
    float bounce =
        0.10f * (0.6f - 0.4f * seen->normal.y); // light reflected by the floor, and a fill light
    // The key light is slightly warm, the sky slightly cool.
    slv_vec3 sum = {0.58f * light.sky + 0.76f * light.key + bounce,
                    0.61f * light.sky + 0.71f * light.key + bounce,
                    0.66f * light.sky + 0.64f * light.key + bounce};
    slv_vec3 half = slv_vec3_unit(slv_vec3_add(room->key_direction, room->camera.toward));
    float shine =
        seen->gloss * power16(slv_larger(slv_vec3_dot(half, seen->normal), 0.0f)) * light.key;
    return (slv_vec3){seen->color.x * sum.x + shine, seen->color.y * sum.y + shine,
                      seen->color.z * sum.z + shine};
}

// The background with the shadow on the floor. pixel.z is ignored.
static slv_vec3 floor_color(const studio *room, slv_vec3 pixel) {
    if (!room->has_floor) {
        return room->background;
    }
    pixel.z = 0.0f;
    slv_vec3 point = slv_view_unproject(&room->camera, pixel);
    float ahead = (room->scene->floor - point.y) / room->camera.toward.y;
    point = slv_vec3_add(point, slv_vec3_scale(room->camera.toward, ahead));
    slv_irradiance light = slv_lights_gather(&room->lights, point, (slv_vec3){0.0f, 1.0f, 0.0f});
    float share =
        0.55f * light.sky / room->open_floor.sky + 0.45f * light.key / room->open_floor.key;
    return slv_vec3_scale(room->background, 0.28f + 0.72f * share);
}

static slv_vec3 thing_color(const studio *room, uint32_t id, slv_vec3 pixel) {
    slv_vec3 point = slv_view_unproject(&room->camera, pixel);
    uint32_t spheres = room->scene->sphere_count;
    surface seen = id < spheres ? sphere_surface(room, id, point)
                                : triangle_surface(room, id - spheres, point);
    return lit(room, &seen);
}

// Samples of a pixel that hit the same object share its color: light varies little within a pixel,
// and supersampling is needed only at outlines.
static slv_vec3 pixel_color(const studio *room, const slv_raster *band, uint32_t column,
                            uint32_t row) {
    slv_vec3 sum = {0.0f, 0.0f, 0.0f};
    slv_vec3 color[SAMPLES * SAMPLES];
    uint32_t id[SAMPLES * SAMPLES];
    for (uint32_t s = 0; s < SAMPLES * SAMPLES; s++) {
        uint32_t x = column * SAMPLES + s % SAMPLES;
        uint32_t y = row * SAMPLES + s / SAMPLES;
        size_t index = (size_t)(y - band->first_row) * band->width + x;
        id[s] = band->id[index];
        uint32_t same = 0;
        while (id[same] != id[s]) {
            same++;
        }
        if (same == s) {
            slv_vec3 pixel = {(float)x + 0.5f, (float)y + 0.5f, band->depth[index]};
            color[s] = id[s] == SLV_RASTER_NOTHING ? floor_color(room, pixel)
                                                   : thing_color(room, id[s], pixel);
        } else {
            color[s] = color[same];
        }
        sum = slv_vec3_add(sum, color[s]);
    }
    return slv_vec3_scale(sum, 1.0f / (SAMPLES * SAMPLES));
}

static void draw_band(void *context, size_t index, unsigned worker) {
    const studio *room = context;
    uint32_t first = (uint32_t)index * BAND_ROWS;
    uint32_t left = room->height - first;
    uint32_t rows = left < BAND_ROWS ? left : BAND_ROWS;
    size_t samples = (size_t)room->camera.width * BAND_ROWS * SAMPLES;
    slv_raster band = {.width = room->camera.width,
                       .first_row = first * SAMPLES,
                       .row_count = rows * SAMPLES,
                       .depth = room->depth + worker * samples,
                       .id = room->ids + worker * samples};
    slv_raster_clear(&band);
    slv_raster_draw(&band, &room->camera, room->scene);
    for (uint32_t row = first; row < first + rows; row++) {
        for (uint32_t column = 0; column < room->width; column++) {
            slv_vec3 color = pixel_color(room, &band, column, row);
            uint8_t *out = room->pixels + 3 * ((size_t)row * room->width + column);
            out[0] = slv_srgb_encode(&room->encoder, color.x);
            out[1] = slv_srgb_encode(&room->encoder, color.y);
            out[2] = slv_srgb_encode(&room->encoder, color.z);
        }
    }
}

static slv_result draw_room(studio *room, unsigned threads, slv_error *error) {
    size_t samples = (size_t)room->camera.width * BAND_ROWS * SAMPLES * threads;
    room->pixels = malloc((size_t)3 * room->width * room->height);
    room->depth = malloc(samples * sizeof *room->depth);
    room->ids = malloc(samples * sizeof *room->ids);
    if (!room->pixels || !room->depth || !room->ids) {
        return slv_fail(error, SLV_ERROR_MEMORY, "out of memory for a picture of %u x %u",
                        room->width, room->height);
    }
    slv_result result = slv_lights_make(room->scene, &room->camera, threads, &room->lights, error);
    if (!result) {
        room->open_floor = slv_lights_open(&room->lights, (slv_vec3){0.0f, 1.0f, 0.0f});
        size_t bands = (room->height + BAND_ROWS - 1) / BAND_ROWS;
        slv_parallel_for(threads, bands, draw_band, room);
        slv_lights_free(&room->lights);
    }
    return result;
}

slv_result slv_picture_draw(const slv_garment *garment, const slv_picture_options *options,
                            uint8_t **pixels, slv_error *error) {
    *pixels = NULL;
    slv_vec3 toward = slv_view_direction(options->azimuth, options->elevation);
    slv_scene scene;
    slv_result result =
        slv_scene_make(garment, options->parts, slv_view_right(toward), &scene, error);
    if (result) {
        return result;
    }
    studio room = {.scene = &scene, .width = options->width, .height = options->height};
    room.camera =
        slv_view_fit(&scene, toward, options->width * SAMPLES, options->height * SAMPLES, margin);
    room.key_direction = slv_lights_key_direction(&room.camera);
    room.background = slv_palette_background();
    room.has_floor = toward.y > 0.05f;
    slv_srgb_encoder_init(&room.encoder);
    result = draw_room(&room, options->threads, error);
    slv_scene_free(&scene);
    free(room.depth);
    free(room.ids);
    if (result) {
        free(room.pixels);
        return result;
    }
    *pixels = room.pixels;
    return SLV_OK;
}

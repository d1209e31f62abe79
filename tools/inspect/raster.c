// SPDX-License-Identifier: MIT
#include "tools/inspect/raster.h"

#include <float.h>

// Minimum radius in pixels: smaller spheres could fall between pixel centers.
static const float smallest_radius = 0.75f;

void slv_raster_clear(slv_raster *raster) {
    size_t count = (size_t)raster->width * raster->row_count;
    for (size_t i = 0; i < count; i++) {
        raster->depth[i] = -FLT_MAX;
    }
    for (size_t i = 0; raster->id && i < count; i++) {
        raster->id[i] = SLV_RASTER_NOTHING;
    }
}

// Pixels whose centers are in [low, high], clamped to [first, end).
typedef struct span {
    int32_t first, end;
} span;

static span pixels_between(float low, float high, uint32_t first, uint32_t end) {
    float from = slv_larger(low - 0.5f, (float)first);
    float to = slv_smaller(high - 0.5f, (float)end - 1.0f);
    if (from > to) {
        return (span){0, 0};
    }
    int32_t begin = (int32_t)from; // not negative, so truncation rounds down
    return (span){begin + ((float)begin < from), (int32_t)to + 1};
}

static void put(slv_raster *raster, size_t index, float depth, uint32_t id) {
    if (depth > raster->depth[index]) {
        raster->depth[index] = depth;
        if (raster->id) {
            raster->id[index] = id;
        }
    }
}

static size_t row_start(const slv_raster *raster, int32_t row) {
    return ((size_t)row - raster->first_row) * raster->width;
}

static void draw_sphere(slv_raster *raster, slv_vec3 center, float radius, uint32_t id) {
    span rows = pixels_between(center.y - radius, center.y + radius, raster->first_row,
                               raster->first_row + raster->row_count);
    for (int32_t row = rows.first; row < rows.end; row++) {
        float dy = (float)row + 0.5f - center.y;
        float left = radius * radius - dy * dy;
        float reach = sqrtf(slv_larger(left, 0.0f));
        span columns = pixels_between(center.x - reach, center.x + reach, 0, raster->width);
        size_t start = row_start(raster, row);
        for (int32_t column = columns.first; column < columns.end; column++) {
            float dx = (float)column + 0.5f - center.x;
            float height = sqrtf(slv_larger(left - dx * dx, 0.0f));
            put(raster, start + (size_t)column, center.z + height, id);
        }
    }
}

static float min3(float a, float b, float c) {
    return slv_smaller(a, slv_smaller(b, c));
}

static float max3(float a, float b, float c) {
    return slv_larger(a, slv_larger(b, c));
}

// Twice the signed area of (a, b, p), in double: cancellation in float would leave gaps between
// triangles.
static double edge(slv_vec3 a, slv_vec3 b, double x, double y) {
    return ((double)b.x - (double)a.x) * (y - (double)a.y) -
           ((double)b.y - (double)a.y) * (x - (double)a.x);
}

static void draw_triangle(slv_raster *raster, slv_vec3 a, slv_vec3 b, slv_vec3 c, uint32_t id) {
    double area = edge(a, b, (double)c.x, (double)c.y);
    span rows = pixels_between(min3(a.y, b.y, c.y), max3(a.y, b.y, c.y), raster->first_row,
                               raster->first_row + raster->row_count);
    span columns = pixels_between(min3(a.x, b.x, c.x), max3(a.x, b.x, c.x), 0, raster->width);
    if (area == 0.0) {
        return; // edge-on
    }
    for (int32_t row = rows.first; row < rows.end; row++) {
        size_t start = row_start(raster, row);
        for (int32_t column = columns.first; column < columns.end; column++) {
            double x = column + 0.5;
            double y = row + 0.5;
            double wa = edge(b, c, x, y) / area;
            double wb = edge(c, a, x, y) / area;
            double wc = edge(a, b, x, y) / area;
            if (wa >= 0.0 && wb >= 0.0 && wc >= 0.0) {
                double depth = wa * (double)a.z + wb * (double)b.z + wc * (double)c.z;
                put(raster, start + (size_t)column, (float)depth, id);
            }
        }
    }
}

void slv_raster_draw(slv_raster *raster, const slv_view *view, const slv_scene *scene) {
    float radius = slv_larger(scene->radius * view->scale, smallest_radius);
    float top = (float)raster->first_row - radius;
    float bottom = (float)(raster->first_row + raster->row_count) + radius;
    for (uint32_t i = 0; i < scene->sphere_count; i++) {
        slv_vec3 center = slv_view_project(view, scene->spheres[i]);
        if (center.y > top && center.y < bottom) {
            draw_sphere(raster, center, radius, i);
        }
    }
    for (uint32_t t = 0; t < scene->triangle_count; t++) {
        const uint32_t *corner = scene->triangles + 3 * (size_t)t;
        slv_vec3 a = slv_view_project(view, scene->vertices[corner[0]]);
        slv_vec3 b = slv_view_project(view, scene->vertices[corner[1]]);
        slv_vec3 c = slv_view_project(view, scene->vertices[corner[2]]);
        if (max3(a.y, b.y, c.y) > top && min3(a.y, b.y, c.y) < bottom) {
            draw_triangle(raster, a, b, c, scene->sphere_count + t);
        }
    }
}

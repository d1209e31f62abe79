// SPDX-License-Identifier: MIT
#include "tools/inspect/scene.h"

#include "tools/inspect/palette.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

// Sphere radius over spacing: touching spheres on grids; smaller ones on general meshes, where the
// spacing is only a mean.
static const float grid_radius = 0.5f;
static const float surface_radius = 0.36f;

typedef struct extent {
    double min[3], max[3];
} extent;

static void grow(extent *box, double x, double y, double z) {
    const double point[3] = {x, y, z};
    for (int axis = 0; axis < 3; axis++) {
        box->min[axis] = fmin(box->min[axis], point[axis]);
        box->max[axis] = fmax(box->max[axis], point[axis]);
    }
}

static extent measure(const slv_garment *garment, bool particles, bool mesh) {
    extent box = {{DBL_MAX, DBL_MAX, DBL_MAX}, {-DBL_MAX, -DBL_MAX, -DBL_MAX}};
    for (uint32_t i = 0; particles && i < garment->info.particle_count; i++) {
        grow(&box, (double)garment->x[i], (double)garment->y[i], (double)garment->z[i]);
    }
    const float *position = garment->render.positions;
    for (uint32_t v = 0; mesh && v < garment->render.vertex_count; v++, position += 3) {
        grow(&box, (double)position[0], (double)position[1], (double)position[2]);
    }
    return box;
}

// Transform from pack coordinates to picture coordinates.
typedef struct picture_transform {
    double center[3];
    double scale;
} picture_transform;

static picture_transform fit_picture(const extent *box, double radius) {
    picture_transform transform = {.scale = 1.0};
    double half = radius;
    for (int axis = 0; axis < 3; axis++) {
        transform.center[axis] = 0.5 * (box->min[axis] + box->max[axis]);
        half = fmax(half, 0.5 * (box->max[axis] - box->min[axis]) + radius);
    }
    if (half > DBL_MIN) {
        transform.scale = 1.0 / half;
    }
    return transform;
}

static slv_vec3 to_picture(const picture_transform *transform, float x, float y, float z) {
    return (slv_vec3){(float)(((double)x - transform->center[0]) * transform->scale),
                      (float)(((double)y - transform->center[1]) * transform->scale),
                      (float)(((double)z - transform->center[2]) * transform->scale)};
}

static bool has_six_neighbors(const slv_garment *garment, uint32_t particle) {
    size_t count = garment->info.particle_count;
    for (size_t slot = 0; slot < SLV_SLOT_COUNT; slot++) {
        if (garment->neighbors[slot * count + particle] < 0) {
            return false;
        }
    }
    return true;
}

// Hidden: neither the particle nor any of its neighbors is at the outside.
static bool is_hidden(const slv_garment *garment, uint32_t particle) {
    size_t count = garment->info.particle_count;
    bool hidden = garment->neighbors && has_six_neighbors(garment, particle);
    for (size_t slot = 0; hidden && slot < SLV_SLOT_COUNT; slot++) {
        int32_t neighbor = garment->neighbors[slot * count + particle];
        hidden = has_six_neighbors(garment, (uint32_t)neighbor);
    }
    return hidden;
}

// Alpha is ignored; --dump paint prints it.
static slv_vec3 painted(const slv_garment *garment, size_t particle) {
    const uint8_t *paint = garment->paint + 4 * particle;
    return slv_linear_of_srgb((uint32_t)paint[0] << 16 | (uint32_t)paint[1] << 8 | paint[2]);
}

static slv_result add_particles(const slv_garment *garment, const picture_transform *transform,
                                bool paint, slv_scene *scene, slv_error *error) {
    uint32_t count = garment->info.particle_count;
    scene->spheres = calloc(count, sizeof *scene->spheres);
    scene->sphere_color = calloc(count, sizeof *scene->sphere_color);
    if (!scene->spheres || !scene->sphere_color) {
        return slv_fail(error, SLV_ERROR_MEMORY, "out of memory for a picture of %u particles",
                        count);
    }
    for (uint32_t c = 0; c < garment->color_count; c++) {
        const slv_color_range *range = &garment->colors[c];
        slv_vec3 color = slv_palette_color(range->color, garment->color_count);
        for (uint32_t i = range->first; i < range->first + range->count; i++) {
            if (!is_hidden(garment, i)) {
                slv_vec3 center =
                    to_picture(transform, garment->x[i], garment->y[i], garment->z[i]);
                scene->spheres[scene->sphere_count] = center;
                scene->sphere_color[scene->sphere_count++] = paint ? painted(garment, i) : color;
            }
        }
    }
    return SLV_OK;
}

static slv_result add_mesh(const slv_garment *garment, const picture_transform *transform,
                           slv_scene *scene, slv_error *error) {
    const slv_render_mesh *mesh = &garment->render;
    size_t corners = 3 * (size_t)mesh->triangle_count;
    scene->vertices = calloc(mesh->vertex_count, sizeof *scene->vertices);
    scene->normals = calloc(mesh->vertex_count, sizeof *scene->normals);
    scene->triangles = calloc(corners, sizeof *scene->triangles);
    if (!scene->vertices || !scene->normals || !scene->triangles) {
        return slv_fail(error, SLV_ERROR_MEMORY, "out of memory for a picture of %u vertices",
                        mesh->vertex_count);
    }
    for (size_t v = 0; v < mesh->vertex_count; v++) {
        const float *position = mesh->positions + 3 * v;
        const float *normal = mesh->normals + 3 * v;
        scene->vertices[v] = to_picture(transform, position[0], position[1], position[2]);
        scene->normals[v] = (slv_vec3){normal[0], normal[1], normal[2]};
    }
    memcpy(scene->triangles, mesh->triangles, corners * sizeof *scene->triangles);
    scene->vertex_count = mesh->vertex_count;
    scene->triangle_count = mesh->triangle_count;
    return SLV_OK;
}

// Triangles across the plane are kept; the spheres hide their edges.
static void cut_in_half(slv_scene *scene, slv_vec3 cut) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < scene->sphere_count; i++) {
        if (slv_vec3_dot(scene->spheres[i], cut) >= 0.0f) {
            scene->spheres[kept] = scene->spheres[i];
            scene->sphere_color[kept++] = scene->sphere_color[i];
        }
    }
    scene->sphere_count = kept;
    kept = 0;
    for (size_t t = 0; t < scene->triangle_count; t++) {
        const uint32_t *corner = scene->triangles + 3 * t;
        bool near = false;
        for (int c = 0; c < 3; c++) {
            near |= slv_vec3_dot(scene->vertices[corner[c]], cut) < 0.0f;
        }
        if (near) {
            memmove(scene->triangles + 3 * (size_t)kept++, corner, 3 * sizeof *corner);
        }
    }
    scene->triangle_count = kept;
}

static float lowest(const slv_scene *scene) {
    float floor = FLT_MAX;
    for (uint32_t i = 0; i < scene->sphere_count; i++) {
        floor = slv_smaller(floor, scene->spheres[i].y - scene->radius);
    }
    for (uint32_t i = 0; i < scene->vertex_count; i++) {
        floor = slv_smaller(floor, scene->vertices[i].y);
    }
    return floor;
}

slv_result slv_scene_make(const slv_garment *garment, slv_scene_parts parts, slv_vec3 cut,
                          slv_scene *scene, slv_error *error) {
    *scene = (slv_scene){.mesh_color = slv_palette_mesh()};
    bool mesh = parts == SLV_SCENE_MESH || parts == SLV_SCENE_BOTH;
    bool particles = parts != SLV_SCENE_MESH;
    if (particles && garment->info.particle_count == 0) {
        return slv_fail(error, SLV_ERROR_CONTENT, "the pack has no particles to draw");
    }
    if (mesh && garment->render.vertex_count == 0) {
        return slv_fail(error, SLV_ERROR_CONTENT,
                        "the pack has no render mesh to draw; --what particles would do");
    }
    if (parts == SLV_SCENE_PAINT && !garment->paint) {
        return slv_fail(error, SLV_ERROR_CONTENT,
                        "the pack has no paint to draw: the mesh had no vertex colors, or an "
                        "older selvage-voxelize made the pack");
    }
    double share = (double)(garment->grid ? grid_radius : surface_radius);
    double radius = particles ? share * (double)garment->info.spacing : 0.0;
    extent box = measure(garment, particles, mesh);
    picture_transform transform = fit_picture(&box, radius);
    scene->radius = (float)(radius * transform.scale);
    slv_result result = SLV_OK;
    if (particles) {
        result = add_particles(garment, &transform, parts == SLV_SCENE_PAINT, scene, error);
    }
    if (!result && mesh) {
        result = add_mesh(garment, &transform, scene, error);
    }
    if (result) {
        slv_scene_free(scene);
        return result;
    }
    if (parts == SLV_SCENE_BOTH) {
        cut_in_half(scene, cut);
    }
    scene->floor = lowest(scene);
    return SLV_OK;
}

void slv_scene_free(slv_scene *scene) {
    free(scene->spheres);
    free(scene->sphere_color);
    free(scene->vertices);
    free(scene->normals);
    free(scene->triangles);
    *scene = (slv_scene){.sphere_count = 0};
}

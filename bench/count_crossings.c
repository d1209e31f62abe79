// SPDX-License-Identifier: MIT
// Plays a scene and counts, in every frame, crossings of what is drawn: triangles of a garment with themselves, of two
// garments, of garments and the skin of the model, and triangles of garments that reach into a collider.
//
//     bench-crossings SCENE.json FRAMES [EVERY]
//
// Prints a line of JSON. With EVERY above 1 only each such frame is counted. Recorded input is not replayed.
#include "bench/crossings.h"
#include "runtime/world/world.h"

#include <math.h>
#include <selvage/selvage.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    MESH_LIMIT = 64,       // garments and clips that are counted
    STACK = 128,           // parts of a triangle that wait for their test
    PARTS_LIMIT = 1 << 14, // of a triangle that are tested
    SAMPLES = 16           // along an edge, for the depth of a triangle
};

static const float tolerance = 1e-4f; // metres that a triangle may reach into a collider

// --- Counts -----------------------------------------------------------------------------------------

typedef enum count_kind { SELF, GARMENTS, SKIN, COLLIDERS, KINDS } count_kind;
static const char *const kind_names[KINDS] = {"self", "garments", "skin", "colliders"};

typedef struct counts {
    uint64_t frame[KINDS];              // of the frame that is counted
    uint64_t total[KINDS], most[KINDS]; // of all frames, and of one
    uint32_t garment_count;             // meshes from here on are clips
    float deepest;                      // metres within a collider
} counts;

static void count_crossing(void *context, const slv_crossing *crossing) {
    counts *all = context;
    const count_kind kind = crossing->mesh[0] == crossing->mesh[1]    ? SELF
                            : crossing->mesh[1] >= all->garment_count ? SKIN
                                                                      : GARMENTS;
    all->frame[kind]++;
}

static void end_frame(counts *all) {
    for (int k = 0; k < KINDS; k++) {
        all->total[k] += all->frame[k];
        all->most[k] = all->frame[k] > all->most[k] ? all->frame[k] : all->most[k];
    }
}

// --- Colliders --------------------------------------------------------------------------------------

typedef struct shape {
    slv_collider collider;
    slv_frame frame;
    const float *samples;
    int kind;
} shape;

typedef struct corners {
    slv_vector a, b, c;
} corners;

static float gap_of(const shape *in, slv_vector point) {
    return slv_collider_gap(in->samples, &in->collider, &in->frame, in->kind, point).distance;
}

static slv_vector middle(slv_vector a, slv_vector b) {
    return slv_make_vector(0.5f * (a.x + b.x), 0.5f * (a.y + b.y), 0.5f * (a.z + b.z));
}

// Whether a triangle reaches further than the tolerance into a shape. Distances change by a metre a metre at most, so
// the distance of a part's middle bounds those of all its points.
static bool reaches_into(const shape *in, corners triangle) {
    corners stack[STACK] = {triangle};
    int waiting = 1;
    for (int tested = 0; waiting > 0 && tested < PARTS_LIMIT; tested++) {
        const corners part = stack[--waiting];
        const slv_vector center = slv_add_scaled(middle(part.a, part.b), 1.0f / 3.0f,
                                                 slv_subtract(part.c, middle(part.a, part.b)));
        const float ab = slv_length(slv_subtract(part.a, part.b));
        const float bc = slv_length(slv_subtract(part.b, part.c));
        const float ca = slv_length(slv_subtract(part.c, part.a));
        const float size = slv_max(slv_max(slv_length(slv_subtract(part.a, center)),
                                           slv_length(slv_subtract(part.b, center))),
                                   slv_length(slv_subtract(part.c, center)));
        const float gap = gap_of(in, center);
        if (gap < 0.0f - tolerance) {
            return true;
        }
        if (gap - size > 0.0f - tolerance || waiting + 2 > STACK) {
            continue;
        }
        // Halves across the longest edge.
        const corners turned = ab >= bc && ab >= ca ? part
                               : bc >= ca           ? (corners){part.b, part.c, part.a}
                                                    : (corners){part.c, part.a, part.b};
        const slv_vector half = middle(turned.a, turned.b);
        stack[waiting++] = (corners){turned.a, half, turned.c};
        stack[waiting++] = (corners){half, turned.b, turned.c};
    }
    return false;
}

static float depth_of(const shape *in, corners triangle) {
    float deepest = 0.0f;
    for (int i = 0; i <= SAMPLES; i++) {
        for (int j = 0; i + j <= SAMPLES; j++) {
            const float u = (float)i / SAMPLES;
            const float v = (float)j / SAMPLES;
            slv_vector at = slv_add_scaled(triangle.a, u, slv_subtract(triangle.b, triangle.a));
            at = slv_add_scaled(at, v, slv_subtract(triangle.c, triangle.a));
            deepest = slv_max(deepest, 0.0f - gap_of(in, at));
        }
    }
    return deepest;
}

static slv_vector corner_of(const slv_crossing_mesh *mesh, uint32_t triangle, uint32_t corner) {
    const float *at = mesh->positions + 3 * (size_t)mesh->triangles[3 * (size_t)triangle + corner];
    return slv_make_vector(at[0], at[1], at[2]);
}

static void count_in_shape(counts *all, const shape *in, const slv_crossing_mesh *mesh) {
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        const corners triangle = {corner_of(mesh, t, 0), corner_of(mesh, t, 1),
                                  corner_of(mesh, t, 2)};
        if (reaches_into(in, triangle)) {
            all->frame[COLLIDERS]++;
            all->deepest = slv_max(all->deepest, depth_of(in, triangle));
        }
    }
}

static void count_in_colliders(counts *all, slv_world *world, const slv_crossing_mesh *meshes) {
    const slv_collider_list *list = &world->colliders;
    for (uint32_t c = 0; c < list->count; c++) {
        double position[3];
        (void)slv_collider_get_pose(world, slv_world_get_collider(world, c), position, NULL);
        shape in = {slv_load_collider(list->entries[c].record, 0),
                    slv_frame_from_pose(list->entries[c].record + SLV_COLLIDER_POSE), list->samples,
                    list->entries[c].kind};
        in.collider.field.samples = (int)list->entries[c].first_sample;
        for (uint32_t m = 0; in.kind != SLV_SHAPE_NONE && m < all->garment_count; m++) {
            count_in_shape(all, &in, &meshes[m]);
        }
    }
}

// --- Frames -----------------------------------------------------------------------------------------

static slv_crossing_mesh mesh_of(const slv_surface_view *view, bool quiet) {
    return (slv_crossing_mesh){.positions = view->positions,
                               .triangles = view->triangles,
                               .vertex_count = view->vertex_count,
                               .triangle_count = view->triangle_count,
                               .quiet = quiet};
}

static bool count_frame(counts *all, slv_world *world) {
    slv_crossing_mesh meshes[MESH_LIMIT];
    uint32_t count = 0;
    for (int k = 0; k < KINDS; k++) {
        all->frame[k] = 0;
    }
    for (uint32_t g = 0; g < slv_world_get_garment_count(world) && count < MESH_LIMIT; g++) {
        slv_surface_view view;
        if (slv_garment_get_surface(world, slv_world_get_garment(world, g), &view) == SLV_OK &&
            view.triangle_count > 0) {
            meshes[count++] = mesh_of(&view, false);
        }
    }
    all->garment_count = count;
    for (uint32_t c = 0; c < slv_world_get_clip_count(world) && count < MESH_LIMIT; c++) {
        slv_surface_view view;
        slv_clip_report report;
        const slv_clip_id clip = slv_world_get_clip(world, c);
        if (slv_clip_get_report(world, clip, &report) == SLV_OK && report.surface.generation > 0 &&
            slv_clip_get_surface(world, clip, &view) == SLV_OK && view.triangle_count > 0) {
            meshes[count++] = mesh_of(&view, true);
        }
    }
    const bool done = slv_find_crossings(meshes, count, count_crossing, all);
    count_in_colliders(all, world, meshes);
    end_frame(all);
    return done;
}

static void print(const counts *all, uint32_t frames) {
    printf("{\"frames\": %u", frames);
    for (int k = 0; k < KINDS; k++) {
        printf(", \"%s\": {\"total\": %llu, \"most\": %llu, \"atEnd\": %llu}", kind_names[k],
               (unsigned long long)all->total[k], (unsigned long long)all->most[k],
               (unsigned long long)all->frame[k]);
    }
    printf(", \"deepestMm\": %.2f}\n", 1000.0 * (double)all->deepest);
}

static int play(slv_world *world, uint32_t steps, uint32_t frames, uint32_t every) {
    counts all = {.deepest = 0.0f};
    for (uint32_t f = 1; f <= frames; f++) {
        if (slv_world_step(world, steps) != SLV_OK) {
            (void)fprintf(stderr, "bench-crossings: error: %s\n", slv_world_get_message(world));
            return EXIT_FAILURE;
        }
        if ((f % every == 0 || f == frames) && !count_frame(&all, world)) {
            (void)fprintf(stderr,
                          "bench-crossings: error: frame %u: out of memory, or a vertex is "
                          "more than 32 m away\n",
                          f);
            return EXIT_FAILURE;
        }
    }
    print(&all, frames);
    return EXIT_SUCCESS;
}

int main(int count, char **words) {
    char message[512] = "usage: bench-crossings SCENE.json FRAMES [EVERY]";
    slv_scene *scene = NULL;
    slv_world *world = NULL;
    int status = EXIT_FAILURE;
    const uint32_t frames = count > 2 ? (uint32_t)strtoul(words[2], NULL, 10) : 0;
    const uint32_t every = count > 3 ? (uint32_t)strtoul(words[3], NULL, 10) : 1;
    if (frames > 0 && every > 0 &&
        slv_scene_load(words[1], &scene, message, sizeof message) == SLV_OK &&
        slv_scene_create_world(scene, NULL, &world, message, sizeof message) == SLV_OK) {
        status = play(world, slv_scene_get_settings(scene).steps_per_frame, frames, every);
    } else {
        (void)fprintf(stderr, "bench-crossings: error: %s\n", message);
    }
    slv_world_destroy(world);
    slv_scene_destroy(scene);
    return status;
}

// SPDX-License-Identifier: MIT
#include "runtime/step/features/limits.h"

#include "kernels/limits.h"
#include "kernels/wind.h"
#include "runtime/model/paint.h"
#include "runtime/step/features/contact.h"
#include "runtime/step/features/sleep.h"
#include "runtime/step/features/tear.h"

#include <float.h>
#include <string.h>

// Of cloth that meets something. What pulls harder than such steps, a cannonball, has its way.
static const float usual_strain = 1.06f;
static const float gentle_step = 0.05f; // of the mean length of distance constraints

static slv_result out_of_memory(slv_error *error) {
    return slv_fail(error, SLV_ERROR_MEMORY, "out of memory");
}

// --- Triangles --------------------------------------------------------------------------------------

static bool is_flat(const slv_body *body) {
    return body->cells[0] > 0 && (body->cells[1] == 1 || body->cells[2] == 1);
}

// Two triangles for each square of a flat grid that has all its corners.
static bool find_grid_triangles(slv_body *body, slv_memory *scratch) {
    size_t across = body->cells[0];
    size_t along = body->cells[1] > 1 ? body->cells[1] : body->cells[2];
    uint32_t *own = slv_memory_take(scratch, across * along, sizeof *own); // one more; 0 = none
    uint32_t *found = slv_memory_take(&body->memory, 6 * across * along, sizeof *found);
    if (!own || !found) {
        return false;
    }
    for (uint32_t p = 0; p < body->count; p++) {
        own[body->cell[p]] = p + 1; // flat: cells count along the two axes there are
    }
    for (size_t n = 0; n + across + 1 < across * along; n++) {
        const uint32_t corner[4] = {own[n], own[n + 1], own[n + across], own[n + across + 1]};
        if (n % across + 1 < across && corner[0] && corner[1] && corner[2] && corner[3]) {
            static const int order[6] = {0, 1, 3, 0, 3, 2};
            for (int i = 0; i < 6; i++) {
                found[3 * (size_t)body->triangle_count + (size_t)i] = corner[order[i]] - 1;
            }
            body->triangle_count += 2;
        }
    }
    body->triangles = found;
    return true;
}

static slv_result find_triangles(slv_body *body, slv_memory *scratch, slv_error *error) {
    if (is_flat(body)) {
        return find_grid_triangles(body, scratch) ? SLV_OK : out_of_memory(error);
    }
    const slv_surface *surface = &body->surface;
    if (surface->influences != 1 || surface->triangle_count == 0) {
        return slv_fail(error, SLV_ERROR_ARGUMENT,
                        "drag: the air needs a flat grid or a mesh whose vertices are particles "
                        "(selvage-voxelize --mode surface)");
    }
    size_t corners = 3 * (size_t)surface->triangle_count;
    body->triangles = slv_memory_take(&body->memory, corners, sizeof *body->triangles);
    if (!body->triangles) {
        return out_of_memory(error);
    }
    for (size_t i = 0; i < corners; i++) {
        body->triangles[i] = surface->particles[surface->triangles[i]];
    }
    body->triangle_count = surface->triangle_count;
    return SLV_OK;
}

// --- Paint ------------------------------------------------------------------------------------------

// A limit that means nothing is given at 1: as much of the rest as is painted.
static double loosened(const slv_body *body, float limit, slv_channel channel, uint32_t particle) {
    return 1.0 + (double)slv_paint_share(body, channel, particle) * ((double)limit - 1.0);
}

static bool paint_strain(slv_body *body, const slv_garment_def *def) {
    body->strain_limits = slv_memory_take(&body->memory, body->count, sizeof *body->strain_limits);
    body->strain_least = def->strain_limit;
    for (uint32_t p = 0; body->strain_limits && p < body->count; p++) {
        const float limit = (float)loosened(body, def->strain_limit, def->paint.strain_limit, p);
        body->strain_limits[p] = limit;
        body->strain_least = limit < body->strain_least ? limit : body->strain_least;
    }
    return body->strain_limits != NULL;
}

// --- Tethers ----------------------------------------------------------------------------------------

// Dijkstra along the threads, from all fixed particles at once. The heap holds particles by length.
typedef struct tether_walk {
    double *length;  // [count]
    uint32_t *heap;  // [count]
    uint32_t *place; // [count]: one more than where in the heap; 0 = not in it
    uint32_t *first; // [count + 1]
    uint32_t *near;  // [2 * springs]: spring numbers by particle
    uint32_t heaped;
} tether_walk;

static void sift_up(tether_walk *walk, uint32_t at) {
    uint32_t particle = walk->heap[at];
    while (at > 0 && walk->length[walk->heap[(at - 1) / 2]] > walk->length[particle]) {
        walk->heap[at] = walk->heap[(at - 1) / 2];
        walk->place[walk->heap[at]] = at + 1;
        at = (at - 1) / 2;
    }
    walk->heap[at] = particle;
    walk->place[particle] = at + 1;
}

static uint32_t take_nearest(tether_walk *walk) {
    uint32_t nearest = walk->heap[0];
    uint32_t moved = walk->heap[--walk->heaped];
    uint32_t at = 0;
    walk->place[nearest] = 0;
    for (uint32_t child; (child = 2 * at + 1) < walk->heaped; at = child) {
        if (child + 1 < walk->heaped &&
            walk->length[walk->heap[child + 1]] < walk->length[walk->heap[child]]) {
            child++;
        }
        if (!(walk->length[walk->heap[child]] < walk->length[moved])) {
            break;
        }
        walk->heap[at] = walk->heap[child];
        walk->place[walk->heap[at]] = at + 1;
    }
    if (walk->heaped > 0) {
        walk->heap[at] = moved;
        walk->place[moved] = at + 1;
    }
    return nearest;
}

static bool begin_walk(tether_walk *walk, const slv_body *body, slv_memory *scratch) {
    size_t n = body->count;
    walk->length = slv_memory_take(scratch, n, sizeof *walk->length);
    walk->heap = slv_memory_take(scratch, n, sizeof *walk->heap);
    walk->place = slv_memory_take(scratch, n, sizeof *walk->place);
    walk->first = slv_memory_take(scratch, n + 2, sizeof *walk->first);
    walk->near = slv_memory_take(scratch, 2 * (size_t)body->stretch_count + 1, sizeof *walk->near);
    if (!walk->length || !walk->heap || !walk->place || !walk->first || !walk->near) {
        return false;
    }
    for (uint32_t s = 0; s < body->stretch_count; s++) {
        walk->first[body->springs[s].a + 2]++;
        walk->first[body->springs[s].b + 2]++;
    }
    for (size_t p = 0; p < n; p++) {
        walk->first[p + 2] += walk->first[p + 1];
    }
    for (uint32_t s = 0; s < body->stretch_count; s++) {
        walk->near[walk->first[body->springs[s].a + 1]++] = s;
        walk->near[walk->first[body->springs[s].b + 1]++] = s;
    }
    return true;
}

static bool find_tethers(slv_body *body, const slv_garment_def *def, slv_memory *scratch) {
    tether_walk walk = {.heaped = 0};
    body->tether = slv_memory_take(&body->memory, body->count, sizeof *body->tether);
    body->tether_length = slv_memory_take(&body->memory, body->count, sizeof *body->tether_length);
    if (!body->tether || !body->tether_length || !begin_walk(&walk, body, scratch)) {
        return false;
    }
    for (uint32_t p = 0; p < body->count; p++) {
        walk.length[p] = body->start_fixed[p] ? 0.0 : DBL_MAX;
        body->tether[p] = body->start_fixed[p] ? p : UINT32_MAX;
        if (body->start_fixed[p]) {
            walk.heap[walk.heaped] = p;
            sift_up(&walk, walk.heaped++);
        }
    }
    while (walk.heaped > 0) {
        uint32_t p = take_nearest(&walk);
        for (uint32_t n = walk.first[p]; n < walk.first[p + 1]; n++) {
            const slv_spring *spring = &body->springs[walk.near[n]];
            uint32_t other = spring->a == p ? spring->b : spring->a;
            double length = walk.length[p] + (double)spring->rest;
            if (length < walk.length[other]) {
                walk.length[other] = length;
                body->tether[other] = body->tether[p];
                if (walk.place[other] == 0) {
                    walk.heap[walk.heaped] = other;
                    sift_up(&walk, walk.heaped++);
                } else {
                    sift_up(&walk, walk.place[other] - 1);
                }
            }
        }
    }
    for (uint32_t p = 0; p < body->count; p++) {
        const double slack = loosened(body, def->tether_slack, def->paint.tether_slack, p);
        body->tether_length[p] = (float)(slack * (walk.length[p] < DBL_MAX ? walk.length[p] : 0));
    }
    return true;
}

// --- Limits by set ----------------------------------------------------------------------------------

void slv_limits_reset(slv_body *body) {
    for (uint32_t p = 0; body->limits && p < body->count; p++) {
        float *limit = body->limits + (size_t)p * SLV_LIMIT_FLOATS;
        memcpy(limit, body->start + 6 * (size_t)p, 3 * sizeof *limit);
        limit[3] = body->start_limits[2 * (size_t)p];
        limit[4] = limit[6] = 0.0f;
        limit[5] = 1.0f;
        limit[7] = body->start_limits[2 * (size_t)p + 1];
    }
}

static bool allocate_limits(slv_body *body) {
    size_t n = body->count;
    body->limits = slv_memory_take(&body->memory, n * SLV_LIMIT_FLOATS, sizeof *body->limits);
    body->start_limits = slv_memory_take(&body->memory, 2 * n, sizeof *body->start_limits);
    for (size_t i = 0; body->start_limits && i < 2 * n; i++) {
        body->start_limits[i] = -1.0f;
    }
    return body->limits && body->start_limits;
}

static float painted(const slv_body *body, float limit, slv_channel channel, uint32_t particle) {
    return limit < 0.0f ? limit : slv_paint_share(body, channel, particle) * limit;
}

static void limit_particle(slv_body *body, uint32_t particle, const slv_limit_def *limit,
                           const slv_paint_def *paint) {
    float *start = body->start_limits + 2 * (size_t)particle;
    start[0] = painted(body, limit->max_distance, paint->max_distance, particle);
    start[1] = painted(body, limit->backstop, paint->backstop, particle);
}

static slv_result limit_set(slv_body *body, const slv_garment *garment, const slv_limit_def *limit,
                            const slv_paint_def *paint, slv_error *error) {
    for (uint32_t p = 0; !limit->set && p < body->count; p++) {
        limit_particle(body, p, limit, paint);
    }
    for (uint32_t i = 0; limit->set && i < garment->set_count; i++) {
        slv_named_set set = slv_garment_get_set(garment, i);
        if (set.name_length == strlen(limit->set) &&
            memcmp(set.name, limit->set, set.name_length) == 0) {
            for (uint32_t n = 0; n < set.count; n++) {
                limit_particle(body, garment->own_of_stored[set.particles[n]], limit, paint);
            }
            return SLV_OK;
        }
    }
    if (!limit->set) {
        return SLV_OK;
    }
    return slv_fail(error, SLV_ERROR_ARGUMENT, "limits: the pack has no set '%s'", limit->set);
}

slv_result slv_limits_create(slv_body *body, const slv_garment *garment, const slv_garment_def *def,
                             slv_memory *scratch, slv_error *error) {
    slv_result status = SLV_OK;
    body->drag = def->drag;
    body->strain = def->strain_limit;
    if (def->tearing_threshold > 0.0f && !slv_body_make_tearable(body, def->tearing_threshold)) {
        status = out_of_memory(error);
    }
    if (status == SLV_OK && body->drag > 0.0f) {
        status = find_triangles(body, scratch, error);
    }
    if (status == SLV_OK && def->tether_slack > 0.0f && !find_tethers(body, def, scratch)) {
        status = out_of_memory(error);
    }
    if (status == SLV_OK && def->paint.strain_limit != SLV_CHANNEL_NONE &&
        !paint_strain(body, def)) {
        status = out_of_memory(error);
    }
    if (status == SLV_OK && def->limit_count > 0 && !allocate_limits(body)) {
        status = out_of_memory(error);
    }
    for (uint32_t i = 0; status == SLV_OK && i < def->limit_count; i++) {
        status = limit_set(body, garment, &def->limits[i], &def->paint, error);
    }
    if (status == SLV_OK) {
        slv_limits_reset(body);
    }
    return status;
}

// --- Form -------------------------------------------------------------------------------------------

// Cloth that meets something is kept in shape unless told otherwise: contacts know nothing of springs and
// would pull single ones long. What may tear, or starts enlarged, is left alone.
static void lay_out_strain(const slv_layout *layout, slv_body_layout *body_layout,
                           const slv_body *body, slv_layout_cursor *cursor) {
    bool meets = slv_contact_meets(layout, body);
    bool chosen = body->strain < 0.0f;
    bool sensible = meets && !(body->tearing > 0.0f) && body->stretch == 1.0f;
    body_layout->strained_last = chosen;
    body_layout->strain_step = chosen ? gentle_step * body->contact_material.spacing : SLV_FAR;
    body_layout->strain = !chosen ? body->strain : sensible ? usual_strain : 0.0f;
    body_layout->strain_least = body->strain_limits ? body->strain_least : body_layout->strain;
    body_layout->strain_limits =
        body->strain_limits ? slv_reserve_state(cursor, (size_t)body_layout->slots) : 0;
    body_layout->strains =
        body_layout->strain > 0.0f ? slv_reserve_table(cursor, (size_t)body_layout->tiles) : 0;
}

void slv_limits_reserve(slv_layout *layout, slv_body *const *bodies, slv_layout_cursor *cursor) {
    for (uint32_t i = 0; i < layout->body_count; i++) {
        slv_body_layout *body_layout = &layout->bodies[i];
        const slv_body *body = bodies[i];
        size_t slots = (size_t)body_layout->slots;
        body_layout->drag = body->triangle_count > 0 ? body->drag : 0.0f;
        lay_out_strain(layout, body_layout, body, cursor);
        if (body_layout->drag > 0.0f) {
            body_layout->fans = slv_reserve_table(cursor, slots + 1);
            body_layout->fan_ends = slv_reserve_table(cursor, 6 * (size_t)body->triangle_count);
        }
        if (body->tether) {
            body_layout->tethers = slv_reserve_table(cursor, slots);
            body_layout->tether_lengths = slv_reserve_state(cursor, slots);
        }
        if (body->limits) {
            body_layout->limits = slv_reserve_state(cursor, slots * SLV_LIMIT_FLOATS);
        }
    }
}

static void fill_fans(const slv_layout *layout, uint32_t index, const slv_body *body) {
    const slv_body_layout *body_layout = &layout->bodies[index];
    const uint32_t *slots = layout->slots[index];
    int *first = layout->table + body_layout->fans;
    int *ends = layout->table + body_layout->fan_ends;
    for (size_t i = 0; i < 3 * (size_t)body->triangle_count; i++) {
        first[slots[body->triangles[i]] + 1]++;
    }
    for (int slot = 0; slot < body_layout->slots; slot++) {
        first[slot + 1] += first[slot];
    }
    for (size_t i = 3 * (size_t)body->triangle_count; i-- > 0;) { // fills each from its end
        size_t triangle = i - i % 3;
        uint32_t slot = slots[body->triangles[i]];
        int at = --first[slot + 1];
        ends[2 * at] = (int)slots[body->triangles[triangle + (i + 1) % 3]] * body_layout->stride;
        ends[2 * at + 1] =
            (int)slots[body->triangles[triangle + (i + 2) % 3]] * body_layout->stride;
    }
    for (int slot = 0; slot < body_layout->slots;
         slot++) { // now each says where it begins: one to the left
        first[slot] = first[slot + 1];
    }
    first[body_layout->slots] = 3 * (int)body->triangle_count;
}

static void fill_tethers(const slv_layout *layout, uint32_t index, const slv_body *body) {
    const slv_body_layout *body_layout = &layout->bodies[index];
    for (int slot = 0; slot < body_layout->slots; slot++) {
        layout->table[body_layout->tethers + slot] = -1;
    }
    for (uint32_t p = 0; p < body->count; p++) {
        uint32_t slot = layout->slots[index][p];
        bool held = body->tether[p] != UINT32_MAX && body->tether[p] != p;
        layout->table[(uint32_t)body_layout->tethers + slot] =
            held ? (int)layout->slots[index][body->tether[p]] * body_layout->stride : -1;
        layout->state[(uint32_t)body_layout->tether_lengths + slot] = body->tether_length[p];
    }
}

static void fill_strains(const slv_layout *layout, uint32_t index, const slv_body *body) {
    float *limits = layout->state + layout->bodies[index].strain_limits;
    for (uint32_t p = 0; p < body->count; p++) {
        limits[layout->slots[index][p]] = body->strain_limits[p];
    }
}

void slv_limits_write(slv_layout *layout, uint32_t index, const slv_body *body) {
    const slv_body_layout *body_layout = &layout->bodies[index];
    if (!body->limits) {
        return;
    }
    for (uint32_t p = 0; p < body->count; p++) {
        memcpy(layout->state + body_layout->limits +
                   (size_t)layout->slots[index][p] * SLV_LIMIT_FLOATS,
               body->limits + (size_t)p * SLV_LIMIT_FLOATS, SLV_LIMIT_FLOATS * sizeof(float));
    }
    layout->extents[index].written |= 1u << SLV_ASPECT_LIMITS;
}

void slv_limits_fill(slv_layout *layout, slv_body *const *bodies) {
    for (uint32_t i = 0; i < layout->body_count; i++) {
        const slv_body_layout *body_layout = &layout->bodies[i];
        if (body_layout->drag > 0.0f) {
            fill_fans(layout, i, bodies[i]);
        }
        if (bodies[i]->tether) {
            fill_tethers(layout, i, bodies[i]);
        }
        if (bodies[i]->strain_limits) {
            fill_strains(layout, i, bodies[i]);
        }
        if (bodies[i]->limits) {
            layout->extents[i].state[SLV_ASPECT_LIMITS] = (slv_extent){
                (size_t)body_layout->limits, (size_t)body_layout->slots * SLV_LIMIT_FLOATS};
            slv_limits_write(layout, i, bodies[i]);
        }
    }
}

// --- The step ---------------------------------------------------------------------------------------

void slv_wind_launch(slv_plan_writer *writer) {
    for (uint32_t i = 0; i < writer->layout->body_count; i++) {
        const slv_body_layout *body_layout = &writer->layout->bodies[i];
        if (body_layout->drag > 0.0f) {
            slv_plan_launch_rows(writer, SLV_ID_wind_blow, i, 0, 0, body_layout->tiles);
        }
    }
    slv_plan_barrier(writer);
}

// What is averaged over a particle's springs comes in two launches: find, then move.
static void launch_strain(slv_plan_writer *writer, bool last) {
    static const slv_kernel_id kernels[] = {SLV_ID_limit_strain, SLV_ID_limit_unstrain};
    for (int k = 0; k < 2; k++) {
        for (uint32_t i = 0; i < writer->layout->body_count; i++) {
            const slv_body_layout *body_layout = &writer->layout->bodies[i];
            if (body_layout->strain > 0.0f && !body_layout->inert &&
                (last || !body_layout->strained_last)) {
                slv_plan_launch_rows(writer, kernels[k], i, 0, 0, body_layout->tiles);
            }
        }
        slv_plan_barrier(writer);
    }
}

void slv_limits_launch(slv_plan_writer *writer) {
    launch_strain(writer, false);
    for (uint32_t i = 0; i < writer->layout->body_count; i++) {
        const slv_body_layout *body_layout = &writer->layout->bodies[i];
        if (body_layout->limits > 0 || body_layout->tethers > 0) {
            slv_plan_launch_rows(writer, SLV_ID_limit_keep, i, 0, 0, body_layout->tiles);
        }
    }
    slv_plan_barrier(writer);
}

void slv_limits_launch_last(slv_plan_writer *writer) {
    launch_strain(writer, true);
}

// --- For everybody ----------------------------------------------------------------------------------

// Whether that changes anything.
static bool set_three(float *to, const float *from) {
    bool same = to[0] == from[0] && to[1] == from[1] && to[2] == from[2];
    memcpy(to, from, 3 * sizeof *to);
    return !same;
}

// The garment, if it has limits to be set; NULL, and the world says why, where there is none.
static slv_body *find_limited(slv_world *world, slv_garment_id id) {
    slv_body *body = slv_begin(world) == SLV_OK ? slv_find_body(world, id) : NULL;
    if (body && !body->limits) {
        (void)slv_refuse(world, SLV_ERROR_ARGUMENT, "the garment was added without limits");
        return NULL;
    }
    return body;
}

slv_result slv_garment_set_targets(slv_world *world, slv_garment_id id, const float *positions,
                                   const float *normals) {
    slv_result status = SLV_OK;
    slv_body *body = find_limited(world, id);
    if (!body) {
        return SLV_ERROR_ARGUMENT;
    }
    if (!positions) {
        return slv_refuse(world, SLV_ERROR_ARGUMENT, "positions is NULL");
    }
    for (uint32_t p = 0; status == SLV_OK && p < body->count; p++) {
        status = slv_check_vector(&world->error, "positions", positions + 3 * (size_t)p, 3, 9e5);
        if (status == SLV_OK && normals) {
            status = slv_check_vector(&world->error, "normals", normals + 3 * (size_t)p, 3, 1.001);
        }
    }
    bool changed = false;
    for (uint32_t p = 0; status == SLV_OK && p < body->count; p++) {
        float *limit = body->limits + (size_t)p * SLV_LIMIT_FLOATS;
        changed |= set_three(limit, positions + 3 * (size_t)p);
        changed |= normals && set_three(limit + 4, normals + 3 * (size_t)p);
    }
    if (status != SLV_OK || !changed) {
        return status;
    }
    slv_limits_write(&world->layout, id.index, body);
    return slv_sleep_wake(world, id.index);
}

// New numbers into one of the places of every particle's limits; whether that changes anything.
static bool set_each(slv_body *body, const float *values, size_t place) {
    bool changed = false;
    for (uint32_t p = 0; values && p < body->count; p++) {
        float *limit = body->limits + (size_t)p * SLV_LIMIT_FLOATS + place;
        changed |= *limit != values[p];
        *limit = values[p];
    }
    return changed;
}

slv_result slv_garment_set_limits(slv_world *world, slv_garment_id id, const float *max_distances,
                                  const float *backstops) {
    slv_result status = SLV_OK;
    slv_body *body = find_limited(world, id);
    if (!body) {
        return SLV_ERROR_ARGUMENT;
    }
    for (uint32_t p = 0; status == SLV_OK && p < body->count; p++) {
        if (max_distances) {
            status = slv_check_between(&world->error, "max_distances", (double)max_distances[p],
                                       -1e6, 1e6);
        }
        if (status == SLV_OK && backstops) {
            status = slv_check_between(&world->error, "backstops", (double)backstops[p], -1e6, 1e6);
        }
    }
    if (status != SLV_OK) {
        return status;
    }
    const bool nearer = set_each(body, max_distances, 3);
    if (!set_each(body, backstops, 7) && !nearer) {
        return SLV_OK;
    }
    slv_limits_write(&world->layout, id.index, body);
    return slv_sleep_wake(world, id.index);
}

// SPDX-License-Identifier: MIT
#include "runtime/step/features/contact.h"

#include "kernels/pairs.h"
#include "runtime/step/features/limits.h"
#include "runtime/step/features/sleep.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Of cloth against cloth: what flies into each other is parted before constraints are asked.
enum { FIRST_ROUNDS = 6, ROUNDS = 2, LAST_ROUNDS = 2 };

static const double rest_damping_rate = 10.0; // 1/s: how fast slow motion dies away

// --- Layout -----------------------------------------------------------------------------------------

bool slv_contact_has_pairs(const slv_body *body) {
    return body->contact_material.with_itself || body->contact_material.with_garments;
}

bool slv_contact_meets(const slv_layout *layout, const slv_body *body) {
    return (layout->contact.colliders && body->contact_material.with_colliders) ||
           (layout->contact.pairs && slv_contact_has_pairs(body));
}

static void reserve_tiles(slv_body_layout *body_layout, const slv_contact_settings *settings,
                          slv_layout_cursor *cursor) {
    size_t tiles = (size_t)body_layout->tiles;
    if (settings->collider_room > 0) {
        body_layout->lists = slv_reserve_table(cursor, tiles * (1 + settings->collider_room));
        body_layout->starts =
            slv_reserve_state(cursor, (body_layout->stride == 1 ? 3 : (size_t)body_layout->stride) *
                                          (size_t)body_layout->slots);
    }
}

static slv_extent extent_of(int first, size_t count) {
    return (slv_extent){(size_t)first, count};
}

// Blocks of points: each has particles of one part.
static int count_blocks(const slv_body *body) {
    return slv_contact_has_pairs(body) ? (int)((body->count + SLV_BLOCK - 1) / SLV_BLOCK) : 0;
}

static int count_points(const slv_layout *layout, slv_body *const *bodies) {
    int64_t points = 0;
    for (uint32_t i = 0; i < layout->body_count; i++) {
        points += (int64_t)count_blocks(bodies[i]) * SLV_BLOCK;
    }
    return points < INT_MAX / 64 ? (int)points : INT_MAX / 64;
}

// About four cells a point, so that few hold strangers.
static int count_cells(int points) {
    int cells = SLV_PARTITIONS * 16;
    while (cells < 2 * points) {
        cells *= 2;
    }
    return cells;
}

// At least as many as clusters.
static int count_heads(int points) {
    int heads = 64;
    while (heads < points / SLV_CLUSTER) {
        heads *= 2;
    }
    return heads;
}

// Places of everything bins.h's block names, written into the block when there is a table.
typedef struct bin_places {
    int place[SLV_BINS_INTS];
} bin_places;

static bin_places reserve_bins(const slv_layout *layout, int list_room, slv_layout_cursor *cursor) {
    bin_places bins = {{0}};
    int points = layout->contact.points;
    int cells = count_cells(points);
    int shift = 0;
    size_t n = (size_t)points;
    size_t bin_bodies = layout->body_count;
    while (cells >> shift > SLV_PARTITIONS) {
        shift++;
    }
    int chunks = (points + SLV_CHUNK - 1) / SLV_CHUNK;
    bins.place[SLV_BINS_POINTS] = points;
    bins.place[SLV_BINS_CHUNKS] = chunks;
    bins.place[SLV_BINS_CELLS] = cells;
    bins.place[SLV_BINS_SHIFT] = shift;
    bins.place[SLV_BINS_ROOM] = list_room;
    bins.place[SLV_BINS_GROWS] = list_room < SLV_LIST_LIMIT;
    bins.place[SLV_BINS_BODIES] = slv_reserve_table(cursor, bin_bodies * SLV_BIN_BODY_INTS);
    bins.place[SLV_BINS_BODY_OF] = slv_reserve_table(cursor, n / SLV_BLOCK);
    bins.place[SLV_BINS_PLACE_OF] = slv_reserve_table(cursor, n);
    bins.place[SLV_BINS_INVERSE_MASS_OF] = slv_reserve_table(cursor, n);
    bins.place[SLV_BINS_KEYS] = slv_reserve_table(cursor, n);
    bins.place[SLV_BINS_HISTOGRAMS] = slv_reserve_table(cursor, (size_t)chunks * SLV_PARTITIONS);
    bins.place[SLV_BINS_PARTITIONS] = slv_reserve_table(cursor, SLV_PARTITIONS + 1);
    bins.place[SLV_BINS_SCATTERED] = slv_reserve_table(cursor, n);
    bins.place[SLV_BINS_FIRSTS] = slv_reserve_table(cursor, (size_t)cells + 1);
    bins.place[SLV_BINS_IDS] = slv_reserve_table(cursor, n);
    bins.place[SLV_BINS_COUNTS] = slv_reserve_table(cursor, n);
    bins.place[SLV_BINS_LISTS] = slv_reserve_table(cursor, n * (size_t)list_room);
    bins.place[SLV_BINS_GAPS] = slv_reserve_state(cursor, n * (size_t)list_room);
    bins.place[SLV_BINS_BODY_FLOATS] = slv_reserve_state(cursor, bin_bodies * SLV_BIN_BODY_FLOATS);
    bins.place[SLV_BINS_SORTED] = slv_reserve_state(cursor, 4 * n);
    bins.place[SLV_BINS_STARTS] = slv_reserve_state(cursor, 4 * n);
    bins.place[SLV_BINS_RESTS] = slv_reserve_state(cursor, 4 * n);
    bins.place[SLV_BINS_NOW] = slv_reserve_state(cursor, 4 * n);
    bins.place[SLV_BINS_PREDICTED] = slv_reserve_state(cursor, 4 * n);
    bins.place[SLV_BINS_MOTIONS] = slv_reserve_state(cursor, SLV_MOTION_FLOATS * n / SLV_BLOCK);
    bins.place[SLV_BINS_LEFT] = slv_reserve_state(cursor, 2 * n / SLV_CLUSTER);
    bins.place[SLV_BINS_KEPT] = slv_reserve_table(cursor, (SLV_KEPT_ROOM + 1) * n / SLV_CLUSTER);
    bins.place[SLV_BINS_CLUSTERS] = slv_reserve_state(cursor, SLV_CLUSTER_FLOATS * n / SLV_CLUSTER);
    bins.place[SLV_BINS_NEAR] = slv_reserve_table(cursor, (SLV_NEAR_ROOM + 1) * n / SLV_CLUSTER);
    bins.place[SLV_BINS_CHAIN] = slv_reserve_table(cursor, 2 * n / SLV_CLUSTER);
    bins.place[SLV_BINS_HEAD_COUNT] = count_heads(points);
    bins.place[SLV_BINS_HEADS] =
        slv_reserve_table(cursor, 2 * ((size_t)bins.place[SLV_BINS_HEAD_COUNT] + 1));
    bins.place[SLV_BINS_SCALE] = slv_reserve_state(cursor, SLV_SCALE_FLOATS);
    return bins;
}

// The two blocks in table, and all they name. Twice the same: first to reserve, then, with a table, to
// write down.
static void reserve_blocks(slv_layout *layout, const slv_contact_settings *settings,
                           slv_layout_cursor *cursor) {
    slv_contact_layout *contact = &layout->contact;
    size_t room = settings->collider_room;
    int block[SLV_CONTACT_INTS] = {0};
    contact->block = slv_reserve_table(cursor, SLV_CONTACT_INTS);
    contact->bins = slv_reserve_table(cursor, SLV_BINS_INTS);
    block[SLV_CONTACT_ROOM] = (int)room;
    block[SLV_CONTACT_BINS] = contact->bins;
    block[SLV_CONTACT_KINDS] = slv_reserve_table(cursor, room);
    contact->kinds = extent_of(block[SLV_CONTACT_KINDS], room);
    block[SLV_CONTACT_COLLIDERS] = slv_reserve_state(cursor, room * SLV_COLLIDER_FLOATS);
    contact->records = extent_of(block[SLV_CONTACT_COLLIDERS], room * SLV_COLLIDER_FLOATS);
    block[SLV_CONTACT_BOXES] = slv_reserve_state(cursor, 6 * room);
    contact->fields =
        extent_of(slv_reserve_state(cursor, settings->field_floats), settings->field_floats);
    bin_places bins = {{0}};
    if (contact->pairs) {
        bins = reserve_bins(layout, (int)settings->list_room, cursor);
        contact->scale = extent_of(bins.place[SLV_BINS_SCALE], SLV_SCALE_FLOATS);
    }
    if (layout->table) {
        memcpy(layout->table + contact->block, block, sizeof block);
        memcpy(layout->table + contact->bins, bins.place, sizeof bins.place);
    }
}

void slv_contact_reserve(slv_layout *layout, slv_body *const *bodies,
                         const slv_contact_settings *settings, slv_layout_cursor *cursor) {
    slv_contact_layout *contact = &layout->contact;
    bool pairs = false;
    uint32_t sociable = 0;
    *contact =
        (slv_contact_layout){.settings = *settings, .colliders = settings->collider_room > 0};
    for (uint32_t i = 0; i < layout->body_count; i++) {
        pairs = pairs || bodies[i]->contact_material.with_itself;
        sociable += bodies[i]->contact_material.with_garments ? 1 : 0;
    }
    pairs = pairs || sociable > 1; // with nobody else there is nobody to meet
    contact->pairs = pairs;
    if (layout->body_count == 0 || (!contact->colliders && !pairs)) {
        contact->colliders = false;
        return;
    }
    for (uint32_t i = 0; i < layout->body_count; i++) {
        reserve_tiles(&layout->bodies[i], settings, cursor);
    }
    contact->points = count_points(layout, bodies);
    contact->start = *cursor;
    reserve_blocks(layout, settings, cursor);
}

// --- Filling ----------------------------------------------------------------------------------------

static void fill_body(slv_body_layout *body_layout, const slv_contact_layout *contact,
                      const slv_contact_material *material) {
    body_layout->contact = contact->block;
    body_layout->collides = contact->colliders && material->with_colliders;
    body_layout->thickness = material->thickness;
    // Cloth pushes cloth between two looks at who is near.
    body_layout->reach = material->thickness + (contact->pairs ? 0.5f * material->radius : 0.0f);
    body_layout->friction = material->friction;
    body_layout->kinetic = material->kinetic;
    body_layout->restitution = material->restitution;
}

// How cloth that meets something comes to rest.
static void fill_rest(slv_body_layout *body_layout, const slv_body *body, double time_step) {
    body_layout->rest_displacement = (float)((double)body->contact_material.rest_speed * time_step);
    body_layout->rest_damping = (float)(1.0 - 1.0 / (1.0 + rest_damping_rate * time_step));
}

static void fill_bin_body(const slv_layout *layout, uint32_t index,
                          const slv_contact_material *material) {
    int *bins = layout->table + layout->contact.bins;
    const slv_body_layout *body_layout = &layout->bodies[index];
    int *home = layout->table + bins[SLV_BINS_BODIES] + index * SLV_BIN_BODY_INTS;
    float *floats = layout->state + bins[SLV_BINS_BODY_FLOATS] + index * SLV_BIN_BODY_FLOATS;
    float *largest = layout->state + bins[SLV_BINS_SCALE] + SLV_SCALE_RADIUS;
    home[SLV_BIN_BODY_Q] = body_layout->q;
    home[SLV_BIN_BODY_Y] = body_layout->y;
    home[SLV_BIN_BODY_PREV] = body_layout->prev[0];
    home[SLV_BIN_BODY_PREV + 1] = body_layout->prev[1];
    home[SLV_BIN_BODY_COMPONENT] = body_layout->component;
    home[SLV_BIN_BODY_INVERSE_MASSES] = body_layout->inverse_mass;
    home[SLV_BIN_BODY_STRIDE] = body_layout->stride;
    floats[SLV_BIN_BODY_RADIUS] = material->radius;
    floats[SLV_BIN_BODY_FRICTION] = sqrtf(material->friction);
    floats[SLV_BIN_BODY_KINETIC_FRICTION] = sqrtf(material->kinetic);
    floats[SLV_BIN_BODY_ID] = material->with_garments ? (float)(index + 1) : -(float)(index + 1);
    *largest = material->radius > *largest ? material->radius : *largest;
    bins[SLV_BINS_HAS_KINETIC] |= material->kinetic != material->friction ? 1 : 0;
}

// Where a particle lies at rest: relative to the first, over the stretch it starts with.
static void find_rest(const slv_body *body, uint32_t own, double rest[3]) {
    for (size_t d = 0; d < 3; d++) {
        rest[d] = ((double)body->start[6 * (size_t)own + d] - (double)body->start[d]) /
                  (double)body->stretch;
    }
}

// A particle and where it lies at rest.
typedef struct resting {
    float place[3];
    uint32_t own;
} resting;

static bool is_before(const resting *one, const resting *other, int axis) {
    return one->place[axis] != other->place[axis] ? one->place[axis] < other->place[axis]
                                                  : one->own < other->own;
}

static void exchange(resting *one, resting *other) {
    resting kept = *one;
    *one = *other;
    *other = kept;
}

// Brings the `first` that come first along an axis to the front (Hoare's way).
static void partition_along(resting *all, size_t count, size_t first, int axis) {
    while (count > 1) {
        resting pivot = all[count / 2];
        size_t low = 0;
        size_t high = count - 1;
        while (low <= high) {
            while (is_before(&all[low], &pivot, axis)) {
                low++;
            }
            while (is_before(&pivot, &all[high], axis)) {
                high--;
            }
            if (low <= high) {
                exchange(&all[low], &all[high]);
                low++;
                if (high == 0) {
                    break;
                }
                high--;
            }
        }
        // Now all before low come no later than the pivot, and all after high no earlier.
        if (first <= high) {
            count = high + 1;
        } else if (first >= low) {
            all += low;
            count -= low;
            first -= low;
        } else {
            return;
        }
    }
}

static int find_longest_axis(const resting *all, size_t count) {
    float extent[3];
    for (int d = 0; d < 3; d++) {
        float low = all[0].place[d];
        float high = low;
        for (size_t n = 1; n < count; n++) {
            low = all[n].place[d] < low ? all[n].place[d] : low;
            high = all[n].place[d] > high ? all[n].place[d] : high;
        }
        extent[d] = high - low;
    }
    int longest = extent[1] > extent[0] ? 1 : 0;
    return extent[2] > extent[longest] ? 2 : longest;
}

// Orders particles so that those of a block, and of a cluster, lie near each other: halved across the
// longest axis again and again.
static void gather_near(resting *all, size_t count) {
    while (count > SLV_LANES) {
        const size_t whole = count > SLV_BLOCK     ? SLV_BLOCK
                             : count > SLV_CLUSTER ? SLV_CLUSTER
                                                   : SLV_LANES;
        const size_t half = ((count + whole - 1) / whole + 1) / 2 * whole;
        partition_along(all, count, half, find_longest_axis(all, count));
        gather_near(all, half);
        all += half;
        count -= half;
    }
}

static void order_particles(const slv_body *body, resting *all) {
    for (uint32_t p = 0; p < body->count; p++) {
        double rest[3];
        find_rest(body, p, rest);
        all[p].own = p;
        for (int d = 0; d < 3; d++) {
            all[p].place[d] = (float)rest[d];
        }
    }
    gather_near(all, body->count);
}

// Cloth that does not meet itself has all its particles in one place, near each other for ever.
static void fill_point(const slv_layout *layout, uint32_t index, const slv_body *body, size_t point,
                       uint32_t own) {
    const int *bins = layout->table + layout->contact.bins;
    const slv_body_layout *body_layout = &layout->bodies[index];
    float *rest = layout->state + (size_t)bins[SLV_BINS_RESTS] + 4 * point;
    int slot = (int)layout->slots[index][own];
    double place[3];
    find_rest(body, own, place);
    layout->table[(size_t)bins[SLV_BINS_PLACE_OF] + point] = slot * body_layout->stride;
    layout->table[(size_t)bins[SLV_BINS_INVERSE_MASS_OF] + point] =
        body_layout->inverse_mass + slot;
    for (int d = 0; d < 3; d++) {
        rest[d] = body->contact_material.with_itself ? (float)place[d] : 0.0f;
    }
    rest[3] = layout->state[bins[SLV_BINS_BODY_FLOATS] + (int)index * SLV_BIN_BODY_FLOATS +
                            SLV_BIN_BODY_ID];
}

// A part's points, from block `first` of all on.
static void fill_points(const slv_layout *layout, uint32_t index, const slv_body *body, int first,
                        const resting *order) {
    const int *bins = layout->table + layout->contact.bins;
    for (int b = 0; b < count_blocks(body); b++) {
        int block = first + b;
        layout->table[bins[SLV_BINS_BODY_OF] + block] = (int)index;
        for (uint32_t n = 0; n < SLV_BLOCK; n++) {
            uint32_t at = (uint32_t)b * SLV_BLOCK + n;
            size_t point = (size_t)block * SLV_BLOCK + n;
            if (at < body->count) {
                fill_point(layout, index, body, point, order[at].own);
            } else {
                layout->table[(size_t)bins[SLV_BINS_PLACE_OF] + point] = -1;
            }
        }
    }
}

static bool fill_pairs(slv_layout *layout, slv_body *const *bodies, slv_memory *scratch) {
    int first = 0;
    for (uint32_t i = 0; i < layout->body_count; i++) {
        if (!slv_contact_has_pairs(bodies[i])) {
            continue;
        }
        resting *order = slv_memory_take(scratch, bodies[i]->count, sizeof *order);
        if (!order) {
            return false;
        }
        order_particles(bodies[i], order);
        fill_bin_body(layout, i, &bodies[i]->contact_material);
        fill_points(layout, i, bodies[i], first, order);
        first += count_blocks(bodies[i]);
    }
    return true;
}

bool slv_contact_fill(slv_layout *layout, slv_body *const *bodies, double time_step,
                      slv_memory *scratch) {
    slv_contact_layout *contact = &layout->contact;
    if (!contact->colliders && !contact->pairs) {
        return true;
    }
    slv_layout_cursor cursor = contact->start;
    reserve_blocks(layout, &contact->settings, &cursor);
    for (uint32_t i = 0; i < layout->body_count; i++) {
        fill_body(&layout->bodies[i], contact, &bodies[i]->contact_material);
        if (slv_contact_meets(layout, bodies[i])) {
            fill_rest(&layout->bodies[i], bodies[i], time_step);
        }
        contact->bounces = contact->bounces || bodies[i]->contact_material.restitution > 0.0f;
    }
    layout->bodies[slv_layout_common_body(layout)].contact = contact->block;
    layout->bodies[slv_layout_pairs_body(layout)].contact = contact->block;
    return !contact->pairs || fill_pairs(layout, bodies, scratch);
}

// --- The step ---------------------------------------------------------------------------------------

// All tiles of all parts that meet colliders.
static void launch_tiles(slv_plan_writer *writer, slv_kernel_id kernel, int color) {
    const slv_layout *layout = writer->layout;
    for (uint32_t i = 0; layout->contact.colliders && i < layout->body_count; i++) {
        if (layout->bodies[i].collides) {
            slv_plan_launch_rows(writer, kernel, i, color, 0, layout->bodies[i].tiles);
        }
    }
    slv_plan_barrier(writer);
}

// What belongs to no garment; asleep with all that meet each other.
static void launch_rows(slv_plan_writer *writer, slv_kernel_id kernel, int rows) {
    slv_plan_launch_rows(writer, kernel, slv_layout_pairs_body(writer->layout), 0, 0, rows);
    slv_plan_barrier(writer);
}

static void find_pairs(slv_plan_writer *writer) {
    const slv_layout *layout = writer->layout;
    if (!layout->contact.pairs) {
        return;
    }
    int blocks = layout->contact.points / SLV_BLOCK;
    int chunks = (layout->contact.points + SLV_CHUNK - 1) / SLV_CHUNK;
    slv_sleep_seat(writer);
    launch_rows(writer, SLV_ID_bin_update, blocks);
    launch_rows(writer, SLV_ID_bin_scale, 1);
    launch_rows(writer, SLV_ID_bin_key, blocks);
    launch_rows(writer, SLV_ID_bin_histogram, chunks);
    launch_rows(writer, SLV_ID_bin_offsets, 1);
    launch_rows(writer, SLV_ID_bin_scatter, chunks);
    launch_rows(writer, SLV_ID_bin_sort, SLV_PARTITIONS);
    launch_rows(writer, SLV_ID_pair_find, blocks);
}

// Cloth against cloth and then against colliders, so many times.
static void separate_all(slv_plan_writer *writer, uint32_t rounds, int last) {
    int blocks = writer->layout->contact.points / SLV_BLOCK;
    slv_plan_begin_loop(writer, writer->layout->contact.pairs ? rounds : 1);
    if (writer->layout->contact.pairs) {
        launch_rows(writer, SLV_ID_pair_fetch, blocks);
        launch_rows(writer, SLV_ID_pair_push, blocks);
    }
    launch_tiles(writer, SLV_ID_contact_collide, last);
    slv_plan_end_loop(writer);
}

// Everything that comes to rest by itself.
static void damp_rest(slv_plan_writer *writer) {
    for (uint32_t i = 0; i < writer->layout->body_count; i++) {
        const slv_body_layout *body_layout = &writer->layout->bodies[i];
        bool grid = body_layout->stride == 1;
        if (body_layout->rest_displacement > 0.0f && !body_layout->inert) {
            slv_plan_launch_rows(
                writer, grid ? SLV_ID_rest_damping_split : SLV_ID_rest_damping_joined, i, 0, 0,
                grid ? body_layout->rows * body_layout->layers : body_layout->slots / SLV_BLOCK);
        }
    }
    slv_plan_barrier(writer);
}

void slv_contact_move(slv_plan_writer *writer) {
    const slv_contact_layout *contact = &writer->layout->contact;
    if (contact->colliders) {
        slv_plan_launch_rows(writer, SLV_ID_collider_move, slv_layout_common_body(writer->layout),
                             0, 0, (int)contact->settings.collider_room);
        slv_plan_barrier(writer);
    }
}

// Remembering comes before all that may raise the alarm, and once more for who is woken late; who that is
// still has to find the colliders near it.
void slv_contact_begin(slv_plan_writer *writer) {
    const slv_contact_layout *contact = &writer->layout->contact;
    damp_rest(writer);
    if (contact->bounces) {
        launch_tiles(writer, SLV_ID_contact_save_starts, 0);
    }
    find_pairs(writer);
    slv_sleep_meet(writer);
    if (contact->bounces && slv_layout_sleeps(writer->layout)) {
        launch_tiles(writer, SLV_ID_contact_save_starts, 0);
    }
    launch_tiles(writer, SLV_ID_contact_cull, 0);
    separate_all(writer, FIRST_ROUNDS, 0);
    if (contact->pairs) {
        launch_rows(writer, SLV_ID_pair_rest_damping, contact->points / SLV_BLOCK);
    }
}

void slv_contact_pass(slv_plan_writer *writer) {
    separate_all(writer, ROUNDS, 0);
}

// Constraints may have led a particle to a collider that was not near it: who is near is looked up again.
// The last passes push without asking the springs, so the longest of these are looked after in between.
void slv_contact_end(slv_plan_writer *writer) {
    const slv_contact_layout *contact = &writer->layout->contact;
    if (!contact->colliders && !contact->pairs) {
        return;
    }
    launch_tiles(writer, SLV_ID_contact_cull, 0);
    slv_plan_begin_loop(writer, contact->pairs ? LAST_ROUNDS : 1);
    slv_limits_launch_last(writer);
    separate_all(writer, 1, 1);
    slv_plan_end_loop(writer);
    if (contact->bounces) {
        launch_tiles(writer, SLV_ID_contact_restitution, 0);
    }
}

void slv_contact_rollback(slv_plan_writer *writer) {
    if (writer->layout->contact.bounces) {
        launch_tiles(writer, SLV_ID_contact_restore_starts, 0);
    }
}

bool slv_contact_was_cut(const slv_layout *layout) {
    const slv_contact_layout *contact = &layout->contact;
    return contact->pairs && layout->state[contact->scale.first + SLV_SCALE_TRUNCATED] > 0.0f;
}

// SPDX-License-Identifier: MIT
// Locks are solved one color after another, after each outer iteration and before each of the last passes over
// contacts: contacts have the last word.
#include "runtime/step/features/locks.h"

#include "kernels/lock.h"
#include "runtime/step/feature.h"

extern const slv_feature slv_feature_locks;

typedef struct locks_layout {
    uint64_t version; // slv_lock_settings
    uint32_t count;
    uint32_t color_count;
    uint32_t *ends; // [color_count] of each color, which begins where the one before ends
} locks_layout;

static locks_layout *get_layout(const slv_layout *layout) {
    return slv_feature_get_layout_data(&slv_feature_locks, layout);
}

bool slv_locks_exist(const slv_layout *layout) {
    return get_layout(layout)->count > 0;
}

// --- Colors -----------------------------------------------------------------------------------------

// What finding colors needs: for each end, the lock before it that has the same particle.
typedef struct color_search {
    uint32_t *buckets; // [bucket_count]: an end, and further ones in `chained`; UINT32_MAX: none
    uint32_t bucket_count; // a power of two
    uint32_t *chained;     // [2 * count]
    uint32_t *color_of;    // [count]
    uint32_t *used;        // [color]: number of the last lock that cannot have it, and 1
} color_search;

static bool begin_search(color_search *search, uint32_t count, slv_memory *scratch) {
    uint32_t buckets = 64;
    while (buckets < 2 * count) {
        buckets *= 2;
    }
    *search = (color_search){
        .buckets = slv_memory_take(scratch, buckets, sizeof(uint32_t)),
        .bucket_count = buckets,
        .chained = slv_memory_take(scratch, 2 * (size_t)count, sizeof(uint32_t)),
        .color_of = slv_memory_take(scratch, count, sizeof(uint32_t)),
        .used = slv_memory_take(scratch, (size_t)count + 1, sizeof(uint32_t)),
    };
    for (uint32_t i = 0; search->buckets && i < buckets; i++) {
        search->buckets[i] = UINT32_MAX;
    }
    return search->buckets && search->chained && search->color_of && search->used;
}

static uint32_t *find_bucket(const color_search *search, const slv_lock_link *link, int k) {
    const uint32_t key = link->bodies[k] * 2654435761u ^ link->particles[k] * 2246822519u;
    return &search->buckets[(key ^ key >> 15) & (search->bucket_count - 1)];
}

// The least color that no earlier lock at the same particles has.
static uint32_t find_color(const color_search *search, const slv_lock_link *links, uint32_t n) {
    uint32_t color = 0;
    for (int k = 0; k < 2; k++) {
        for (uint32_t e = *find_bucket(search, &links[n], k); e != UINT32_MAX;
             e = search->chained[e]) {
            const slv_lock_link *other = &links[e / 2];
            if (other->bodies[e % 2] == links[n].bodies[k] &&
                other->particles[e % 2] == links[n].particles[k]) {
                search->used[search->color_of[e / 2]] = n + 1;
            }
        }
    }
    while (search->used[color] == n + 1) {
        color++;
    }
    return color;
}

static void add_ends(const color_search *search, const slv_lock_link *links, uint32_t n) {
    for (int k = 0; k < 2; k++) {
        uint32_t *bucket = find_bucket(search, &links[n], k);
        search->chained[2 * n + (uint32_t)k] = *bucket;
        *bucket = 2 * n + (uint32_t)k;
    }
}

// Colors all locks, each with the least color that is free.
static bool color_locks(color_search *search, const slv_lock_settings *settings,
                        slv_memory *scratch) {
    if (!begin_search(search, settings->count, scratch)) {
        return false;
    }
    for (uint32_t n = 0; n < settings->count; n++) {
        search->color_of[n] = find_color(search, settings->links, n);
        add_ends(search, settings->links, n);
    }
    return true;
}

// The locks by color, in each color in the order of the list: ends[color] of all colors, and order[place].
static bool sort_locks(slv_layout *layout, const color_search *search, uint32_t *order) {
    locks_layout *locks = get_layout(layout);
    uint32_t colors = 0;
    for (uint32_t n = 0; n < locks->count; n++) {
        colors = search->color_of[n] >= colors ? search->color_of[n] + 1 : colors;
    }
    locks->ends = slv_memory_take(&layout->memory, colors, sizeof *locks->ends);
    for (uint32_t n = 0; locks->ends && n < locks->count; n++) {
        locks->ends[search->color_of[n]]++;
    }
    for (uint32_t c = 1; locks->ends && c < colors; c++) {
        locks->ends[c] += locks->ends[c - 1];
    }
    for (uint32_t n = locks->count; locks->ends && n-- > 0;) { // from the ends, which become begins
        order[--locks->ends[search->color_of[n]]] = n;
    }
    for (uint32_t n = 0; locks->ends && n < locks->count; n++) { // and ends again
        locks->ends[search->color_of[n]]++;
    }
    locks->color_count = locks->ends ? colors : 0;
    return locks->ends != NULL;
}

// --- Layout -----------------------------------------------------------------------------------------

static void reserve(slv_layout *layout, slv_body *const *bodies,
                    const slv_layout_settings *settings, slv_layout_cursor *cursor) {
    const slv_lock_settings *given = &settings->step->locks;
    locks_layout *locks = get_layout(layout);
    slv_body_layout *common = &layout->bodies[slv_layout_common_body(layout)];
    (void)bodies;
    locks->version = given->version;
    locks->count = given->count;
    if (given->count > 0) {
        common->locks = slv_reserve_table(cursor, (size_t)given->count * SLV_LOCK_INTS);
    }
}

static void fill_end(const slv_layout *layout, const slv_lock_link *link, int k, int *end) {
    const uint32_t index = link->bodies[k];
    const slv_body_layout *body_layout = &layout->bodies[index];
    const int slot = (int)layout->slots[index][link->particles[k]];
    end[SLV_LOCK_Q] = body_layout->q + slot * body_layout->stride;
    end[SLV_LOCK_U] = body_layout->u + slot * body_layout->stride;
    end[SLV_LOCK_COMPONENT] = body_layout->component;
    end[SLV_LOCK_INVERSE_MASS] = body_layout->inverse_mass + slot;
    end[SLV_LOCK_ASLEEP] = body_layout->asleep;
    end[SLV_LOCK_BODY] = (int)index;
    end[SLV_LOCK_SLACK] = link->slack;
}

static bool fill(slv_layout *layout, slv_body *const *bodies, const slv_layout_settings *settings,
                 slv_memory *scratch) {
    const slv_lock_settings *given = &settings->step->locks;
    const slv_body_layout *common = &layout->bodies[slv_layout_common_body(layout)];
    color_search search;
    (void)bodies;
    if (given->count == 0) {
        return true;
    }
    uint32_t *order = slv_memory_take(scratch, given->count, sizeof *order);
    if (!order || !color_locks(&search, given, scratch) || !sort_locks(layout, &search, order)) {
        return false;
    }
    for (uint32_t place = 0; place < given->count; place++) {
        const slv_lock_link *link = &given->links[order[place]];
        int *lock = layout->table + common->locks + (size_t)place * SLV_LOCK_INTS;
        fill_end(layout, link, 0, lock);
        fill_end(layout, link, 1, lock + SLV_LOCK_END_INTS);
        lock[SLV_LOCK_LENGTH] = slv_float_bits(link->length);
    }
    return true;
}

static bool fits(const slv_layout *layout, slv_body *const *bodies,
                 const slv_layout_settings *settings) {
    (void)bodies;
    return get_layout(layout)->version == settings->step->locks.version;
}

// --- The step ---------------------------------------------------------------------------------------

static void launch(slv_plan_writer *writer) {
    const locks_layout *locks = get_layout(writer->layout);
    const uint32_t common = slv_layout_common_body(writer->layout);
    uint32_t first = 0;
    slv_plan_barrier(writer);
    for (uint32_t c = 0; c < locks->color_count; c++) {
        slv_plan_launch_rows(writer, SLV_ID_lock_project, common, 0, (int)first,
                             (int)locks->ends[c]);
        slv_plan_barrier(writer);
        first = locks->ends[c];
    }
}

void slv_locks_launch_touch(slv_plan_writer *writer) {
    const locks_layout *locks = get_layout(writer->layout);
    slv_plan_launch_rows(writer, SLV_ID_lock_touch, slv_layout_common_body(writer->layout), 0, 0,
                         (int)locks->count);
    slv_plan_barrier(writer);
}

const slv_feature slv_feature_locks = {
    .name = "locks",
    .layout_size = sizeof(locks_layout),
    .reserve = reserve,
    .fill = fill,
    .fits = fits,
    .launch = {[SLV_POINT_ITERATION_END] = launch, [SLV_POINT_LAST_PASS] = launch},
};

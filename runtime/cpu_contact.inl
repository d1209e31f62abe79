// SPDX-License-Identifier: MIT
// Contacts, several particles at a time; the same bits as the plain kernels, which a test compares. Most
// particles near a collider do not touch it: so all are asked first, without roots, divisions or branches,
// whether they may, and those that do are dealt with afterwards, one behind another. A processor that has
// to guess in between who touches guesses wrong so often that it waits for most of the time.

// --- Particles against colliders ------------------------------------------------------------------------

// Particles go by bunches, two runs of SLV_TILE_COLUMNS that lie near each other: on grids both colours of
// a row of a tile. The tiles of a batch go together, collider by collider: each particle meets those near
// its tile in the order of the tile's list, as in the plain kernel.
enum {
    SLV_BUNCH = 2 * SLV_TILE_COLUMNS,
    SLV_TILE_BUNCHES = SLV_BLOCK / SLV_BUNCH,
    SLV_BATCH = 32, // tiles: what they hold here fits the nearest cache
    SLV_BATCH_BUNCHES = SLV_BATCH * SLV_TILE_BUNCHES
};

// The first slots of its runs.
typedef struct slv_bunch {
    int slot[2];
} slv_bunch;

static inline int find_bunches(const slv_part *part, int tile, slv_bunch bunches[]) {
    if (part->stride != 1) {
        for (int n = 0; n < SLV_TILE_BUNCHES; n++) {
            bunches[n].slot[0] = tile * SLV_BLOCK + n * SLV_BUNCH;
            bunches[n].slot[1] = bunches[n].slot[0] + SLV_TILE_COLUMNS;
        }
        return SLV_TILE_BUNCHES;
    }
    const int first = tile / part->tile_columns * SLV_TILE_ROWS;
    const int column = tile % part->tile_columns * SLV_TILE_COLUMNS;
    const int left = part->rows * part->layers - first;
    const int count = left < SLV_TILE_ROWS ? left : SLV_TILE_ROWS;
    for (int n = 0; n < count; n++) {
        bunches[n].slot[0] = part->layers == 1
                                 ? part->origin + (first + n) * part->row_step + column
                                 : slv_grid_slot(part, 0, first + n, column);
        bunches[n].slot[1] = bunches[n].slot[0] + part->colour_step;
    }
    return count;
}

// Some of a run, from `lane` on.
static inline slv_wides load_lanes(const float *from, int lane, int stride, int component) {
    if (stride != 1) {
        return load_slice(from, 0, lane);
    }
    slv_wides lanes = {load_wide(from + lane), load_wide(from + component + lane),
                       load_wide(from + 2 * component + lane), spread(0.0f)};
    return lanes;
}

#define SLV_LANES_OF_RUN for (int lane = 0; lane < SLV_TILE_COLUMNS; lane += SLV_WIDE)
#define SLV_BUNCH_LOOP _Pragma("omp simd") for (int i = 0; i < SLV_BUNCH; i++)

// Vectors of a bunch's particles.
typedef struct slv_crowd {
    _Alignas(64) float x[SLV_BUNCH];
    float y[SLV_BUNCH];
    float z[SLV_BUNCH];
} slv_crowd;

// Two runs side by side. Whole registers are stored as such: to load one that was stored in halves takes
// a processor as long as a root.
static inline void join_lanes(float to[SLV_BUNCH], const slv_wide *one, const slv_wide *other) {
#if SLV_WIDE == 8 && defined(__AVX512F__)
    typedef float slv_both __attribute__((__vector_size__(64)));
    slv_both both = SLV_SHUFFLE(*one, *other, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    memcpy(to, &both, sizeof both);
#else
    memcpy(to, one, SLV_TILE_COLUMNS * sizeof *to);
    memcpy(to + SLV_TILE_COLUMNS, other, SLV_TILE_COLUMNS * sizeof *to);
#endif
}

static inline void load_crowd(const float *array, slv_bunch bunch, int stride, int component,
                              slv_crowd *crowd) {
    slv_wide run[3][2][SLV_TILE_COLUMNS / SLV_WIDE];
    for (int half = 0; half < 2; half++) {
        SLV_LANES_OF_RUN {
            slv_wides lanes =
                load_lanes(array + bunch.slot[half] * stride, lane, stride, component);
            run[0][half][lane / SLV_WIDE] = lanes.x;
            run[1][half][lane / SLV_WIDE] = lanes.y;
            run[2][half][lane / SLV_WIDE] = lanes.z;
        }
    }
    join_lanes(crowd->x, run[0][0], run[0][1]);
    join_lanes(crowd->y, run[1][0], run[1][1]);
    join_lanes(crowd->z, run[2][0], run[2][1]);
}

static inline void load_masses(const float *masses, slv_bunch bunch, float to[SLV_BUNCH]) {
    slv_wide run[2][SLV_TILE_COLUMNS / SLV_WIDE];
    memcpy(run[0], masses + bunch.slot[0], sizeof run[0]);
    memcpy(run[1], masses + bunch.slot[1], sizeof run[1]);
    join_lanes(to, run[0], run[1]);
}

static inline void store_crowd(float *array, slv_bunch bunch, int stride, int component,
                               const slv_crowd *crowd) {
    for (int half = 0; half < 2; half++) {
        float *to = array + bunch.slot[half] * stride;
        const int first = half * SLV_TILE_COLUMNS;
        _Pragma("omp simd") for (int i = 0; i < SLV_TILE_COLUMNS; i++) {
            to[i * stride] = crowd->x[first + i];
            to[i * stride + component] = crowd->y[first + i];
            to[i * stride + 2 * component] = crowd->z[first + i];
        }
    }
}

SLV_BODY slv_vector crowd_member(const slv_crowd *crowd, int i) {
    return slv_make_vector(crowd->x[i], crowd->y[i], crowd->z[i]);
}

// A batch, and where it stands in the lists of its tiles.
typedef struct slv_batch {
    slv_crowd q[SLV_BATCH_BUNCHES];
    slv_bunch bunches[SLV_BATCH_BUNCHES];
    int first_bunch[SLV_BATCH]; // of a tile
    int bunch_count[SLV_BATCH];
    const int *next[SLV_BATCH]; // in a tile's list
    int left[SLV_BATCH];        // of the list
    int number[SLV_BATCH];      // the collider at `next`; INT_MAX at the end
    int tiles;
    int bunch_total;
} slv_batch;

// What all that meet share.
typedef struct slv_meeting {
    float *state;
    const slv_part *part;
    const slv_launch *launch;
    int stride, component;
} slv_meeting;

// The square of the distance to what a shape is a rounded form of, a ball's centre, a capsule's axis or a
// box, as the plain kernel has it before it takes the root.
SLV_BODY float square_from_core(const slv_collider *collider, int kind, slv_vector q) {
    const float *size = collider->size;
    const slv_frame *frame = &collider->end;
    slv_vector arm = slv_minus(q, frame->place);
    if (kind == SLV_SHAPE_CAPSULE) {
        slv_vector axis = slv_make_vector(frame->turn[1], frame->turn[4], frame->turn[7]);
        float along = slv_clamp(slv_dot(arm, axis), 0.0f - size[1], size[1]);
        arm = slv_along(arm, 0.0f - along, axis);
    } else if (kind == SLV_SHAPE_BOX) {
        slv_vector inner = slv_unturn(frame, arm);
        arm.x = slv_larger(slv_absolute(inner.x) - size[0], 0.0f);
        arm.y = slv_larger(slv_absolute(inner.y) - size[1], 0.0f);
        arm.z = slv_larger(slv_absolute(inner.z) - size[2], 0.0f);
    }
    return slv_dot(arm, arm);
}

// 1 where any of a bunch may be deeper than thickness in a collider. Rounding may let some pass who then are
// found not to be; it holds back none: the limit is eight roundings high, root and difference are two.
SLV_BODY int may_touch(const slv_collider *collider, int kind, float thickness,
                       const slv_crowd *crowd) {
    const float radius = thickness + (kind == SLV_SHAPE_BOX ? 0.0f : collider->size[0]);
    const float limit = radius * radius * 1.000001f + 1e-37f;
    int touches = 0;
    _Pragma("omp simd reduction(| : touches)") for (int i = 0; i < SLV_BUNCH; i++) {
        slv_vector q = crowd_member(crowd, i);
        if (kind == SLV_SHAPE_PLANE) {
            slv_gap gap = slv_collider_gap(NULL, collider, &collider->end, kind, q);
            touches |= gap.distance < thickness ? 1 : 0;
        } else {
            touches |= square_from_core(collider, kind, q) <= limit ? 1 : 0;
        }
    }
    return touches;
}

SLV_BODY void press_bunch(const slv_meeting *with, const slv_collider *collider, slv_grip grip,
                          int kind, slv_bunch bunch, slv_crowd *crowd) {
    const slv_part *part = with->part;
    float *state = with->state;
    slv_crowd start;
    _Alignas(64) float inverse_mass[SLV_BUNCH];
    load_crowd(state + slv_step_start(part, with->launch), bunch, with->stride, with->component,
               &start);
    load_masses(state + part->inverse_mass, bunch, inverse_mass);
    slv_crowd moved; // a copy: stores of single lanes would be waited for
    SLV_BUNCH_LOOP {
        slv_vector q = crowd_member(crowd, i);
        slv_vector pressed = slv_press(state, collider, grip, kind, q, crowd_member(&start, i));
        bool moves = inverse_mass[i] > 0.0f;
        moved.x[i] = moves ? pressed.x : q.x;
        moved.y[i] = moves ? pressed.y : q.y;
        moved.z[i] = moves ? pressed.z : q.z;
    }
    store_crowd(state + part->q, bunch, with->stride, with->component, &moved);
    *crowd = moved;
}

// All of a batch near the collider.
SLV_BODY void meet(const slv_meeting *with, int record, int kind, int turns, const int *tiles,
                   int count, slv_batch *batch) {
    const slv_part *part = with->part;
    slv_collider collider = slv_load_collider(with->state, record);
    collider.turns = turns; // which is known, but not to the compiler
    const slv_grip grip = slv_find_grip(part, with->launch, collider.friction, collider.kinetic);
    int touching[SLV_BATCH_BUNCHES];
    int touches = 0;
    for (int n = 0; n < count; n++) {
        const int first = batch->first_bunch[tiles[n]];
        const int end = first + batch->bunch_count[tiles[n]];
        for (int b = first; b < end; b++) {
            touching[touches] = b;
            touches += may_touch(&collider, kind, part->thickness, &batch->q[b]);
        }
    }
    for (int n = 0; n < touches; n++) {
        const int b = touching[n];
        press_bunch(with, &collider, grip, kind, batch->bunches[b], &batch->q[b]);
    }
}

// Names the kind and whether it turns, so that each gets loops of its own.
#define SLV_MEET(kind)                                                                             \
    case kind:                                                                                     \
        if (turns) {                                                                               \
            meet(with, record, kind, 1, tiles, count, batch);                                      \
        } else {                                                                                   \
            meet(with, record, kind, 0, tiles, count, batch);                                      \
        }                                                                                          \
        break;

static inline void meet_kind(const slv_meeting *with, int record, int kind, const int *tiles,
                             int count, slv_batch *batch) {
    const bool turns = with->state[record + SLV_COLLIDER_TURNS] > 0.0f;
    switch (kind) {
        SLV_MEET(SLV_SHAPE_PLANE)
        SLV_MEET(SLV_SHAPE_SPHERE)
        SLV_MEET(SLV_SHAPE_CAPSULE)
        SLV_MEET(SLV_SHAPE_BOX)
    default:
        break;
    }
}
#undef SLV_MEET

static inline void meet_batch(const slv_meeting *with, const int *kinds, int records,
                              slv_batch *batch) {
    for (;;) {
        int number = INT_MAX;
        int tiles[SLV_BATCH];
        int count = 0;
        for (int t = 0; t < SLV_BATCH; t++) {
            number = batch->number[t] < number ? batch->number[t] : number;
        }
        if (number == INT_MAX) {
            return;
        }
        for (int t = 0; t < SLV_BATCH; t += SLV_WIDE) {
            slv_mask there;
            memcpy(&there, batch->number + t, sizeof there);
            for (int left = mask_bits(there == number); left; left &= left - 1) {
                tiles[count++] = t + __builtin_ctz((unsigned)left);
            }
        }
        meet_kind(with, records + number * SLV_COLLIDER_FLOATS, kinds[number], tiles, count, batch);
        for (int n = 0; n < count; n++) {
            const int t = tiles[n];
            batch->next[t]++;
            batch->number[t] = --batch->left[t] > 0 ? *batch->next[t] : INT_MAX;
        }
    }
}

// --- Batches --------------------------------------------------------------------------------------------

static inline bool is_edged(int kind) {
    return kind == SLV_SHAPE_WEDGE || kind == SLV_SHAPE_FUNNEL || kind == SLV_SHAPE_FIELD;
}

// Whether nobody whose way has that square has to be swept, without a doubt, and all colliders near have a
// form for vectors.
static inline bool is_easy(const float *state, const int *kinds, int records, const int *list,
                           float way_square) {
    bool easy = true;
    for (int n = 1; n <= list[0]; n++) {
        const float *record = state + records + list[n] * SLV_COLLIDER_FLOATS;
        const float left = record[SLV_COLLIDER_SAFE] * 0.99999f - record[SLV_COLLIDER_PATH];
        easy &= !is_edged(kinds[list[n]]) && left > 0.0f && way_square <= left * left * 0.99999f;
    }
    return easy;
}

// Loads a tile behind the others of a batch; the square of its particles' longest way.
static inline float load_tile(const slv_meeting *with, int tile, slv_batch *batch) {
    const slv_part *part = with->part;
    const float *before = with->state + slv_step_start(part, with->launch);
    slv_bunch *bunches = batch->bunches + batch->bunch_total;
    const int count = find_bunches(part, tile, bunches);
    _Alignas(64) float squares[SLV_BUNCH] = {0.0f};
    for (int n = 0; n < count; n++) {
        slv_crowd *q = &batch->q[batch->bunch_total + n];
        slv_crowd start;
        load_crowd(with->state + part->q, bunches[n], with->stride, with->component, q);
        load_crowd(before, bunches[n], with->stride, with->component, &start);
        SLV_BUNCH_LOOP {
            slv_vector way = slv_minus(crowd_member(q, i), crowd_member(&start, i));
            squares[i] = slv_larger(slv_dot(way, way), squares[i]);
        }
    }
    float square = 0.0f;
    for (int i = 0; i < SLV_BUNCH; i += SLV_WIDE) {
        square = slv_larger(most_of(load_wide(squares + i)), square);
    }
    batch->first_bunch[batch->tiles] = batch->bunch_total;
    batch->bunch_count[batch->tiles] = count;
    return square;
}

static inline void take_tile(const int *list, slv_batch *batch) {
    const int t = batch->tiles++;
    batch->bunch_total += batch->bunch_count[t];
    batch->next[t] = list + 1;
    batch->left[t] = list[0];
    batch->number[t] = list[1];
}

// Where something may have to be swept, or has no form for vectors, all of a tile goes the plain way.
SLV_BODY void collide_tiles(const slv_meeting *with, const int *table, int first, int end) {
    const slv_part *part = with->part;
    float *state = with->state;
    const int *kinds = table + table[part->contact + SLV_CONTACT_KINDS];
    const int records = table[part->contact + SLV_CONTACT_COLLIDERS];
    const int room = table[part->contact + SLV_CONTACT_ROOM];
    slv_batch batch;
    for (int tile = first; tile < end;) {
        batch.tiles = batch.bunch_total = 0;
        for (int t = 0; t < SLV_BATCH; t++) {
            batch.number[t] = INT_MAX;
        }
        for (; tile < end && batch.tiles < SLV_BATCH; tile++) {
            const int *list = table + part->lists + tile * (1 + room);
            if (list[0] == 0) {
                continue;
            }
            if (is_easy(state, kinds, records, list, load_tile(with, tile, &batch))) {
                take_tile(list, &batch);
                continue;
            }
            for (int column = 0; column < SLV_BLOCK; column++) {
                slv_collide(state, table, part, with->launch, tile, column);
            }
        }
        meet_batch(with, kinds, records, &batch);
    }
}

// NOLINTNEXTLINE(readability-non-const-parameter): presses write through the meeting
static inline int wide_contact_collide(float *state, const int *table, const slv_part *part,
                                       const slv_launch *launch, int first, int end) {
    slv_meeting with = {.state = state, .part = part, .launch = launch};
    if (part->stride == 1) {
        with.stride = 1;
        with.component = part->component;
        collide_tiles(&with, table, first, end);
    } else {
        with.stride = SLV_PARTICLE_FLOATS;
        with.component = 1;
        collide_tiles(&with, table, first, end);
    }
    return end;
}

// --- Who is near ----------------------------------------------------------------------------------------

// Lowest, highest and longest way along one axis so far, and those of more particles.
typedef struct slv_wide_range {
    slv_wide low, high, way;
} slv_wide_range;

static inline void widen(slv_wide_range *range, slv_wide now, slv_wide before) {
    const slv_wide away = now - before;
    range->low = wide_smaller(wide_smaller(now, before), range->low);
    range->high = wide_larger(wide_larger(now, before), range->high);
    range->way = wide_larger(wide_larger(away, 0.0f - away), range->way);
}

// The same where some do not count.
static inline void widen_some(slv_wide_range *range, slv_mask counts, slv_wide now,
                              slv_wide before) {
    slv_wide_range all = *range;
    widen(&all, now, before);
    range->low = choose_wide(counts, all.low, range->low);
    range->high = choose_wide(counts, all.high, range->high);
    range->way = choose_wide(counts, all.way, range->way);
}

// As slv_bound_tile: lowest and highest do not depend on who is asked first.
static inline slv_tile_box bound_tile(const float *state, const slv_part *part,
                                      const slv_launch *launch, int tile, int stride,
                                      int component) {
    const slv_wide_range none = {spread(SLV_FAR), spread(-SLV_FAR), spread(0.0f)};
    const int before = slv_step_start(part, launch);
    slv_wide_range range[3] = {none, none, none};
    slv_bunch bunches[SLV_TILE_BUNCHES];
    const int count = find_bunches(part, tile, bunches);
    for (int s = 0; s < 2 * count; s++) {
        const int slot = bunches[s / 2].slot[s % 2];
        SLV_LANES_OF_RUN {
            slv_wides q = load_lanes(state + part->q + slot * stride, lane, stride, component);
            slv_wides start = load_lanes(state + before + slot * stride, lane, stride, component);
            slv_mask moves = load_wide(state + part->inverse_mass + slot + lane) > 0.0f;
            if (all_set(moves)) {
                widen(&range[0], q.x, start.x);
                widen(&range[1], q.y, start.y);
                widen(&range[2], q.z, start.z);
            } else {
                widen_some(&range[0], moves, q.x, start.x);
                widen_some(&range[1], moves, q.y, start.y);
                widen_some(&range[2], moves, q.z, start.z);
            }
        }
    }
    slv_tile_box box;
    for (int d = 0; d < 3; d++) {
        box.low[d] = least_of(range[d].low);
        box.high[d] = most_of(range[d].high);
    }
    box.way = most_of(wide_larger(wide_larger(range[0].way, range[1].way), range[2].way));
    return box;
}

// As slv_cull_box, several colliders at a time.
static inline void cull_lanes(const float *state, int *table, const slv_part *part, int tile,
                              const slv_tile_box *box) {
    const int contact = part->contact;
    const int room = table[contact + SLV_CONTACT_ROOM];
    const float *boxes = state + table[contact + SLV_CONTACT_BOXES];
    const int records = table[contact + SLV_CONTACT_COLLIDERS];
    const int *kinds = table + table[contact + SLV_CONTACT_KINDS];
    int *list = table + part->lists + tile * (1 + room);
    const float margin = part->reach + 0.5f * box->way;
    int count = 0;
    for (int c = 0; c < room; c += SLV_WIDE) {
        slv_mask close = load_wide(boxes + c) <= box->high[0] + margin;
        close &= load_wide(boxes + 3 * room + c) >= box->low[0] - margin;
        for (int d = 1; d < 3; d++) {
            close &= load_wide(boxes + d * room + c) <= box->high[d] + margin;
            close &= load_wide(boxes + (3 + d) * room + c) >= box->low[d] - margin;
        }
        for (int left = mask_bits(close); left; left &= left - 1) {
            const int near = c + __builtin_ctz((unsigned)left);
            if (kinds[near] != SLV_SHAPE_PLANE ||
                slv_box_meets_plane(state, records + near * SLV_COLLIDER_FLOATS, box, margin)) {
                list[1 + count++] = near;
            }
        }
    }
    list[0] = count;
}

static inline int wide_contact_cull(float *state, int *table, const slv_part *part,
                                    const slv_launch *launch, int first, int end) {
    for (int tile = first; tile < end; tile++) {
        slv_tile_box box = part->stride == 1
                               ? bound_tile(state, part, launch, tile, 1, part->component)
                               : bound_tile(state, part, launch, tile, SLV_PARTICLE_FLOATS, 1);
        cull_lanes(state, table, part, tile, &box);
    }
    return end;
}

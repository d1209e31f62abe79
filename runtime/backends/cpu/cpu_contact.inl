// SPDX-License-Identifier: MIT
// Contacts, several particles at a time; the same bits as the plain kernels, which a test compares. Most
// particles near a collider do not touch it: so all are asked first, without roots, divisions or branches,
// whether they may, and those that do are taken out of all tiles near it and pressed side by side. A
// processor that has to guess in between who touches guesses wrong so often that it waits for most of the
// time.

// --- Particles against colliders ------------------------------------------------------------------------

// Particles go by bunches, two runs of SLV_TILE_COLUMNS that lie near each other: on grids both colors of
// a row of a tile. The tiles of a batch go together, collider by collider: each particle meets those near
// its tile in the order of the tile's list, as in the plain kernel.
enum {
    SLV_BUNCH = 2 * SLV_TILE_COLUMNS,
    SLV_TILE_BUNCHES = SLV_BLOCK / SLV_BUNCH,
    SLV_BATCH = 64, // tiles: each has a bit
    SLV_BATCH_BUNCHES = SLV_BATCH * SLV_TILE_BUNCHES,
    SLV_WINDOW = 64 // colliders looked for at a time
};

// The first slots of its runs.
typedef struct slv_bunch {
    int slot[2];
} slv_bunch;

static inline int find_bunches(const slv_body_layout *body, int tile, slv_bunch bunches[]) {
    if (body->stride != 1) {
        for (int n = 0; n < SLV_TILE_BUNCHES; n++) {
            bunches[n].slot[0] = tile * SLV_BLOCK + n * SLV_BUNCH;
            bunches[n].slot[1] = bunches[n].slot[0] + SLV_TILE_COLUMNS;
        }
        return SLV_TILE_BUNCHES;
    }
    const int first = tile / body->tile_columns * SLV_TILE_ROWS;
    const int column = tile % body->tile_columns * SLV_TILE_COLUMNS;
    const int left = body->rows * body->layers - first;
    const int count = left < SLV_TILE_ROWS ? left : SLV_TILE_ROWS;
    for (int n = 0; n < count; n++) {
        bunches[n].slot[0] = body->layers == 1
                                 ? body->origin + (first + n) * body->row_step + column
                                 : slv_grid_slot(body, 0, first + n, column);
        bunches[n].slot[1] = bunches[n].slot[0] + body->color_step;
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

// Those of a bunch that `bits` names.
static inline void store_crowd(float *array, slv_bunch bunch, int stride, int component,
                               unsigned bits, const slv_crowd *crowd) {
    for (int half = 0; half < 2; half++) {
        float *to = array + bunch.slot[half] * stride;
        const int first = half * SLV_TILE_COLUMNS;
        unsigned left = bits >> first & ((1U << SLV_TILE_COLUMNS) - 1);
        if (left && stride == 1) { // others are as they were
            memcpy(to, crowd->x + first, SLV_TILE_COLUMNS * sizeof *to);
            memcpy(to + component, crowd->y + first, SLV_TILE_COLUMNS * sizeof *to);
            memcpy(to + 2 * component, crowd->z + first, SLV_TILE_COLUMNS * sizeof *to);
            continue;
        }
        for (; left; left &= left - 1) {
            const int i = __builtin_ctz(left);
            to[i * stride] = crowd->x[first + i];
            to[i * stride + component] = crowd->y[first + i];
            to[i * stride + 2 * component] = crowd->z[first + i];
        }
    }
}

SLV_INLINE slv_vector crowd_member(const slv_crowd *crowd, int i) {
    return slv_make_vector(crowd->x[i], crowd->y[i], crowd->z[i]);
}

// Bit i set where number i is no larger than the limit.
static inline unsigned find_at_most(const float numbers[SLV_BUNCH], float limit) {
#if defined(__AVX512F__)
    return _mm512_cmp_ps_mask(_mm512_load_ps(numbers), _mm512_set1_ps(limit), _CMP_LE_OQ);
#else
    unsigned bits = 0;
    for (int i = 0; i < SLV_BUNCH; i += SLV_WIDE) {
        bits |= (unsigned)mask_bits(load_wide(numbers + i) <= limit) << i;
    }
    return bits;
#endif
}

// A batch, and where it stands in the lists of its tiles. Until all have been met, state keeps what it had.
typedef struct slv_batch {
    slv_crowd q[SLV_BATCH_BUNCHES];
    slv_bunch bunches[SLV_BATCH_BUNCHES];
    unsigned moving[SLV_BATCH_BUNCHES]; // bits of those that have a mass
    unsigned moved[SLV_BATCH_BUNCHES];  // bits of those that were met
    int first_bunch[SLV_BATCH];         // of a tile
    int bunch_count[SLV_BATCH];
    float way_square[SLV_BATCH]; // of the one of a tile that came furthest in this step
    const int *next[SLV_BATCH];  // in a tile's list of colliders
    const int *end[SLV_BATCH];   // of the list
    int tiles;
    int bunch_total;
} slv_batch;

// What all that meet share.
typedef struct slv_meeting {
    float *state;
    const slv_body_layout *body;
    const slv_launch *launch;
    int stride, component;
} slv_meeting;

// --- Pools ----------------------------------------------------------------------------------------------

// Of a bunch that touches a collider most particles do not: those that do are taken out of several bunches
// and lie side by side here, and only then are pressed.
enum {
    SLV_POOL_BUNCHES = 16,
    SLV_POOL_ROOM = (SLV_POOL_BUNCHES + 1) * SLV_BUNCH // whole registers are stored
};

typedef struct slv_pool {
    _Alignas(64) float x[SLV_POOL_ROOM];
    float y[SLV_POOL_ROOM];
    float z[SLV_POOL_ROOM];
} slv_pool;

static inline void pour_in(slv_pool *pool, int at, unsigned bits, const slv_crowd *crowd) {
#if defined(__AVX512F__)
    const __mmask16 mask = (__mmask16)bits;
    _mm512_storeu_ps(pool->x + at, _mm512_maskz_compress_ps(mask, _mm512_load_ps(crowd->x)));
    _mm512_storeu_ps(pool->y + at, _mm512_maskz_compress_ps(mask, _mm512_load_ps(crowd->y)));
    _mm512_storeu_ps(pool->z + at, _mm512_maskz_compress_ps(mask, _mm512_load_ps(crowd->z)));
#else
    for (; bits; bits &= bits - 1, at++) {
        const int i = __builtin_ctz(bits);
        pool->x[at] = crowd->x[i];
        pool->y[at] = crowd->y[i];
        pool->z[at] = crowd->z[i];
    }
#endif
}

// Zeros behind the last, where there would be anything. Compressed registers end in zeros by themselves.
static inline void drain(slv_pool *pool, int filled) {
#if defined(__AVX512F__)
    (void)pool;
    (void)filled;
#else
    memset(pool->x + filled, 0, SLV_BUNCH * sizeof *pool->x);
    memset(pool->y + filled, 0, SLV_BUNCH * sizeof *pool->y);
    memset(pool->z + filled, 0, SLV_BUNCH * sizeof *pool->z);
#endif
}

static inline void pour_out(const slv_pool *pool, int at, unsigned bits, slv_crowd *crowd) {
#if defined(__AVX512F__)
    const __mmask16 mask = (__mmask16)bits;
    _mm512_store_ps(crowd->x, _mm512_mask_expand_ps(_mm512_load_ps(crowd->x), mask,
                                                    _mm512_loadu_ps(pool->x + at)));
    _mm512_store_ps(crowd->y, _mm512_mask_expand_ps(_mm512_load_ps(crowd->y), mask,
                                                    _mm512_loadu_ps(pool->y + at)));
    _mm512_store_ps(crowd->z, _mm512_mask_expand_ps(_mm512_load_ps(crowd->z), mask,
                                                    _mm512_loadu_ps(pool->z + at)));
#else
    for (; bits; bits &= bits - 1, at++) {
        const int i = __builtin_ctz(bits);
        crowd->x[i] = pool->x[at];
        crowd->y[i] = pool->y[at];
        crowd->z[i] = pool->z[at];
    }
#endif
}

// --- Meetings -------------------------------------------------------------------------------------------

// The square of the distance to what a shape is a rounded form of, a ball's centre, a capsule's axis or a
// box, as the plain kernel has it before it takes the root.
SLV_INLINE float square_from_core(const slv_collider *collider, int kind, slv_vector q) {
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

// Bits of those of a bunch that may be deeper than thickness in a collider. Rounding may let some pass who
// then are found not to be; it holds back none: the limit is eight roundings high, root and difference are two.
SLV_INLINE unsigned find_touching(const slv_collider *collider, int kind, float thickness,
                                  const slv_crowd *crowd) {
    const float radius = thickness + (kind == SLV_SHAPE_BOX ? 0.0f : collider->size[0]);
    const float limit = radius * radius * 1.000001f + 1e-37f;
    _Alignas(64) float measure[SLV_BUNCH];
    SLV_BUNCH_LOOP {
        slv_vector q = crowd_member(crowd, i);
        if (kind == SLV_SHAPE_PLANE) {
            measure[i] = slv_collider_gap(NULL, collider, &collider->end, kind, q).distance;
        } else {
            measure[i] = square_from_core(collider, kind, q);
        }
    }
    return find_at_most(measure, kind == SLV_SHAPE_PLANE ? thickness : limit);
}

// Whether nobody of a tile has to be swept, without a doubt.
static inline bool is_slow(const slv_collider *collider, float way_square) {
    const float left = collider->safe * 0.99999f - collider->path;
    return left > 0.0f && way_square <= left * left * 0.99999f;
}

SLV_INLINE void press_pool(const float *state, const slv_collider *collider, slv_grip grip,
                           int kind, int count, slv_pool *q, const slv_pool *start) {
    for (int n = 0; n < count; n += SLV_BUNCH) {
        SLV_BUNCH_LOOP {
            slv_vector now = slv_make_vector(q->x[n + i], q->y[n + i], q->z[n + i]);
            slv_vector before = slv_make_vector(start->x[n + i], start->y[n + i], start->z[n + i]);
            slv_vector pressed = slv_press(state, collider, grip, kind, now, before);
            q->x[n + i] = pressed.x;
            q->y[n + i] = pressed.y;
            q->z[n + i] = pressed.z;
        }
    }
}

// As many bunches as a pool holds.
SLV_INLINE void press_bunches(const slv_meeting *with, const slv_collider *collider, slv_grip grip,
                              int kind, const int *numbers, const unsigned *bits, int count,
                              slv_batch *batch) {
    const float *before = with->state + slv_step_start(with->body, with->launch);
    slv_pool q;
    slv_pool start;
    int filled = 0;
    for (int n = 0; n < count; n++) {
        const int b = numbers[n];
        slv_crowd from;
        load_crowd(before, batch->bunches[b], with->stride, with->component, &from);
        pour_in(&q, filled, bits[n], &batch->q[b]);
        pour_in(&start, filled, bits[n], &from);
        filled += __builtin_popcount(bits[n]);
    }
    drain(&q, filled);
    drain(&start, filled);
    press_pool(with->state, collider, grip, kind, filled, &q, &start);
    filled = 0;
    for (int n = 0; n < count; n++) {
        const int b = numbers[n];
        pour_out(&q, filled, bits[n], &batch->q[b]);
        batch->moved[b] |= bits[n];
        filled += __builtin_popcount(bits[n]);
    }
}

// All of a tile, one by one: where somebody may have to be swept, or there is no form for vectors. It loads
// the collider by itself, so that whoever else has it can keep it in registers.
static void meet_one_by_one(const slv_meeting *with, int record, int kind, int tile,
                            slv_batch *batch) {
    const slv_body_layout *body = with->body;
    const float *state = with->state;
    const slv_collider collider = slv_load_collider(state, record);
    const slv_grip grip = slv_find_grip(body, with->launch, collider.friction, collider.kinetic);
    const int before = slv_step_start(body, with->launch);
    const int first = batch->first_bunch[tile];
    for (int b = first; b < first + batch->bunch_count[tile]; b++) {
        slv_crowd *crowd = &batch->q[b];
        for (unsigned left = batch->moving[b]; left; left &= left - 1) {
            const int i = __builtin_ctz(left);
            const int slot = batch->bunches[b].slot[i / SLV_TILE_COLUMNS] + i % SLV_TILE_COLUMNS;
            slv_vector start = slv_load_vector(state, body, before, slot);
            slv_vector came = slv_load_vector(state, body, body->q, slot);
            slv_vector q =
                slv_meet(state, &collider, grip, kind, slv_length(slv_minus(came, start)),
                         crowd_member(crowd, i), start);
            crowd->x[i] = q.x;
            crowd->y[i] = q.y;
            crowd->z[i] = q.z;
        }
        batch->moved[b] |= batch->moving[b];
    }
}

// All of a batch near the collider.
SLV_INLINE void meet(const slv_meeting *with, int record, int kind, int turns, uint64_t near,
                     slv_batch *batch) {
    const slv_body_layout *body = with->body;
    slv_collider collider = slv_load_collider(with->state, record);
    collider.turns = turns; // which is known, but not to the compiler
    const slv_grip grip = slv_find_grip(body, with->launch, collider.friction, collider.kinetic);
    int touching[SLV_BATCH_BUNCHES];
    unsigned bits[SLV_BATCH_BUNCHES];
    int touches = 0;
    for (uint64_t left = near; left; left &= left - 1) {
        const int tile = __builtin_ctzll(left);
        const int first = batch->first_bunch[tile];
        const int end = first + batch->bunch_count[tile];
        if (!is_slow(&collider, batch->way_square[tile])) {
            meet_one_by_one(with, record, kind, tile, batch);
            continue;
        }
        for (int b = first; b < end; b++) {
            touching[touches] = b;
            bits[touches] =
                batch->moving[b] & find_touching(&collider, kind, body->thickness, &batch->q[b]);
            touches += bits[touches] ? 1 : 0;
        }
    }
    for (int n = 0; n < touches; n += SLV_POOL_BUNCHES) {
        const int some = touches - n < SLV_POOL_BUNCHES ? touches - n : SLV_POOL_BUNCHES;
        press_bunches(with, &collider, grip, kind, touching + n, bits + n, some, batch);
    }
}

// Names the kind and whether it turns, so that each gets loops of its own.
#define SLV_MEET(kind)                                                                             \
    case kind:                                                                                     \
        if (turns) {                                                                               \
            meet(with, record, kind, 1, near, batch);                                              \
        } else {                                                                                   \
            meet(with, record, kind, 0, near, batch);                                              \
        }                                                                                          \
        break;

// Tile t of the batch where bit t of `near` is set.
static inline void meet_kind(const slv_meeting *with, int record, int kind, uint64_t near,
                             slv_batch *batch) {
    const bool turns = with->state[record + SLV_COLLIDER_TURNS] > 0.0f;
    switch (kind) {
        SLV_MEET(SLV_SHAPE_PLANE)
        SLV_MEET(SLV_SHAPE_SPHERE)
        SLV_MEET(SLV_SHAPE_CAPSULE)
        SLV_MEET(SLV_SHAPE_BOX)
    default:
        for (; near; near &= near - 1) {
            meet_one_by_one(with, record, kind, __builtin_ctzll(near), batch);
        }
        break;
    }
}
#undef SLV_MEET

// The smallest number of a collider that tiles of the batch have not met yet; INT_MAX where there is none.
static inline int find_next(const slv_batch *batch) {
    int number = INT_MAX;
    for (int t = 0; t < batch->tiles; t++) {
        if (batch->next[t] < batch->end[t] && *batch->next[t] < number) {
            number = *batch->next[t];
        }
    }
    return number;
}

// Lists ascend: so who is near each of the next few colliders is gathered from the lists' beginnings.
static inline void meet_batch(const slv_meeting *with, const int *kinds, int records,
                              slv_batch *batch) {
    for (int first; (first = find_next(batch)) != INT_MAX;) {
        uint64_t near[SLV_WINDOW] = {0};
        for (int t = 0; t < batch->tiles; t++) {
            const int *next = batch->next[t];
            for (; next < batch->end[t] && *next - first < SLV_WINDOW; next++) {
                near[*next - first] |= UINT64_C(1) << t;
            }
            batch->next[t] = next;
        }
        for (int n = 0; n < SLV_WINDOW; n++) {
            if (near[n]) {
                const int number = first + n;
                meet_kind(with, records + number * SLV_COLLIDER_FLOATS, kinds[number], near[n],
                          batch);
            }
        }
    }
}

// --- Batches --------------------------------------------------------------------------------------------

// Takes a tile and its list behind the others of a batch.
static inline void load_tile(const slv_meeting *with, int tile, const int *list, slv_batch *batch) {
    const slv_body_layout *body = with->body;
    const float *now = with->state + body->q;
    const float *before = with->state + slv_step_start(body, with->launch);
    const float *masses = with->state + body->inverse_mass;
    const int first = batch->bunch_total;
    const int count = find_bunches(body, tile, batch->bunches + first);
    slv_wide squares = spread(0.0f);
    for (int b = first; b < first + count; b++) {
        slv_crowd *crowd = &batch->q[b];
        unsigned moving = 0;
        for (int half = 0; half < 2; half++) {
            const int slot = batch->bunches[b].slot[half];
            SLV_LANES_OF_RUN {
                const int at = half * SLV_TILE_COLUMNS + lane;
                slv_wides q =
                    load_lanes(now + slot * with->stride, lane, with->stride, with->component);
                slv_wides start =
                    load_lanes(before + slot * with->stride, lane, with->stride, with->component);
                slv_wide x = q.x - start.x;
                slv_wide y = q.y - start.y;
                slv_wide z = q.z - start.z;
                squares = wide_larger(x * x + y * y + z * z, squares);
                moving |= (unsigned)mask_bits(load_wide(masses + slot + lane) > 0.0f) << at;
                store_wide(crowd->x + at, q.x);
                store_wide(crowd->y + at, q.y);
                store_wide(crowd->z + at, q.z);
            }
        }
        batch->moving[b] = moving;
        batch->moved[b] = 0;
    }
    const int t = batch->tiles++;
    batch->bunch_total += count;
    batch->first_bunch[t] = first;
    batch->bunch_count[t] = count;
    batch->way_square[t] = most_of(squares);
    batch->next[t] = list + 1;
    batch->end[t] = list + 1 + list[0];
}

SLV_INLINE void collide_tiles(const slv_meeting *with, const int *table, int first, int end) {
    const slv_body_layout *body = with->body;
    const int *kinds = table + table[body->contact + SLV_CONTACT_KINDS];
    const int records = table[body->contact + SLV_CONTACT_COLLIDERS];
    const int room = table[body->contact + SLV_CONTACT_ROOM];
    slv_batch batch;
    for (int tile = first; tile < end;) {
        batch.tiles = batch.bunch_total = 0;
        for (; tile < end && batch.tiles < SLV_BATCH; tile++) {
            const int *list = table + body->lists + tile * (1 + room);
            if (list[0] > 0) {
                load_tile(with, tile, list, &batch);
            }
        }
        meet_batch(with, kinds, records, &batch);
        for (int b = 0; b < batch.bunch_total; b++) {
            store_crowd(with->state + body->q, batch.bunches[b], with->stride, with->component,
                        batch.moved[b], &batch.q[b]);
        }
    }
}

// NOLINTNEXTLINE(readability-non-const-parameter): batches are stored through the meeting
static inline int wide_contact_collide(float *state, const int *table, const slv_body_layout *body,
                                       const slv_launch *launch, int first, int end) {
    slv_meeting with = {.state = state, .body = body, .launch = launch};
    if (body->stride == 1) {
        with.stride = 1;
        with.component = body->component;
        collide_tiles(&with, table, first, end);
    } else {
        with.stride = SLV_PARTICLE_FLOATS;
        with.component = 1;
        collide_tiles(&with, table, first, end);
    }
    return end;
}
#define SLV_FORM_contact_collide SLV_FORM(contact_collide)

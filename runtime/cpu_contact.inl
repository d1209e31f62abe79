// SPDX-License-Identifier: MIT
// Contacts, several particles at a time; the same bits as the plain kernels, which a test compares. Most
// particles near a collider do not touch it, and most of a particle's neighbours are its own cloth: so
// first a whole vector is asked whether any of it matters at all, and only then is it dealt with.

// --- Particles against colliders ------------------------------------------------------------------------

// A run of SLV_TILE_COLUMNS particles: slots first … of one row or slice.
typedef struct slv_tile_run {
    float *q;
    const float *start;
    const float *inverse_mass;
} slv_tile_run;

#define SLV_RUN_LOOP _Pragma("omp simd") for (int i = 0; i < SLV_TILE_COLUMNS; i++)

static inline slv_vector load_run(const float *from, int i, int stride, int component) {
    return slv_make_vector(from[i * stride], from[i * stride + component],
                           from[i * stride + 2 * component]);
}

// Whether any of a run is deeper than thickness in a collider.
static inline bool run_touches(const float *state, const slv_collider *collider, int kind,
                               float thickness, slv_tile_run run, int stride, int component) {
    int touches = 0;
    _Pragma("omp simd reduction(| : touches)") for (int i = 0; i < SLV_TILE_COLUMNS; i++) {
        slv_vector q = load_run(run.q, i, stride, component);
        slv_gap gap = slv_collider_gap(state, collider, &collider->end, kind, q);
        touches |= gap.distance < thickness ? 1 : 0;
    }
    return touches != 0;
}

static inline void press_run(const float *state, const slv_collider *collider, slv_grip grip,
                             int kind, slv_tile_run run, int stride, int component) {
    SLV_RUN_LOOP {
        slv_vector q = load_run(run.q, i, stride, component);
        slv_vector start = load_run(run.start, i, stride, component);
        slv_vector pressed = slv_press(state, collider, grip, kind, q, start);
        bool moves = run.inverse_mass[i] > 0.0f;
        run.q[i * stride] = moves ? pressed.x : q.x;
        run.q[i * stride + component] = moves ? pressed.y : q.y;
        run.q[i * stride + 2 * component] = moves ? pressed.z : q.z;
    }
}

static inline void meet_run(const float *state, const slv_collider *collider, slv_grip grip,
                            int kind, slv_tile_run run, int stride, int component) {
    if (run_touches(state, collider, kind, grip.thickness, run, stride, component)) {
        press_run(state, collider, grip, kind, run, stride, component);
    }
}

// Names the kind, so that each gets a loop of its own.
static inline void meet_run_of_kind(const float *state, const slv_collider *collider, slv_grip grip,
                                    int kind, slv_tile_run run, int stride, int component) {
    switch (kind) {
    case SLV_SHAPE_PLANE:
        meet_run(state, collider, grip, SLV_SHAPE_PLANE, run, stride, component);
        break;
    case SLV_SHAPE_SPHERE:
        meet_run(state, collider, grip, SLV_SHAPE_SPHERE, run, stride, component);
        break;
    case SLV_SHAPE_CAPSULE:
        meet_run(state, collider, grip, SLV_SHAPE_CAPSULE, run, stride, component);
        break;
    case SLV_SHAPE_BOX:
        meet_run(state, collider, grip, SLV_SHAPE_BOX, run, stride, component);
        break;
    default:
        break;
    }
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

// The longest way of a tile's particles, at least as the plain kernel finds it.
static inline float longest_way(const slv_tile_run *runs, int count, int stride, int component) {
    slv_wide square = spread(0.0f);
    for (int r = 0; r < count; r++) {
        SLV_LANES_OF_RUN {
            slv_wides q = load_lanes(runs[r].q, lane, stride, component);
            slv_wides start = load_lanes(runs[r].start, lane, stride, component);
            slv_wide x = q.x - start.x;
            slv_wide y = q.y - start.y;
            slv_wide z = q.z - start.z;
            square = wide_larger(x * x + y * y + z * z, square);
        }
    }
    return sqrtf(most_of(square));
}

static inline int find_runs(float *state, const slv_part *part, const slv_launch *launch, int tile,
                            slv_tile_run *runs) {
    int start = slv_step_start(part, launch);
    int count = 0;
    for (int column = 0; column < SLV_BLOCK; column += SLV_TILE_COLUMNS) {
        int slot = slv_tile_slot(part, tile, column);
        if (slot >= 0) {
            runs[count].q = state + part->q + slot * part->stride;
            runs[count].start = state + start + slot * part->stride;
            runs[count].inverse_mass = state + part->inverse_mass + slot;
            count++;
        }
    }
    return count;
}

static inline bool is_edged(int kind) {
    return kind == SLV_SHAPE_WEDGE || kind == SLV_SHAPE_FUNNEL || kind == SLV_SHAPE_FIELD;
}

static void collide_tile_plainly(float *state, const int *table, const slv_part *part,
                                 const slv_launch *launch, int tile) {
    for (int column = 0; column < SLV_BLOCK; column++) {
        slv_collide(state, table, part, launch, tile, column);
    }
}

// Where something may have to be swept, or has no form for vectors, all of the tile goes the plain way.
static void collide_tile(float *state, const int *table, const slv_part *part,
                         const slv_launch *launch, int tile, int stride, int component) {
    const int contact = part->contact;
    const int *list = table + part->lists + tile * (1 + table[contact + SLV_CONTACT_ROOM]);
    const int *kinds = table + table[contact + SLV_CONTACT_KINDS];
    const int records = table[contact + SLV_CONTACT_COLLIDERS];
    slv_tile_run runs[SLV_BLOCK / SLV_TILE_COLUMNS];
    int count = find_runs(state, part, launch, tile, runs);
    float way = longest_way(runs, count, stride, component);
    bool plain = false;
    for (int n = 1; n <= list[0]; n++) {
        const float *record = state + records + list[n] * SLV_COLLIDER_FLOATS;
        plain = plain || is_edged(kinds[list[n]]) ||
                way + record[SLV_COLLIDER_PATH] > record[SLV_COLLIDER_SAFE];
    }
    if (plain) {
        collide_tile_plainly(state, table, part, launch, tile);
        return;
    }
    for (int n = 1; n <= list[0]; n++) {
        int record = records + list[n] * SLV_COLLIDER_FLOATS;
        const slv_collider collider = slv_load_collider(state, record);
        slv_grip grip = slv_find_grip(part, launch, collider.friction, collider.kinetic);
        for (int r = 0; r < count; r++) {
            meet_run_of_kind(state, &collider, grip, kinds[list[n]], runs[r], stride, component);
        }
    }
}

static inline int wide_contact_collide(float *state, const int *table, const slv_part *part,
                                       const slv_launch *launch, int first, int end) {
    for (int tile = first; tile < end; tile++) {
        if (table[part->lists + tile * (1 + table[part->contact + SLV_CONTACT_ROOM])] == 0) {
            continue;
        }
        if (part->stride == 1) {
            collide_tile(state, table, part, launch, tile, 1, part->component);
        } else {
            collide_tile(state, table, part, launch, tile, 4, 1);
        }
    }
    return end;
}

// --- Who is near ----------------------------------------------------------------------------------------

// Lowest, highest and longest way along one axis so far, and those of more particles.
typedef struct slv_wide_range {
    slv_wide low, high, way;
} slv_wide_range;

static inline slv_wide_range widen(slv_wide_range range, slv_mask moves, slv_wide now,
                                   slv_wide before) {
    const slv_wide far = spread(SLV_FAR);
    const slv_wide away = keep_where(moves, now - before);
    const slv_wide low = wide_smaller(now, before);
    const slv_wide high = wide_larger(now, before);
    range.low =
        wide_smaller((slv_wide)(((slv_mask)low & moves) | ((slv_mask)far & ~moves)), range.low);
    range.high =
        wide_larger((slv_wide)(((slv_mask)high & moves) | ((slv_mask)-far & ~moves)), range.high);
    range.way = wide_larger(wide_larger(away, 0.0f - away), range.way);
    return range;
}

// As slv_bound_tile: lowest and highest do not depend on who is asked first.
static inline slv_tile_box bound_runs(const slv_tile_run *runs, int count, int stride,
                                      int component) {
    const slv_wide_range none = {spread(SLV_FAR), spread(-SLV_FAR), spread(0.0f)};
    slv_wide_range range[3] = {none, none, none};
    for (int r = 0; r < count; r++) {
        SLV_LANES_OF_RUN {
            slv_wides q = load_lanes(runs[r].q, lane, stride, component);
            slv_wides start = load_lanes(runs[r].start, lane, stride, component);
            slv_mask moves = load_wide(runs[r].inverse_mass + lane) > 0.0f;
            range[0] = widen(range[0], moves, q.x, start.x);
            range[1] = widen(range[1], moves, q.y, start.y);
            range[2] = widen(range[2], moves, q.z, start.z);
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

// As slv_cull_box, SLV_LANES colliders at a time.
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
    for (int c = 0; c < room; c += SLV_LANES) {
        int near[SLV_LANES];
        int any = 0;
        _Pragma("omp simd reduction(| : any)") for (int i = 0; i < SLV_LANES; i++) {
            int close = 1;
            for (int d = 0; d < 3; d++) {
                close &= boxes[d * room + c + i] <= box->high[d] + margin ? 1 : 0;
                close &= boxes[(3 + d) * room + c + i] >= box->low[d] - margin ? 1 : 0;
            }
            near[i] = close;
            any |= close;
        }
        for (int i = 0; any && i < SLV_LANES; i++) {
            bool plane = near[i] && kinds[c + i] == SLV_SHAPE_PLANE;
            if (plane) {
                near[i] = slv_box_meets_plane(state, records + (c + i) * SLV_COLLIDER_FLOATS, box,
                                              margin);
            }
            if (near[i]) {
                list[1 + count++] = c + i;
            }
        }
    }
    list[0] = count;
}

static inline int wide_contact_cull(float *state, int *table, const slv_part *part,
                                    const slv_launch *launch, int first, int end) {
    for (int tile = first; tile < end; tile++) {
        slv_tile_run runs[SLV_BLOCK / SLV_TILE_COLUMNS];
        int count = find_runs(state, part, launch, tile, runs);
        slv_tile_box box = part->stride == 1 ? bound_runs(runs, count, 1, part->component)
                                             : bound_runs(runs, count, 4, 1);
        cull_lanes(state, table, part, tile, &box);
    }
    return end;
}

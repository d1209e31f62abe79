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

// The longest way of a tile's particles, at least as the plain kernel finds it.
static inline float longest_way(const slv_tile_run *runs, int count, int stride, int component) {
    float square = 0.0f;
    for (int r = 0; r < count; r++) {
        _Pragma("omp simd reduction(max : square)") for (int i = 0; i < SLV_TILE_COLUMNS; i++) {
            slv_vector q = load_run(runs[r].q, i, stride, component);
            slv_vector way = slv_minus(q, load_run(runs[r].start, i, stride, component));
            float length = slv_dot(way, way);
            square = length > square ? length : square;
        }
    }
    return sqrtf(square);
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

// As slv_bound_tile: lowest and highest do not depend on who is asked first.
static inline slv_tile_box bound_runs(const slv_tile_run *runs, int count, int stride,
                                      int component) {
    slv_tile_box box = {{SLV_FAR, SLV_FAR, SLV_FAR}, {-SLV_FAR, -SLV_FAR, -SLV_FAR}, 0.0f};
    for (int d = 0; d < 3; d++) {
        float low = SLV_FAR;
        float high = -SLV_FAR;
        float way = 0.0f;
        for (int r = 0; r < count; r++) {
            const float *q = runs[r].q + d * component;
            const float *start = runs[r].start + d * component;
            const float *mass = runs[r].inverse_mass;
            _Pragma(
                "omp simd reduction(min : low) reduction(max : high, way)") for (int i = 0;
                                                                                 i <
                                                                                 SLV_TILE_COLUMNS;
                                                                                 i++) {
                float now = q[i * stride];
                float before = start[i * stride];
                bool moves = mass[i] > 0.0f;
                float lower = moves ? slv_smaller(now, before) : SLV_FAR;
                float upper = moves ? slv_larger(now, before) : -SLV_FAR;
                float gone = moves ? slv_absolute(now - before) : 0.0f;
                low = lower < low ? lower : low;
                high = upper > high ? upper : high;
                way = gone > way ? gone : way;
            }
        }
        box.low[d] = low;
        box.high[d] = high;
        box.way = way > box.way ? way : box.way;
    }
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

// --- Particles against particles ------------------------------------------------------------------------

// What a search needs of the tables, found once for many.
typedef struct slv_bin_view {
    const float *sorted;
    const int *ids;
    int stride, bins;
} slv_bin_view;

static inline bool has_any(slv_mask mask) {
    long long words[SLV_WIDE / 2];
    long long any = 0;
    memcpy(words, &mask, sizeof words);
    for (int i = 0; i < SLV_WIDE / 2; i++) {
        any |= words[i];
    }
    return any != 0;
}

// As slv_search_ranks; what is looked at beyond the end counts for nothing.
static inline void search_ranks_wide(const slv_bin_view *view, const float *state, int *table,
                                     slv_search *search, int first, int end) {
    slv_mask numbers;
    for (int i = 0; i < SLV_WIDE; i++) {
        numbers[i] = i;
    }
    const int stride = view->stride;
    const int social = search->kin > 0.0f ? -1 : 0;
    for (int rank = first; rank < end && !search->cut; rank += SLV_WIDE) {
        const float *at = view->sorted + rank;
        slv_wide dx = load_wide(at) - search->place.x;
        slv_wide dy = load_wide(at + stride) - search->place.y;
        slv_wide dz = load_wide(at + 2 * stride) - search->place.z;
        slv_wide radii = load_wide(at + 3 * stride) + search->radius;
        slv_wide reach = radii + search->slack;
        slv_mask wanted = dx * dx + dy * dy + dz * dz < reach * reach;
        wanted &= numbers < end - rank;
        if (!has_any(wanted)) {
            continue;
        }
        slv_wide rx = load_wide(at + 4 * stride) - search->rest.x;
        slv_wide ry = load_wide(at + 5 * stride) - search->rest.y;
        slv_wide rz = load_wide(at + 6 * stride) - search->rest.z;
        slv_wide kin = load_wide(at + 7 * stride);
        slv_wide apart = 1.001f * radii;
        slv_mask same = kin == search->kin;
        slv_mask away = rx * rx + ry * ry + rz * rz > apart * apart;
        slv_mask sociable = (kin > 0.0f) & social;
        wanted &= (same & away) | (~same & sociable);
        if (!has_any(wanted)) {
            continue;
        }
        for (int i = 0; i < SLV_WIDE && !search->cut; i++) {
            if (wanted[i]) {
                slv_search_add(state, table, view->bins, search, radii[i], view->ids[rank + i]);
            }
        }
    }
}

#define SLV_SEARCH_WIDE(state, table, bins, search, first, end)                                    \
    search_ranks_wide(view, state, table, search, first, end)

static inline void find_pairs_of(const slv_bin_view *view, float *state, int *table,
                                 const slv_part *part, const slv_launch *launch, int rank) {
    SLV_SEARCH_AROUND(rank, SLV_SEARCH_WIDE)
}

static inline int wide_pair_find(float *state, int *table, const slv_part *part,
                                 const slv_launch *launch, int first, int end) {
    const int bins = slv_bins_of(table, part);
    const slv_bin_view view = {
        .sorted = state + table[bins + SLV_BINS_SORTED],
        .ids = table + table[bins + SLV_BINS_IDS],
        .stride = table[bins + SLV_BINS_STRIDE],
        .bins = bins,
    };
    for (int rank = first * SLV_BLOCK; rank < end * SLV_BLOCK; rank++) {
        find_pairs_of(&view, state, table, part, launch, rank);
    }
    return end;
}

// --- The rest of their kind -----------------------------------------------------------------------------

#define SLV_PLAINLY(name)                                                                          \
    static inline int wide_##name(float *state, int *table, const slv_part *part,                  \
                                  const slv_launch *launch, int first, int end) {                  \
        (void)state;                                                                               \
        (void)table;                                                                               \
        (void)part;                                                                                \
        (void)launch;                                                                              \
        (void)end;                                                                                 \
        return first;                                                                              \
    }
// NOLINTBEGIN(readability-non-const-parameter): as the others have it
SLV_PLAINLY(collider_move)
SLV_PLAINLY(bin_spread)
SLV_PLAINLY(bin_tally)
SLV_PLAINLY(bin_deal)
SLV_PLAINLY(bin_sort)
SLV_PLAINLY(tear_slice)
SLV_PLAINLY(tear_batch)
// NOLINTEND(readability-non-const-parameter)
#undef SLV_PLAINLY

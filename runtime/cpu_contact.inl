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

// --- Particles against particles ------------------------------------------------------------------------

enum { SLV_SEARCH_LANES = 8 };

// As slv_search_ranks; what is looked at beyond the end counts for nothing.
static inline void search_ranks_wide(const float *state, int *table, int bins, slv_search *search,
                                     int first, int end) {
    const int stride = table[bins + SLV_BINS_STRIDE];
    const float *sorted = state + table[bins + SLV_BINS_SORTED];
    const slv_search own = *search;
    for (int rank = first; rank < end && !search->cut; rank += SLV_SEARCH_LANES) {
        const float *at = sorted + rank;
        int wanted[SLV_SEARCH_LANES];
        int any = 0;
        _Pragma("omp simd reduction(| : any)") for (int i = 0; i < SLV_SEARCH_LANES; i++) {
            float dx = at[i] - own.place.x;
            float dy = at[i + stride] - own.place.y;
            float dz = at[i + 2 * stride] - own.place.z;
            float radii = at[i + 3 * stride] + own.radius;
            float rx = at[i + 4 * stride] - own.rest.x;
            float ry = at[i + 5 * stride] - own.rest.y;
            float rz = at[i + 6 * stride] - own.rest.z;
            float kin = at[i + 7 * stride];
            float reach = radii + own.slack;
            float apart = 1.001f * radii;
            int near = dx * dx + dy * dy + dz * dz < reach * reach ? 1 : 0;
            int apart_at_rest = rx * rx + ry * ry + rz * rz > apart * apart ? 1 : 0;
            int sociable = kin > 0.0f && own.kin > 0.0f ? 1 : 0;
            int strangers = kin == own.kin ? apart_at_rest : sociable;
            wanted[i] = near & strangers & (rank + i < end ? 1 : 0);
            any |= wanted[i];
        }
        for (int i = 0; any && i < SLV_SEARCH_LANES && !search->cut; i++) {
            if (wanted[i]) {
                slv_search_add(table, search, table[table[bins + SLV_BINS_IDS] + rank + i]);
            }
        }
    }
}

static inline void find_pairs_of(float *state, int *table, const slv_part *part, int rank) {
    SLV_SEARCH_AROUND(rank, search_ranks_wide)
}

static inline int wide_pair_find(float *state, int *table, const slv_part *part,
                                 const slv_launch *launch, int first, int end) {
    (void)launch;
    for (int rank = first * SLV_BLOCK; rank < end * SLV_BLOCK; rank++) {
        find_pairs_of(state, table, part, rank);
    }
    return end;
}

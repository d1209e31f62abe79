// SPDX-License-Identifier: MIT
// Contacts with colliders, several particles at a time; the same bits as the plain kernels, which a
// test compares. Most particles near a collider do not touch it. So all are tested first, without
// square roots, divisions or branches; those that touch are compressed into packets and projected
// together. A branch for each particle is mispredicted so often that a processor would spend most of
// the time on it.

// --- Particles against colliders ------------------------------------------------------------------------

// Particles are processed in packets: two runs of SLV_TILE_COLUMNS that lie near each other, on grids
// both colors of a row of a tile. The tiles of a group are processed together, collider by collider.
// Each particle takes the colliders near its tile in the order of the tile's list, as in the plain
// kernel.
enum {
    SLV_PACKET = 2 * SLV_TILE_COLUMNS,
    SLV_TILE_PACKETS = SLV_BLOCK / SLV_PACKET,
    SLV_TILE_GROUP = 64, // tiles: each has a bit of a mask
    SLV_TILE_GROUP_PACKETS = SLV_TILE_GROUP * SLV_TILE_PACKETS,
    SLV_WINDOW = 64 // colliders of the lists that are merged at a time
};

// The tests of whole packets are conservative. limit_rounding is eight roundings of a float above 1; the square
// root and the difference of the projection are two. least_square keeps the limit above 0.
static const float limit_rounding = 1.000001f, least_square = 1e-37f;
static const float slow_rounding = 0.99999f; // of the step that needs no sweep

// First slots of the two runs of a packet.
typedef struct slv_packet {
    int slot[2];
} slv_packet;

static inline int find_packets(const slv_body_layout *body, int tile, slv_packet packets[]) {
    if (!slv_body_is_grid(body)) {
        for (int n = 0; n < SLV_TILE_PACKETS; n++) {
            packets[n].slot[0] = tile * SLV_BLOCK + n * SLV_PACKET;
            packets[n].slot[1] = packets[n].slot[0] + SLV_TILE_COLUMNS;
        }
        return SLV_TILE_PACKETS;
    }
    const int first = tile / body->tile_columns * SLV_TILE_ROWS;
    const int column = tile % body->tile_columns * SLV_TILE_COLUMNS;
    const int left = body->rows * body->layers - first;
    const int count = left < SLV_TILE_ROWS ? left : SLV_TILE_ROWS;
    for (int n = 0; n < count; n++) {
        packets[n].slot[0] = body->layers == 1
                                 ? body->origin + (first + n) * body->row_step + column
                                 : slv_grid_slot(body, 0, first + n, column);
        packets[n].slot[1] = packets[n].slot[0] + body->color_step;
    }
    return count;
}

// Floats from a slot to the next in an array of vectors that lie as SLV_JOINED or SLV_SPLIT.
static inline int get_stride(int arrangement) {
    return arrangement == SLV_SPLIT ? 1 : SLV_PARTICLE_FLOATS;
}

// SLV_WIDE particles of a run, from `lane` on.
static inline slv_wides load_lanes(const float *from, int lane, int arrangement, int component) {
    if (arrangement == SLV_JOINED) {
        return load_slice(from, 0, lane);
    }
    slv_wides lanes = {load_wide(from + lane), load_wide(from + component + lane),
                       load_wide(from + 2 * component + lane), spread(0.0f)};
    return lanes;
}

#define SLV_LANES_OF_RUN for (int lane = 0; lane < SLV_TILE_COLUMNS; lane += SLV_WIDE)
#define SLV_PACKET_LOOP _Pragma("omp simd") for (int i = 0; i < SLV_PACKET; i++)

// Vectors of the particles of a packet.
typedef struct slv_packet_vectors {
    _Alignas(64) float x[SLV_PACKET];
    float y[SLV_PACKET];
    float z[SLV_PACKET];
} slv_packet_vectors;

// Joins two runs. Whole registers are stored at once: loading one that was stored in halves stalls for
// as long as a square root takes.
static inline void join_lanes(float to[SLV_PACKET], const slv_wide *one, const slv_wide *other) {
#if SLV_WIDE == 8 && defined(__AVX512F__)
    typedef float slv_both __attribute__((__vector_size__(64)));
    slv_both both = SLV_SHUFFLE(*one, *other, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    memcpy(to, &both, sizeof both);
#else
    memcpy(to, one, SLV_TILE_COLUMNS * sizeof *to);
    memcpy(to + SLV_TILE_COLUMNS, other, SLV_TILE_COLUMNS * sizeof *to);
#endif
}

static inline void load_vectors(const float *array, slv_packet packet, int arrangement,
                                int component, slv_packet_vectors *vectors) {
    slv_wide run[3][2][SLV_TILE_COLUMNS / SLV_WIDE];
    for (int half = 0; half < 2; half++) {
        SLV_LANES_OF_RUN {
            slv_wides lanes = load_lanes(array + packet.slot[half] * get_stride(arrangement), lane,
                                         arrangement, component);
            run[0][half][lane / SLV_WIDE] = lanes.x;
            run[1][half][lane / SLV_WIDE] = lanes.y;
            run[2][half][lane / SLV_WIDE] = lanes.z;
        }
    }
    join_lanes(vectors->x, run[0][0], run[0][1]);
    join_lanes(vectors->y, run[1][0], run[1][1]);
    join_lanes(vectors->z, run[2][0], run[2][1]);
}

// Stores the particles of a packet whose bits are set.
static inline void store_vectors(float *array, slv_packet packet, int arrangement, int component,
                                 unsigned bits, const slv_packet_vectors *vectors) {
    const int stride = get_stride(arrangement);
    for (int half = 0; half < 2; half++) {
        float *to = array + packet.slot[half] * stride;
        const int first = half * SLV_TILE_COLUMNS;
        unsigned left = bits >> first & ((1U << SLV_TILE_COLUMNS) - 1);
        if (left && arrangement == SLV_SPLIT) { // the others have not changed
            memcpy(to, vectors->x + first, SLV_TILE_COLUMNS * sizeof *to);
            memcpy(to + component, vectors->y + first, SLV_TILE_COLUMNS * sizeof *to);
            memcpy(to + 2 * component, vectors->z + first, SLV_TILE_COLUMNS * sizeof *to);
            continue;
        }
        for (; left; left &= left - 1) {
            const int i = __builtin_ctz(left);
            to[i * stride] = vectors->x[first + i];
            to[i * stride + component] = vectors->y[first + i];
            to[i * stride + 2 * component] = vectors->z[first + i];
        }
    }
}

SLV_INLINE slv_vector vector_at(const slv_packet_vectors *vectors, int i) {
    return slv_make_vector(vectors->x[i], vectors->y[i], vectors->z[i]);
}

// Bit i is set where number i is at most the limit.
static inline unsigned find_at_most(const float numbers[SLV_PACKET], float limit) {
#if defined(__AVX512F__)
    return _mm512_cmp_ps_mask(_mm512_load_ps(numbers), _mm512_set1_ps(limit), _CMP_LE_OQ);
#else
    unsigned bits = 0;
    for (int i = 0; i < SLV_PACKET; i += SLV_WIDE) {
        bits |= (unsigned)mask_bits(load_wide(numbers + i) <= limit) << i;
    }
    return bits;
#endif
}

// A group of tiles, and positions in their lists of colliders. Results are written to state when all
// colliders are done.
typedef struct slv_tile_group {
    slv_packet_vectors q[SLV_TILE_GROUP_PACKETS];
    slv_packet packets[SLV_TILE_GROUP_PACKETS];
    unsigned moving[SLV_TILE_GROUP_PACKETS]; // bits of particles that are not fixed
    unsigned moved[SLV_TILE_GROUP_PACKETS];  // bits of particles that were changed
    unsigned
        inside[SLV_TILE_GROUP_PACKETS]; // bits of those that may have started inside a collider
    int first_packet[SLV_TILE_GROUP];   // of a tile
    int packet_count[SLV_TILE_GROUP];
    float displacement_square[SLV_TILE_GROUP]; // the largest of a tile in this step, square metres
    const int *next[SLV_TILE_GROUP];           // position in a tile's list of colliders
    const int *end[SLV_TILE_GROUP];            // of the list
    int tiles;
    int packet_total;
} slv_tile_group;

// Arguments that all functions below share.
typedef struct slv_contact_pass {
    float *state;
    const int *table;
    const slv_body_layout *body;
    const slv_launch *launch;
    int arrangement, component; // SLV_JOINED or SLV_SPLIT; as slv_body_layout's
} slv_contact_pass;

// --- Compressed packets ---------------------------------------------------------------------------------

// Of a packet that touches a collider most particles do not. Those that do are taken out of several
// packets into dense arrays before they are projected.
enum {
    SLV_COMPRESSED_PACKETS = 16,
    SLV_COMPRESSED_ROOM = (SLV_COMPRESSED_PACKETS + 1) * SLV_PACKET // whole registers are stored
};

typedef struct slv_compressed {
    _Alignas(64) float x[SLV_COMPRESSED_ROOM];
    float y[SLV_COMPRESSED_ROOM];
    float z[SLV_COMPRESSED_ROOM];
} slv_compressed;

static inline void compress_packet(slv_compressed *compressed, int at, unsigned bits,
                                   const slv_packet_vectors *vectors) {
#if defined(__AVX512F__)
    const __mmask16 mask = (__mmask16)bits;
    _mm512_storeu_ps(compressed->x + at,
                     _mm512_maskz_compress_ps(mask, _mm512_load_ps(vectors->x)));
    _mm512_storeu_ps(compressed->y + at,
                     _mm512_maskz_compress_ps(mask, _mm512_load_ps(vectors->y)));
    _mm512_storeu_ps(compressed->z + at,
                     _mm512_maskz_compress_ps(mask, _mm512_load_ps(vectors->z)));
#else
    for (; bits; bits &= bits - 1, at++) {
        const int i = __builtin_ctz(bits);
        compressed->x[at] = vectors->x[i];
        compressed->y[at] = vectors->y[i];
        compressed->z[at] = vectors->z[i];
    }
#endif
}

// Zeros behind the last particle. Compressed AVX-512 registers end in zeros already.
static inline void clear_tail(slv_compressed *compressed, int filled) {
#if defined(__AVX512F__)
    (void)compressed;
    (void)filled;
#else
    memset(compressed->x + filled, 0, SLV_PACKET * sizeof *compressed->x);
    memset(compressed->y + filled, 0, SLV_PACKET * sizeof *compressed->y);
    memset(compressed->z + filled, 0, SLV_PACKET * sizeof *compressed->z);
#endif
}

static inline void expand_packet(const slv_compressed *compressed, int at, unsigned bits,
                                 slv_packet_vectors *vectors) {
#if defined(__AVX512F__)
    const __mmask16 mask = (__mmask16)bits;
    _mm512_store_ps(vectors->x, _mm512_mask_expand_ps(_mm512_load_ps(vectors->x), mask,
                                                      _mm512_loadu_ps(compressed->x + at)));
    _mm512_store_ps(vectors->y, _mm512_mask_expand_ps(_mm512_load_ps(vectors->y), mask,
                                                      _mm512_loadu_ps(compressed->y + at)));
    _mm512_store_ps(vectors->z, _mm512_mask_expand_ps(_mm512_load_ps(vectors->z), mask,
                                                      _mm512_loadu_ps(compressed->z + at)));
#else
    for (; bits; bits &= bits - 1, at++) {
        const int i = __builtin_ctz(bits);
        vectors->x[i] = compressed->x[at];
        vectors->y[i] = compressed->y[at];
        vectors->z[i] = compressed->z[at];
    }
#endif
}

// --- Contacts -------------------------------------------------------------------------------------------

// The squared distance to the core of a shape (the center of a sphere, the axis of a capsule, a box),
// as the plain kernel has it before it takes the square root.
SLV_INLINE float square_from_core(const slv_collider *collider, int kind, slv_vector q) {
    const float *size = collider->size;
    const slv_frame *frame = &collider->end;
    slv_vector offset = slv_subtract(q, frame->position);
    if (kind == SLV_SHAPE_CAPSULE) {
        slv_vector axis =
            slv_make_vector(frame->rotation[1], frame->rotation[4], frame->rotation[7]);
        float along = slv_clamp(slv_dot(offset, axis), 0.0f - size[1], size[1]);
        offset = slv_add_scaled(offset, 0.0f - along, axis);
    } else if (kind == SLV_SHAPE_BOX) {
        slv_vector inner = slv_rotate_back(frame, offset);
        offset.x = slv_max(slv_absolute(inner.x) - size[0], 0.0f);
        offset.y = slv_max(slv_absolute(inner.y) - size[1], 0.0f);
        offset.z = slv_max(slv_absolute(inner.z) - size[2], 0.0f);
    }
    return slv_dot(offset, offset);
}

// Bits of the particles of a packet that may be deeper than `thickness` in a collider. The test is
// conservative: particles that pass it in error are sorted out by the projection.
SLV_INLINE unsigned find_touching(const slv_collider *collider, int kind, float thickness,
                                  const slv_packet_vectors *vectors) {
    const float radius = thickness + (kind == SLV_SHAPE_BOX ? 0.0f : collider->size[0]);
    const float limit = radius * radius * limit_rounding + least_square;
    _Alignas(64) float measure[SLV_PACKET];
    SLV_PACKET_LOOP {
        slv_vector q = vector_at(vectors, i);
        if (kind == SLV_SHAPE_PLANE) {
            measure[i] = slv_collider_gap(NULL, collider, &collider->end, kind, q).distance;
        } else {
            measure[i] = square_from_core(collider, kind, q);
        }
    }
    return find_at_most(measure, kind == SLV_SHAPE_PLANE ? thickness : limit);
}

// Whether no particle of a tile has to be swept; conservative.
static inline bool is_slow(const slv_collider *collider, float displacement_square) {
    const float left = collider->safe_step * slow_rounding - collider->displacement;
    return left > 0.0f && displacement_square <= left * left * slow_rounding;
}

// Whether any particle may have started inside. `outward` is that of each, as in slv_project_onto.
SLV_INLINE bool project_compressed(const slv_contact_pass *pass, const slv_collider *collider,
                                   slv_pair_material material, int kind, int count,
                                   slv_compressed *q, const slv_compressed *start, float *outward) {
    const float limit = pass->body->push_step + SLV_PUSH_TOLERANCE;
    unsigned inside = 0;
    for (int n = 0; n < count; n += SLV_PACKET) {
        SLV_PACKET_LOOP {
            slv_vector now = slv_make_vector(q->x[n + i], q->y[n + i], q->z[n + i]);
            slv_vector before = slv_make_vector(start->x[n + i], start->y[n + i], start->z[n + i]);
            float moved = 0.0f;
            slv_vector projected =
                slv_project_out(pass->state, collider, material, kind, now, before, &moved);
            q->x[n + i] = projected.x;
            q->y[n + i] = projected.y;
            q->z[n + i] = projected.z;
            outward[n + i] = moved;
        }
        inside |= find_at_most(outward + n, limit) ^ ((1U << SLV_PACKET) - 1);
    }
    return inside != 0;
}

// Bits of the particles of a packet that slv_may_be_inside holds for; `outward` is that of its set bits in turn.
static inline unsigned find_inside(const slv_contact_pass *pass, unsigned bits,
                                   const float *outward) {
    unsigned inside = 0;
    for (unsigned left = bits; left; left &= left - 1) {
        inside |= slv_may_be_inside(pass->body, *outward++) ? left & -left : 0;
    }
    return inside;
}

// Projects at most SLV_COMPRESSED_PACKETS packets.
SLV_INLINE void project_packets(const slv_contact_pass *pass, const slv_collider *collider,
                                slv_pair_material material, int kind, const int *numbers,
                                const unsigned *bits, int count, slv_tile_group *group) {
    const float *before = pass->state + slv_step_start(pass->body, pass->launch);
    slv_compressed q;
    slv_compressed start;
    int filled = 0;
    for (int n = 0; n < count; n++) {
        const int b = numbers[n];
        slv_packet_vectors from;
        load_vectors(before, group->packets[b], pass->arrangement, pass->component, &from);
        compress_packet(&q, filled, bits[n], &group->q[b]);
        compress_packet(&start, filled, bits[n], &from);
        filled += __builtin_popcount(bits[n]);
    }
    clear_tail(&q, filled);
    clear_tail(&start, filled);
    _Alignas(64) float outward[SLV_COMPRESSED_ROOM];
    const bool inside =
        project_compressed(pass, collider, material, kind, filled, &q, &start, outward);
    filled = 0;
    for (int n = 0; n < count; n++) {
        const int b = numbers[n];
        expand_packet(&q, filled, bits[n], &group->q[b]);
        group->moved[b] |= bits[n];
        group->inside[b] |= inside ? find_inside(pass, bits[n], outward + filled) : 0;
        filled += __builtin_popcount(bits[n]);
    }
}

// Resolves all particles of a tile one by one: where one may have to be swept, or the shape has no SIMD
// form. It loads the collider itself, so that its caller can keep its own copy in registers.
static void resolve_one_by_one(const slv_contact_pass *pass, int record, int kind, int tile,
                               slv_tile_group *group) {
    const slv_body_layout *body = pass->body;
    const float *state = pass->state;
    const slv_collider collider = slv_load_collider(state, record);
    const slv_pair_material material =
        slv_combine_materials(body, pass->launch, collider.friction, collider.kinetic);
    const int before = slv_step_start(body, pass->launch);
    const int first = group->first_packet[tile];
    for (int b = first; b < first + group->packet_count[tile]; b++) {
        slv_packet_vectors *vectors = &group->q[b];
        for (unsigned left = group->moving[b]; left; left &= left - 1) {
            const int i = __builtin_ctz(left);
            const int slot = group->packets[b].slot[i / SLV_TILE_COLUMNS] + i % SLV_TILE_COLUMNS;
            slv_vector start = slv_load_vector(state, body, before, slot);
            slv_vector reached = slv_load_vector(state, body, body->q, slot);
            float outward = 0.0f;
            slv_vector q = slv_resolve_contact(state, &collider, material, kind,
                                               slv_length(slv_subtract(reached, start)),
                                               vector_at(vectors, i), start, &outward);
            group->inside[b] |= slv_may_be_inside(body, outward) ? left & -left : 0;
            vectors->x[i] = q.x;
            vectors->y[i] = q.y;
            vectors->z[i] = q.z;
        }
        group->moved[b] |= group->moving[b];
    }
}

// Resolves one collider against all near tiles of a group.
SLV_INLINE void resolve_collider(const slv_contact_pass *pass, int record, int kind, int rotates,
                                 uint64_t near, slv_tile_group *group) {
    const slv_body_layout *body = pass->body;
    slv_collider collider = slv_load_collider(pass->state, record);
    collider.rotates = rotates; // a constant after inlining
    const slv_pair_material material =
        slv_combine_materials(body, pass->launch, collider.friction, collider.kinetic);
    int touching[SLV_TILE_GROUP_PACKETS];
    unsigned bits[SLV_TILE_GROUP_PACKETS];
    int touches = 0;
    for (uint64_t left = near; left; left &= left - 1) {
        const int tile = __builtin_ctzll(left);
        const int first = group->first_packet[tile];
        const int end = first + group->packet_count[tile];
        if (!is_slow(&collider, group->displacement_square[tile])) {
            resolve_one_by_one(pass, record, kind, tile, group);
            continue;
        }
        for (int b = first; b < end; b++) {
            touching[touches] = b;
            bits[touches] =
                group->moving[b] & find_touching(&collider, kind, body->thickness, &group->q[b]);
            touches += bits[touches] ? 1 : 0;
        }
    }
    for (int n = 0; n < touches; n += SLV_COMPRESSED_PACKETS) {
        const int some =
            touches - n < SLV_COMPRESSED_PACKETS ? touches - n : SLV_COMPRESSED_PACKETS;
        project_packets(pass, &collider, material, kind, touching + n, bits + n, some, group);
    }
}

// Passes kind and rotation as constants, so that the compiler makes a loop for each.
#define SLV_RESOLVE(kind)                                                                          \
    case kind:                                                                                     \
        if (rotates) {                                                                             \
            resolve_collider(pass, record, kind, 1, near, group);                                  \
        } else {                                                                                   \
            resolve_collider(pass, record, kind, 0, near, group);                                  \
        }                                                                                          \
        break;

// Bit t of `near` is set where tile t of the group is near the collider.
static inline void resolve_shape(const slv_contact_pass *pass, int record, int kind, uint64_t near,
                                 slv_tile_group *group) {
    const bool rotates = pass->state[record + SLV_COLLIDER_ROTATES] > 0.0f;
    switch (kind) {
        SLV_RESOLVE(SLV_SHAPE_PLANE)
        SLV_RESOLVE(SLV_SHAPE_SPHERE)
        SLV_RESOLVE(SLV_SHAPE_CAPSULE)
        SLV_RESOLVE(SLV_SHAPE_BOX)
    default:
        for (; near; near &= near - 1) {
            resolve_one_by_one(pass, record, kind, __builtin_ctzll(near), group);
        }
        break;
    }
}
#undef SLV_RESOLVE

// The smallest number of a collider that is left in the lists of the group; INT_MAX without any.
static inline int find_next(const slv_tile_group *group) {
    int number = INT_MAX;
    for (int t = 0; t < group->tiles; t++) {
        if (group->next[t] < group->end[t] && *group->next[t] < number) {
            number = *group->next[t];
        }
    }
    return number;
}

// Lists are in ascending order, so the tiles near each of the next SLV_WINDOW colliders are collected
// from the lists' beginnings.
static inline void resolve_group(const slv_contact_pass *pass, const int *kinds, int records,
                                 slv_tile_group *group) {
    for (int first; (first = find_next(group)) != INT_MAX;) {
        uint64_t near[SLV_WINDOW] = {0};
        for (int t = 0; t < group->tiles; t++) {
            const int *next = group->next[t];
            for (; next < group->end[t] && *next - first < SLV_WINDOW; next++) {
                near[*next - first] |= UINT64_C(1) << t;
            }
            group->next[t] = next;
        }
        for (int n = 0; n < SLV_WINDOW; n++) {
            const int number = first + n;
            if (near[n] && kinds[number] != SLV_SHAPE_NONE) {
                resolve_shape(pass, records + number * SLV_COLLIDER_FLOATS, kinds[number], near[n],
                              group);
            }
        }
    }
}

// --- Batches --------------------------------------------------------------------------------------------

// Appends a tile and its list to a group.
static inline void load_tile(const slv_contact_pass *pass, int tile, const int *numbers,
                             int near_count, slv_tile_group *group) {
    const slv_body_layout *body = pass->body;
    const float *now = pass->state + body->q;
    const float *before = pass->state + slv_step_start(body, pass->launch);
    const float *inverse_masses = pass->state + body->inverse_mass;
    const int first = group->packet_total;
    const int count = find_packets(body, tile, group->packets + first);
    slv_wide squares = spread(0.0f);
    for (int b = first; b < first + count; b++) {
        slv_packet_vectors *vectors = &group->q[b];
        unsigned moving = 0;
        for (int half = 0; half < 2; half++) {
            const int slot = group->packets[b].slot[half];
            SLV_LANES_OF_RUN {
                const int at = half * SLV_TILE_COLUMNS + lane;
                slv_wides q = load_lanes(now + slot * get_stride(pass->arrangement), lane,
                                         pass->arrangement, pass->component);
                slv_wides start = load_lanes(before + slot * get_stride(pass->arrangement), lane,
                                             pass->arrangement, pass->component);
                slv_wide x = q.x - start.x;
                slv_wide y = q.y - start.y;
                slv_wide z = q.z - start.z;
                squares = wide_max(x * x + y * y + z * z, squares);
                moving |= (unsigned)mask_bits(load_wide(inverse_masses + slot + lane) > 0.0f) << at;
                store_wide(vectors->x + at, q.x);
                store_wide(vectors->y + at, q.y);
                store_wide(vectors->z + at, q.z);
            }
        }
        group->moving[b] = moving;
        group->moved[b] = 0;
        group->inside[b] = 0;
    }
    const int t = group->tiles++;
    group->packet_total += count;
    group->first_packet[t] = first;
    group->packet_count[t] = count;
    group->displacement_square[t] = max_lane(squares);
    group->next[t] = numbers;
    group->end[t] = numbers + near_count;
}

// Moves particles that started inside colliders by a step in their exit direction.
static void push_out(const slv_contact_pass *pass, slv_tile_group *group, int b) {
    const slv_body_layout *body = pass->body;
    slv_packet_vectors *vectors = &group->q[b];
    for (unsigned left = group->inside[b]; left; left &= left - 1) {
        const int i = __builtin_ctz(left);
        const int slot = group->packets[b].slot[i / SLV_TILE_COLUMNS] + i % SLV_TILE_COLUMNS;
        const slv_vector start =
            slv_load_vector(pass->state, body, slv_step_start(body, pass->launch), slot);
        const slv_vector reached = slv_load_vector(pass->state, body, body->q, slot);
        const slv_vector q = slv_push_out(pass->state, pass->table, body, pass->launch, start,
                                          reached, vector_at(vectors, i));
        vectors->x[i] = q.x;
        vectors->y[i] = q.y;
        vectors->z[i] = q.z;
    }
}

SLV_INLINE void collide_tiles(const slv_contact_pass *pass, const int *table, int first, int end) {
    const slv_body_layout *body = pass->body;
    const int *kinds = table + table[body->contact + SLV_CONTACT_KINDS];
    const int records = table[body->contact + SLV_CONTACT_COLLIDERS];
    slv_tile_group group;
    for (int tile = first; tile < end;) {
        group.tiles = group.packet_total = 0;
        for (; tile < end && group.tiles < SLV_TILE_GROUP; tile++) {
            const int list = slv_near_list(table, body, tile);
            if (table[list] > 0) {
                load_tile(pass, tile, table + slv_find_near(table, body, list),
                          slv_count_near(table, body, list), &group);
            }
        }
        resolve_group(pass, kinds, records, &group);
        for (int b = 0; b < group.packet_total; b++) {
            if (group.inside[b]) {
                push_out(pass, &group, b);
            }
            store_vectors(pass->state + body->q, group.packets[b], pass->arrangement,
                          pass->component, group.moved[b], &group.q[b]);
        }
    }
}

// NOLINTNEXTLINE(readability-non-const-parameter): groups are stored through the pass
static inline int wide_contact_collide(float *state, const int *table, const slv_body_layout *body,
                                       const slv_launch *launch, int first, int end) {
    slv_contact_pass pass = {.state = state, .table = table, .body = body, .launch = launch};
    if (slv_body_is_grid(body)) {
        pass.arrangement = SLV_SPLIT;
        pass.component = body->component;
        collide_tiles(&pass, table, first, end);
    } else {
        pass.arrangement = SLV_JOINED;
        pass.component = 1;
        collide_tiles(&pass, table, first, end);
    }
    return end;
}
#define SLV_FORM_contact_collide SLV_FORM(contact_collide)

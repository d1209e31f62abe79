// SPDX-License-Identifier: MIT
// Culling of colliders by tile, several particles or colliders at a time; the same lists as the plain
// kernels', which a test compares. Tiles are read in the packets of cpu_contact.inl.

// Bounds and largest displacement along one axis.
typedef struct slv_wide_range {
    slv_wide low, high, displacement;
} slv_wide_range;

static inline void widen(slv_wide_range *range, slv_wide now, slv_wide before) {
    const slv_wide away = now - before;
    range->low = wide_min(wide_min(now, before), range->low);
    range->high = wide_max(wide_max(now, before), range->high);
    range->displacement = wide_max(wide_absolute(away), range->displacement);
}

// The same for the lanes of a mask.
static inline void widen_some(slv_wide_range *range, slv_mask counts, slv_wide now,
                              slv_wide before) {
    slv_wide_range all = *range;
    widen(&all, now, before);
    range->low = select_wide(counts, all.low, range->low);
    range->high = select_wide(counts, all.high, range->high);
    range->displacement = select_wide(counts, all.displacement, range->displacement);
}

// As slv_bound_tile: minimum and maximum do not depend on the order.
static inline slv_tile_box bound_tile(const float *state, const slv_body_layout *body,
                                      const slv_launch *launch, int tile, int arrangement,
                                      int component) {
    const slv_wide_range none = {spread(SLV_FAR), spread(-SLV_FAR), spread(0.0f)};
    const int before = slv_step_start(body, launch);
    slv_wide_range range[3] = {none, none, none};
    slv_packet packets[SLV_TILE_PACKETS];
    const int count = find_packets(body, tile, packets);
    for (int s = 0; s < 2 * count; s++) {
        const int slot = packets[s / 2].slot[s % 2];
        SLV_LANES_OF_RUN {
            slv_wides q = load_lanes(state + body->q + slot * get_stride(arrangement), lane,
                                     arrangement, component);
            slv_wides start = load_lanes(state + before + slot * get_stride(arrangement), lane,
                                         arrangement, component);
            slv_mask moves = load_wide(state + body->inverse_mass + slot + lane) > 0.0f;
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
        box.low[d] = min_lane(range[d].low);
        box.high[d] = max_lane(range[d].high);
    }
    box.displacement = max_lane(
        wide_max(wide_max(range[0].displacement, range[1].displacement), range[2].displacement));
    return box;
}

// Bit n is set where the box of collider c + n overlaps the widened box. A room is a multiple of
// SLV_LANES.
#if defined(__AVX512F__)
enum { SLV_CULL_WIDE = 16 };

static inline unsigned find_close(const float *boxes, int room, int c,
                                  const slv_tile_box *widened) {
    const __mmask16 there = room - c < SLV_CULL_WIDE ? 0xff : 0xffff;
    unsigned close = there;
    for (int d = 0; d < 3; d++) {
        const __m512 low = _mm512_maskz_loadu_ps(there, boxes + d * room + c);
        const __m512 high = _mm512_maskz_loadu_ps(there, boxes + (3 + d) * room + c);
        close &= _mm512_cmp_ps_mask(low, _mm512_set1_ps(widened->high[d]), _CMP_LE_OQ);
        close &= _mm512_cmp_ps_mask(high, _mm512_set1_ps(widened->low[d]), _CMP_GE_OQ);
    }
    return close;
}
#else
enum { SLV_CULL_WIDE = SLV_WIDE };

static inline unsigned find_close(const float *boxes, int room, int c,
                                  const slv_tile_box *widened) {
    slv_mask close = load_wide(boxes + c) <= widened->high[0];
    close &= load_wide(boxes + 3 * room + c) >= widened->low[0];
    for (int d = 1; d < 3; d++) {
        close &= load_wide(boxes + d * room + c) <= widened->high[d];
        close &= load_wide(boxes + (3 + d) * room + c) >= widened->low[d];
    }
    return (unsigned)mask_bits(close);
}
#endif

// Colliders that a tile is tested against.
typedef struct slv_cull_list {
    const float *boxes; // six arrays of `room` floats
    int room;           // a multiple of SLV_LANES
    const int *numbers; // [room]
} slv_cull_list;

// What colliders near a tile touch: its box and the margin around it.
static inline slv_tile_box widen_box(const slv_body_layout *body, const slv_tile_box *box) {
    const float margin = body->reach + 0.5f * box->displacement;
    slv_tile_box widened = *box;
    for (int d = 0; d < 3; d++) {
        widened.low[d] = box->low[d] - margin;
        widened.high[d] = box->high[d] + margin;
    }
    return widened;
}

// As slv_cull_box, several colliders at a time: first a mask of the near ones, then the list, so that
// there is one mispredicted branch and not one a collider.
static inline void cull_lanes(const float *state, int *table, const slv_body_layout *body, int tile,
                              const slv_tile_box *box, const slv_cull_list *colliders) {
    const int contact = body->contact;
    const int records = table[contact + SLV_CONTACT_COLLIDERS];
    const int *kinds = table + table[contact + SLV_CONTACT_KINDS];
    const int list_room = table[contact + SLV_CONTACT_LIST_ROOM];
    int *list = table + slv_near_list(table, body, tile);
    const slv_tile_box widened = widen_box(body, box);
    const float margin = body->reach + 0.5f * box->displacement;
    int count = 0;
    for (int first = 0; first < colliders->room && count <= list_room; first += 64) {
        uint64_t left = 0;
        for (int n = 0; n < 64 && first + n < colliders->room; n += SLV_CULL_WIDE) {
            left |= (uint64_t)find_close(colliders->boxes, colliders->room, first + n, &widened)
                    << n;
        }
        for (; left && count <= list_room; left &= left - 1) {
            const int near = colliders->numbers[first + __builtin_ctzll(left)];
            if (kinds[near] == SLV_SHAPE_PLANE &&
                !slv_box_touches_plane(state, records + near * SLV_COLLIDER_FLOATS, box, margin)) {
                continue;
            }
            if (count < list_room) {
                list[1 + count] = near;
            }
            count++;
        }
    }
    list[0] = count;
}

// Tiles of a garment lie near each other. Of many colliders only those near a run of tiles are tested against each
// tile of it.
enum {
    SLV_CULL_TILES = 32, // of a run
    SLV_CULL_FEW = 64,   // colliders up to which there are no runs
    SLV_CULL_CANDIDATES =
        128, // near a run at most; near more each tile is tested against all colliders
};

typedef struct slv_cull_candidates {
    int count;
    int numbers[SLV_CULL_CANDIDATES];
    float boxes[6 * SLV_CULL_CANDIDATES];
} slv_cull_candidates;

// The box around the widened boxes of some tiles.
static inline slv_tile_box join_tiles(const slv_body_layout *body, const slv_tile_box *boxes,
                                      int count) {
    slv_tile_box joined = widen_box(body, &boxes[0]);
    for (int n = 1; n < count; n++) {
        const slv_tile_box widened = widen_box(body, &boxes[n]);
        for (int d = 0; d < 3; d++) {
            joined.low[d] = slv_min(joined.low[d], widened.low[d]);
            joined.high[d] = slv_max(joined.high[d], widened.high[d]);
        }
    }
    return joined;
}

// Copies the colliders near a box, in their order. False where there are too many.
static inline bool find_candidates(const slv_cull_list *all, const slv_tile_box *around,
                                   slv_cull_candidates *near) {
    near->count = 0;
    for (int c = 0; c < all->room; c += SLV_CULL_WIDE) {
        for (unsigned left = find_close(all->boxes, all->room, c, around); left; left &= left - 1) {
            if (near->count == SLV_CULL_CANDIDATES) {
                return false;
            }
            near->numbers[near->count++] = c + __builtin_ctz(left);
        }
    }
    for (; near->count % SLV_LANES != 0; near->count++) { // these are near nothing
        near->numbers[near->count] = -1;
    }
    for (int n = 0; n < near->count; n++) {
        const int number = near->numbers[n];
        for (int d = 0; d < 6; d++) {
            const float none = d < 3 ? SLV_FAR : -SLV_FAR;
            near->boxes[d * near->count + n] =
                number < 0 ? none : all->boxes[d * all->room + number];
        }
    }
    return true;
}

static inline void cull_run(const float *state, int *table, const slv_body_layout *body,
                            const slv_launch *launch, int first, int end,
                            const slv_cull_list *all) {
    slv_tile_box boxes[SLV_CULL_TILES];
    for (int tile = first; tile < end; tile++) {
        boxes[tile - first] =
            slv_body_is_grid(body)
                ? bound_tile(state, body, launch, tile, SLV_SPLIT, body->component)
                : bound_tile(state, body, launch, tile, SLV_JOINED, 1);
    }
    slv_cull_list colliders = *all;
    slv_cull_candidates near;
    const slv_tile_box around = join_tiles(body, boxes, end - first);
    if (all->room > SLV_CULL_FEW && find_candidates(all, &around, &near)) {
        colliders = (slv_cull_list){near.boxes, near.count, near.numbers};
    }
    for (int tile = first; tile < end; tile++) {
        cull_lanes(state, table, body, tile, &boxes[tile - first], &colliders);
    }
}

static inline int wide_contact_cull(float *state, int *table, const slv_body_layout *body,
                                    const slv_launch *launch, int first, int end) {
    const int contact = body->contact;
    const slv_cull_list all = {state + table[contact + SLV_CONTACT_BOXES],
                               table[contact + SLV_CONTACT_ROOM],
                               table + table[contact + SLV_CONTACT_ALL]};
    for (int tile = first; tile < end; tile += SLV_CULL_TILES) {
        const int stop = tile + SLV_CULL_TILES < end ? tile + SLV_CULL_TILES : end;
        cull_run(state, table, body, launch, tile, stop, &all);
    }
    return end;
}
#define SLV_FORM_contact_cull SLV_FORM(contact_cull)

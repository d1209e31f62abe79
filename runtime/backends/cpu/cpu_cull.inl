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

// As slv_cull_box, several colliders at a time: first a mask of the near ones, then the list, so that
// there is one mispredicted branch and not one a collider.
static inline void cull_lanes(const float *state, int *table, const slv_body_layout *body, int tile,
                              const slv_tile_box *box) {
    const int contact = body->contact;
    const int room = table[contact + SLV_CONTACT_ROOM];
    const float *boxes = state + table[contact + SLV_CONTACT_BOXES];
    const int records = table[contact + SLV_CONTACT_COLLIDERS];
    const int *kinds = table + table[contact + SLV_CONTACT_KINDS];
    int *list = table + body->lists + tile * (1 + room);
    const float margin = body->reach + 0.5f * box->displacement;
    slv_tile_box widened;
    int count = 0;
    for (int d = 0; d < 3; d++) {
        widened.low[d] = box->low[d] - margin;
        widened.high[d] = box->high[d] + margin;
    }
    for (int first = 0; first < room; first += 64) {
        uint64_t left = 0;
        for (int n = 0; n < 64 && first + n < room; n += SLV_CULL_WIDE) {
            left |= (uint64_t)find_close(boxes, room, first + n, &widened) << n;
        }
        for (; left; left &= left - 1) {
            const int near = first + __builtin_ctzll(left);
            if (kinds[near] != SLV_SHAPE_PLANE ||
                slv_box_touches_plane(state, records + near * SLV_COLLIDER_FLOATS, box, margin)) {
                list[1 + count++] = near;
            }
        }
    }
    list[0] = count;
}

static inline int wide_contact_cull(float *state, int *table, const slv_body_layout *body,
                                    const slv_launch *launch, int first, int end) {
    for (int tile = first; tile < end; tile++) {
        slv_tile_box box = slv_body_is_grid(body)
                               ? bound_tile(state, body, launch, tile, SLV_SPLIT, body->component)
                               : bound_tile(state, body, launch, tile, SLV_JOINED, 1);
        cull_lanes(state, table, body, tile, &box);
    }
    return end;
}
#define SLV_FORM_contact_cull SLV_FORM(contact_cull)

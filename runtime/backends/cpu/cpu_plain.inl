// SPDX-License-Identifier: MIT
// Kernels over rows without a faster form: what is left for the plain loop is all of them.

#define SLV_PLAINLY(name)                                                                          \
    static inline int wide_##name(float *state, int *table, const slv_body_layout *body,           \
                                  const slv_launch *launch, int first, int end) {                  \
        (void)state;                                                                               \
        (void)table;                                                                               \
        (void)body;                                                                                \
        (void)launch;                                                                              \
        (void)end;                                                                                 \
        return first;                                                                              \
    }
// NOLINTBEGIN(readability-non-const-parameter): as the others have it
SLV_PLAINLY(collider_move)
SLV_PLAINLY(sleep_clear)
SLV_PLAINLY(sleep_wake)
SLV_PLAINLY(sleep_gate)
SLV_PLAINLY(sleep_seat)
SLV_PLAINLY(sleep_rouse)
SLV_PLAINLY(sleep_look)
SLV_PLAINLY(sleep_fold)
SLV_PLAINLY(tear_slice)
SLV_PLAINLY(tear_batch)
// NOLINTEND(readability-non-const-parameter)
#undef SLV_PLAINLY

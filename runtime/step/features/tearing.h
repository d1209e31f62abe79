// SPDX-License-Identifier: MIT
// Springs that tear or are cut (kernels/tear.h), and the triangles of the drawn surface that this leaves out.
#ifndef SLV_RUNTIME_STEP_FEATURES_TEARING_H
#define SLV_RUNTIME_STEP_FEATURES_TEARING_H

#include "runtime/model/body.h"

// Of a body.
typedef struct slv_tears {
    float threshold;           // length over rest length at which a spring breaks; 0 = never
    bool only_cut;             // it does not tear by itself
    uint8_t *torn;             // [spring_count], where anything can tear; or NULL
    uint32_t count;            // of torn springs
    uint32_t shown;            // tears that the drawn surface already shows
    uint64_t *keys;            // [spring_count], for looking them up
    uint32_t *whole_triangles; // room for the drawn surface's
} slv_tears;

slv_tears *slv_tears_get(const slv_body *body);

// Times its rest length: the threshold of springs that are cut by a call and never tear by themselves.
extern const float slv_tearing_never;

// Whether springs of a body can tear or are cut.
bool slv_tearing_is_possible(const slv_body *body);
// From now on springs tear when longer than `threshold` times their rest length, and can be cut. False without memory.
bool slv_tearing_begin(slv_body *body, float threshold);

// Leaves out the triangles of the drawn surface that a tear goes through.
void slv_tears_open_surface(slv_body *body);

#endif

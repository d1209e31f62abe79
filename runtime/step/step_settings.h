// SPDX-License-Identifier: MIT
// What the neighbor search and the features of a step need to know of the world before a layout is made.
#ifndef SLV_RUNTIME_STEP_STEP_SETTINGS_H
#define SLV_RUNTIME_STEP_STEP_SETTINGS_H

#include "runtime/model/body.h"

// How long neighbor lists are.
typedef struct slv_neighbor_settings {
    uint32_t capacity[SLV_FEATURE_ROOM]; // of the lists of each request, at least
    bool fixed; // a list that is too short is cut, and does not end the step
} slv_neighbor_settings;

// The colliders.
typedef struct slv_contact_settings {
    uint32_t collider_room; // a multiple of SLV_LANES; 0 where there is none
    uint64_t field_floats;  // samples of all fields
} slv_contact_settings;

// Two particles that keep a distance.
typedef struct slv_lock_link {
    uint32_t bodies[2], particles[2]; // own numbers
    float length;                     // m
    bool slack;                       // they may come closer
} slv_lock_link;

typedef struct slv_lock_settings {
    const slv_lock_link *links; // [count]
    uint32_t count;
    uint64_t version; // another one after each change
} slv_lock_settings;

typedef struct slv_step_settings {
    slv_neighbor_settings neighbors;
    slv_contact_settings contact;
    slv_lock_settings locks;
} slv_step_settings;

#endif

// SPDX-License-Identifier: MIT
// A feature is what a step does beside integrating and solving constraints: contacts, sleep, wind and so on.
// It is one struct of functions; step/features/list.h names all of them. Layouts, plans, runs, resets and
// snapshots loop over that list, so a new feature is a file and a row there.
//
// A function that a feature does not need is NULL. None of them sees a world.
#ifndef SLV_RUNTIME_STEP_FEATURE_H
#define SLV_RUNTIME_STEP_FEATURE_H

#include "runtime/step/neighbor_demand.h"
#include "runtime/step/plan.h"
#include "runtime/step/run.h"
#include "runtime/step/step_settings.h"

// Points of a step at which features add launches, in the order of the list. Those of SLV_STAGE_SOLVE may
// lie inside loops of the plan.
typedef enum slv_step_point {
    SLV_POINT_WAKE,          // before integration, which leaves out bodies that sleep
    SLV_POINT_MOVE,          // after integration; SLV_STAGE_MOVE
    SLV_POINT_SOLVE_BEGIN,   // before the neighbor search
    SLV_POINT_SEARCH_BEGIN,  // before points are sorted, where there is a search
    SLV_POINT_SEARCH_END,    // when neighbor lists are made, where there is a search
    SLV_POINT_WOKEN,         // when bodies were woken and have neighbor lists, where any can be
    SLV_POINT_ITERATE_BEGIN, // before the first iteration of the solver
    SLV_POINT_ITERATION_END, // after each outer iteration of the solver
    SLV_POINT_SOLVE_END,     // after the last iteration
    SLV_POINT_LAST_PASS,     // before each of the last passes over contacts
    SLV_POINT_STEP_END,      // after the check for divergence; SLV_STAGE_SLEEP
    SLV_POINT_ROLLBACK,      // after a step that diverged
    SLV_POINT_COUNT
} slv_step_point;

// Adds `count` floats to a hash.
typedef void slv_hash_floats(void *stream, const float *values, size_t count);

// The aspect SLV_ASPECT_name of each feature, for arrays of its own that the host writes or reads between steps, and
// further ones.
#define SLV_FEATURE(name) SLV_ASPECT_##name,
#define SLV_FEATURE_ASPECT(name) SLV_ASPECT_##name,
enum {
    SLV_ASPECT_FEATURE_BEGIN = SLV_ASPECT_FEATURES - 1,
#include "runtime/step/features/list.h"
    SLV_ASPECT_FEATURE_END
};
#undef SLV_FEATURE

// Room for a byte of each particle, zeros at first.
typedef struct slv_marks {
    uint8_t *bytes;
} slv_marks;

typedef struct slv_feature {
    const char *name;

    // Aspects (bit n for slv_aspect n) that the motion to come depends on, and aspects that `read` needs.
    unsigned state_aspects;
    unsigned read_aspects;

    // --- Body: bytes of the feature's data of a body (slv_feature_get_body_data), zeros before `define`. This takes
    // over what the feature needs from a definition, when a body has been made and when its material has changed. In
    // the second case there is no garment, and nothing that the definition points to. On failure it keeps what it had.
    size_t body_size;
    slv_result (*define)(slv_body *body, const slv_garment *garment, const slv_garment_def *def,
                         slv_memory *scratch, slv_error *error);

    // --- Layout: bytes of the feature's data in a layout (slv_feature_get_layout_data), zeros before `reserve`. For
    // the functions see slv_layout_hooks; what a feature needs to know of the world is in settings->step.
    size_t layout_size;
    bool (*needs_graph)(const slv_body *body);
    void (*reserve)(slv_layout *layout, slv_body *const *bodies,
                    const slv_layout_settings *settings, slv_layout_cursor *cursor);
    bool (*fill)(slv_layout *layout, slv_body *const *bodies, const slv_layout_settings *settings,
                 slv_memory *scratch);
    void (*set_response)(slv_layout *layout, uint32_t index, const slv_body *body,
                         double time_step);
    // Whether a layout still is what these settings would give.
    bool (*fits)(const slv_layout *layout, slv_body *const *bodies,
                 const slv_layout_settings *settings);
    // Copies the state of body number `old` of a layout into the layout that replaces it, where positions
    // are already.
    void (*carry)(const slv_layout *from, uint32_t old, slv_layout *to, uint32_t index,
                  const slv_body *body);
    // An engine has taken this layout: pointers of the body into it are set.
    void (*attach)(const slv_layout *layout, uint32_t index, slv_body *body);
    // Whether a layout cannot follow a change of the body's state backwards in time, so that a reset, a
    // restored snapshot and a failed device need a new one.
    bool (*needs_rebuild)(const slv_body *body);

    // --- Neighbor lists that the search makes once a step, before SLV_POINT_SEARCH_END.
    slv_neighbor_demand neighbors;

    // --- Step: values that all launches of a run have, where the world integrates; and what is launched at each
    // point.
    void (*set_launch)(const slv_parameters *parameters, double time_step, slv_launch *launch);
    void (*launch[SLV_POINT_COUNT])(slv_plan_writer *writer);

    // --- Run: before `run` begins, when `steps` steps have been done since the start; and after `done` steps.
    void (*begin_run)(slv_layout *layout, slv_body *const *bodies, uint64_t steps, slv_run *run);
    void (*end_run)(slv_body *body, uint32_t done);
    // Takes over into the body what steps have changed in the layout.
    void (*read)(const slv_layout *layout, uint32_t index, slv_body *body);

    // --- State: back to the start, which positions and fixed particles already are.
    void (*reset)(slv_layout *layout, uint32_t index, slv_body *body);
    // The origin of the world moves by `shift` metres. Positions of the feature follow; those of particles have.
    void (*shift)(slv_layout *layout, uint32_t index, slv_body *body, const double shift[3]);
    // A body was moved as a whole and turned by a unit quaternion; its particles have been.
    void (*turn)(slv_layout *layout, uint32_t index, const double rotation[4]);
    // Bytes of a body in a snapshot. `check` returns NULL or what is wrong with foreign bytes; `marks` are zeros, one
    // a particle, for its own use. make_room is called before a layout is made for them; it is false without memory and
    // has no other effect. `take` takes over into the body what a layout is made from. It is called again, with the
    // body's own bytes, where the new layout cannot be made. `restore` writes the rest into the new layout. Both cannot
    // fail.
    size_t (*get_size)(const slv_layout *layout, const slv_body *body);
    void (*save)(const slv_layout *layout, uint32_t index, const slv_body *body, char *to);
    const char *(*check)(const slv_layout *layout, const slv_body *body, const char *from,
                         size_t size, slv_marks marks);
    bool (*make_room)(slv_body *body, size_t size);
    void (*take)(slv_body *body, const char *from, size_t size);
    void (*restore)(slv_layout *layout, uint32_t index, slv_body *body, const char *from,
                    size_t size);
    // Adds to the hash of a state what the feature adds to it.
    void (*hash)(const slv_layout *layout, uint32_t index, slv_hash_floats *add, void *stream);
} slv_feature;

// All features in the order of the list; NULL at the end.
extern const slv_feature *const slv_features[];

// The number of a feature within the list.
uint32_t slv_feature_get_number(const slv_feature *feature);

// Its data of a body and in a layout; NULL without any.
void *slv_feature_get_body_data(const slv_feature *feature, const slv_body *body);
void *slv_feature_get_layout_data(const slv_feature *feature, const slv_layout *layout);

// Launches of all features at one point.
void slv_features_launch(slv_plan_writer *writer, slv_step_point point);

#endif

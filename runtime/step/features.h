// SPDX-License-Identifier: MIT
// All features of a step together: loops over the list (runtime/step/feature.h).
#ifndef SLV_RUNTIME_STEP_FEATURES_H
#define SLV_RUNTIME_STEP_FEATURES_H

#include "runtime/step/feature.h"

// What all of them add to a layout.
extern const slv_layout_hooks slv_step_layout_hooks;

// Bit n for aspect n: positions, previous positions and what features add to the state; and what bodies read
// back from a layout.
unsigned slv_features_get_state_aspects(void);
unsigned slv_features_get_read_aspects(void);

// Without a garment only the material has changed.
slv_result slv_features_define(slv_body *body, const slv_garment *garment,
                               const slv_garment_def *def, slv_error *error);
void slv_features_set_launch(const slv_parameters *parameters, double time_step,
                             slv_launch *launch);

bool slv_features_fit(const slv_layout *layout, slv_body *const *bodies,
                      const slv_layout_settings *settings);
void slv_features_carry(const slv_layout *from, uint32_t old, slv_layout *to, uint32_t index,
                        const slv_body *body);
void slv_features_attach(const slv_layout *layout, uint32_t index, slv_body *body);
bool slv_features_need_rebuild(const slv_body *body);

void slv_features_begin_run(slv_layout *layout, slv_body *const *bodies, uint64_t steps,
                            slv_run *run);
void slv_features_end_run(slv_body *body, uint32_t done);
void slv_features_read(const slv_layout *layout, uint32_t index, slv_body *body);
void slv_features_reset(slv_layout *layout, uint32_t index, slv_body *body);
void slv_features_shift(slv_layout *layout, uint32_t index, slv_body *body, const double shift[3]);
void slv_features_turn(slv_layout *layout, uint32_t index, const double rotation[4]);

// A body's bytes in a snapshot: of each feature its size (64 bits), then its bytes.
size_t slv_features_get_size(const slv_layout *layout, const slv_body *body);
char *slv_features_save(const slv_layout *layout, uint32_t index, const slv_body *body, char *to);
// Moves *from behind these bytes, of which there are at most `size`. NULL, or what is wrong with them. `marks` has room
// for a byte of each particle.
const char *slv_features_check(const slv_layout *layout, const slv_body *body, const char **from,
                               size_t size, uint8_t *marks);
// False without memory. The bytes must have been checked, here and below; the end of them is returned.
const char *slv_features_make_room(slv_body *body, const char *from, bool *done);
const char *slv_features_take(slv_body *body, const char *from);
const char *slv_features_restore(slv_layout *layout, uint32_t index, slv_body *body,
                                 const char *from);
void slv_features_hash(const slv_layout *layout, uint32_t index, slv_hash_floats *add,
                       void *stream);

#endif

// SPDX-License-Identifier: MIT
// Positions as text, "frame,particle,x,y,z", a line a particle. Garments follow one another, each in
// its own order; nine digits, so that every float can be read back as it was.
#ifndef SLV_PLAYER_PARTICLE_CSV_H
#define SLV_PLAYER_PARTICLE_CSV_H

#include "formats/atomic_file.h"
#include "runtime/include/selvage/selvage.h"

slv_result slv_csv_write_header(slv_atomic_file *file, slv_error *error);
slv_result slv_csv_write_frame(slv_atomic_file *file, slv_world *world, uint64_t frame,
                               slv_error *error);

#endif

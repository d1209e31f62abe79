// SPDX-License-Identifier: MIT
// Calls of the library compute in the default modes of IEEE 754, whatever the modes of the calling thread are: results
// are rounded to nearest, subnormal numbers are not flushed to zero, and nothing traps.
#ifndef SLV_RUNTIME_BASE_FLOAT_MODES_H
#define SLV_RUNTIME_BASE_FLOAT_MODES_H

#include <fenv.h>

typedef struct slv_float_modes {
    fenv_t environment;
} slv_float_modes;

// Sets the default modes; returns those before.
slv_float_modes slv_float_modes_set_default(void);
void slv_float_modes_restore(const slv_float_modes *modes);

// The default modes from here to the end of the block, however it ends. First line of each public function that
// computes or converts floating-point numbers. Threads that it starts inherit them.
#define SLV_DEFAULT_FLOAT_MODES                                                                    \
    const slv_float_modes float_modes __attribute__((cleanup(slv_float_modes_restore), unused)) =  \
        slv_float_modes_set_default()

#endif

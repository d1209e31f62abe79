// SPDX-License-Identifier: MIT
// A short life of a world in which a GPU backend makes every call it knows, and one of them fails.
#ifndef SLV_TESTS_FAILURE_SCENARIO_H
#define SLV_TESTS_FAILURE_SCENARIO_H

#include "tests/gpu/parity_scenes.h"

// Lets the nth call (from 1) of a name fail; NULL: nothing fails.
typedef struct failing_driver {
    const char *backend;
    void (*trip)(const char *call, unsigned nth, bool device_lost);
    unsigned (*calls)(const char *call); // since then
    long (*live)(void);                  // objects not given back
    unsigned
        dense; // of the calls of a name, how many fail one by one before ever more are passed over
    bool gl;   // shares OpenGL buffer 1, of 99 particles
} failing_driver;

// Fails call after call, each time it is made in turn, and looks at what is left: without fallback an
// error in the driver's words and the last good state; with it the state of a CPU; and nothing leaked.
// Returns how often the call is made where nothing fails.
unsigned try_failures(const failing_driver *driver, const char *call, const char *words);

// A garment tears on the device, which then fails in that call: the CPU goes on, or the device from the last
// good state, with the springs that are left.
void try_failure_with_tears(const failing_driver *driver, const char *call);

#endif

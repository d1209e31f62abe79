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
    size_t (*sent)(
        bool staged); // bytes since then, from memory that the device copies from by itself or not
    size_t (*received)(void); // bytes read back since then
    unsigned
        dense; // of the calls of a name, how many fail one by one before ever more are passed over
    bool gl;   // shares OpenGL buffer 1, of 99 particles
} failing_driver;

// Fails call after call, each time it is made in turn, and looks at what is left: without fallback an
// error in the driver's words and the last good state; with it the state of a CPU; and nothing leaked.
// Returns how often the call is made where nothing fails.
unsigned try_failures(const failing_driver *driver, const char *call, const char *words);

// A garment tears on the device, or a clip leads it, and then that call fails: the CPU goes on, or the device
// from the last good state, with the springs that are left and on the way it was on.
void try_failure_with_tears(const failing_driver *driver, const char *call);
void try_failure_with_clip(const failing_driver *driver, const char *call);

// Steps read back a few numbers that say how they went, and no state: that is read when it is asked for, as
// much of it as is.
void try_reading(const failing_driver *driver);

// As a world is unless told otherwise: that call fails while the state is on the device alone. The world says so
// and is back at its start, from which the CPU goes on or the device tries again. But where the caller had just
// taken a snapshot nothing is lost.
void try_failure_unkept(const failing_driver *driver, const char *call);

// What a clip leads is written once, straight into memory that the device copies from, and only when there is
// something new; nothing else is sent to the device in a step but the few numbers at the head of its state.
void try_staging(const failing_driver *driver);

#endif

// SPDX-License-Identifier: MIT
// Scenarios in which a GPU backend makes every call it has, and one of them fails; and the tests made of them,
// which are the same for every backend.
#ifndef SLV_TESTS_GPU_FAILURE_SCENARIO_H
#define SLV_TESTS_GPU_FAILURE_SCENARIO_H

#include "tests/gpu/parity_scenes.h"
#include "tests/gpu/test_driver.h"

// A backend and its test driver.
typedef struct failing_driver {
    const char *backend;
    const char *variable;              // of the environment: names the library of the test driver
    int codes[2];                      // with which calls fail by turns
    const char *message;               // with which an error begins
    const char *const *all;            // calls of the backend; NULL at the end
    const char *const *optional;       // those of them that need not be made; NULL at the end
    const char *read, *write, *launch; // calls that copy from and to the device, and that launch
    unsigned dense; // of the calls of a name, how many fail one by one before ever more are skipped
    bool gl;        // shares OpenGL buffer 1, of 99 particles

    // From the library.
    void *library;
    driver_fail_function *make_fail;
    driver_calls_function *calls;
    driver_live_function *live;
    driver_sent_function *sent;
    driver_received_function *received;
} failing_driver;

// Opens the library; false where there is none.
bool driver_open(failing_driver *driver);
// A function that a library exports.
void driver_find(const failing_driver *driver, const char *name, void *function);

// --- Tests --------------------------------------------------------------------------------------------

// With the driver in *state, which a group's setup puts there.
void every_call_may_fail(void **state);
void torn_springs_stay_torn_when_the_device_fails(void **state);
void moves_are_written_into_staging_memory(void **state);
void a_clip_goes_on_when_the_device_fails(void **state);
void only_requested_state_is_read_back(void **state);
void unsaved_state_restarts_when_the_device_fails(void **state);

#define DRIVER_FAILURE_TESTS                                                                       \
    cmocka_unit_test(every_call_may_fail),                                                         \
        cmocka_unit_test(torn_springs_stay_torn_when_the_device_fails),                            \
        cmocka_unit_test(moves_are_written_into_staging_memory),                                   \
        cmocka_unit_test(a_clip_goes_on_when_the_device_fails),                                    \
        cmocka_unit_test(only_requested_state_is_read_back),                                       \
        cmocka_unit_test(unsaved_state_restarts_when_the_device_fails)

#endif

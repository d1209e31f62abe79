// SPDX-License-Identifier: MIT
// Every call of the CUDA backend fails once, at every point where it is made: an error with the driver's message,
// the last good state, nothing leaked, and with fallback the CPU continues with the same bits.
#include "runtime/backends/cuda/cuda_api.h"
#include "tests/gpu/failure_scenario.h"
#include "tests/gpu/stand_in.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define NAME(call) #call,
static const char *const all_calls[] = {SLV_CUDA_CALLS(NAME) NULL};
#undef NAME
// These are called after an error that has no name, of which there is none here.
static const char *const optional_calls[] = {"cuGetErrorName", "cuGetErrorString", NULL};

static failing_driver stand_in = {.backend = "cuda",
                                  .variable = "SELVAGE_CUDA_LIBRARY",
                                  .codes = {CUDA_ERROR_LAUNCH_FAILED, CUDA_ERROR_OUT_OF_MEMORY},
                                  .message = "CUDA_ERROR_",
                                  .all = all_calls,
                                  .optional = optional_calls,
                                  .read = "cuMemcpyDtoHAsync",
                                  .write = "cuMemcpyHtoDAsync",
                                  .launch = "cuGraphLaunch",
                                  .dense = DENSE,
                                  .gl = true};
static stand_in_gl_function *gl_function;
static stand_in_rounding_function *rounding_function;
static stand_in_devices_function *devices_function;
static float gl_bytes[99 * 3];

static void positions_reach_an_opengl_buffer(void **state) {
    (void)state;
    slv_world_def def = parity_def("cuda");
    slv_world *world = parity_open(&parity_scenes[0], SLV_PD_RBGS, &def);
    slv_particle_view view;
    const slv_garment_id first = slv_world_get_garment(world, 0);
    for (int n = 0; n < 2; n++) { // the second time the buffer is known
        must_step(world, 3);
        memset(gl_bytes, 0, sizeof gl_bytes);
        assert_int_equal(slv_garment_write_gl_buffer(world, first, 1), SLV_OK);
        assert_int_equal(slv_garment_get_positions(world, first, &view), SLV_OK);
        for (uint32_t p = 0; p < view.count; p++) {
            float position[3];
            slv_particle_view_get(&view, p, position);
            assert_memory_equal(gl_bytes + 3 * (size_t)p, position, sizeof position);
        }
    }
    slv_world_forget_gl_buffer(world, 1);
    gl_function(1, gl_bytes, 16); // a buffer that is too small
    assert_int_equal(slv_garment_write_gl_buffer(world, first, 1), SLV_ERROR_ARGUMENT);
    gl_function(1, gl_bytes, sizeof gl_bytes);
    slv_world_destroy(world);
    assert_int_equal(stand_in.live(), 0);
}

static void a_device_that_does_not_round_exactly_is_refused_or_warned_about(void **state) {
    (void)state;
    slv_world_def def = parity_def("cuda");
    slv_world *world = NULL;
    char message[600];
    rounding_function(1);
    def.deterministic = true;
    assert_int_equal(slv_world_create(&def, &world, message, sizeof message),
                     SLV_ERROR_UNSUPPORTED);
    assert_non_null(strstr(message, "does not round the square root"));
    def.fallback = true;
    world = must_create(&def);
    assert_string_equal(slv_world_get_device(world).backend, "cpu");
    assert_non_null(strstr(slv_world_get_device(world).note, "the CPU goes on"));
    slv_world_destroy(world);
    def.deterministic = false;
    world = must_create(&def);
    assert_string_equal(slv_world_get_device(world).backend, "cuda");
    assert_non_null(strstr(slv_world_get_device(world).note, "does not round the square root"));
    slv_world_destroy(world);
    rounding_function(0);
    assert_int_equal(stand_in.live(), 0);
}

static void changed_parameters_do_not_record_the_graph_again(void **state) {
    (void)state;
    slv_world_def def = parity_def("cuda");
    slv_world *world = parity_open(&parity_scenes[0], SLV_PD_RBGS, &def);
    stand_in.make_fail(NULL, 0, 0, 0);
    must_step(world, 8);
    slv_timing timing;
    assert_int_equal(slv_world_get_timing(world, &timing), SLV_OK);
    assert_int_equal(timing.submissions, 8); // one a step
    assert_int_equal(stand_in.calls("cuGraphInstantiate"), 2);
    slv_parameters parameters = slv_world_get_parameters(world);
    parameters.gravity[0] = 1.0f;
    parameters.damping = 0.2f;
    parameters.relaxation = 1.2f;
    assert_int_equal(slv_world_set_parameters(world, &parameters), SLV_OK);
    must_step(world, 8);
    assert_int_equal(stand_in.calls("cuGraphInstantiate"), 2);
    parameters.inner_iterations = 5; // another graph
    assert_int_equal(slv_world_set_parameters(world, &parameters), SLV_OK);
    must_step(world, 8);
    assert_int_equal(stand_in.calls("cuGraphInstantiate"), 4);
    assert_int_equal(slv_world_get_timing(world, &timing), SLV_OK);
    assert_int_equal(timing.submissions, 16); // however many iterations
    slv_world_destroy(world);
}

static void a_step_too_long_for_a_graph_is_launched_directly(void **state) {
    (void)state;
    slv_world_def here = parity_def("cpu");
    slv_world_def there = parity_def("cuda");
    here.parameters.inner_iterations = there.parameters.inner_iterations = 10000;
    slv_world *cpu = parity_open(&parity_scenes[4], SLV_PD_RBGS, &here);
    slv_world *gpu = parity_open(&parity_scenes[4], SLV_PD_RBGS, &there);
    stand_in.make_fail(NULL, 0, 0, 0);
    must_step(cpu, 2);
    must_step(gpu, 2);
    assert_true(must_hash(cpu) == must_hash(gpu));
    assert_int_equal(stand_in.calls("cuGraphInstantiate"), 0);
    slv_world_destroy(cpu);
    slv_world_destroy(gpu);
}

static void auto_takes_a_gpu_and_a_device_is_chosen_by_number_or_name(void **state) {
    (void)state;
    slv_device devices[8];
    devices_function(3);
    assert_true(slv_list_devices(devices, 8) >= 3);
    assert_string_equal(devices[2].name, "stand-in 2");
    slv_world_def def = parity_def("auto");
    slv_world *world = must_create(&def);
    assert_string_equal(slv_world_get_device(world).backend, "cuda");
    slv_world_destroy(world);
    static const char *const expected[] = {"2", "IN 2"};
    for (int i = 0; i < 2; i++) {
        def = parity_def("cuda");
        def.device = expected[i];
        world = must_create(&def);
        assert_non_null(strstr(slv_world_get_device(world).device, "stand-in 2"));
        slv_world_destroy(world);
    }
    char message[600];
    def.device = "7";
    assert_int_equal(slv_world_create(&def, &world, message, sizeof message),
                     SLV_ERROR_UNSUPPORTED);
    devices_function(0);
    def = parity_def("auto");
    world = must_create(&def);
    assert_string_equal(slv_world_get_device(world).backend, "cpu");
    assert_string_equal(slv_world_get_device(world).note, "");
    slv_world_destroy(world);
    devices_function(1);
}

static int open_stand_in(void **state) {
    if (!driver_open(&stand_in)) {
        return -1;
    }
    driver_find(&stand_in, "stand_in_gl_buffer", &gl_function);
    driver_find(&stand_in, "stand_in_rounding", &rounding_function);
    driver_find(&stand_in, "stand_in_devices", &devices_function);
    gl_function(1, gl_bytes, sizeof gl_bytes);
    *state = &stand_in;
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        DRIVER_FAILURE_TESTS,
        cmocka_unit_test(positions_reach_an_opengl_buffer),
        cmocka_unit_test(a_device_that_does_not_round_exactly_is_refused_or_warned_about),
        cmocka_unit_test(changed_parameters_do_not_record_the_graph_again),
        cmocka_unit_test(a_step_too_long_for_a_graph_is_launched_directly),
        cmocka_unit_test(auto_takes_a_gpu_and_a_device_is_chosen_by_number_or_name),
    };
    return cmocka_run_group_tests(tests, open_stand_in, NULL);
}

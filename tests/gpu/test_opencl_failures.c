// SPDX-License-Identifier: MIT
// Every call of the OpenCL backend fails once, at the points where it is made: an error with OpenCL's message, the
// last good state, nothing leaked, and with fallback the CPU continues with the same bits. A damaged program cache
// has no effect.
#define _POSIX_C_SOURCE 200809L
#include "tests/gpu/failure_scenario.h"

#include "runtime/backends/opencl/opencl_api.h"
#include "tests/gpu/opencl_shim.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define NAME(call) "cl" #call,
static const char *const all_calls[] = {SLV_OPENCL_CALLS(NAME) NULL};
#undef NAME
// With a cached program nothing is compiled, and only a compiler that fails has a log.
static const char *const optional_calls[] = {"clCreateProgramWithSource", "clGetProgramBuildInfo",
                                             "clGetProgramInfo", NULL};

static failing_driver shim = {.backend = "opencl",
                              .variable = "SELVAGE_OPENCL_LIBRARY",
                              .codes = {CL_MEM_OBJECT_ALLOCATION_FAILURE, CL_OUT_OF_RESOURCES},
                              .message = "OpenCL: ",
                              .all = all_calls,
                              .optional = optional_calls,
                              .read = "clEnqueueReadBuffer",
                              .write = "clEnqueueWriteBuffer",
                              .launch = "clEnqueueNDRangeKernel",
                              .dense = DENSE,
                              .gl = true};
static shim_gl_function *gl_function;

// --- Choosing ---------------------------------------------------------------------------------------

// OpenCL on the processor is slower than the CPU backend.
static void auto_skips_opencl_on_a_processor(void **state) {
    (void)state;
    slv_device devices[32];
    const uint32_t count = slv_list_devices(devices, 32);
    for (uint32_t i = 0; i < count && i < 32; i++) {
        if (devices[i].is_gpu) {
            skip();
        }
    }
    slv_world_def def = parity_def("auto");
    slv_world *world = must_create(&def);
    assert_string_equal(slv_world_get_device(world).backend, "cpu");
    assert_string_equal(slv_world_get_device(world).note, "");
    slv_world_destroy(world);
}

// --- The cache --------------------------------------------------------------------------------------

typedef void visit(const char *path);

static unsigned visit_programs(visit *one) {
    char folder[512];
    unsigned count = 0;
    (void)snprintf(folder, sizeof folder, "%s/selvage", getenv("XDG_CACHE_HOME"));
    DIR *open = opendir(folder);
    for (struct dirent *entry; open && (entry = readdir(open)) != NULL;) {
        char path[800];
        (void)snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (strstr(entry->d_name, ".program")) {
            count++;
            one(path);
        }
    }
    if (open) {
        (void)closedir(open);
    }
    return count;
}

static void look(const char *path) {
    (void)path;
}

static void delete (const char *path) {
    (void)unlink(path);
}

static void cut(const char *path) {
    struct stat about;
    assert_int_equal(stat(path, &about), 0);
    assert_int_equal(truncate(path, about.st_size / 2), 0);
}

static void empty(const char *path) {
    assert_int_equal(truncate(path, 0), 0);
}

static void flip(const char *path) {
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, 1000, SEEK_SET), 0);
    int byte = fgetc(file);
    assert_int_equal(fseek(file, 1000, SEEK_SET), 0);
    assert_int_equal(fputc(byte ^ 4, file), byte ^ 4);
    assert_int_equal(fclose(file), 0);
}

// How often a world compiles the kernels' text.
static unsigned compile(void) {
    slv_world_def def = parity_def("opencl");
    shim.make_fail(NULL, 0, 0, 0);
    slv_world *world = parity_open(&parity_scenes[0], SLV_PD_RBGS, &def);
    must_step(world, 1);
    slv_world_destroy(world);
    return shim.calls("clCreateProgramWithSource");
}

static void a_damaged_cache_is_recompiled_and_a_valid_one_is_used(void **state) {
    (void)state;
    static visit *const damages[] = {delete, cut, empty, flip};
    (void)compile();
    assert_int_equal(visit_programs(look), 1);
    assert_int_equal(compile(), 0);
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        assert_int_equal(visit_programs(damages[i]), 1);
        assert_int_equal(compile(), 1);
        assert_int_equal(compile(), 0);
    }
}

static void allow_others_to_write(const char *path) {
    assert_int_equal(chmod(path, 0666), 0);
}

// As left by a process that ended inside of the driver.
static void leave_marker(const char *path) {
    char marker[800];
    (void)snprintf(marker, sizeof marker, "%.*s.loading", (int)(strlen(path) - strlen(".program")),
                   path);
    FILE *file = fopen(marker, "wb");
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
}

static void a_cache_that_is_not_to_be_trusted_is_recompiled(void **state) {
    (void)state;
    static visit *const reasons[] = {allow_others_to_write, leave_marker};
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
        assert_int_equal(compile(), 0);
        assert_int_equal(visit_programs(reasons[i]), 1);
        assert_int_equal(compile(), 1);
        assert_int_equal(shim.calls("clCreateProgramWithBinary"), 0);
    }
    assert_int_equal(compile(), 0);
}

static void a_program_that_the_device_refuses_is_recompiled(void **state) {
    (void)state;
    slv_world_def def = parity_def("opencl");
    assert_int_equal(compile(), 0);
    shim.make_fail("clCreateProgramWithBinary", 1, CL_INVALID_BINARY, 0);
    slv_world *world = must_create(&def);
    assert_int_equal(shim.calls("clCreateProgramWithSource"), 1);
    slv_world_destroy(world);
    assert_int_equal(shim.live(), 0);
}

static void an_unwritable_cache_folder_has_no_effect(void **state) {
    (void)state;
    char folder[512];
    (void)snprintf(folder, sizeof folder, "%s", getenv("XDG_CACHE_HOME"));
    assert_int_equal(setenv("XDG_CACHE_HOME", "/proc/nowhere", 1), 0);
    assert_int_equal(compile(), 1);
    assert_int_equal(setenv("XDG_CACHE_HOME", folder, 1), 0);
}

static void a_failed_compilation_gives_the_error_code(void **state) {
    (void)state;
    slv_world_def def = parity_def("opencl");
    slv_world *world = NULL;
    char message[600];
    (void)visit_programs(delete);
    shim.make_fail("clBuildProgram", 1, CL_BUILD_PROGRAM_FAILURE, 0);
    assert_int_equal(slv_world_create(&def, &world, message, sizeof message), SLV_ERROR_DEVICE);
    assert_non_null(strstr(message, "CL_BUILD_PROGRAM_FAILURE (-11): "));
    assert_int_equal(shim.live(), 0);
    shim.make_fail(NULL, 0, 0, 0);
}

// --- OpenGL -----------------------------------------------------------------------------------------

static void positions_reach_an_opengl_buffer(void **state) {
    (void)state;
    int context = 0;
    slv_world_def def = parity_def("opencl");
    slv_world *world = parity_open(&parity_scenes[0], SLV_PD_RBGS, &def);
    assert_int_equal(slv_garment_write_gl_buffer(world, slv_world_get_garment(world, 0), 1),
                     SLV_ERROR_UNSUPPORTED);
    slv_world_destroy(world);
    def.gl_context = &context;
    world = parity_open(&parity_scenes[0], SLV_PD_RBGS, &def);
    slv_particle_view view;
    for (int n = 0; n < 2; n++) {
        must_step(world, 3);
        assert_int_equal(slv_garment_write_gl_buffer(world, slv_world_get_garment(world, 0), 1),
                         SLV_OK);
        assert_int_equal(slv_garment_get_positions(world, slv_world_get_garment(world, 0), &view),
                         SLV_OK);
        for (uint32_t p = 0; p < view.count; p++) {
            float position[3];
            slv_particle_view_get(&view, p, position);
            assert_memory_equal(gl_function() + 3 * (size_t)p, position, sizeof position);
        }
    }
    slv_world_forget_gl_buffer(world, 1);
    slv_world_destroy(world);
    assert_int_equal(shim.live(), 0);
}

static int open_shim(void **state) {
    if (!driver_open(&shim)) {
        return -1;
    }
    driver_find(&shim, "shim_gl_buffer", &gl_function);
    char folder[512]; // used by this test only
    (void)snprintf(folder, sizeof folder, "%s/failures", getenv("XDG_CACHE_HOME"));
    (void)mkdir(folder, 0700);
    assert_int_equal(setenv("XDG_CACHE_HOME", folder, 1), 0);
    (void)visit_programs(delete);
    *state = &shim;
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_damaged_cache_is_recompiled_and_a_valid_one_is_used),
        cmocka_unit_test(a_cache_that_is_not_to_be_trusted_is_recompiled),
        cmocka_unit_test(a_program_that_the_device_refuses_is_recompiled),
        cmocka_unit_test(an_unwritable_cache_folder_has_no_effect),
        cmocka_unit_test(a_failed_compilation_gives_the_error_code),
        cmocka_unit_test(positions_reach_an_opengl_buffer),
        DRIVER_FAILURE_TESTS,
        cmocka_unit_test(auto_skips_opencl_on_a_processor),
    };
    slv_device devices[32];
    uint32_t found = 0;
    uint32_t count = slv_list_devices(devices, 32);
    for (uint32_t i = 0; i < count && i < 32; i++) {
        found += strcmp(devices[i].backend, "opencl") == 0 ? 1 : 0;
    }
    if (found == 0) {
        (void)puts("skipped: no OpenCL device (Debian: pocl-opencl-icd)");
        return 77;
    }
    return cmocka_run_group_tests(tests, open_shim, NULL);
}

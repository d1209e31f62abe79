// SPDX-License-Identifier: MIT
// The cache of compiled programs gives to a driver only what the same user stored there.
#define _GNU_SOURCE
#include "runtime/backends/gpu/keyed_hash.h"
#include "runtime/backends/gpu/program_cache.h"
#include "tests/common/folder.h"

#include <inttypes.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static const char program_text[] = "machine code of a driver";
static slv_program_key key;
static char program_path[600];
static char marker_path[600];

static void store(void) {
    slv_program_cache_store(key, program_text, sizeof program_text);
}

// Whether the cache gives the program; the load ends as usual.
static bool loads(void) {
    slv_cached_program program;
    bool found = slv_program_cache_begin(key, &program);
    if (found) {
        assert_int_equal(program.size, sizeof program_text);
        assert_memory_equal(program.bytes, program_text, sizeof program_text);
        slv_program_cache_end(&program, true);
    }
    return found;
}

static int enter(void **state) {
    char folder[512];
    int entered = folder_enter(state);
    const char *const texts[] = {"kernels", "driver"};
    key = slv_program_key_of(texts, 2);
    assert_non_null(getcwd(folder, sizeof folder));
    assert_int_equal(setenv("XDG_CACHE_HOME", folder, 1), 0);
    (void)snprintf(program_path, sizeof program_path,
                   "selvage/%016" PRIx64 "%016" PRIx64 ".program", key.hash[0], key.hash[1]);
    (void)snprintf(marker_path, sizeof marker_path, "selvage/%016" PRIx64 "%016" PRIx64 ".loading",
                   key.hash[0], key.hash[1]);
    store();
    assert_true(loads());
    return entered;
}

// --- Checksum ---------------------------------------------------------------------------------------

// From the paper's appendix: the key is 0, 1, … 15 and the input 0, 1, … 14.
static void the_checksum_is_siphash_2_4(void **state) {
    (void)state;
    unsigned char input[15];
    for (unsigned i = 0; i < sizeof input; i++) {
        input[i] = (unsigned char)i;
    }
    const slv_hash_key secret = {{0x0706050403020100U, 0x0f0e0d0c0b0a0908U}};
    assert_int_equal(slv_keyed_hash(secret, input, sizeof input), 0xa129ca6149be45e5U);
    assert_int_equal(slv_keyed_hash(secret, input, 0), 0x726fdb47dd0e0e31U);
}

static void every_flipped_byte_is_refused(void **state) {
    (void)state;
    size_t size = 0;
    char *bytes = folder_read(program_path, &size);
    for (size_t i = 0; i < size; i++) {
        bytes[i] ^= 0x10;
        folder_write(program_path, bytes, size);
        assert_false(loads());
        bytes[i] ^= 0x10;
    }
    folder_write(program_path, bytes, size - 1);
    assert_false(loads());
    folder_write(program_path, bytes, size);
    assert_true(loads());
    free(bytes);
}

// A file that another user made with all checksums right, or that an attacker copied from there.
static void a_program_of_another_secret_is_refused(void **state) {
    (void)state;
    size_t size = 0;
    char *bytes = folder_read(program_path, &size);
    assert_int_equal(unlink("selvage/key"), 0);
    assert_false(loads());
    store();
    assert_true(loads());
    folder_write(program_path, bytes, size);
    assert_false(loads());
    free(bytes);
}

static void a_secret_that_others_can_read_is_replaced(void **state) {
    (void)state;
    size_t size = 0;
    char *before = folder_read("selvage/key", &size);
    assert_int_equal(chmod("selvage/key", 0644), 0);
    assert_false(loads());
    store();
    assert_true(loads());
    char *after = folder_read("selvage/key", &size);
    assert_int_equal(size, sizeof(slv_hash_key));
    assert_memory_not_equal(before, after, size);
    free(before);
    free(after);
}

// --- Owner and mode ---------------------------------------------------------------------------------

static void what_others_may_write_is_refused(void **state) {
    (void)state;
    static const mode_t modes[] = {0020, 0002};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(chmod(program_path, 0600 | modes[i]), 0);
        assert_false(loads());
        assert_int_equal(chmod(program_path, 0600), 0);
        assert_int_equal(chmod("selvage", 0700 | modes[i]), 0);
        assert_false(loads());
        assert_int_equal(unlink(program_path), 0);
        store(); // not into this folder
        assert_int_not_equal(access(program_path, F_OK), 0);
        assert_int_equal(chmod("selvage", 0700), 0);
        store();
        assert_true(loads());
    }
}

static void files_of_any_umask_are_private(void **state) {
    (void)state;
    struct stat status;
    mode_t before = umask(0);
    assert_int_equal(unlink(program_path), 0);
    assert_int_equal(unlink("selvage/key"), 0);
    store();
    (void)umask(before);
    assert_true(loads());
    assert_int_equal(stat(program_path, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0600);
    assert_int_equal(stat("selvage/key", &status), 0);
    assert_int_equal(status.st_mode & 0777, 0600);
}

static void links_are_refused(void **state) {
    (void)state;
    assert_int_equal(rename(program_path, "elsewhere"), 0);
    assert_int_equal(symlink("../elsewhere", program_path), 0);
    assert_false(loads());
    assert_int_equal(unlink(program_path), 0);
    assert_int_equal(link("elsewhere", program_path), 0); // may be written to by its other name
    assert_false(loads());
    assert_int_equal(unlink("elsewhere"), 0);
    assert_true(loads());
    assert_int_equal(rename("selvage", "moved"), 0);
    assert_int_equal(symlink("moved", "selvage"), 0);
    assert_false(loads());
}

static void pipes_and_folders_are_refused(void **state) {
    (void)state;
    assert_int_equal(unlink(program_path), 0);
    assert_int_equal(mkfifo(program_path, 0600), 0);
    assert_false(loads());
    assert_int_equal(unlink(program_path), 0);
    assert_int_equal(mkdir(program_path, 0700), 0);
    assert_false(loads());
}

// Only root can give a file away.
static void files_of_another_user_are_refused(void **state) {
    (void)state;
    if (geteuid() != 0) {
        skip();
    }
    assert_int_equal(chown(program_path, 12345, 12345), 0);
    assert_false(loads());
    assert_int_equal(chown(program_path, 0, 0), 0);
    assert_true(loads());
    assert_int_equal(chown("selvage/key", 12345, 12345), 0);
    assert_false(loads());
    assert_int_equal(chown("selvage/key", 0, 0), 0);
    assert_int_equal(chown("selvage", 12345, 12345), 0);
    assert_false(loads());
}

// --- Crashes ----------------------------------------------------------------------------------------

static void a_program_is_dropped_after_a_crash(void **state) {
    (void)state;
    pid_t child = fork();
    if (child == 0) {
        slv_cached_program program;
        _exit(slv_program_cache_begin(key, &program) && kill(getpid(), SIGKILL) == 0);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(access(marker_path, F_OK), 0);
    assert_false(loads());
    assert_int_not_equal(access(program_path, F_OK), 0);
    assert_int_not_equal(access(marker_path, F_OK), 0);
    store();
    assert_true(loads());
}

static void two_processes_load_at_once(void **state) {
    (void)state;
    slv_cached_program first;
    slv_cached_program second;
    assert_true(slv_program_cache_begin(key, &first));
    assert_true(slv_program_cache_begin(key, &second));
    slv_program_cache_end(&first, true);
    assert_int_equal(access(marker_path, F_OK), 0);
    slv_program_cache_end(&second, true);
    assert_int_not_equal(access(marker_path, F_OK), 0);
    assert_true(loads());
}

static void a_program_that_its_device_refuses_is_dropped(void **state) {
    (void)state;
    slv_cached_program program;
    assert_true(slv_program_cache_begin(key, &program));
    slv_program_cache_end(&program, false);
    assert_int_not_equal(access(program_path, F_OK), 0);
    assert_int_not_equal(access(marker_path, F_OK), 0);
    assert_false(loads());
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, enter, folder_leave)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_checksum_is_siphash_2_4),
        IN_FOLDER(every_flipped_byte_is_refused),
        IN_FOLDER(a_program_of_another_secret_is_refused),
        IN_FOLDER(a_secret_that_others_can_read_is_replaced),
        IN_FOLDER(what_others_may_write_is_refused),
        IN_FOLDER(files_of_any_umask_are_private),
        IN_FOLDER(links_are_refused),
        IN_FOLDER(pipes_and_folders_are_refused),
        IN_FOLDER(files_of_another_user_are_refused),
        IN_FOLDER(a_program_is_dropped_after_a_crash),
        IN_FOLDER(two_processes_load_at_once),
        IN_FOLDER(a_program_that_its_device_refuses_is_dropped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

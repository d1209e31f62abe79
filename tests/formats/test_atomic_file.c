// SPDX-License-Identifier: MIT
// Files appear complete or not at all, even if the program is killed or the disk is full.
#define _GNU_SOURCE
#include "formats/atomic_file.h"
#include "formats/garment.h"
#include "formats/signal_hold.h"
#include "tests/common/random.h"
#include "tests/formats/sample_garment.h"
#include "tests/formats/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static slv_result write_file(const char *path, const char *text, slv_error *error) {
    slv_atomic_file *file = NULL;
    slv_result result = slv_atomic_open(path, &file, error);
    if (result != SLV_OK) {
        assert_null(file);
        return result;
    }
    result = slv_atomic_write(file, text, strlen(text), error);
    if (result != SLV_OK) {
        slv_atomic_abandon(file);
        return result;
    }
    return slv_atomic_commit(file, error);
}

static void assert_holds(const char *path, const char *text) {
    char have[256] = {0};
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    (void)fread(have, 1, sizeof have - 1, file);
    assert_int_equal(fclose(file), 0);
    assert_string_equal(have, text);
}

static void assert_write_fails(const char *path, const char *text) {
    slv_error error = {0};
    assert_int_equal(write_file(path, "never", &error), SLV_ERROR_FILE);
    if (!strstr(error.text, text)) {
        fail_msg("the message is \"%s\", should contain \"%s\"", error.text, text);
    }
}

static mode_t mode_of(const char *path) {
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    return status.st_mode & 07777;
}

// --- plain use -------------------------------------------------------------------------------------

static void nothing_is_there_before_the_commit_and_everything_after(void **state) {
    const char *path = scratch_path(*state, "file");
    slv_atomic_file *file = NULL;
    assert_int_equal(slv_atomic_open(path, &file, NULL), SLV_OK);
    assert_int_equal(slv_atomic_write(file, "hxllo", 5, NULL), SLV_OK);
    assert_int_equal(slv_atomic_write_at(file, 1, "e", 1, NULL), SLV_OK);
    assert_int_equal(slv_atomic_write(file, " you", 4, NULL), SLV_OK);
    assert_int_equal(access(path, F_OK), -1);
    assert_int_equal(slv_atomic_commit(file, NULL), SLV_OK);
    assert_holds(path, "hello you");
    assert_int_equal(scratch_count(*state), 1);
}

static void an_abandoned_file_leaves_nothing(void **state) {
    const char *path = scratch_path(*state, "file");
    assert_int_equal(write_file(path, "old", NULL), SLV_OK);
    slv_atomic_file *file = NULL;
    assert_int_equal(slv_atomic_open(path, &file, NULL), SLV_OK);
    assert_int_equal(slv_atomic_write(file, "new", 3, NULL), SLV_OK);
    slv_atomic_abandon(file);
    assert_holds(path, "old");
    assert_int_equal(scratch_count(*state), 1);
}

static void large_and_small_writes_keep_their_order(void **state) {
    const char *path = scratch_path(*state, "file");
    enum { COUNT = 400 };
    char *block = malloc(COUNT * 1000);
    assert_non_null(block);
    slv_atomic_file *file = NULL;
    assert_int_equal(slv_atomic_open(path, &file, NULL), SLV_OK);
    size_t total = 0;
    for (size_t i = 0; i < COUNT; i++) {
        size_t size = i * i * 7 % (COUNT * 1000);
        memset(block, (int)('a' + i % 26), size);
        assert_int_equal(slv_atomic_write(file, block, size, NULL), SLV_OK);
        total += size;
    }
    assert_int_equal(slv_atomic_commit(file, NULL), SLV_OK);
    FILE *written = fopen(path, "rb");
    assert_non_null(written);
    for (size_t i = 0; i < COUNT; i++) {
        size_t size = i * i * 7 % (COUNT * 1000);
        assert_int_equal(fread(block, 1, size, written), size);
        for (size_t k = 0; k < size; k++) {
            assert_true(block[k] == (char)('a' + i % 26));
        }
        total -= size;
    }
    assert_int_equal(total, 0);
    assert_int_equal(fgetc(written), EOF);
    (void)fclose(written);
    free(block);
}

static void modes_follow_umask_or_the_file_that_was_there(void **state) {
    const char *path = scratch_path(*state, "file");
    mode_t before = umask(027);
    assert_int_equal(write_file(path, "new", NULL), SLV_OK);
    assert_int_equal(mode_of(path), 0640);
    assert_int_equal(chmod(path, 0604), 0);
    assert_int_equal(write_file(path, "newer", NULL), SLV_OK);
    assert_int_equal(mode_of(path), 0604);
    (void)umask(before);
}

static void a_link_stays_a_link(void **state) {
    scratch *temporary = *state;
    char target[600];
    (void)snprintf(target, sizeof target, "%s/target", temporary->folder);
    const char *link_path = scratch_path(temporary, "link");
    assert_int_equal(symlink("target", link_path), 0);
    assert_int_equal(write_file(link_path, "through a dangling link", NULL), SLV_OK);
    assert_holds(target, "through a dangling link");
    assert_int_equal(write_file(link_path, "and again", NULL), SLV_OK);
    assert_holds(target, "and again");
    struct stat status;
    assert_int_equal(lstat(link_path, &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    assert_int_equal(unlink(link_path), 0);
    assert_int_equal(symlink(target, link_path), 0); // an absolute one
    assert_int_equal(write_file(link_path, "absolute", NULL), SLV_OK);
    assert_holds(target, "absolute");
    assert_int_equal(scratch_count(temporary), 2);
}

static void bad_targets_are_refused_before_any_work(void **state) {
    scratch *temporary = *state;
    assert_write_fails(temporary->folder, "is a directory");
    assert_write_fails(scratch_path(temporary, "absent/file"), "No such file");
    assert_write_fails(scratch_path(temporary, "absent/"), "the name of a file is missing");
    assert_write_fails("", "");
    assert_int_equal(write_file(scratch_path(temporary, "file"), "x", NULL), SLV_OK);
    assert_write_fails(scratch_path(temporary, "file/below"), "Not a directory");
    const char *loop = scratch_path(temporary, "loop");
    assert_int_equal(symlink("loop", loop), 0);
    assert_write_fails(loop, "links");
    assert_int_equal(scratch_count(temporary), 2);
}

static void long_names_work_up_to_the_systems_limit(void **state) {
    char name[256];
    memset(name, 'n', 255);
    name[255] = '\0';
    const char *path = scratch_path(*state, name);
    assert_int_equal(write_file(path, "x", NULL), SLV_OK);
    assert_holds(path, "x");
}

static void devices_are_written_to_directly(void **state) {
    (void)state;
    assert_int_equal(write_file("/dev/null", "gone", NULL), SLV_OK);
}

static void temporary_names_are_recognized(void **state) {
    (void)state;
    assert_true(slv_atomic_is_temporary("/a/b/.x.slv.selvage-012abc.tmp"));
    assert_true(slv_atomic_is_temporary(".x.slv.selvage-012abc.tmp"));
    assert_false(slv_atomic_is_temporary("x.slv"));
    assert_false(slv_atomic_is_temporary(".x.slv"));
    assert_false(slv_atomic_is_temporary("x.selvage-012abc.tmp"));
    assert_false(slv_atomic_is_temporary(".x.selvage-1.tmp/x.slv"));
    assert_false(slv_atomic_is_temporary(""));
}

// --- a disk that is full ---------------------------------------------------------------------------

static void a_full_device_is_reported(void **state) {
    (void)state;
    if (access("/dev/full", W_OK) != 0) {
        print_message("skipped: there is no /dev/full\n");
        skip();
    }
    assert_write_fails("/dev/full", "No space left");
}

static void a_pipe_cannot_take_a_pack(void **state) {
    const char *path = scratch_path(*state, "pipe");
    assert_int_equal(mkfifo(path, 0600), 0);
    int reader = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    assert_true(reader >= 0);
    slv_writer *writer = NULL;
    slv_error error = {0};
    assert_int_equal(slv_writer_open(path, SLV_CONTENTS_GARMENT, 1, &writer, &error),
                     SLV_ERROR_FILE);
    assert_non_null(strstr(error.text, "Illegal seek"));
    (void)close(reader);
}

// In a child, because a limit on file sizes cannot be raised again.
static int write_beyond_limit(const char *path) {
    sample_garment sample;
    slv_error error = {0};
    const struct rlimit limit = {200000, 200000};
    (void)signal(SIGXFSZ, SIG_IGN);
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0) {
        return 1;
    }
    sample_grid(&sample, 30, 30, 30);
    slv_result result = sample_write(&sample.garment, NULL, path, &error);
    sample_free(&sample);
    return result == SLV_ERROR_FILE && strstr(error.text, strerror(EFBIG)) ? 0 : 2;
}

static void a_file_that_cannot_grow_is_reported_and_removed(void **state) {
    const char *path = scratch_path(*state, "large.slv");
    for (unsigned round = 0; round < 2; round++) { // nothing there; then an older file
        pid_t child = fork();
        if (child == 0) {
            _exit(write_beyond_limit(path));
        }
        int status = -1;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_int_equal(status, 0);
        assert_int_equal(scratch_count(*state), round);
        assert_int_equal(write_file(path, "old", NULL), SLV_OK);
    }
    assert_holds(path, "old");
}

// --- a program that is killed ----------------------------------------------------------------------

enum { SMALL = 6, LARGE = 14 }; // sizes of the two garments that replace each other

static void write_forever(const sample_garment samples[2], const char *path) {
    for (unsigned i = 0;; i++) {
        if (sample_write(&samples[i % 2].garment, NULL, path, NULL) != SLV_OK) {
            _exit(1);
        }
    }
}

static void assert_whole(const char *path) {
    slv_pack *pack = NULL;
    slv_garment garment = {0};
    slv_error error = {0};
    if (slv_pack_open(path, NULL, &pack, &error) != SLV_OK ||
        slv_garment_open(pack, &garment, &error) != SLV_OK) {
        fail_msg("the target is damaged: %s", error.text);
    }
    uint32_t n = garment.info.particle_count;
    assert_true(n == SMALL * SMALL * SMALL || n == LARGE * LARGE * LARGE);
    slv_pack_close(pack);
}

// Temporary files left behind must not open as packs. Removes them and returns their number.
static unsigned refuse_strays(scratch *temporary) {
    unsigned count = 0;
    DIR *folder = opendir(temporary->folder);
    assert_non_null(folder);
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        if (!strstr(entry->d_name, ".tmp")) {
            continue;
        }
        scratch copy = *temporary;
        const char *stray = scratch_path(&copy, entry->d_name);
        slv_pack *pack = NULL;
        slv_error error = {0};
        assert_int_equal(slv_pack_open(stray, NULL, &pack, &error), SLV_ERROR_FILE);
        assert_non_null(strstr(error.text, "leftover"));
        assert_int_equal(unlink(stray), 0);
        count++;
    }
    (void)closedir(folder);
    return count;
}

static void a_killed_writer_leaves_the_old_pack_or_the_new_one(void **state) {
    scratch *temporary = *state;
    const char *path = scratch_path(temporary, "killed.slv");
    sample_garment samples[2]; // made here, so that the children write from their first moment
    sample_grid(&samples[0], SMALL, SMALL, SMALL);
    sample_grid(&samples[1], LARGE, LARGE, LARGE);
    assert_int_equal(sample_write(&samples[0].garment, NULL, path, NULL), SLV_OK);
    unsigned strays = 0;
    uint32_t mix = 2463534242u;
    for (int round = 0; round < 300; round++) {
        pid_t child = fork();
        if (child == 0) {
            write_forever(samples, path);
        }
        struct timespec pause = {0, 500000 + (long)next_random(&mix) % 9000000}; // 0.5 to 9.5 ms
        (void)nanosleep(&pause, NULL);
        assert_int_equal(kill(child, SIGKILL), 0);
        int status = 0;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status)); // it was still writing, and without an error
        assert_whole(path);
        strays += refuse_strays(temporary);
    }
    sample_free(&samples[0]);
    sample_free(&samples[1]);
    print_message("300 writers killed, %u strays, none of them opened\n", strays);
    assert_true(strays > 0); // otherwise no writer was killed during a write
}

static void open_flushed(const char *path, const char *text, slv_atomic_file **file) {
    assert_int_equal(slv_atomic_open(path, file, NULL), SLV_OK);
    assert_int_equal(slv_atomic_write(*file, text, strlen(text), NULL), SLV_OK);
    assert_int_equal(slv_atomic_flush(*file, NULL), SLV_OK);
}

static void several_files_appear_together_or_not_at_all(void **state) {
    const scratch *temporary = *state;
    assert_int_equal(chdir(temporary->folder), 0);
    for (int blocked = 1; blocked >= 0; blocked--) {
        slv_atomic_file *files[3] = {NULL};
        size_t failed = 0;
        assert_int_equal(write_file("a", "old", NULL), SLV_OK);
        open_flushed("a", "new", &files[0]);
        open_flushed("b", "new", &files[1]);
        open_flushed("c", "new", &files[2]);
        if (blocked) {
            assert_int_equal(mkdir("c", 0700), 0);
            assert_int_equal(slv_atomic_publish_all(files, 3, &failed, NULL), SLV_ERROR_FILE);
            assert_int_equal(failed, 2);
            assert_int_equal(rmdir("c"), 0);
            assert_int_equal(scratch_count(temporary), 1);
            assert_holds("a", "old");
        } else {
            assert_int_equal(slv_atomic_publish_all(files, 3, NULL, NULL), SLV_OK);
            assert_int_equal(scratch_count(temporary), 3);
            assert_holds("a", "new");
            assert_holds("c", "new");
        }
    }
    assert_int_equal(chdir("/"), 0);
}

static volatile sig_atomic_t deferred;
static volatile sig_atomic_t delivered;

static void count_signal(int number) {
    if (slv_signal_defer(number)) { // NOLINT(bugprone-signal-handler): made for handlers
        deferred++;
    } else {
        delivered++;
    }
}

static void a_signal_waits_until_the_last_hold_ends(void **state) {
    (void)state;
    assert_true(signal(SIGUSR1, count_signal) != SIG_ERR);
    slv_signal_hold();
    slv_signal_hold();
    assert_false(slv_signal_is_deferred());
    assert_int_equal(raise(SIGUSR1), 0);
    assert_int_equal(raise(SIGUSR1), 0);
    assert_true(slv_signal_is_deferred());
    slv_signal_release();
    assert_int_equal(deferred, 2);
    assert_int_equal(delivered, 0);
    slv_signal_release();
    assert_int_equal(delivered, 1);
    assert_int_equal(raise(SIGUSR1), 0); // no hold: at once
    assert_int_equal(delivered, 2);
    assert_false(slv_signal_is_deferred());
    (void)signal(SIGUSR1, SIG_DFL);
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, scratch_set_up, scratch_tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(nothing_is_there_before_the_commit_and_everything_after),
        TEST(an_abandoned_file_leaves_nothing),
        TEST(large_and_small_writes_keep_their_order),
        TEST(modes_follow_umask_or_the_file_that_was_there),
        TEST(a_link_stays_a_link),
        TEST(bad_targets_are_refused_before_any_work),
        TEST(long_names_work_up_to_the_systems_limit),
        TEST(devices_are_written_to_directly),
        TEST(temporary_names_are_recognized),
        TEST(a_full_device_is_reported),
        TEST(a_pipe_cannot_take_a_pack),
        TEST(a_file_that_cannot_grow_is_reported_and_removed),
        TEST(several_files_appear_together_or_not_at_all),
        TEST(a_signal_waits_until_the_last_hold_ends),
        TEST(a_killed_writer_leaves_the_old_pack_or_the_new_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

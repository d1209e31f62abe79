// SPDX-License-Identifier: MIT
#define _GNU_SOURCE // clone flags, syscall
#include "tests/common/folder.h"
#include "tests/tools/common/cmocka_all.h"
#include "tools/common/child_process.h"
#include "tools/common/sanitizer.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// Works of a child that try what a confined one must not do. Each prints the names of the tries that succeeded.

static bool kernel_has_landlock(void) {
    return syscall(SYS_landlock_create_ruleset, NULL, (size_t)0, LANDLOCK_CREATE_RULESET_VERSION) >=
           1;
}

static bool kernel_has_seccomp(void) {
    return prctl(PR_GET_SECCOMP, 0, 0, 0, 0) >= 0;
}

static void run(void (*work)(FILE *, void *), const char *input, bool any_file, char text[256]) {
    const slv_child_limits limits = {
        .processor_seconds = 5, .memory = UINT64_C(1) << 30, .input = input, .any_file = any_file};
    slv_child child;
    slv_error error = {.code = SLV_OK};
    assert_int_equal(slv_child_start(&limits, work, NULL, &child, &error), SLV_OK);
    const size_t length = fread(text, 1, 255, child.output);
    text[length] = '\0';
    const slv_result result = slv_child_finish(&child, true, &error);
    assert_string_equal(result == SLV_OK ? "" : error.text, "");
}

static void try_open(FILE *out, const char *path, int flags) {
    const int file = open(path, flags, 0600);
    if (file >= 0) {
        (void)fprintf(out, "%s ", path);
        (void)close(file);
    }
}

// --- Files ----------------------------------------------------------------------------------------

static void make_files(void) {
    static const char *const files[] = {"in/mesh", "in/below/part", "outside", "target"};
    assert_true(mkdir("in", 0700) == 0 || errno == EEXIST);
    assert_true(mkdir("in/below", 0700) == 0 || errno == EEXIST);
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        folder_write_text(files[f], "text");
    }
    (void)symlink("../target", "in/link");
    (void)symlink("../outside", "in/other");
}

static void read_files(FILE *out, void *context) {
    (void)context;
    try_open(out, "in/mesh", O_RDONLY);
    try_open(out, "in/below/part", O_RDONLY);
    try_open(out, "in/below", O_RDONLY | O_DIRECTORY);
    try_open(out, "in/link", O_RDONLY);
    try_open(out, "in/other", O_RDONLY);
    try_open(out, "outside", O_RDONLY);
    try_open(out, "/etc/passwd", O_RDONLY);
    try_open(out, "/proc/self/maps", O_RDONLY);
}

static void only_the_input_and_the_files_below_its_folder_are_read(void **state) {
    (void)state;
    char text[256];
    if (!kernel_has_landlock()) {
        skip();
    }
    make_files();
    run(read_files, "in/mesh", false, text);
    assert_string_equal(text, "in/mesh in/below/part in/below ");
    run(read_files, "in/link", false, text); // named by the user, so it may lead out
    assert_string_equal(text, "in/mesh in/below/part in/below in/link ");
    run(read_files, "in/missing", false, text);
    assert_string_equal(text, "in/mesh in/below/part in/below ");
    run(read_files, "nowhere/missing", false, text);
    assert_string_equal(text, "");
    run(read_files, NULL, false, text);
    assert_string_equal(text, "");
    run(read_files, "in/mesh", true, text);
    assert_string_equal(text, "in/mesh in/below/part in/below in/link in/other outside /etc/passwd "
                              "/proc/self/maps ");
}

static void write_files(FILE *out, void *context) {
    (void)context;
    try_open(out, "in/mesh", O_WRONLY);
    try_open(out, "in/mesh", O_RDWR);
    try_open(out, "in/mesh", O_RDONLY | O_TRUNC);
    try_open(out, "in/new", O_RDONLY | O_CREAT);
    try_open(out, "outside", O_WRONLY | O_APPEND);
    try_open(out, "in", O_WRONLY | O_TMPFILE);
    (void)fputs(truncate("in/mesh", 0) == 0 ? "truncate " : "", out);
    (void)fputs(mkdir("in/folder", 0700) == 0 ? "mkdir " : "", out);
    (void)fputs(mkfifo("in/pipe", 0600) == 0 ? "mkfifo " : "", out);
    (void)fputs(symlink("mesh", "in/new") == 0 ? "symlink " : "", out);
    (void)fputs(link("in/mesh", "in/hard") == 0 ? "link " : "", out);
    (void)fputs(rename("in/mesh", "in/moved") == 0 ? "rename " : "", out);
    (void)fputs(unlink("in/mesh") == 0 ? "unlink " : "", out);
    (void)fputs(rmdir("in/below") == 0 ? "rmdir " : "", out);
}

static void no_file_is_written_made_or_removed(void **state) {
    (void)state;
    char text[256];
    if (!kernel_has_landlock()) {
        skip();
    }
    make_files();
    for (int any = 0; any < 2; any++) {
        run(write_files, "in/mesh", any != 0, text);
        assert_string_equal(text, "");
    }
}

// --- Processes and network ------------------------------------------------------------------------

static void try_result(FILE *out, const char *name, long result) {
    (void)fputs(result >= 0 ? name : "", out);
}

static int leave(void *context) {
    (void)context;
    _exit(0);
}

static void reach_out(FILE *out, void *context) {
    (void)context;
    static char *const nothing[] = {NULL};
    static char stack[65536] __attribute__((aligned(16)));
    int ends[2];
    const struct rlimit more = {RLIM_INFINITY, RLIM_INFINITY};
    const pid_t pid = fork();
    if (pid == 0) {
        _exit(0);
    }
    try_result(out, "fork ", pid);
    try_result(out, "clone ", clone(leave, stack + sizeof stack, SIGCHLD, NULL));
    try_result(out, "vfork ", clone(leave, stack + sizeof stack, CLONE_VM | CLONE_VFORK, NULL));
    try_result(out, "socket ", socket(AF_INET, SOCK_STREAM, 0));
    try_result(out, "socketpair ", socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
    try_result(out, "kill ", kill(getppid(), 0));
    try_result(out, "group ", kill(0, 0));
    try_result(out, "tgkill ", syscall(SYS_tgkill, getppid(), getppid(), 0));
    try_result(out, "setrlimit ", setrlimit(RLIMIT_CPU, &more));
    try_result(out, "prctl ", prctl(PR_SET_PDEATHSIG, 0));
    try_result(out, "ptrace ", syscall(SYS_ptrace, 0, 0, 0, 0));
    try_result(out, "unshare ", unshare(CLONE_FS));
    try_result(out, "io_uring ", syscall(SYS_io_uring_setup, 4, nothing));
    try_result(out, "memfd ", syscall(SYS_memfd_create, "m", 0));
    try_result(out, "owner ", fcntl(fileno(out), F_SETOWN, getppid()));
    if (mmap(NULL, 4096, PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) !=
        MAP_FAILED) {
        (void)fputs("mmap ", out);
    }
    try_result(out, "exec", execve("/bin/true", nothing, nothing));
}

static void no_process_program_or_socket_is_started_and_no_limit_lifted(void **state) {
    (void)state;
    char text[256];
    if (!kernel_has_seccomp() || SLV_SANITIZED) {
        skip();
    }
    run(reach_out, NULL, true, text);
    assert_string_equal(text, "");
}

static void *answer(void *context) {
    *(double *)context = sqrt(2.0);
    return context;
}

static void compute(FILE *out, void *context) {
    (void)context;
    pthread_t thread;
    double root = 0.0;
    const bool started = pthread_create(&thread, NULL, answer, &root) == 0;
    void *block = malloc((size_t)64 << 20);
    if (started && pthread_join(thread, NULL) == 0 && block) {
        memset(block, 1, (size_t)64 << 20);
        (void)fprintf(out, "%.3f", root);
    }
    free(block);
}

static void threads_and_memory_still_work(void **state) {
    (void)state;
    char text[256];
    run(compute, NULL, false, text);
    assert_string_equal(text, "1.414");
}

static int inherited = -1;

static void use_inherited(FILE *out, void *context) {
    (void)context;
    (void)fputs(fcntl(inherited, F_GETFD) >= 0 ? "open" : "closed", out);
}

static void descriptors_of_the_parent_are_closed(void **state) {
    (void)state;
    char text[256];
    inherited = open("/dev/null", O_RDWR);
    assert_true(inherited > STDERR_FILENO);
    run(use_inherited, NULL, false, text);
    assert_string_equal(text, "closed");
    const int above = dup2(inherited, 200); // above the pipe
    (void)close(inherited);
    inherited = above;
    run(use_inherited, NULL, false, text);
    assert_string_equal(text, "closed");
    (void)close(inherited);
}

static void wait_for_ever(FILE *out, void *context) {
    (void)context;
    (void)fputs("x", out);
    (void)fflush(out);
    for (;;) {
        (void)pause();
    }
}

static void the_child_ends_with_its_parent(void **state) {
    (void)state;
    int ends[2];
    pid_t child = 0;
    assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0), 0);
    assert_int_equal(pipe(ends), 0);
    const pid_t parent = fork();
    if (parent == 0) {
        const slv_child_limits limits = {.processor_seconds = 5, .memory = UINT64_C(1) << 30};
        slv_child started;
        slv_error error;
        if (slv_child_start(&limits, wait_for_ever, NULL, &started, &error) == SLV_OK &&
            fgetc(started.output) == 'x') {
            (void)!write(ends[1], &started.pid, sizeof started.pid);
        }
        (void)pause();
        _exit(0);
    }
    assert_true(parent > 0);
    assert_int_equal(read(ends[0], &child, sizeof child), sizeof child);
    assert_int_equal(waitpid(child, NULL, WNOHANG), -1); // not ours yet
    assert_int_equal(kill(parent, SIGKILL), 0);
    assert_int_equal(waitpid(parent, NULL, 0), parent);
    int status = 0;
    (void)alarm(10);
    assert_int_equal(waitpid(child, &status, 0), child);
    (void)alarm(0);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    (void)close(ends[0]);
    (void)close(ends[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_the_input_and_the_files_below_its_folder_are_read),
        cmocka_unit_test(no_file_is_written_made_or_removed),
        cmocka_unit_test(no_process_program_or_socket_is_started_and_no_limit_lifted),
        cmocka_unit_test(threads_and_memory_still_work),
        cmocka_unit_test(descriptors_of_the_parent_are_closed),
        cmocka_unit_test(the_child_ends_with_its_parent),
    };
    return cmocka_run_group_tests(tests, folder_enter, folder_leave);
}

// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "tools/common/child_process.h"

#include "tools/common/confine.h"
#include "tools/common/sanitizer.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { EXIT_UNCONFINED = 126 }; // no code of slv_result

static void set_limit(int resource, rlim_t soft, rlim_t hard) {
    struct rlimit limit;
    if (getrlimit(resource, &limit) == 0) {
        limit.rlim_max = hard < limit.rlim_max ? hard : limit.rlim_max;
        limit.rlim_cur = soft < limit.rlim_max ? soft : limit.rlim_max;
        (void)setrlimit(resource, &limit);
    }
}

// The soft limit sends SIGXCPU; the hard limit, one second later, kills a child that ignores it.
static void set_limits(const slv_child_limits *limits) {
    set_limit(RLIMIT_CPU, limits->processor_seconds, (rlim_t)limits->processor_seconds + 1);
    set_limit(RLIMIT_CORE, 0, 0);
    if (!SLV_SANITIZED) {
        set_limit(RLIMIT_AS, limits->memory, limits->memory);
    }
}

// Default handlers: a crash must end the child by its signal, whatever handlers the parent or a
// sanitizer has set, and temporary files are the parent's to remove.
static void reset_signals(void) {
    static const int signals[] = {SIGSEGV, SIGBUS,  SIGFPE,  SIGILL, SIGABRT,
                                  SIGPIPE, SIGXCPU, SIGTERM, SIGINT, SIGHUP};
    for (size_t s = 0; s < sizeof signals / sizeof *signals; s++) {
        (void)signal(signals[s], SIG_DFL);
    }
}

// Closes the standard streams: messages of libraries must not mix with the output of the tool.
static void silence(void) {
    int null = open("/dev/null", O_RDWR);
    if (null >= 0) {
        (void)dup2(null, STDIN_FILENO);
        (void)dup2(null, STDOUT_FILENO);
        (void)dup2(null, STDERR_FILENO);
    }
}

_Noreturn void slv_child_out_of_memory(void) {
    _exit(SLV_ERROR_MEMORY);
}

static void run_child(const slv_child_limits *limits, int descriptor, pid_t parent,
                      void (*work)(FILE *out, void *context), void *context) {
    reset_signals();
    set_limits(limits);
    silence();
    if (!slv_confine(&(slv_confinement){limits->input, limits->any_file, descriptor, parent})) {
        _exit(EXIT_UNCONFINED);
    }
    static char buffer[BUFSIZ];
    FILE *out = fdopen(descriptor, "wb");
    if (out == NULL) {
        slv_child_out_of_memory();
    }
    (void)setvbuf(out, buffer, _IOFBF, sizeof buffer);
    work(out, context);
    _exit(fclose(out) == 0 ? 0 : 1); // not exit(), which would flush the buffers of the parent
}

slv_result slv_child_start(const slv_child_limits *limits, void (*work)(FILE *out, void *context),
                           void *context, slv_child *child, slv_error *error) {
    int ends[2];
    if (pipe(ends) != 0) {
        return slv_fail(error, SLV_ERROR_MEMORY, "no pipe to a child: %s", strerror(errno));
    }
    const pid_t parent = getpid();
    pid_t pid = fork();
    if (pid == 0) {
        (void)close(ends[0]);
        run_child(limits, ends[1], parent, work, context);
    }
    int reason = errno;
    (void)close(ends[1]);
    FILE *output = pid > 0 ? fdopen(ends[0], "rb") : NULL;
    if (output == NULL) {
        (void)close(ends[0]);
        if (pid > 0) {
            reason = errno;
            (void)kill(pid, SIGKILL);
            (void)waitpid(pid, NULL, 0);
        }
        return slv_fail(error, SLV_ERROR_MEMORY, "no child process: %s", strerror(reason));
    }
    child->pid = pid;
    child->output = output;
    (void)setvbuf(output, child->buffer, _IOFBF, sizeof child->buffer);
    errno = 0; // tells slv_child_finish why reading ended
    return SLV_OK;
}

static slv_result explain_signal(int number, slv_error *error) {
    if (number == SIGXCPU) {
        return slv_fail(error, SLV_ERROR_CONTENT,
                        "the file keeps the importer busy without end: it is damaged or too large");
    }
    if (number == SIGKILL) {
        return slv_fail(error, SLV_ERROR_CONTENT,
                        "the importer was stopped: the file is damaged or too large");
    }
    return slv_fail(error, SLV_ERROR_CONTENT,
                    "the file makes the importer crash (signal %d): it is damaged or not what its "
                    "name says",
                    number);
}

static slv_result explain_exit(int status, bool complete, slv_error *error) {
    if (WIFSIGNALED(status)) {
        return explain_signal(WTERMSIG(status), error);
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == SLV_ERROR_MEMORY) {
        return slv_fail(error, SLV_ERROR_MEMORY,
                        "the importer ran out of memory: the file is damaged or too large");
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_UNCONFINED) {
        return slv_fail(
            error, SLV_ERROR_UNSUPPORTED,
            "the importer's process cannot be confined; Landlock and seccomp need to work, or be absent");
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || !complete) {
        return slv_fail(error, SLV_ERROR_CONTENT, "the importer ended without a result");
    }
    return SLV_OK;
}

slv_result slv_child_finish(slv_child *child, bool complete, slv_error *error) {
    const bool short_of_memory = !complete && errno == ENOMEM;
    (void)fclose(child->output);
    if (!complete) {
        (void)kill(child->pid, SIGKILL); // no effect on a child that has crashed
    }
    int status;
    while (waitpid(child->pid, &status, 0) < 0) {
        if (errno != EINTR) {
            return slv_fail(error, SLV_ERROR_MEMORY, "lost the child: %s", strerror(errno));
        }
    }
    return short_of_memory ? slv_no_memory(error) : explain_exit(status, complete, error);
}

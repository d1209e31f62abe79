// SPDX-License-Identifier: MIT
#define _GNU_SOURCE // O_PATH, syscall
#include "tools/common/confine.h"

#include "tools/common/sanitizer.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__) && defined(__AARCH64EL__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

// --- Files: Landlock ----------------------------------------------------------------------------

// Newer than the oldest headers that this is built with; the interface of the kernel says from which version it knows them.
#define RIGHT_TRUNCATE (UINT64_C(1) << 14)  // version 3
#define RIGHT_IOCTL_DEV (UINT64_C(1) << 15) // version 5
#define RIGHTS_OF_NETWORK UINT64_C(3)       // version 4: bind and connect TCP
#define SCOPES UINT64_C(3)                  // version 6: abstract sockets, signals

typedef struct ruleset {
    uint64_t files, network, scopes;
} ruleset;

static int landlock_version(void) {
    return (int)syscall(SYS_landlock_create_ruleset, NULL, (size_t)0,
                        LANDLOCK_CREATE_RULESET_VERSION);
}

static ruleset all_rights(int version, size_t *size) {
    const ruleset rights = {.files = ((LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1) |
                                     (version >= 2 ? LANDLOCK_ACCESS_FS_REFER : 0) |
                                     (version >= 3 ? RIGHT_TRUNCATE : 0) |
                                     (version >= 5 ? RIGHT_IOCTL_DEV : 0),
                            .network = version >= 4 ? RIGHTS_OF_NETWORK : 0,
                            .scopes = version >= 6 ? SCOPES : 0};
    *size = version >= 6   ? sizeof rights
            : version >= 4 ? offsetof(ruleset, scopes)
                           : offsetof(ruleset, network);
    return rights;
}

// A path that does not exist needs no rule: reading it will say so.
static bool allow_reading(int rules, const char *path, uint64_t rights) {
    const int file = open(path, O_PATH | O_CLOEXEC);
    if (file < 0) {
        return errno == ENOENT || errno == ENOTDIR || errno == EACCES || errno == ELOOP ||
               errno == ENAMETOOLONG;
    }
    const struct landlock_path_beneath_attr rule = {.allowed_access = rights, .parent_fd = file};
    const long failed =
        syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0u);
    (void)close(file);
    return failed == 0;
}

// The input may be a link to a file elsewhere, so it has a rule of its own.
static bool allow_input(int rules, const char *input) {
    const uint64_t below = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
    const char *slash = strrchr(input, '/');
    const size_t length = slash ? (size_t)(slash - input) + 1 : 1;
    char folder[PATH_MAX];
    if (length >= sizeof folder) {
        return true; // no file can be opened by that name
    }
    memcpy(folder, slash ? input : ".", length);
    folder[length] = '\0';
    return allow_reading(rules, folder, below) &&
           allow_reading(rules, input, LANDLOCK_ACCESS_FS_READ_FILE);
}

static bool confine_files(const slv_confinement *confinement) {
    const int version = landlock_version();
    if (version < 1) {
        return true; // slv_confine_note says so
    }
    size_t size;
    const ruleset rights = all_rights(version, &size);
    const int rules = (int)syscall(SYS_landlock_create_ruleset, &rights, size, 0u);
    if (rules < 0) {
        return false;
    }
    bool done = true;
    if (confinement->any_file) {
        done =
            allow_reading(rules, "/", LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR);
    } else if (confinement->input) {
        done = allow_input(rules, confinement->input);
    }
    done = done && syscall(SYS_landlock_restrict_self, rules, 0u) == 0;
    (void)close(rules);
    return done;
}

// --- Calls: seccomp -----------------------------------------------------------------------------

#if defined(ARCHITECTURE) && !SLV_SANITIZED

// A number that a filter does not list ends in ENOSYS, on which the C library falls back to older calls, as where the
// kernel is older than the library. AArch64 has no call for what a newer one does.
static const uint16_t allowed[] = {
    SYS_brk,
    SYS_clock_getres,
    SYS_clock_gettime,
    SYS_clock_nanosleep,
    SYS_clone,
    SYS_close,
    SYS_exit,
    SYS_exit_group,
    SYS_faccessat,
    SYS_fcntl,
    SYS_fstat,
    SYS_futex,
    SYS_getcwd,
    SYS_getdents64,
    SYS_getpid,
    SYS_getppid,
    SYS_getrandom,
    SYS_getrusage,
    SYS_gettid,
    SYS_gettimeofday,
    SYS_kill,
    SYS_lseek,
    SYS_madvise,
    SYS_mmap,
    SYS_mprotect,
    SYS_mremap,
    SYS_munmap,
    SYS_nanosleep,
    SYS_newfstatat,
    SYS_openat,
    SYS_ppoll,
    SYS_pread64,
    SYS_read,
    SYS_readlinkat,
    SYS_readv,
    SYS_restart_syscall,
    SYS_rt_sigaction,
    SYS_rt_sigprocmask,
    SYS_rt_sigreturn,
    SYS_rt_sigsuspend,
    SYS_sched_getaffinity,
    SYS_sched_yield,
    SYS_set_robust_list,
    SYS_sigaltstack,
    SYS_sysinfo,
    SYS_tgkill,
    SYS_uname,
    SYS_write,
    SYS_writev,
#ifdef SYS_faccessat2
    SYS_faccessat2,
#endif
#ifdef SYS_rseq
    SYS_rseq,
#endif
#ifdef SYS_statx
    SYS_statx,
#endif
#ifdef SYS_open
    SYS_access,
    SYS_getrlimit,
    SYS_lstat,
    SYS_open,
    SYS_pause,
    SYS_poll,
    SYS_readlink,
    SYS_stat,
    SYS_time,
#endif
};

// Arguments of allowed calls. The kernel reads no more than their lower half.
enum { NO_BIT_OF, SOME_BIT_OF, THIS_PROCESS };
static const struct {
    uint16_t call;
    uint8_t argument, rule;
    uint32_t bits;
} conditions[] = {
    {SYS_clone, 0, SOME_BIT_OF, CLONE_THREAD},
    {SYS_fcntl, 1, NO_BIT_OF, ~7u}, // duplicates, flags and locks; not the owner of signals
    {SYS_kill, 0, THIS_PROCESS, 0},
    {SYS_mmap, 2, NO_BIT_OF, PROT_EXEC},
    {SYS_mprotect, 2, NO_BIT_OF, PROT_EXEC},
    {SYS_openat, 2, NO_BIT_OF, O_ACCMODE | O_CREAT | O_TRUNC},
    {SYS_tgkill, 0, THIS_PROCESS, 0},
#ifdef SYS_open
    {SYS_open, 1, NO_BIT_OF, O_ACCMODE | O_CREAT | O_TRUNC},
#endif
};

enum {
    ALLOWED = sizeof allowed / sizeof allowed[0],
    CONDITIONS = sizeof conditions / sizeof conditions[0],
};

#define LOAD(field)                                                                                \
    (struct sock_filter)                                                                           \
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offsetof(struct seccomp_data, field))
#define END(action) (struct sock_filter) BPF_STMT(BPF_RET | BPF_K, action)
#define JUMP(test, value, where_true, where_false)                                                 \
    (struct sock_filter) BPF_JUMP(BPF_JMP | BPF_##test | BPF_K, value, where_true, where_false)

static size_t add_conditions(struct sock_filter *at) {
    size_t n = 0;
    for (size_t c = 0; c < CONDITIONS; c++) {
        const uint32_t offset = (uint32_t)(offsetof(struct seccomp_data, args) +
                                           sizeof(uint64_t) * conditions[c].argument);
        at[n++] = LOAD(nr);
        at[n++] = JUMP(JEQ, conditions[c].call, 0, 3);
        at[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset);
        at[n++] = conditions[c].rule == NO_BIT_OF     ? JUMP(JSET, conditions[c].bits, 0, 1)
                  : conditions[c].rule == SOME_BIT_OF ? JUMP(JSET, conditions[c].bits, 1, 0)
                                                      : JUMP(JEQ, (uint32_t)getpid(), 1, 0);
        at[n++] = END(SECCOMP_RET_ERRNO | EPERM);
    }
    return n;
}

static size_t add_calls(struct sock_filter *at) {
    size_t n = 0;
    at[n++] = LOAD(nr);
    for (size_t a = 0; a < ALLOWED; a++) {
        at[n++] = JUMP(JEQ, allowed[a], (uint8_t)(ALLOWED - a), 0);
    }
    at[n++] = END(SECCOMP_RET_ERRNO | ENOSYS);
    at[n++] = END(SECCOMP_RET_ALLOW);
    return n;
}

static bool can_filter_calls(void) {
    const uint32_t action = SECCOMP_RET_ERRNO;
    return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0u, &action) == 0;
}

static bool confine_calls(void) {
    if (!can_filter_calls()) {
        return true; // slv_confine_note says so
    }
    struct sock_filter code[3 + 5 * CONDITIONS + 1 + ALLOWED + 2];
    size_t length = 0;
    code[length++] = LOAD(arch);
    code[length++] = JUMP(JEQ, ARCHITECTURE, 1, 0);
    code[length++] = END(SECCOMP_RET_KILL_PROCESS);
    length += add_conditions(code + length);
    length += add_calls(code + length);
    const struct sock_fprog program = {.len = (unsigned short)length, .filter = code};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

static const char *calls_lack(void) {
    return can_filter_calls() ? NULL : "this kernel has no seccomp filters";
}

#else

static bool confine_calls(void) {
    return true; // slv_confine_note says so
}

static const char *calls_lack(void) {
    return SLV_SANITIZED ? "a sanitizer needs calls that seccomp would refuse"
                         : "no list of calls for seccomp on this architecture";
}

#endif

// --- Both ---------------------------------------------------------------------------------------

// The parent may have ended before its end was a signal.
static bool end_with(pid_t parent) {
    return prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == parent;
}

// Kernels before 5.9 have no such call; their descriptors stay open.
static void close_all_but(int descriptor) {
#ifdef SYS_close_range
    const unsigned kept = (unsigned)descriptor, first = STDERR_FILENO + 1;
    if (kept > first) {
        (void)syscall(SYS_close_range, first, kept - 1, 0u);
    }
    (void)syscall(SYS_close_range, kept + 1 > first ? kept + 1 : first, ~0u, 0u);
#else
    (void)descriptor;
#endif
}

bool slv_confine(const slv_confinement *confinement) {
    close_all_but(confinement->output);
    return end_with(confinement->parent) && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           confine_files(confinement) && confine_calls();
}

void slv_confine_note(slv_console *console) {
    const char *calls = calls_lack();
    const bool files = landlock_version() >= 1;
    if (!files || calls) {
        slv_console_note(console, "the importer is confined less than it could be: %s%s%s",
                         files ? "" : "this kernel has no Landlock", !files && calls ? "; " : "",
                         calls ? calls : "");
    }
}

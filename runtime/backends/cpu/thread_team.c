// SPDX-License-Identifier: MIT
#define _GNU_SOURCE // sched_getaffinity, sched_getcpu
#include "runtime/backends/cpu/thread_team.h"

#include "runtime/base/float_modes.h"
#include "runtime/base/thread.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

enum {
    SPIN_NANOSECONDS =
        100000, // longer than the time between two members' arrivals, and than waking a thread takes
    SPINS_A_CLOCK = 64, // spins between two readings of the clock
    CACHE_LINE = 64     // bytes
};

// A number that only rises. A thread that waits for it to change spins, then sleeps.
typedef struct gate {
    _Alignas(CACHE_LINE) atomic_uint number;
    atomic_uint sleeping;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
} gate;

struct slv_thread_team {
    gate barrier; // opens when all members have arrived
    _Alignas(CACHE_LINE) atomic_uint arrived;
    atomic_uint
        active; // members of the present task; members that wait for the next one read it too
    void (*task)(void *argument, uint32_t member);
    void *argument;
    uint32_t size;
    uint32_t requested; // members requested
    const slv_task_hooks *hooks;
    slv_task_hooks hooks_copy;
    struct member {
        _Alignas(CACHE_LINE) atomic_uint_fast64_t progress;
        atomic_int processor; // on which it last ran
        uint32_t number;
        slv_thread_team *team;
        pthread_t thread;
        gate begin; // opens when there is a task for it
    } * members;    // [requested], the first one's thread unused
    bool stopping;
    bool spins; // false where there are more members than processors
};

// --- Waiting ----------------------------------------------------------------------------------------

static inline void pause_processor(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static int64_t clock_now(void) {
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

// The processor that the caller runs on; -1 where the system does not tell.
static int find_processor(void) {
#if defined(__linux__)
    return sched_getcpu();
#else
    return -1;
#endif
}

// Stores the processor that a member runs on.
static void note_processor(slv_thread_team *team, uint32_t member) {
    atomic_int *noted = &team->members[member].processor;
    int here = find_processor();
    if (atomic_load_explicit(noted, memory_order_relaxed) != here) {
        atomic_store_explicit(noted, here, memory_order_relaxed);
    }
}

static uint32_t count_active(slv_thread_team *team) {
    return atomic_load_explicit(&team->active, memory_order_relaxed);
}

// Whether another member last ran on this member's processor, as may be on a busy machine: then
// spinning keeps the awaited thread from running.
static bool shares_processor(slv_thread_team *team, uint32_t member) {
    int here = find_processor();
    bool shared = false;
    for (uint32_t i = 0; i < count_active(team); i++) {
        int there = atomic_load_explicit(&team->members[i].processor, memory_order_relaxed);
        shared = shared || (i != member && there == here && here >= 0);
    }
    return shared;
}

// State of a spinning thread. The clock is read once in SPINS_A_CLOCK.
typedef struct spin {
    slv_thread_team *team;
    uint32_t member;
    uint32_t spins;
    int64_t start; // nanoseconds; 0 before the first reading
} spin;

static bool keep_spinning(spin *w) {
    if (!w->team->spins) {
        return false;
    }
    pause_processor();
    if (++w->spins % SPINS_A_CLOCK != 0) {
        return true;
    }
    int64_t now = clock_now();
    w->start = w->start ? w->start : now;
    return now - w->start < SPIN_NANOSECONDS && !shares_processor(w->team, w->member);
}

// --- Gates ------------------------------------------------------------------------------------------

static void gate_create(gate *g) {
    atomic_init(&g->number, 0);
    atomic_init(&g->sleeping, 0);
    (void)pthread_mutex_init(&g->mutex, NULL);
    (void)pthread_cond_init(&g->changed, NULL);
}

static void gate_destroy(gate *g) {
    (void)pthread_cond_destroy(&g->changed);
    (void)pthread_mutex_destroy(&g->mutex);
}

// Either the opening thread sees the sleeping one, or the latter sees the new number: both write before
// they read, with sequential consistency.
static void gate_open(gate *g) {
    (void)atomic_fetch_add(&g->number, 1);
    if (atomic_load(&g->sleeping) > 0) {
        (void)pthread_mutex_lock(&g->mutex);
        (void)pthread_cond_broadcast(&g->changed);
        (void)pthread_mutex_unlock(&g->mutex);
    }
}

static void gate_wait(gate *g, unsigned seen, slv_thread_team *team, uint32_t member) {
    spin spinning = {.team = team, .member = member};
    do {
        if (atomic_load_explicit(&g->number, memory_order_acquire) != seen) {
            return;
        }
    } while (keep_spinning(&spinning));
    (void)pthread_mutex_lock(&g->mutex);
    (void)atomic_fetch_add(&g->sleeping, 1);
    while (atomic_load(&g->number) == seen) {
        (void)pthread_cond_wait(&g->changed, &g->mutex);
    }
    (void)atomic_fetch_sub(&g->sleeping, 1);
    (void)pthread_mutex_unlock(&g->mutex);
}

// --- Members ----------------------------------------------------------------------------------------

void slv_thread_team_wait(slv_thread_team *team, uint32_t member) {
    const uint32_t active = count_active(team);
    if (active == 1) {
        return;
    }
    unsigned seen = atomic_load_explicit(&team->barrier.number, memory_order_acquire);
    note_processor(team, member);
    if (atomic_fetch_add(&team->arrived, 1) + 1 == active) {
        atomic_store_explicit(&team->arrived, 0, memory_order_relaxed);
        gate_open(&team->barrier);
    } else {
        gate_wait(&team->barrier, seen, team, member);
    }
}

void slv_thread_team_post(slv_thread_team *team, uint32_t member, uint64_t progress) {
    atomic_store_explicit(&team->members[member].progress, progress, memory_order_release);
}

// The awaited member is running and nearly there: the caller does not sleep, but yields its processor
// after a while.
void slv_thread_team_await(slv_thread_team *team, uint32_t member, uint32_t other,
                           uint64_t progress) {
    spin spinning = {.team = team, .member = member};
    const atomic_uint_fast64_t *there = &team->members[other].progress;
    while (atomic_load_explicit(there, memory_order_acquire) < progress) {
        if (!keep_spinning(&spinning)) {
            (void)sched_yield();
        }
    }
}

static void work(void *context, uint32_t number) {
    slv_thread_team *team = context;
    SLV_DEFAULT_FLOAT_MODES; // a game's own workers may have others
    note_processor(team, number);
    team->task(team->argument, number);
}

static void *run_thread(void *context) {
    struct member *self = context;
    slv_thread_team *team = self->team;
    for (unsigned seen = 0;; seen++) {
        gate_wait(&self->begin, seen, team, self->number);
        if (team->stopping) {
            return NULL;
        }
        work(team, self->number);
        slv_thread_team_wait(team, self->number);
    }
}

void slv_thread_team_run(slv_thread_team *team, uint32_t members,
                         void (*task)(void *argument, uint32_t member), void *argument) {
    team->task = task;
    team->argument = argument;
    const uint32_t active = members < team->size ? members : team->size;
    atomic_store_explicit(&team->active, active, memory_order_relaxed);
    if (active == 1) {
        work(team, 0);
    } else if (team->hooks) {
        team->hooks->run(team->hooks->context, active, work, team);
    } else {
        for (uint32_t i = 1; i < active; i++) {
            gate_open(&team->members[i].begin);
        }
        work(team, 0);
        slv_thread_team_wait(team, 0);
    }
}

bool slv_thread_team_spins(const slv_thread_team *team) {
    return team->spins;
}

uint32_t slv_count_processors(void) {
    long count = sysconf(_SC_NPROCESSORS_ONLN);
#if defined(__linux__)
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) {
        count = CPU_COUNT(&set);
    }
#endif
    return count < 1 ? 1 : (uint32_t)count;
}

uint32_t slv_thread_team_size(const slv_thread_team *team) {
    return team->size;
}

slv_thread_team *slv_thread_team_create(uint32_t threads, const slv_task_hooks *hooks,
                                        slv_memory *memory) {
    slv_thread_team *team = slv_memory_take(memory, 1, sizeof *team);
    struct member *members = slv_memory_take(memory, threads, sizeof *members);
    if (!team || !members) {
        return NULL;
    }
    gate_create(&team->barrier);
    atomic_init(&team->arrived, 0);
    atomic_init(&team->active, 1);
    team->members = members;
    team->requested = threads;
    for (uint32_t i = 0; i < threads; i++) {
        members[i].team = team;
        members[i].number = i;
        atomic_init(&members[i].processor, -1);
        gate_create(&members[i].begin);
    }
    team->size = hooks ? threads : 1;
    team->spins = threads <= slv_count_processors();
    if (hooks) {
        team->hooks_copy = *hooks;
        team->hooks = &team->hooks_copy;
        return team;
    }
    for (uint32_t i = 1; i < threads; i++) {
        if (!slv_thread_start(&members[i].thread, run_thread, &members[i])) {
            break;
        }
        team->size = i + 1; // not read before the first task
    }
    return team;
}

void slv_thread_team_destroy(slv_thread_team *team) {
    if (!team) {
        return;
    }
    if (!team->hooks) {
        team->stopping = true;
        for (uint32_t i = 1; i < team->size; i++) {
            gate_open(&team->members[i].begin);
        }
        for (uint32_t i = 1; i < team->size; i++) {
            (void)pthread_join(team->members[i].thread, NULL);
        }
    }
    for (uint32_t i = 0; i < team->requested; i++) {
        gate_destroy(&team->members[i].begin);
    }
    gate_destroy(&team->barrier);
}

// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "runtime/team.h"

#include <fenv.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

enum {
    SPINS = 600, // some ten microseconds: longer than the members of a team are apart
    LINE = 64    // bytes of a line of cache
};

// A number that only rises. Whoever waits for it to change spins, then sleeps.
typedef struct gate {
    _Alignas(LINE) atomic_uint number;
    atomic_uint sleepers;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
} gate;

struct slv_team {
    gate meeting; // opens when all members have arrived
    _Alignas(LINE) atomic_uint arrived;
    gate begin; // opens when there is a task
    _Alignas(LINE) void (*task)(void *argument, uint32_t member);
    void *argument;
    bool leaving;
    uint32_t size;
    int spins; // 0 where there are more members than processors: who waits makes room
    const slv_task_hooks *hooks;
    slv_task_hooks hooks_copy;
    struct member {
        _Alignas(LINE) atomic_uint_fast64_t progress;
        slv_team *team;
        uint32_t number;
        pthread_t thread;
    } * members; // [size], the first unused
};

// --- Gates ------------------------------------------------------------------------------------------

static void gate_create(gate *g) {
    atomic_init(&g->number, 0);
    atomic_init(&g->sleepers, 0);
    (void)pthread_mutex_init(&g->mutex, NULL);
    (void)pthread_cond_init(&g->changed, NULL);
}

static void gate_destroy(gate *g) {
    (void)pthread_cond_destroy(&g->changed);
    (void)pthread_mutex_destroy(&g->mutex);
}

// Either the opener sees the sleeper or the sleeper the new number: both sides write first, then look,
// in one order that all agree on.
static void gate_open(gate *g) {
    (void)atomic_fetch_add(&g->number, 1);
    if (atomic_load(&g->sleepers) > 0) {
        (void)pthread_mutex_lock(&g->mutex);
        (void)pthread_cond_broadcast(&g->changed);
        (void)pthread_mutex_unlock(&g->mutex);
    }
}

static inline void relax_processor(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static void gate_wait(gate *g, unsigned seen, int spins) {
    for (int i = 0; i < spins; i++) {
        if (atomic_load_explicit(&g->number, memory_order_acquire) != seen) {
            return;
        }
        relax_processor();
    }
    (void)pthread_mutex_lock(&g->mutex);
    (void)atomic_fetch_add(&g->sleepers, 1);
    while (atomic_load(&g->number) == seen) {
        (void)pthread_cond_wait(&g->changed, &g->mutex);
    }
    (void)atomic_fetch_sub(&g->sleepers, 1);
    (void)pthread_mutex_unlock(&g->mutex);
}

// --- Members ----------------------------------------------------------------------------------------

void slv_team_wait(slv_team *team) {
    if (team->size == 1) {
        return;
    }
    unsigned seen = atomic_load_explicit(&team->meeting.number, memory_order_acquire);
    if (atomic_fetch_add(&team->arrived, 1) + 1 == team->size) {
        atomic_store_explicit(&team->arrived, 0, memory_order_relaxed);
        gate_open(&team->meeting);
    } else {
        gate_wait(&team->meeting, seen, team->spins);
    }
}

void slv_team_post(slv_team *team, uint32_t member, uint64_t progress) {
    atomic_store_explicit(&team->members[member].progress, progress, memory_order_release);
}

// Whoever is waited for here is at work and nearly there: nobody sleeps, but others may have the processor.
void slv_team_await(slv_team *team, uint32_t member, uint64_t progress) {
    const atomic_uint_fast64_t *there = &team->members[member].progress;
    for (int i = 0; atomic_load_explicit(there, memory_order_acquire) < progress; i++) {
        if (i < team->spins) {
            relax_processor();
        } else {
            (void)sched_yield();
        }
    }
}

static void work(void *context, uint32_t number) {
    slv_team *team = context;
    fenv_t modes;
    (void)fegetenv(&modes);
    (void)fesetenv(FE_DFL_ENV);
    team->task(team->argument, number);
    (void)fesetenv(&modes);
}

static void *live(void *context) {
    const struct member *self = context;
    slv_team *team = self->team;
    for (unsigned seen = 0;; seen++) {
        gate_wait(&team->begin, seen, team->spins);
        if (team->leaving) {
            return NULL;
        }
        work(team, self->number);
        slv_team_wait(team);
    }
}

void slv_team_run(slv_team *team, void (*task)(void *argument, uint32_t member), void *argument) {
    team->task = task;
    team->argument = argument;
    if (team->size == 1) {
        work(team, 0);
    } else if (team->hooks) {
        team->hooks->run(team->hooks->context, team->size, work, team);
    } else {
        gate_open(&team->begin);
        work(team, 0);
        slv_team_wait(team);
    }
}

uint32_t slv_team_size(const slv_team *team) {
    return team->size;
}

slv_team *slv_team_create(uint32_t threads, const slv_task_hooks *hooks, slv_memory *memory) {
    slv_team *team = slv_memory_take(memory, 1, sizeof *team);
    struct member *members = slv_memory_take(memory, threads, sizeof *members);
    if (!team || !members) {
        return NULL;
    }
    gate_create(&team->meeting);
    gate_create(&team->begin);
    atomic_init(&team->arrived, 0);
    team->members = members;
    team->size = hooks ? threads : 1;
    team->spins = (long)threads <= sysconf(_SC_NPROCESSORS_ONLN) ? SPINS : 0;
    if (hooks) {
        team->hooks_copy = *hooks;
        team->hooks = &team->hooks_copy;
        return team;
    }
    for (uint32_t i = 1; i < threads; i++) {
        members[i] = (struct member){.team = team, .number = i};
        if (pthread_create(&members[i].thread, NULL, live, &members[i]) != 0) {
            break;
        }
        team->size = i + 1; // nobody reads it before the first task
    }
    return team;
}

void slv_team_destroy(slv_team *team) {
    if (!team) {
        return;
    }
    if (!team->hooks) {
        team->leaving = true;
        gate_open(&team->begin);
        for (uint32_t i = 1; i < team->size; i++) {
            (void)pthread_join(team->members[i].thread, NULL);
        }
    }
    gate_destroy(&team->begin);
    gate_destroy(&team->meeting);
}

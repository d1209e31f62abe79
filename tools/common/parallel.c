// SPDX-License-Identifier: MIT
#define _GNU_SOURCE // sched_getaffinity
#include "tools/common/parallel.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

// The caller is worker 0; the other threads live as long as the call. A call does seconds of work,
// so a thread pool would give no measurable gain.

unsigned slv_processor_count(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0) {
        return (unsigned)CPU_COUNT(&set);
    }
    return 1;
}

// --- a team of workers ---------------------------------------------------------------------------

typedef struct member {
    pthread_t thread;
    unsigned worker;
    void (*run)(void *job, unsigned worker);
    void *job;
} member;

static void *start_worker(void *argument) {
    member *self = argument;
    self->run(self->job, self->worker);
    return NULL;
}

// Runs run(job, worker) once per worker, the caller included. Every run must be able to do all the
// work alone: threads that cannot be created are skipped.
static void run_workers(unsigned threads, void (*run)(void *job, unsigned worker), void *job) {
    member *members = threads > 1 ? calloc(threads - 1, sizeof *members) : NULL;
    unsigned started = 0;
    for (; members && started < threads - 1; started++) {
        members[started] = (member){.worker = started + 1, .run = run, .job = job};
        if (pthread_create(&members[started].thread, NULL, start_worker, &members[started]) != 0) {
            break;
        }
    }
    run(job, 0);
    for (unsigned m = 0; m < started; m++) {
        (void)pthread_join(members[m].thread, NULL);
    }
    free(members);
}

// --- independent tasks ---------------------------------------------------------------------------

typedef struct for_job {
    atomic_size_t next;
    size_t count;
    void (*task)(void *context, size_t index, unsigned worker);
    void *context;
} for_job;

static void run_for(void *argument, unsigned worker) {
    for_job *job = argument;
    for (;;) {
        size_t index = atomic_fetch_add_explicit(&job->next, 1, memory_order_relaxed);
        if (index >= job->count) {
            return;
        }
        job->task(job->context, index, worker);
    }
}

void slv_parallel_for(unsigned threads, size_t count,
                      void (*task)(void *context, size_t index, unsigned worker), void *context) {
    for_job job = {.count = count, .task = task, .context = context};
    atomic_init(&job.next, 0);
    run_workers(threads < count ? threads : (unsigned)count, run_for, &job);
}

// --- produced in any order, consumed in order ----------------------------------------------------

typedef struct ordered_job {
    const slv_ordered_work *work;
    pthread_mutex_t mutex; // guards everything below
    pthread_cond_t changed;
    size_t next_produce;
    size_t next_consume;
    size_t end; // end of the indices to process: count, or the lowest index that failed
    bool consuming;
    bool *ready; // [window] produced, not yet consumed
    slv_result result;
    slv_error error;
} ordered_job;

// A failure at an index ends the work there. Lower indices continue, because one of them may fail
// too: the error returned is that of a single-threaded run.
static void note_failure(ordered_job *job, size_t index, slv_result result,
                         const slv_error *error) {
    if (index < job->end) {
        job->end = index;
        job->result = result;
        job->error = *error;
    }
}

// Both functions are called with the mutex held and release it during the work.
static void produce_next(ordered_job *job, unsigned worker) {
    const slv_ordered_work *work = job->work;
    size_t index = job->next_produce++;
    unsigned slot = (unsigned)(index % work->window);
    (void)pthread_mutex_unlock(&job->mutex);
    slv_error error = {.code = SLV_OK};
    slv_result result = work->produce(work->context, index, slot, worker, &error);
    (void)pthread_mutex_lock(&job->mutex);
    if (result == SLV_OK) {
        job->ready[slot] = true;
    } else {
        note_failure(job, index, result, &error);
    }
}

static void consume_next(ordered_job *job) {
    const slv_ordered_work *work = job->work;
    size_t index = job->next_consume;
    unsigned slot = (unsigned)(index % work->window);
    job->consuming = true;
    (void)pthread_mutex_unlock(&job->mutex);
    slv_error error = {.code = SLV_OK};
    slv_result result = work->consume(work->context, index, slot, &error);
    (void)pthread_mutex_lock(&job->mutex);
    job->consuming = false;
    job->ready[slot] = false;
    if (result == SLV_OK) {
        job->next_consume++;
    } else {
        note_failure(job, index, result, &error);
    }
}

static void run_ordered(void *argument, unsigned worker) {
    ordered_job *job = argument;
    unsigned window = job->work->window;
    (void)pthread_mutex_lock(&job->mutex);
    while (job->next_consume < job->end) {
        bool can_consume = !job->consuming && job->ready[job->next_consume % window];
        bool can_produce =
            job->next_produce < job->end && job->next_produce - job->next_consume < window;
        if (can_consume) {
            consume_next(job);
        } else if (can_produce) {
            produce_next(job, worker);
        } else {
            (void)pthread_cond_wait(&job->changed, &job->mutex);
            continue;
        }
        (void)pthread_cond_broadcast(&job->changed);
    }
    (void)pthread_mutex_unlock(&job->mutex);
}

slv_result slv_parallel_ordered(unsigned threads, const slv_ordered_work *work, slv_error *error) {
    ordered_job job = {.work = work, .end = work->count, .result = SLV_OK};
    job.ready = calloc(work->window, sizeof *job.ready);
    if (job.ready == NULL) {
        return slv_no_memory(error);
    }
    (void)pthread_mutex_init(&job.mutex, NULL);
    (void)pthread_cond_init(&job.changed, NULL);
    run_workers(threads < work->window ? threads : work->window, run_ordered, &job);
    (void)pthread_cond_destroy(&job.changed);
    (void)pthread_mutex_destroy(&job.mutex);
    free(job.ready);
    if (job.result != SLV_OK && error) {
        *error = job.error;
    }
    return job.result;
}

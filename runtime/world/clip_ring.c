// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "runtime/world/clip_ring.h"

#include "runtime/base/thread.h"

#include <pthread.h>
#include <string.h>
#include <time.h>

#define NO_GROUP UINT32_MAX

typedef enum slot_state { SLOT_EMPTY, SLOT_BUSY, SLOT_READY } slot_state;

typedef struct slot {
    slot_state state;
    uint32_t group;
    float *rows[SLV_MOTION_COUNT];
    const char *fault; // NULL: rows hold
} slot;

struct slv_clip_ring {
    slv_memory memory;
    const slv_collider_pack *pack;
    slv_motion_decoder *decoders[SLV_MOTION_COUNT]; // the worker's, or the caller's without one
    pthread_mutex_t mutex;                          // guards everything below
    pthread_cond_t changed;
    pthread_t thread;
    bool threaded;
    bool leaving;
    slot slots[SLV_RING_SLOTS];
    uint32_t requested[SLV_RING_REQUESTED];
    uint32_t requested_count;
    slv_ring_counts counts;
};

// --- Slots, with the mutex held -----------------------------------------------------------------

static slot *find_slot(slv_clip_ring *ring, uint32_t group) {
    for (int i = 0; i < SLV_RING_SLOTS; i++) {
        if (ring->slots[i].state != SLOT_EMPTY && ring->slots[i].group == group) {
            return &ring->slots[i];
        }
    }
    return NULL;
}

static bool is_requested(const slv_clip_ring *ring, uint32_t group) {
    for (uint32_t i = 0; i < ring->requested_count; i++) {
        if (ring->requested[i] == group) {
            return true;
        }
    }
    return false;
}

// A slot whose group is not requested. There is always one: fewer groups are requested than there are slots.
static slot *free_slot(slv_clip_ring *ring) {
    for (int i = 0; i < SLV_RING_SLOTS; i++) {
        slot *s = &ring->slots[i];
        if (s->state == SLOT_EMPTY || (s->state == SLOT_READY && !is_requested(ring, s->group))) {
            return s;
        }
    }
    return NULL;
}

// The most urgent group that is not decoded and not begun; NO_GROUP where there is none.
static uint32_t next_group(slv_clip_ring *ring) {
    for (uint32_t i = 0; i < ring->requested_count; i++) {
        if (!find_slot(ring, ring->requested[i])) {
            return ring->requested[i];
        }
    }
    return NO_GROUP;
}

// Decodes a group into a free slot; lets go of the mutex meanwhile.
static bool decode_next(slv_clip_ring *ring) {
    const uint32_t group = next_group(ring);
    slot *s = group == NO_GROUP ? NULL : free_slot(ring);
    if (!s) {
        return false;
    }
    s->state = SLOT_BUSY;
    s->group = group;
    (void)pthread_mutex_unlock(&ring->mutex);
    const char *fault = NULL;
    for (int m = 0; m < SLV_MOTION_COUNT && !fault; m++) {
        if (ring->decoders[m]) {
            fault = slv_motion_decode(ring->decoders[m], group, s->rows[m]);
        }
    }
    (void)pthread_mutex_lock(&ring->mutex);
    s->fault = fault;
    s->state = SLOT_READY;
    ring->counts.decoded++;
    (void)pthread_cond_broadcast(&ring->changed);
    return true;
}

// --- The worker ---------------------------------------------------------------------------------

static void *work(void *argument) {
    slv_clip_ring *ring = argument;
    (void)pthread_mutex_lock(&ring->mutex);
    while (!ring->leaving) {
        if (!decode_next(ring)) {
            (void)pthread_cond_wait(&ring->changed, &ring->mutex);
        }
    }
    (void)pthread_mutex_unlock(&ring->mutex);
    return NULL;
}

static bool take_rooms(slv_clip_ring *ring) {
    for (int m = 0; m < SLV_MOTION_COUNT; m++) {
        const slv_motion *motion = &ring->pack->motions[m];
        if (motion->count == 0) {
            continue;
        }
        ring->decoders[m] = slv_motion_decoder_create(motion);
        bool made = ring->decoders[m] != NULL;
        for (int i = 0; made && i < SLV_RING_SLOTS; i++) {
            ring->slots[i].rows[m] =
                slv_memory_take(&ring->memory, motion->count, SLV_ROW_FLOATS * sizeof(float));
            made = ring->slots[i].rows[m] != NULL;
        }
        if (!made) {
            return false;
        }
    }
    return true;
}

slv_clip_ring *slv_clip_ring_create(const slv_collider_pack *pack, slv_allocator allocator) {
    slv_memory memory = {.allocator = allocator};
    slv_clip_ring *ring = slv_memory_take(&memory, 1, sizeof *ring);
    if (!ring) {
        return NULL;
    }
    ring->memory = memory;
    ring->pack = pack;
    (void)pthread_mutex_init(&ring->mutex, NULL);
    (void)pthread_cond_init(&ring->changed, NULL);
    if (!take_rooms(ring)) {
        slv_clip_ring_destroy(ring);
        return NULL;
    }
    ring->threaded = slv_thread_start(&ring->thread, work, ring);
    return ring;
}

void slv_clip_ring_destroy(slv_clip_ring *ring) {
    if (!ring) {
        return;
    }
    if (ring->threaded) {
        (void)pthread_mutex_lock(&ring->mutex);
        ring->leaving = true;
        (void)pthread_cond_broadcast(&ring->changed);
        (void)pthread_mutex_unlock(&ring->mutex);
        (void)pthread_join(ring->thread, NULL);
    }
    for (int m = 0; m < SLV_MOTION_COUNT; m++) {
        slv_motion_decoder_destroy(ring->decoders[m]);
    }
    (void)pthread_cond_destroy(&ring->changed);
    (void)pthread_mutex_destroy(&ring->mutex);
    slv_memory memory = ring->memory;
    slv_memory_release(&memory);
}

// --- The caller ---------------------------------------------------------------------------------

void slv_clip_ring_request(slv_clip_ring *ring, const uint32_t *groups, uint32_t count) {
    (void)pthread_mutex_lock(&ring->mutex);
    ring->requested_count = 0;
    for (uint32_t i = 0; i < count && ring->requested_count < SLV_RING_REQUESTED; i++) {
        if (!is_requested(ring, groups[i])) {
            ring->requested[ring->requested_count++] = groups[i];
        }
    }
    (void)pthread_cond_broadcast(&ring->changed);
    (void)pthread_mutex_unlock(&ring->mutex);
}

static double now(void) {
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static bool is_ready(slv_clip_ring *ring, uint32_t group) {
    const slot *s = find_slot(ring, group);
    return s && s->state == SLOT_READY;
}

const float *slv_clip_ring_get(slv_clip_ring *ring, uint32_t group, slv_motion_kind motion,
                               const char **fault) {
    (void)pthread_mutex_lock(&ring->mutex);
    if (!is_ready(ring, group)) {
        const double start = now();
        ring->counts.waits++;
        while (!is_ready(ring, group)) {
            if (ring->threaded) {
                (void)pthread_cond_wait(&ring->changed, &ring->mutex);
            } else {
                (void)decode_next(ring);
            }
        }
        ring->counts.wait_seconds += now() - start;
    }
    const slot *s = find_slot(ring, group);
    const float *rows = s->fault ? NULL : s->rows[motion];
    *fault = s->fault;
    (void)pthread_mutex_unlock(&ring->mutex);
    return rows;
}

void slv_clip_ring_forget_waits(slv_clip_ring *ring) {
    (void)pthread_mutex_lock(&ring->mutex);
    ring->counts.waits = 0;
    ring->counts.wait_seconds = 0.0;
    (void)pthread_mutex_unlock(&ring->mutex);
}

slv_ring_counts slv_clip_ring_counts(slv_clip_ring *ring) {
    (void)pthread_mutex_lock(&ring->mutex);
    const slv_ring_counts counts = ring->counts;
    (void)pthread_mutex_unlock(&ring->mutex);
    return counts;
}

// SPDX-License-Identifier: MIT
#include "runtime/player/view/gl_interop.h"

#include <GL/glew.h>
#include <stdlib.h>

// The OpenGL buffers of one snapshot.
struct slv_gl_buffers {
    uint32_t count;  // garments
    GLsync written;  // set by the simulating thread; NULL: never written
    GLsync read;     // set by the drawing thread; NULL: never read
    GLuint names[1]; // [count]
};

static void set_fence(GLsync *fence) {
    if (*fence) {
        glDeleteSync(*fence);
    }
    *fence = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    glFlush(); // otherwise another context could wait forever
}

// --- Making --------------------------------------------------------------------------------------

static struct slv_gl_buffers *make_one(const slv_snapshot *snapshot) {
    const uint32_t count = snapshot->garment_count;
    struct slv_gl_buffers *shared = calloc(1, sizeof *shared + count * sizeof *shared->names);
    if (shared == NULL) {
        return NULL;
    }
    shared->count = count;
    glGenBuffers((GLsizei)count, shared->names);
    for (uint32_t g = 0; g < count; g++) {
        const GLsizeiptr particles = (GLsizeiptr)(snapshot->first[g + 1] - snapshot->first[g]);
        glBindBuffer(GL_COPY_READ_BUFFER, shared->names[g]);
        glBufferData(GL_COPY_READ_BUFFER, particles > 0 ? 12 * particles : 4, NULL,
                     GL_DYNAMIC_COPY);
    }
    return shared;
}

void slv_gl_interop_make(slv_snapshots *snapshots) {
    GLuint staging = 0;
    glGenBuffers(1, &staging);
    glBindBuffer(GL_COPY_WRITE_BUFFER, staging);
    glBufferData(GL_COPY_WRITE_BUFFER, 12 * SLV_SAMPLES_MOST, NULL, GL_STREAM_READ);
    snapshots->staging = staging;
    snapshots->gl_interop = true;
    for (int i = 0; i < 3; i++) {
        snapshots->each[i].gl = make_one(&snapshots->each[i]);
        snapshots->gl_interop = snapshots->gl_interop && snapshots->each[i].gl;
    }
    glFinish(); // makes them visible to other contexts
}

void slv_gl_interop_free(slv_snapshots *snapshots) {
    const GLuint staging = snapshots->staging;
    for (int i = 0; i < 3; i++) {
        struct slv_gl_buffers *shared = snapshots->each[i].gl;
        if (shared) {
            glDeleteBuffers((GLsizei)shared->count, shared->names);
            glDeleteSync(shared->written); // NULL is fine
            glDeleteSync(shared->read);
            free(shared);
            snapshots->each[i].gl = NULL;
        }
    }
    if (staging) {
        glDeleteBuffers(1, &staging);
    }
    snapshots->staging = 0;
    snapshots->gl_interop = false;
}

// --- Filling -------------------------------------------------------------------------------------

// Reads sampled particles in one transfer and extends the bounds by them.
static void add_samples_to_bounds(slv_snapshots *snapshots, slv_snapshot *snapshot,
                                  uint32_t garment) {
    const uint32_t count = snapshot->first[garment + 1] - snapshot->first[garment];
    const uint32_t runs = slv_sample_runs(count);
    float samples[3 * SLV_SAMPLES_MOST];
    GLsizeiptr have = 0;
    glBindBuffer(GL_COPY_READ_BUFFER, snapshot->gl->names[garment]);
    glBindBuffer(GL_COPY_WRITE_BUFFER, snapshots->staging);
    for (uint32_t run = 0; run < runs; run++) {
        uint32_t length = 0;
        const uint32_t first = slv_sample_run(count, run, &length);
        glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 12 * (GLintptr)first,
                            12 * have, 12 * (GLsizeiptr)length);
        have += (GLsizeiptr)length;
    }
    glGetBufferSubData(GL_COPY_WRITE_BUFFER, 0, 12 * have, samples);
    slv_snapshot_add_to_bounds(snapshot, samples, (size_t)have, 3);
}

static bool fill(slv_snapshots *snapshots, slv_snapshot *snapshot, slv_world *world) {
    slv_snapshot_clear_bounds(snapshot);
    for (uint32_t g = 0; g < snapshot->garment_count; g++) {
        if (snapshot->first[g + 1] == snapshot->first[g]) {
            continue;
        }
        if (slv_garment_write_gl_buffer(world, slv_world_get_garment(world, g),
                                        snapshot->gl->names[g]) != SLV_OK) {
            return false;
        }
        add_samples_to_bounds(snapshots, snapshot, g);
    }
    return true;
}

slv_gl_interop_outcome slv_gl_interop_fill(slv_snapshots *snapshots, slv_world *world,
                                           uint64_t nanoseconds) {
    slv_snapshot *snapshot = slv_snapshots_get_back(snapshots);
    snapshot->in_gl_buffers = false;
    if (!snapshots->gl_interop) {
        return SLV_GL_INTEROP_REFUSED;
    }
    GLsync read = snapshot->gl->read;
    if (read && glClientWaitSync(read, 0, nanoseconds) == GL_TIMEOUT_EXPIRED) {
        return SLV_GL_INTEROP_BUSY;
    }
    snapshots->gl_interop = fill(snapshots, snapshot, world);
    if (!snapshots->gl_interop) {
        return SLV_GL_INTEROP_REFUSED;
    }
    set_fence(&snapshot->gl->written);
    snapshot->in_gl_buffers = true;
    slv_world_set_keep_state(world, false); // the state is no longer read back after every frame
    return SLV_GL_INTEROP_FILLED;
}

void slv_gl_interop_forget(slv_snapshots *snapshots, slv_world *world) {
    for (int i = 0; i < 3; i++) {
        const struct slv_gl_buffers *shared = snapshots->each[i].gl;
        for (uint32_t g = 0; shared && g < shared->count; g++) {
            slv_world_forget_gl_buffer(world, shared->names[g]);
        }
    }
}

// --- Reading -------------------------------------------------------------------------------------

void slv_gl_interop_begin_reading(const slv_snapshot *snapshot) {
    glWaitSync(snapshot->gl->written, 0, GL_TIMEOUT_IGNORED);
}

void slv_gl_interop_end_reading(const slv_snapshot *snapshot) {
    set_fence(&snapshot->gl->read);
}

uint32_t slv_gl_interop_buffer(const slv_snapshot *snapshot, uint32_t garment) {
    return snapshot->gl->names[garment];
}

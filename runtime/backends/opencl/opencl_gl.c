// SPDX-License-Identifier: MIT
#include "runtime/backends/opencl/opencl_engine.h"

// Writes positions into OpenGL buffers (cl_khr_gl_sharing) without a copy through host memory.

static void drop_gl(const slv_opencl_engine *self, slv_opencl_gl_buffer *buffer) {
    if (buffer->name) {
        slv_opencl_drop_buffer(self, buffer->memory);
        *buffer = (slv_opencl_gl_buffer){.name = 0};
    }
}

void slv_opencl_forget_gl(void *context, uint32_t name) {
    slv_opencl_engine *self = context;
    for (int i = 0; i < SLV_OPENCL_GL_BUFFERS; i++) {
        if (self->gl_buffers[i].name == name) {
            drop_gl(self, &self->gl_buffers[i]);
        }
    }
}

// Finds the entry of a buffer, a new one if need be.
static slv_result find_gl(slv_opencl_engine *self, uint32_t name, slv_opencl_gl_buffer **found,
                          slv_error *error) {
    slv_opencl_gl_buffer *entry = &self->gl_buffers[slv_gpu_find_gl(self->gl_buffers, sizeof *entry,
                                                                    SLV_OPENCL_GL_BUFFERS, name)];
    *found = entry;
    if (entry->name == name) {
        return SLV_OK;
    }
    drop_gl(self, entry);
    cl_int code = CL_SUCCESS;
    entry->memory =
        self->device.api.CreateFromGLBuffer(self->device.context, CL_MEM_WRITE_ONLY, name, &code);
    entry->name = code == CL_SUCCESS ? name : 0;
    return code == CL_SUCCESS ? SLV_OK : slv_opencl_fail(error, "clCreateFromGLBuffer", code);
}

void slv_opencl_drop_slots(slv_opencl_engine *self) {
    for (int i = 0; i < SLV_OPENCL_SLOT_TABLES; i++) {
        slv_opencl_drop_buffer(self, self->slots[i].memory);
        self->slots[i].memory = NULL;
    }
}

static slv_result prepare_gl(slv_opencl_engine *self, uint32_t body, uint32_t count,
                             slv_error *error) {
    slv_opencl_slots *slots = &self->slots[body % SLV_OPENCL_SLOT_TABLES];
    cl_int code = CL_SUCCESS;
    if (!self->export_positions) {
        self->export_positions =
            self->device.api.CreateKernel(self->device.program, "slv_export_positions", &code);
        if (code != CL_SUCCESS) {
            self->export_positions = NULL;
            return slv_opencl_fail(error, "clCreateKernel", code);
        }
    }
    if (slots->memory && slots->body == body) {
        return SLV_OK;
    }
    slv_opencl_drop_buffer(self, slots->memory);
    slots->body = body;
    slv_result status = slv_opencl_make_buffer(self, count * sizeof(uint32_t),
                                               self->layout.slots[body], &slots->memory, error);
    if (status != SLV_OK) {
        slv_opencl_drop_buffer(self, slots->memory);
        slots->memory = NULL;
    }
    return status;
}

static slv_result fill_gl(slv_opencl_engine *self, cl_mem shared, uint32_t body, uint32_t count,
                          slv_error *error) {
    const cl_int particles = (cl_int)count;
    const size_t threads[3] = {count, 1, 1};
    const struct {
        size_t size;
        const void *value;
    } arguments[] = {{sizeof(cl_mem), &self->state},
                     {sizeof(cl_mem), &self->slots[body % SLV_OPENCL_SLOT_TABLES].memory},
                     {sizeof(cl_mem), &shared},
                     {SLV_BODY_ARGUMENT_BYTES, &self->layout.bodies[body]},
                     {sizeof particles, &particles}};
    for (cl_uint i = 0; i < sizeof arguments / sizeof *arguments; i++) {
        cl_int code = self->device.api.SetKernelArg(self->export_positions, i, arguments[i].size,
                                                    arguments[i].value);
        if (code != CL_SUCCESS) {
            return slv_opencl_fail(error, "clSetKernelArg", code);
        }
    }
    return count > 0 ? slv_opencl_enqueue(self, self->export_positions, threads, NULL, error)
                     : SLV_OK;
}

slv_result slv_opencl_write_gl(void *context, uint32_t body, uint32_t count, uint32_t name,
                               slv_error *error) {
    slv_opencl_engine *self = context;
    slv_opencl_gl_buffer *buffer = NULL;
    if (!self->device.shares_gl) {
        return slv_fail(
            error, SLV_ERROR_UNSUPPORTED,
            "%s shares no memory with OpenGL, or slv_world_def.gl_context was not given",
            self->device.about.name);
    }
    slv_result status = prepare_gl(self, body, count, error);
    if (status == SLV_OK) {
        status = find_gl(self, name, &buffer, error);
    }
    if (status != SLV_OK) {
        return status;
    }
    const slv_opencl_api *api = &self->device.api;
    cl_int code =
        api->EnqueueAcquireGLObjects(self->device.queue, 1, &buffer->memory, 0, NULL, NULL);
    if (code != CL_SUCCESS) {
        return slv_opencl_fail(error, "clEnqueueAcquireGLObjects", code);
    }
    status = fill_gl(self, buffer->memory, body, count, error);
    code = api->EnqueueReleaseGLObjects(self->device.queue, 1, &buffer->memory, 0, NULL, NULL);
    if (status == SLV_OK && code != CL_SUCCESS) {
        status = slv_opencl_fail(error, "clEnqueueReleaseGLObjects", code);
    }
    return status == SLV_OK ? slv_opencl_wait(self, error) : status;
}

void slv_opencl_drop_gl(slv_opencl_engine *self) {
    for (int i = 0; i < SLV_OPENCL_GL_BUFFERS; i++) {
        drop_gl(self, &self->gl_buffers[i]);
    }
    slv_opencl_drop_slots(self);
    if (self->export_positions) {
        (void)self->device.api.ReleaseKernel(self->export_positions);
    }
}

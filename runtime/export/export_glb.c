// SPDX-License-Identifier: MIT
// Binary glTF 2.0: the first frame is the mesh, every further one a morph target, and an animation fades
// from each to the next. The JSON stands before the numbers and names them all, so the numbers wait in a
// spool, and what the JSON says about each frame in another. The weights, one 1 among zeros in every frame,
// are a sparse accessor: they grow with the frames, not with their square.
#include "runtime/export/export.h"
#include "runtime/export/export_spool.h"
#include "runtime/export/export_text.h"

#include <stdlib.h>
#include <string.h>

enum { // buffer views
    VIEW_VECTORS = 0,
    VIEW_TRIANGLES = 1,
    VIEW_UVS = 2,
    VIEW_TIMES = 3,
    VIEW_SPARSE_AT = 4,
    VIEW_SPARSE_ONES = 5,
    VIEW_COUNT = 6
};

enum { COMPONENT_UINT = 5125, COMPONENT_FLOAT = 5126 };

typedef struct glb_view {
    uint64_t offset;
    uint64_t size;
} glb_view;

typedef struct glb_garment {
    float *base; // [2][point_count][3]: points and, for render meshes, normals of the first frame
    uint64_t base_first;   // accessor of its points; that of its normals follows
    uint64_t target_first; // accessors of its part of the first morph target
    uint64_t triangles;    // accessors
    uint64_t uvs;
} glb_garment;

typedef struct glb_work {
    slv_atomic_file *file;
    slv_export_spool numbers;
    slv_export_spool accessors; // JSON text
    slv_export_spool json;
    uint64_t accessor_count;
    uint64_t target_stride; // accessors of one morph target of all garments
    uint64_t times;         // accessors
    uint64_t weights;
    glb_view views[VIEW_COUNT];
    uint32_t garment_count;
    glb_garment *garments;
} glb_work;

// --- Opening -------------------------------------------------------------------------------------------

static slv_result open_garments(slv_export *run, glb_work *work, slv_error *error) {
    work->garments = calloc(run->mesh_count, sizeof *work->garments);
    work->garment_count = work->garments ? run->mesh_count : 0;
    for (uint32_t g = 0; g < work->garment_count; g++) {
        const size_t floats = (run->particles ? 3 : 6) * (size_t)run->meshes[g].point_count;
        work->garments[g].base = calloc(floats, sizeof *work->garments[g].base);
        if (!work->garments[g].base) {
            return slv_fail(error, SLV_ERROR_MEMORY, "out of memory");
        }
        work->target_stride += run->particles ? 1 : 2;
    }
    return work->garments ? SLV_OK : slv_fail(error, SLV_ERROR_MEMORY, "out of memory");
}

static slv_result open_glb(slv_export *run, slv_error *error) {
    glb_work *work = calloc(1, sizeof *work);
    run->work = work;
    slv_result result =
        work ? open_garments(run, work, error) : slv_fail(error, SLV_ERROR_MEMORY, "out of memory");
    if (result == SLV_OK) {
        result = slv_atomic_open(run->path, &work->file, error);
    }
    slv_export_spool *spools[] = {work ? &work->numbers : NULL, work ? &work->accessors : NULL,
                                  work ? &work->json : NULL};
    for (size_t i = 0; i < 3 && result == SLV_OK; i++) {
        result = slv_spool_open(spools[i], run->path, error);
    }
    return result;
}

// --- Accessors -----------------------------------------------------------------------------------------

typedef struct glb_accessor {
    int view;
    uint64_t offset; // in the view
    int component;
    uint64_t count;
    const char *type;
    const float *low; // [3], with high; NULL for none
    const float *high;
} glb_accessor;

static void put_key(slv_export_text *text, const char *key, uint64_t value) {
    slv_text_put(text, key);
    slv_text_put_count(text, value);
}

static void put_bound(slv_export_text *text, const char *key, const float *bound) {
    slv_text_put(text, key);
    slv_text_put_floats(text, bound, 3, ",");
    slv_text_put(text, "]");
}

// Its number is the count before. The sparse one of the weights is put elsewhere.
static slv_result put_accessor(glb_work *work, const glb_accessor *accessor, slv_error *error) {
    slv_export_text text;
    slv_text_begin_spool(&text, &work->accessors, error);
    slv_text_put(&text, work->accessor_count > 0 ? ",\n" : "");
    put_key(&text, "{\"bufferView\":", (uint64_t)accessor->view);
    put_key(&text, ",\"byteOffset\":", accessor->offset);
    put_key(&text, ",\"componentType\":", (uint64_t)accessor->component);
    put_key(&text, ",\"count\":", accessor->count);
    slv_text_put(&text, ",\"type\":\"");
    slv_text_put(&text, accessor->type);
    slv_text_put(&text, "\"");
    if (accessor->low) {
        put_bound(&text, ",\"min\":[", accessor->low);
        put_bound(&text, ",\"max\":[", accessor->high);
    }
    slv_text_put(&text, "}");
    work->accessor_count++;
    return slv_text_end(&text);
}

// --- Frames --------------------------------------------------------------------------------------------

static void put_number(unsigned char bytes[4], uint32_t word) {
    for (int i = 0; i < 4; i++) {
        bytes[i] = (unsigned char)(word >> (8 * i));
    }
}

static void put_float(slv_export_text *text, float number) {
    uint32_t word;
    unsigned char bytes[4];
    memcpy(&word, &number, sizeof word);
    put_number(bytes, word);
    slv_text_put_bytes(text, bytes, sizeof bytes);
}

static void put_uint(slv_export_text *text, uint32_t number) {
    unsigned char bytes[4];
    put_number(bytes, number);
    slv_text_put_bytes(text, bytes, sizeof bytes);
}

// Vectors less those of the base (NULL for none), and their accessor.
static slv_result put_vectors(glb_work *work, const float *vectors, const float *base,
                              uint32_t count, slv_error *error) {
    float low[3];
    float high[3];
    slv_export_text text;
    const uint64_t offset = work->numbers.size;
    slv_text_begin_spool(&text, &work->numbers, error);
    for (size_t i = 0; i < 3 * (size_t)count; i++) {
        const float value = vectors[i] - (base ? base[i] : 0.0f);
        low[i % 3] = i < 3 || value < low[i % 3] ? value : low[i % 3];
        high[i % 3] = i < 3 || value > high[i % 3] ? value : high[i % 3];
        put_float(&text, value);
    }
    slv_result result = slv_text_end(&text);
    const glb_accessor accessor = {.view = VIEW_VECTORS,
                                   .offset = offset,
                                   .component = COMPONENT_FLOAT,
                                   .count = count,
                                   .type = "VEC3",
                                   .low = low,
                                   .high = high};
    return result == SLV_OK ? put_accessor(work, &accessor, error) : result;
}

static slv_result put_frame(slv_export *run, uint32_t number, bool first, slv_error *error) {
    glb_work *work = run->work;
    glb_garment *garment = &work->garments[number];
    const slv_export_mesh *mesh = &run->meshes[number];
    const size_t floats = 3 * (size_t)mesh->point_count;
    float *normals = garment->base + floats;
    if (first) {
        garment->base_first = work->accessor_count;
        memcpy(garment->base, mesh->points, floats * sizeof *garment->base);
    } else if (run->frame_count == 1) {
        garment->target_first = work->accessor_count;
    }
    slv_result result =
        put_vectors(work, mesh->points, first ? NULL : garment->base, mesh->point_count, error);
    if (result == SLV_OK && mesh->normals) {
        if (first) {
            memcpy(normals, mesh->normals, floats * sizeof *normals);
        }
        result = put_vectors(work, mesh->normals, first ? NULL : normals, mesh->point_count, error);
    }
    return result;
}

static slv_result write_glb(slv_export *run, slv_error *error) {
    glb_work *work = run->work;
    slv_result result = SLV_OK;
    for (uint32_t g = 0; g < run->mesh_count && result == SLV_OK; g++) {
        result = put_frame(run, g, run->frame_count == 0, error);
    }
    if (result == SLV_OK && work->numbers.size > UINT32_MAX / 2) {
        return slv_fail(error, SLV_ERROR_UNSUPPORTED,
                        "a .glb holds no more than 2 GiB: write fewer frames, or .usda or .pc2");
    }
    return result;
}

// --- What follows the frames ---------------------------------------------------------------------------

static void end_view(glb_work *work, int view) {
    const uint64_t offset =
        view == 0 ? 0 : work->views[view - 1].offset + work->views[view - 1].size;
    work->views[view] = (glb_view){.offset = offset, .size = work->numbers.size - offset};
}

static slv_result put_triangles(slv_export *run, slv_error *error) {
    glb_work *work = run->work;
    slv_result result = SLV_OK;
    for (uint32_t g = 0; g < run->mesh_count && result == SLV_OK; g++) {
        const slv_export_mesh *mesh = &run->meshes[g];
        const uint64_t count = 3 * (uint64_t)mesh->triangle_count;
        const glb_accessor accessor = {.view = VIEW_TRIANGLES,
                                       .offset = work->numbers.size - work->views[0].size,
                                       .component = COMPONENT_UINT,
                                       .count = count,
                                       .type = "SCALAR"};
        slv_export_text text;
        slv_text_begin_spool(&text, &work->numbers, error);
        for (size_t i = 0; i < count; i++) {
            put_uint(&text, mesh->triangles[i]);
        }
        work->garments[g].triangles = work->accessor_count;
        result = slv_text_end(&text);
        if (result == SLV_OK && count > 0) {
            result = put_accessor(work, &accessor, error);
        }
    }
    end_view(work, VIEW_TRIANGLES);
    return result;
}

static slv_result put_uvs(slv_export *run, slv_error *error) {
    glb_work *work = run->work;
    const uint64_t begin = work->numbers.size;
    slv_result result = SLV_OK;
    for (uint32_t g = 0; g < run->mesh_count && result == SLV_OK; g++) {
        const slv_export_mesh *mesh = &run->meshes[g];
        const glb_accessor accessor = {.view = VIEW_UVS,
                                       .offset = work->numbers.size - begin,
                                       .component = COMPONENT_FLOAT,
                                       .count = mesh->point_count,
                                       .type = "VEC2"};
        slv_export_text text;
        slv_text_begin_spool(&text, &work->numbers, error);
        for (size_t p = 0; mesh->uvs && p < mesh->point_count; p++) {
            put_float(&text, mesh->uvs[2 * p]);
            put_float(&text, 1.0f - mesh->uvs[2 * p + 1]); // glTF measures v from the top
        }
        work->garments[g].uvs = work->accessor_count;
        result = slv_text_end(&text);
        if (result == SLV_OK && mesh->uvs) {
            result = put_accessor(work, &accessor, error);
        }
    }
    end_view(work, VIEW_UVS);
    return result;
}

// When each frame is, and which weight is 1 in it: target n - 1 in frame n.
static slv_result put_times(slv_export *run, slv_error *error) {
    glb_work *work = run->work;
    const uint64_t frames = run->frame_count;
    slv_export_text text;
    slv_text_begin_spool(&text, &work->numbers, error);
    for (uint64_t frame = 0; frame < frames; frame++) {
        put_float(&text, (float)((double)frame / run->frame_rate));
    }
    slv_result result = slv_text_end(&text);
    end_view(work, VIEW_TIMES);
    for (uint64_t frame = 1; frame < frames; frame++) {
        put_uint(&text, (uint32_t)(frame * (frames - 1) + (frame - 1)));
    }
    result = result == SLV_OK ? slv_text_end(&text) : result;
    end_view(work, VIEW_SPARSE_AT);
    for (uint64_t frame = 1; frame < frames; frame++) {
        put_float(&text, 1.0f);
    }
    result = result == SLV_OK ? slv_text_end(&text) : result;
    end_view(work, VIEW_SPARSE_ONES);
    return result;
}

static slv_result put_animation_accessors(slv_export *run, slv_error *error) {
    glb_work *work = run->work;
    const uint64_t targets = run->frame_count - 1;
    slv_export_text text;
    slv_text_begin_spool(&text, &work->accessors, error);
    put_key(&text, ",\n{\"bufferView\":", VIEW_TIMES);
    put_key(&text, ",\"componentType\":", COMPONENT_FLOAT);
    put_key(&text, ",\"count\":", run->frame_count);
    slv_text_put(&text, ",\"type\":\"SCALAR\",\"min\":[0],\"max\":[");
    slv_text_put_float(&text, (float)((double)targets / run->frame_rate));
    put_key(&text, "]},\n{\"componentType\":", COMPONENT_FLOAT);
    put_key(&text, ",\"count\":", run->frame_count * targets);
    put_key(&text, ",\"type\":\"SCALAR\",\"sparse\":{\"count\":", targets);
    put_key(&text, ",\"indices\":{\"bufferView\":", VIEW_SPARSE_AT);
    put_key(&text, ",\"componentType\":", COMPONENT_UINT);
    put_key(&text, "},\"values\":{\"bufferView\":", VIEW_SPARSE_ONES);
    slv_text_put(&text, "}}}");
    work->times = work->accessor_count++;
    work->weights = work->accessor_count++;
    return slv_text_end(&text);
}

// --- JSON ----------------------------------------------------------------------------------------------

static void put_attributes(slv_export_text *text, uint64_t first, bool normals) {
    put_key(text, "{\"POSITION\":", first);
    if (normals) {
        put_key(text, ",\"NORMAL\":", first + 1);
    }
}

static void put_mesh(const slv_export *run, uint32_t number, slv_export_text *text) {
    const glb_work *work = run->work;
    const glb_garment *garment = &work->garments[number];
    const slv_export_mesh *mesh = &run->meshes[number];
    put_key(text, number > 0 ? ",\n{\"name\":\"garment_" : "{\"name\":\"garment_",
            run->garments[number]);
    slv_text_put(text, "\",\"primitives\":[{\"material\":0,\"attributes\":");
    put_attributes(text, garment->base_first, mesh->normals != NULL);
    if (mesh->uvs) {
        put_key(text, ",\"TEXCOORD_0\":", garment->uvs);
    }
    slv_text_put(text, "}");
    if (mesh->triangle_count > 0) {
        put_key(text, ",\"indices\":", garment->triangles);
    } else {
        slv_text_put(text, ",\"mode\":0");
    }
    for (uint64_t frame = 1; frame < run->frame_count; frame++) {
        slv_text_put(text, frame == 1 ? ",\"targets\":[" : ",");
        put_attributes(text, garment->target_first + (frame - 1) * work->target_stride,
                       mesh->normals != NULL);
        slv_text_put(text, "}");
    }
    slv_text_put(text, run->frame_count > 1 ? "]}]}" : "}]}");
}

static void put_animation(const slv_export *run, slv_export_text *text) {
    const glb_work *work = run->work;
    put_key(text,
            ",\"animations\":[{\"name\":\"simulation\",\"samplers\":[{\"input\":", work->times);
    put_key(text, ",\"output\":", work->weights);
    slv_text_put(text, "}],\"channels\":[");
    for (uint32_t g = 0; g < run->mesh_count; g++) {
        slv_text_put(text, g > 0 ? "," : "");
        put_key(text, "{\"sampler\":0,\"target\":{\"path\":\"weights\",\"node\":", g);
        slv_text_put(text, "}}");
    }
    slv_text_put(text, "]}]");
}

static void put_views(const glb_work *work, slv_export_text *text) {
    static const int stride[VIEW_COUNT] = {[VIEW_VECTORS] = 12, [VIEW_UVS] = 8};
    static const int target[VIEW_COUNT] = {
        [VIEW_VECTORS] = 34962, [VIEW_TRIANGLES] = 34963, [VIEW_UVS] = 34962};
    slv_text_put(text, ",\"bufferViews\":[");
    for (int view = 0; view < VIEW_COUNT; view++) {
        // A view must not be empty. Views of nothing belong to no accessor; they get four bytes.
        const uint64_t size = work->views[view].size;
        put_key(text, view > 0 ? ",{\"buffer\":0,\"byteOffset\":" : "{\"buffer\":0,\"byteOffset\":",
                size > 0 ? work->views[view].offset : 0);
        put_key(text, ",\"byteLength\":", size > 0 ? size : 4);
        if (stride[view] > 0 && size > 0) {
            put_key(text, ",\"byteStride\":", (uint64_t)stride[view]);
        }
        if (target[view] > 0 && size > 0) {
            put_key(text, ",\"target\":", (uint64_t)target[view]);
        }
        slv_text_put(text, "}");
    }
    slv_text_put(text, "]");
}

static slv_result put_json(const slv_export *run, slv_error *error) {
    glb_work *work = run->work;
    slv_export_text text;
    slv_text_begin_spool(&text, &work->json, error);
    slv_text_put(&text, "{\"asset\":{\"version\":\"2.0\",\"generator\":\"Selvage\"},\"scene\":0,"
                        "\"scenes\":[{\"nodes\":[");
    for (uint32_t g = 0; g < run->mesh_count; g++) {
        put_key(&text, g > 0 ? "," : "", g);
    }
    slv_text_put(&text, "]}],\"nodes\":[");
    for (uint32_t g = 0; g < run->mesh_count; g++) {
        put_key(&text, g > 0 ? ",{\"mesh\":" : "{\"mesh\":", g);
        put_key(&text, ",\"name\":\"garment_", run->garments[g]);
        slv_text_put(&text, "\"");
        if (!run->is_at_zero) {
            slv_text_put(&text, ",\"translation\":[");
            slv_text_put_position(&text, run->origin, ",");
            slv_text_put(&text, "]");
        }
        slv_text_put(&text, "}");
    }
    slv_text_put(&text, "],\"materials\":[{\"name\":\"cloth\",\"doubleSided\":true,"
                        "\"pbrMetallicRoughness\":{\"metallicFactor\":0,\"roughnessFactor\":0.8}}],"
                        "\"meshes\":[");
    for (uint32_t g = 0; g < run->mesh_count; g++) {
        put_mesh(run, g, &text);
    }
    slv_text_put(&text, "]");
    if (run->frame_count > 1) {
        put_animation(run, &text);
    }
    put_views(work, &text);
    put_key(&text, ",\"buffers\":[{\"byteLength\":", work->numbers.size);
    slv_text_put(&text, "}],\"accessors\":[");
    slv_result result = slv_text_end(&text);
    if (result == SLV_OK) {
        result = slv_spool_append(&work->accessors, &work->json, error);
    }
    slv_text_put(&text, "]}");
    result = result == SLV_OK ? slv_text_end(&text) : result;
    while (result == SLV_OK && work->json.size % 4 != 0) {
        result = slv_spool_write(&work->json, " ", 1, error);
    }
    return result;
}

// --- The file ------------------------------------------------------------------------------------------

static slv_result put_chunk(glb_work *work, slv_export_spool *spool, const char *kind,
                            slv_error *error) {
    unsigned char header[8];
    put_number(header, (uint32_t)spool->size);
    memcpy(header + 4, kind, 4);
    slv_result result = slv_atomic_write(work->file, header, sizeof header, error);
    return result == SLV_OK ? slv_spool_copy(spool, work->file, error) : result;
}

static slv_result put_file(glb_work *work, slv_error *error) {
    const uint64_t size = 12 + 8 + work->json.size + 8 + work->numbers.size;
    if (size > UINT32_MAX) {
        return slv_fail(error, SLV_ERROR_UNSUPPORTED,
                        "%llu frames' worth of .glb is more than 4 GiB; write .usda or .pc2",
                        (unsigned long long)work->accessor_count);
    }
    unsigned char header[12] = "glTF";
    put_number(header + 4, 2);
    put_number(header + 8, (uint32_t)size);
    slv_result result = slv_atomic_write(work->file, header, sizeof header, error);
    if (result == SLV_OK) {
        result = put_chunk(work, &work->json, "JSON", error);
    }
    if (result == SLV_OK) {
        result = put_chunk(work, &work->numbers, "BIN\0", error);
    }
    if (result == SLV_OK) {
        slv_atomic_file *file = work->file;
        work->file = NULL;
        result = slv_atomic_commit(file, error);
    }
    return result;
}

static slv_result finish_glb(slv_export *run, slv_error *error) {
    glb_work *work = run->work;
    end_view(work, VIEW_VECTORS);
    slv_result result = put_triangles(run, error);
    if (result == SLV_OK) {
        result = put_uvs(run, error);
    }
    if (result == SLV_OK) {
        result = put_times(run, error);
    }
    if (result == SLV_OK && run->frame_count > 1) {
        result = put_animation_accessors(run, error);
    }
    if (result == SLV_OK) {
        result = put_json(run, error);
    }
    return result == SLV_OK ? put_file(work, error) : result;
}

static void close_glb(slv_export *run) {
    glb_work *work = run->work;
    if (work) {
        slv_atomic_abandon(work->file);
        slv_spool_close(&work->numbers);
        slv_spool_close(&work->accessors);
        slv_spool_close(&work->json);
        for (uint32_t g = 0; g < work->garment_count; g++) {
            free(work->garments[g].base);
        }
        free(work->garments);
        free(work);
        run->work = NULL;
    }
}

const slv_export_format slv_export_glb = {
    .extension = ".glb",
    .open = open_glb,
    .write = write_glb,
    .finish = finish_glb,
    .close = close_glb,
};

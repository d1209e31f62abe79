// SPDX-License-Identifier: MIT
// USD as text: one Mesh (or Points) a garment, its points sampled in every frame. All samples of one
// attribute stand together in the file, so those of each garment wait in spools of their own.
#include "runtime/export/export.h"
#include "runtime/export/export_spool.h"
#include "runtime/export/export_text.h"

#include <stdlib.h>

typedef struct usda_garment {
    slv_export_spool points;
    slv_export_spool extents;
} usda_garment;

typedef struct usda_work {
    slv_atomic_file *file;
    uint32_t garment_count;
    usda_garment *garments;
} usda_work;

static slv_result open_usda(slv_export *run, slv_error *error) {
    usda_work *work = calloc(1, sizeof *work);
    run->work = work;
    if (!work || !(work->garments = calloc(run->mesh_count, sizeof *work->garments))) {
        return slv_fail(error, SLV_ERROR_MEMORY, "out of memory");
    }
    work->garment_count = run->mesh_count;
    slv_result result = slv_atomic_open(run->path, &work->file, error);
    for (uint32_t g = 0; g < run->mesh_count && result == SLV_OK; g++) {
        result = slv_spool_open(&work->garments[g].points, run->path, error);
        if (result == SLV_OK) {
            result = slv_spool_open(&work->garments[g].extents, run->path, error);
        }
    }
    return result;
}

// --- Values --------------------------------------------------------------------------------------------

// "[(x, y, z), (x, y, z)]"
static void put_tuples(slv_export_text *text, const float *values, size_t count, size_t width) {
    slv_text_put(text, "[");
    for (size_t i = 0; i < count; i++) {
        slv_text_put(text, i > 0 ? ", (" : "(");
        slv_text_put_floats(text, values + width * i, width, ", ");
        slv_text_put(text, ")");
    }
    slv_text_put(text, "]");
}

static void find_extent(const slv_export_mesh *mesh, float extent[6]) {
    for (size_t d = 0; d < 3; d++) {
        extent[d] = mesh->points[d];
        extent[3 + d] = mesh->points[d];
    }
    for (size_t i = 3; i < 3 * (size_t)mesh->point_count; i++) {
        const float value = mesh->points[i];
        extent[i % 3] = value < extent[i % 3] ? value : extent[i % 3];
        extent[3 + i % 3] = value > extent[3 + i % 3] ? value : extent[3 + i % 3];
    }
}

static slv_result put_sample(slv_export_spool *spool, uint64_t frame, const float *values,
                             size_t count, slv_error *error) {
    slv_export_text text;
    slv_text_begin_spool(&text, spool, error);
    slv_text_put(&text, "            ");
    slv_text_put_count(&text, frame);
    slv_text_put(&text, ": ");
    put_tuples(&text, values, count, 3);
    slv_text_put(&text, ",\n");
    return slv_text_end(&text);
}

static slv_result write_usda(slv_export *run, slv_error *error) {
    usda_work *work = run->work;
    slv_result result = SLV_OK;
    for (uint32_t g = 0; g < run->mesh_count && result == SLV_OK; g++) {
        const slv_export_mesh *mesh = &run->meshes[g];
        float extent[6];
        find_extent(mesh, extent);
        result = put_sample(&work->garments[g].points, run->frame_count, mesh->points,
                            mesh->point_count, error);
        if (result == SLV_OK) {
            result = put_sample(&work->garments[g].extents, run->frame_count, extent, 2, error);
        }
    }
    return result;
}

// --- The file ------------------------------------------------------------------------------------------

static void put_header(const slv_export *run, slv_export_text *text) {
    slv_text_put(text, "#usda 1.0\n(\n"
                       "    defaultPrim = \"selvage\"\n"
                       "    doc = \"Selvage\"\n"
                       "    startTimeCode = 0\n"
                       "    endTimeCode = ");
    slv_text_put_count(text, run->frame_count > 0 ? run->frame_count - 1 : 0);
    slv_text_put(text, "\n    framesPerSecond = ");
    slv_text_put_double(text, run->frame_rate);
    slv_text_put(text, "\n    timeCodesPerSecond = ");
    slv_text_put_double(text, run->frame_rate);
    slv_text_put(text,
                 "\n    metersPerUnit = 1\n    upAxis = \"Y\"\n)\n\ndef Xform \"selvage\"\n{\n");
    if (!run->is_at_zero) {
        slv_text_put(text, "    double3 xformOp:translate = (");
        slv_text_put_position(text, run->origin, ", ");
        slv_text_put(text, ")\n    uniform token[] xformOpOrder = [\"xformOp:translate\"]\n");
    }
}

static void put_topology(const slv_export_mesh *mesh, slv_export_text *text) {
    slv_text_put(text, "        int[] faceVertexCounts = [");
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        slv_text_put(text, t > 0 ? ", 3" : "3");
    }
    slv_text_put(text, "]\n        int[] faceVertexIndices = [");
    for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; i++) {
        slv_text_put(text, i > 0 ? ", " : "");
        slv_text_put_count(text, mesh->triangles[i]);
    }
    slv_text_put(text, "]\n        uniform token subdivisionScheme = \"none\"\n"
                       "        bool doubleSided = 1\n");
    if (mesh->uvs) {
        slv_text_put(text, "        texCoord2f[] primvars:st = ");
        put_tuples(text, mesh->uvs, mesh->point_count, 2);
        slv_text_put(text, " (\n            interpolation = \"vertex\"\n        )\n");
    }
}

static slv_result put_spool(slv_export_text *text, usda_work *work, slv_export_spool *spool,
                            const char *attribute) {
    slv_text_put(text, "        ");
    slv_text_put(text, attribute);
    slv_text_put(text, ".timeSamples = {\n");
    slv_result result = slv_text_end(text);
    if (result == SLV_OK) {
        result = slv_spool_copy(spool, work->file, text->error);
    }
    slv_text_put(text, "        }\n");
    return result;
}

static slv_result put_garment(const slv_export *run, uint32_t number, slv_export_text *text) {
    usda_work *work = run->work;
    const slv_export_mesh *mesh = &run->meshes[number];
    slv_text_put(text, run->particles ? "    def Points \"garment_" : "    def Mesh \"garment_");
    slv_text_put_count(text, run->garments[number]);
    slv_text_put(text, "\"\n    {\n");
    if (run->particles) {
        slv_text_put(text, "        float[] widths = [0.005] (\n"
                           "            interpolation = \"constant\"\n        )\n");
    } else {
        put_topology(mesh, text);
    }
    usda_garment *garment = &work->garments[number];
    slv_result result = put_spool(text, work, &garment->extents, "float3[] extent");
    if (result == SLV_OK) {
        result = put_spool(text, work, &garment->points, "point3f[] points");
    }
    slv_text_put(text, "    }\n");
    return result;
}

static slv_result finish_usda(slv_export *run, slv_error *error) {
    usda_work *work = run->work;
    slv_export_text text;
    slv_text_begin_file(&text, work->file, error);
    put_header(run, &text);
    slv_result result = SLV_OK;
    for (uint32_t g = 0; g < run->mesh_count && result == SLV_OK; g++) {
        result = put_garment(run, g, &text);
    }
    slv_text_put(&text, "}\n");
    if (result == SLV_OK) {
        result = slv_text_end(&text);
    }
    if (result == SLV_OK) {
        slv_atomic_file *file = work->file;
        work->file = NULL;
        result = slv_atomic_commit(file, error);
    }
    return result;
}

static void close_usda(slv_export *run) {
    usda_work *work = run->work;
    if (work) {
        slv_atomic_abandon(work->file);
        for (uint32_t g = 0; g < work->garment_count; g++) {
            slv_spool_close(&work->garments[g].points);
            slv_spool_close(&work->garments[g].extents);
        }
        free(work->garments);
        free(work);
        run->work = NULL;
    }
}

const slv_export_format slv_export_usda = {
    .extension = ".usda",
    .open = open_usda,
    .write = write_usda,
    .finish = finish_usda,
    .close = close_usda,
};

// SPDX-License-Identifier: MIT
#include "tools/voxelize/option_check.h"

#include "tools/voxelize/tetrahedral_file.h"

const char *slv_find_option_conflict(const slv_voxelize_options *options) {
    const bool ready = options->mesh != NULL && slv_is_tetrahedral_file(options->mesh);
    if (options->mesh == NULL && options->shape == NULL) {
        return "nothing to read: name a mesh file, or a shape with --shape";
    }
    if (options->mesh != NULL && options->shape != NULL) {
        return "a mesh file and --shape exclude each other";
    }
    if (options->list && (options->shape != NULL || ready)) {
        return "--list needs a file of meshes";
    }
    if (options->pack == NULL && options->sdf == NULL && !options->list) {
        return "nothing to write: name a pack with -o OUT.slv, or a field with --sdf FILE.sdf";
    }
    if (options->pack == NULL && options->field_in_pack) {
        return "--with-sdf needs a pack to put the field in: -o OUT.slv";
    }
    if (options->spacing > 0 && options->resolution > 0) {
        return "--spacing and --resolution exclude each other";
    }
    if (options->mass > 0 && options->density > 0) {
        return "--mass and --density exclude each other";
    }
    if (options->shape != NULL && options->resolution > 0) {
        return "--resolution needs a mesh; a shape's size is its counts times --spacing";
    }
    if (options->shape != NULL && options->mode != SLV_MODE_AUTO) {
        return "--mode needs a mesh; a shape is made as it is";
    }
    if (options->shape != NULL && (options->sdf != NULL || options->field_in_pack)) {
        return "--sdf and --with-sdf need a mesh; a shape has no distance field";
    }
    if (ready && (options->sdf != NULL || options->field_in_pack)) {
        return "--sdf and --with-sdf need a mesh of triangles, not one of tetrahedra";
    }
    if (ready && options->mode != SLV_MODE_AUTO) {
        return "--mode needs a mesh of triangles; tetrahedra are taken as they are";
    }
    if (options->body != SLV_BODY_NONE &&
        (options->mode == SLV_MODE_SHELL || options->mode == SLV_MODE_SURFACE)) {
        return "--body fills a solid: use --mode solid";
    }
    if (options->body != SLV_BODY_NONE && (options->tetrahedra || ready)) {
        return "--body and tetrahedra exclude each other";
    }
    if (options->fabric != 0 &&
        (ready || options->tetrahedra || options->body != SLV_BODY_NONE ||
         options->mode == SLV_MODE_SOLID || options->mode == SLV_MODE_SHELL)) {
        return "--fabric needs a flat grid or a mesh whose vertices are particles: use --mode surface";
    }
    if (options->tetrahedra &&
        (options->mode == SLV_MODE_SHELL || options->mode == SLV_MODE_SURFACE)) {
        return "--tetrahedra fill a solid: use --mode solid";
    }
    return NULL;
}

// Options without effect are not errors; each gets a warning.
void slv_warn_of_unused_options(const slv_voxelize_options *options, slv_console *console) {
    const bool ready = options->mesh != NULL && slv_is_tetrahedral_file(options->mesh);
    const slv_voxelize_options usual = slv_default_voxelize_options();
    const bool shape = options->shape != NULL;
    const bool field_only = options->pack == NULL;
    const struct {
        const char *option;
        bool unused;
        const char *reason;
    } unused[] = {
        {"--padding", shape && options->padding != usual.padding, "a shape needs none"},
        {"--scale", shape && options->scale != usual.scale,
         "is about meshes; a shape is in metres"},
        {"--up", shape && options->up != usual.up, "is about meshes; a shape is y up"},
        {"--pose", shape && options->clip_start, "is about meshes; a shape has no clips"},
        {"--mode", field_only && options->mode != usual.mode, "is about the pack, -o OUT.slv"},
        {"--mass", field_only && options->mass > 0, "is about the pack, -o OUT.slv"},
        {"--density", field_only && options->density > 0, "is about the pack, -o OUT.slv"},
        {"--fabric", field_only && options->fabric != 0, "is about the pack, -o OUT.slv"},
        {"--keep",
         options->keep != usual.keep && (shape || ready || options->mode == SLV_MODE_SURFACE),
         "is about grids made of a mesh"},
        {"--tetrahedra", field_only && options->tetrahedra, "is about the pack, -o OUT.slv"},
        {"--tetrahedra", ready && options->tetrahedra, "the file has tetrahedra of its own"},
        {"--body", field_only && options->body != SLV_BODY_NONE, "is about the pack, -o OUT.slv"},
        {"--cluster-size", options->cluster_side > 0 && options->body != SLV_BODY_SOFT,
         "is about soft bodies, --body soft"},
        {"--spacing", ready && options->spacing > 0, "the file has points of its own"},
        {"--resolution", ready && options->resolution > 0, "the file has points of its own"},
    };
    for (size_t n = 0; n < sizeof unused / sizeof *unused; n++) {
        if (unused[n].unused) {
            slv_console_warning(console, unused[n].option, "has no effect: %s", unused[n].reason);
        }
    }
}

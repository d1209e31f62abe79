// SPDX-License-Identifier: MIT
#include "tools/voxelize/voxelize.h"

#include "tools/common/confine.h"
#include "tools/common/mesh_import.h"
#include "tools/common/parallel.h"
#include "tools/voxelize/clusters.h"
#include "tools/voxelize/embedding.h"
#include "tools/voxelize/field_source.h"
#include "tools/voxelize/garment_material.h"
#include "tools/voxelize/grid_garment.h"
#include "tools/voxelize/memory_plan.h"
#include "tools/voxelize/option_check.h"
#include "tools/voxelize/outputs.h"
#include "tools/voxelize/paint.h"
#include "tools/voxelize/provenance.h"
#include "tools/voxelize/sets.h"
#include "tools/voxelize/shapes.h"
#include "tools/voxelize/surface_garment.h"
#include "tools/voxelize/tetrahedral_garment.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_RESOLUTION = 32, SHELL_PADDING = 2 };

// Of the mean mass of a particle, at least: extreme mass ratios slow down convergence.
static const double LEAST_MASS = 1e-3;
// Cells that a surface intersects per square of the spacing, the mean over its directions: for a unit normal n it is
// |nx| + |ny| + |nz|, whose mean over the sphere is 3/2.
static const double CELLS_A_SQUARE = 1.5;
static const double SHAPE_SPACING = 0.01; // metres
static const double SOLID_DENSITY = 300;  // kg/m³: foam rubber, stuffed toys
static const double CLOTH_DENSITY = 0.2;  // kg/m²: shirts have about half of it, denim twice
static const double ROPE_DENSITY = 0.05;  // kg/m: a clothes line

typedef struct job {
    slv_voxelize_options options; // of the caller, with defaults and modes resolved
    slv_console *console;
    slv_voxelize_report *report;
    slv_output_files *written;
    slv_mesh mesh;
    slv_tetrahedral_mesh tetrahedral; // of a tetrahedral file; mesh is empty then
    slv_file_list files;
    slv_lattice lattice;
    slv_memory_plan plan;
    slv_field_source *source; // NULL where no field is needed
    uint64_t *bits;           // samples that carry particles
    slv_grid_index index;
    slv_garment_builder builder;
    double stage_start;
} job;

const char *slv_stage_name(int stage) {
    static const char *const names[SLV_STAGE_COUNT] = {"import", "field", "particles", "embedding",
                                                       "output"};
    return names[stage];
}

static void end_stage(job *j, int stage) {
    const double now = slv_console_seconds();
    const double seconds = now - j->stage_start;
    slv_console_note(j->console, "%s: %.3f s", slv_stage_name(stage), seconds);
    j->report->seconds[stage] += seconds;
    j->stage_start = now;
}

// --- Options ------------------------------------------------------------------------------------

static slv_result resolve_options(job *j, slv_error *error) {
    slv_voxelize_options *options = &j->options;
    const char *wrong = slv_find_option_conflict(options);
    if (wrong != NULL) {
        return slv_fail(error, SLV_ERROR_ARGUMENT, "%s", wrong);
    }
    slv_warn_of_unused_options(options, j->console);
    slv_resolve_fabric(options);
    if (options->tetrahedra && options->mesh != NULL && options->mode == SLV_MODE_AUTO) {
        options->mode = slv_is_tetrahedral_file(options->mesh) ? SLV_MODE_AUTO : SLV_MODE_SOLID;
    }
    if (options->body != SLV_BODY_NONE && options->mesh != NULL) {
        options->mode = SLV_MODE_SOLID;
    }
    if (options->threads == 0) {
        options->threads = slv_processor_count();
    }
    const uint64_t least = options->mode == SLV_MODE_SHELL ? SHELL_PADDING : 1;
    if (options->mesh != NULL && options->padding < least) {
        slv_console_warning(j->console, "--padding", "raised to %llu, the least that %s",
                            (unsigned long long)least,
                            least > 1 ? "holds all of a shell" : "keeps samples outside");
        options->padding = least;
    }
    return SLV_OK;
}

// --- Mesh and field -----------------------------------------------------------------------------

static slv_result read_mesh(job *j, slv_error *error) {
    const slv_import_options import = {.scale = j->options.scale,
                                       .up = j->options.up,
                                       .clip_start = j->options.clip_start,
                                       .choice = j->options.choice,
                                       .list = j->options.list,
                                       .undrawn = j->options.pack == NULL,
                                       .allow_paths = j->options.allow_paths};
    j->report->error_source = j->options.mesh;
    slv_confine_note(j->console);
    const slv_result result = slv_mesh_import(j->options.mesh, &import, &j->mesh, &j->files, error);
    if (result != SLV_OK) {
        return result;
    }
    if (j->options.list) {
        j->report->list = j->mesh.list;
        j->mesh.list = NULL;
        return SLV_OK;
    }
    char left_out[160];
    slv_part_counts_text(&j->mesh.parts, left_out, sizeof left_out);
    if (left_out[0] != '\0') {
        slv_console_warning(j->console, j->options.mesh, "%s", left_out);
    }
    j->report->parts = j->mesh.parts;
    if (j->mesh.texture_note[0] != '\0' && !import.undrawn) {
        slv_console_warning(j->console, NULL, "%s: texture %s", j->options.mesh,
                            j->mesh.texture_note);
    }
    if (j->mesh.paint_peak > 1.0f && !import.undrawn) {
        slv_console_warning(j->console, NULL,
                            "%s: vertex colors go up to %g and are cut at 1; those of 0 to 255 "
                            "must be divided by 255",
                            j->options.mesh, (double)j->mesh.paint_peak);
    }
    slv_voxelize_report *report = j->report;
    report->space = j->mesh.space;
    report->painted = j->mesh.paint != NULL && !import.undrawn;
    report->textured = j->mesh.texture != NULL && !import.undrawn;
    report->triangles = j->mesh.triangle_count;
    report->points = j->mesh.point_count;
    report->polygons = j->mesh.polygon_count;
    report->dropped_triangles = j->mesh.dropped_triangle_count;
    double min[3];
    double max[3];
    slv_mesh_bounds(&j->mesh, min, max);
    for (int axis = 0; axis < 3; axis++) {
        report->extent[axis] = max[axis] - min[axis];
        report->bounds[0][axis] = min[axis] + j->mesh.frame[axis];
        report->bounds[1][axis] = max[axis] + j->mesh.frame[axis];
    }
    end_stage(j, SLV_STAGE_IMPORT);
    return slv_mesh_count_welded(&j->mesh, &report->welded, error);
}

static bool wants_field_output(const job *j) {
    return j->options.sdf != NULL || j->options.field_in_pack;
}

static bool wants_grid(const job *j) {
    return j->options.pack != NULL && j->options.mode != SLV_MODE_SURFACE;
}

static double chosen_spacing(const job *j) {
    if (j->options.spacing > 0) {
        return j->options.spacing;
    }
    const uint64_t cells =
        j->options.resolution > 0 ? j->options.resolution : (uint64_t)DEFAULT_RESOLUTION;
    double longest = 0;
    for (int axis = 0; axis < 3; axis++) {
        longest = fmax(longest, j->plan.max[axis] - j->plan.min[axis]);
    }
    return longest / (double)cells;
}

// Lays the lattice, if it fits into memory, and the field over it.
static slv_result prepare_field(job *j, slv_error *error) {
    double volume = 0;
    double area = 0;
    slv_measure_mesh(&j->mesh, &volume, &area);
    j->plan = (slv_memory_plan){.padding = (uint32_t)j->options.padding,
                                .text = j->options.sdf != NULL,
                                .coded = j->options.field_in_pack,
                                .threads = j->options.threads,
                                .limit = j->options.memory_limit};
    slv_mesh_bounds(&j->mesh, j->plan.min, j->plan.max);
    if (wants_grid(j)) {
        j->plan.area = j->options.mode == SLV_MODE_SOLID ? 0 : CELLS_A_SQUARE * area;
        j->plan.volume = j->options.mode == SLV_MODE_SOLID ? volume : 0;
    }
    const double spacing = chosen_spacing(j);
    slv_result result = slv_memory_check(&j->plan, spacing, error);
    if (result != SLV_OK) {
        if (wants_grid(j) && j->options.mode == SLV_MODE_AUTO) { // may become a solid: check both
            j->plan.volume = volume;
            result = slv_memory_check(&j->plan, spacing, error);
        }
        return result;
    }
    (void)slv_lattice_around(j->plan.min, j->plan.max, spacing, j->plan.padding, &j->lattice);
    slv_field_source_destroy(j->source);
    j->source = NULL;
    return slv_field_source_create(&j->mesh, &j->lattice, j->options.threads, &j->source, error);
}

static void report_field(job *j) {
    const slv_field_facts facts = slv_field_source_facts(j->source);
    j->report->closed = facts.closed;
    j->report->boundary_edges = facts.boundary_edges;
    j->report->flipped_triangles = facts.flipped_triangles;
    j->report->sign_method = facts.sign_method;
    j->report->lattice = j->lattice;
    j->report->spacing = j->lattice.spacing;
}

static slv_result choose_mode(job *j, slv_error *error) {
    if (j->options.mode != SLV_MODE_AUTO) {
        return SLV_OK;
    }
    j->options.mode = j->report->closed ? SLV_MODE_SOLID : SLV_MODE_SHELL;
    j->report->mode_reason = j->report->closed ? "the mesh is closed" : "the mesh is open";
    if (j->options.mode == SLV_MODE_SHELL && j->options.padding < SHELL_PADDING) {
        j->options.padding = SHELL_PADDING;
        slv_console_warning(j->console, "--padding",
                            "raised to %d, the least that holds all of a shell", SHELL_PADDING);
        const slv_result result = prepare_field(j, error);
        report_field(j);
        return result;
    }
    return SLV_OK;
}

// --- Particles of a mesh ------------------------------------------------------------------------

// Counts the connected pieces, and removes those that are not to be kept.
static slv_result choose_pieces(job *j, slv_error *error) {
    slv_lost_parts lost = {0};
    slv_pieces *pieces = &j->report->pieces;
    slv_result result = slv_find_lost_parts(&j->mesh, &j->lattice, j->bits, &lost, error);
    lost.lost =
        j->options.mode == SLV_MODE_SOLID ? lost.lost : 0; // a shell has samples of every part
    if (result == SLV_OK) {
        result = slv_pieces_keep(&j->lattice, j->bits, j->options.keep, pieces, error);
    }
    if (result == SLV_OK && pieces->count > 0) {
        slv_warn_of_pieces(j->console, j->options.mesh, pieces, &lost, j->lattice.spacing);
    }
    j->report->mesh_parts = lost.parts;
    j->report->lost_parts = lost.lost;
    return result;
}

// Marks the samples that carry particles, and numbers them.
static slv_result mark_samples(job *j, slv_error *error) {
    const size_t rows = (size_t)j->lattice.cells[1] * j->lattice.cells[2];
    j->bits = calloc(rows * slv_row_words(&j->lattice), sizeof *j->bits);
    if (j->bits == NULL) {
        return slv_fail(error, SLV_ERROR_MEMORY, "out of memory for %zu rows of samples", rows);
    }
    slv_result result = j->options.mode == SLV_MODE_SOLID
                            ? slv_field_source_inside(j->source, j->options.threads, j->bits, error)
                            : slv_field_source_cover(j->source, j->options.threads, j->bits, error);
    end_stage(j, SLV_STAGE_FIELD);
    if (result == SLV_OK) {
        result = choose_pieces(j, error);
    }
    if (result == SLV_OK) {
        result = slv_grid_index_create(&j->lattice, j->bits, &j->index, error);
    }
    if (result == SLV_OK && slv_grid_index_count(&j->index) == 0) {
        result = slv_fail_without_particles(&j->mesh, &j->lattice, j->options.mode, error);
    }
    if (result == SLV_OK) { // the number of particles is known now
        const double spacing = j->lattice.spacing;
        const double count = slv_grid_index_count(&j->index);
        const bool solid = j->options.mode == SLV_MODE_SOLID;
        j->plan.volume = solid ? count * spacing * spacing * spacing : 0;
        j->plan.area = solid ? 0 : count * spacing * spacing;
        result = slv_memory_check(&j->plan, spacing, error);
    }
    return result;
}

static double mass_of(const job *j, double measure, double default_density) {
    const double density = j->options.density > 0 ? j->options.density : default_density;
    return j->options.mass > 0 ? j->options.mass : measure * density;
}

static slv_result finish_sets(job *j, slv_set_list *sets, slv_result result, slv_error *error) {
    if (result == SLV_OK) {
        result = slv_set_list_finish(sets, &j->builder, error);
    }
    slv_set_list_free(sets);
    return result;
}

static slv_result make_grid_particles(job *j, slv_error *error) {
    slv_result result = mark_samples(j, error);
    if (result == SLV_OK) {
        result = slv_make_grid_garment(&j->index, j->options.threads, &j->builder, error);
    }
    if (result == SLV_OK) {
        slv_set_list sets = {0};
        result = finish_sets(j, &sets, slv_add_side_sets(&sets, &j->index, error), error);
    }
    if (result == SLV_OK) {
        double volume = 0;
        double area = 0;
        slv_measure_mesh(&j->mesh, &volume, &area);
        const double cell = j->lattice.spacing * j->lattice.spacing * j->lattice.spacing;
        const double filled = slv_grid_index_count(&j->index) * cell;
        const double mass = j->options.mode == SLV_MODE_SOLID ? mass_of(j, filled, SOLID_DENSITY)
                                                              : mass_of(j, area, CLOTH_DENSITY);
        result = slv_builder_distribute_mass(&j->builder, mass, NULL, error);
    }
    if (result == SLV_OK) {
        result = slv_fill_solid(&j->options, &j->index, &j->builder, error);
    }
    if (result == SLV_OK) {
        result = slv_paint_grid(&j->mesh, &j->lattice, j->options.threads, &j->builder, error);
    }
    end_stage(j, SLV_STAGE_PARTICLES);
    if (result == SLV_OK) {
        result = slv_add_render_mesh(&j->mesh, &j->builder, error);
    }
    if (result == SLV_OK) {
        result = slv_embed_in_grid(&j->index, j->options.threads, &j->builder,
                                   &j->report->embedding_error, error);
    }
    end_stage(j, SLV_STAGE_EMBEDDING);
    return result;
}

// Masses by area.
static slv_result distribute_by_area(job *j, const slv_surface_facts *facts, slv_error *error) {
    const double least = LEAST_MASS * facts->area / j->mesh.point_count;
    for (uint32_t p = 0; p < j->mesh.point_count; p++) {
        facts->areas[p] = fmax(facts->areas[p], least);
    }
    return slv_builder_distribute_mass(&j->builder, mass_of(j, facts->area, CLOTH_DENSITY),
                                       facts->areas, error);
}

static slv_result make_surface_particles(job *j, slv_error *error) {
    slv_surface_facts facts;
    slv_result result = slv_make_surface_garment(&j->mesh, &j->builder, &facts, error);
    if (result == SLV_OK) {
        slv_set_list sets = {0};
        result =
            finish_sets(j, &sets, slv_add_mesh_sets(&sets, &j->mesh, facts.boundary, error), error);
    }
    if (result == SLV_OK) {
        result = distribute_by_area(j, &facts, error);
    }
    if (result == SLV_OK) {
        result = slv_paint_points(&j->mesh, &j->builder, error);
    }
    end_stage(j, SLV_STAGE_PARTICLES);
    if (result == SLV_OK) {
        result = slv_add_render_mesh(&j->mesh, &j->builder, error);
    }
    if (result == SLV_OK) {
        result = slv_embed_in_points(&j->mesh, &j->builder, error);
    }
    end_stage(j, SLV_STAGE_EMBEDDING);
    if (j->source == NULL) {
        j->report->boundary_edges = facts.boundary_edges;
        j->report->closed = facts.boundary_edges == 0;
    }
    return result;
}

static slv_result make_from_mesh(job *j, slv_error *error) {
    slv_result result = SLV_OK;
    if (wants_grid(j) || wants_field_output(j)) {
        result = prepare_field(j, error);
        if (result == SLV_OK) {
            report_field(j);
        }
    } else if (j->options.spacing > 0 || j->options.resolution > 0) {
        slv_console_warning(j->console, "--mode surface",
                            "takes its particles from the mesh: the spacing has no effect");
    }
    if (result == SLV_OK && j->options.pack != NULL) {
        result = choose_mode(j, error);
    }
    if (j->source != NULL && !wants_grid(j)) { // otherwise the stage ends in mark_samples
        end_stage(j, SLV_STAGE_FIELD);
    }
    if (result != SLV_OK || j->options.pack == NULL) {
        return result;
    }
    const uint32_t modes[] = {0, SLV_GARMENT_SOLID, SLV_GARMENT_SHELL, SLV_GARMENT_SURFACE};
    j->builder.garment.info.mode = modes[j->options.mode];
    memcpy(j->builder.garment.info.frame, j->mesh.frame, sizeof j->mesh.frame);
    return j->options.mode == SLV_MODE_SURFACE ? make_surface_particles(j, error)
                                               : make_grid_particles(j, error);
}

// --- Tetrahedral files ---------------------------------------------------------------

static slv_result read_tetrahedra(job *j, slv_error *error) {
    const slv_import_options import = {.scale = j->options.scale, .up = j->options.up};
    j->report->error_source = j->options.mesh;
    const slv_result result =
        slv_tetrahedral_read(j->options.mesh, &import, &j->tetrahedral, &j->files, error);
    j->mesh.input_hash = j->tetrahedral.input_hash;
    j->mesh.space = j->tetrahedral.space;
    j->report->space = j->tetrahedral.space;
    j->options.mode = SLV_MODE_SURFACE; // particles are the points of the file
    end_stage(j, SLV_STAGE_IMPORT);
    return result;
}

static slv_result make_from_tetrahedra(job *j, slv_error *error) {
    slv_tetrahedral_facts facts;
    slv_result result = slv_make_tetrahedral_garment(&j->tetrahedral, &j->builder, &facts, error);
    if (result == SLV_OK) {
        result = slv_builder_distribute_mass(&j->builder, mass_of(j, facts.volume, SOLID_DENSITY),
                                             facts.weights, error);
    }
    free(facts.weights);
    const slv_garment_info *info = &j->builder.garment.info;
    for (int axis = 0; axis < 3; axis++) {
        j->report->bounds[0][axis] = (double)info->bounds_min[axis];
        j->report->bounds[1][axis] = (double)info->bounds_max[axis];
        j->report->extent[axis] = (double)info->bounds_max[axis] - (double)info->bounds_min[axis];
    }
    j->report->triangles = facts.surface_triangles;
    j->report->points = j->tetrahedral.point_count;
    j->report->closed = true;
    end_stage(j, SLV_STAGE_PARTICLES);
    return result;
}

// --- Shapes -------------------------------------------------------------------------------------

// Each particle represents one cell: a cube, a square or a length of the spacing.
static double shape_mass(const job *j, const slv_shape *shape) {
    const double spacing = j->lattice.spacing;
    const double count = slv_grid_index_count(&j->index);
    switch (shape->kind) {
    case SLV_SHAPE_ROPE:
        return mass_of(j, count * spacing, ROPE_DENSITY);
    case SLV_SHAPE_BOX:
        return mass_of(j, count * spacing * spacing * spacing, SOLID_DENSITY);
    case SLV_SHAPE_GRID:
    case SLV_SHAPE_PONCHO:
        break;
    }
    return mass_of(j, count * spacing * spacing, CLOTH_DENSITY);
}

static slv_result check_shape_memory(const job *j, const slv_shape *shape, slv_error *error) {
    const uint64_t samples = (uint64_t)shape->cells[0] * shape->cells[1] * shape->cells[2];
    const uint64_t mib = (slv_grid_garment_bytes(samples, 3 * samples) >> 20) + 1;
    if (mib > j->options.memory_limit) {
        return slv_fail(error, SLV_ERROR_ARGUMENT,
                        "%llu particles need about %llu MiB, more than --memory-limit %llu; choose "
                        "fewer",
                        (unsigned long long)samples, (unsigned long long)mib,
                        (unsigned long long)j->options.memory_limit);
    }
    return SLV_OK;
}

static slv_result make_from_shape(job *j, slv_error *error) {
    slv_shape shape;
    const double spacing = j->options.spacing > 0 ? j->options.spacing : SHAPE_SPACING;
    j->report->error_source = "--shape";
    slv_result result = slv_shape_parse(j->options.shape, &shape, error);
    if (result == SLV_OK) {
        result = check_shape_memory(j, &shape, error);
    }
    if (result == SLV_OK) {
        result = slv_shape_sample(&shape, spacing, &j->lattice, &j->bits, error);
    }
    if (result == SLV_OK) {
        result = slv_grid_index_create(&j->lattice, j->bits, &j->index, error);
    }
    if (result == SLV_OK) {
        result = slv_make_grid_garment(&j->index, j->options.threads, &j->builder, error);
    }
    if (result == SLV_OK) {
        slv_set_list sets = {0};
        result = finish_sets(j, &sets, slv_add_shape_sets(&sets, &shape, &j->index, error), error);
    }
    if (result == SLV_OK) {
        result = slv_builder_distribute_mass(&j->builder, shape_mass(j, &shape), NULL, error);
    }
    if (result == SLV_OK) {
        result = slv_fill_solid(&j->options, &j->index, &j->builder, error);
    }
    if (result == SLV_OK) {
        result = slv_add_shape_render_mesh(&shape, &j->index, &j->builder, error);
    }
    j->builder.garment.info.mode = SLV_GARMENT_SHAPE;
    j->report->lattice = j->lattice;
    end_stage(j, SLV_STAGE_PARTICLES);
    return result;
}

// --- The whole ----------------------------------------------------------------------------------

static slv_result describe_garment(job *j, slv_error *error) {
    const slv_garment *garment = &j->builder.garment;
    const slv_result result = slv_add_material(&j->options, &j->builder, error);
    if (result != SLV_OK) {
        return result;
    }
    slv_voxelize_report *report = j->report;
    report->mode = j->options.mode;
    report->particles = garment->info.particle_count;
    report->colors = garment->colors[0].color == SLV_UNCOLORED ? 0 : garment->color_count;
    report->groups = garment->group_count;
    report->sets = garment->set_count;
    report->render_vertices = garment->render.vertex_count;
    report->distance_constraints = garment->constraints[SLV_CONSTRAINT_DISTANCE].count;
    report->bending_constraints = garment->constraints[SLV_CONSTRAINT_BENDING].count;
    report->clusters = garment->clusters.count;
    report->cluster_members = garment->clusters.member_count;
    report->tetrahedra = garment->constraints[SLV_CONSTRAINT_TETRAHEDRON].count;
    report->spacing = (double)garment->info.spacing;
    report->mass = (double)garment->info.mass;
    return slv_add_provenance(&j->options, j->options.mode,
                              j->options.mesh != NULL ? &j->mesh : NULL,
                              garment->grid != NULL ? &j->lattice : NULL, &j->builder, error);
}

static slv_outputs outputs_of(const job *j) {
    slv_outputs outputs = {.pack = j->options.pack,
                           .sdf = j->options.sdf,
                           .depfile = j->options.depfile,
                           .field_in_pack = j->options.field_in_pack,
                           .garment = &j->builder.garment,
                           .source = j->source,
                           .lattice = j->lattice,
                           .inputs = &j->files,
                           .threads = j->options.threads};
    memcpy(outputs.frame, j->mesh.frame, sizeof outputs.frame);
    return outputs;
}

static slv_result write_outputs(job *j, slv_error *error) {
    slv_result result = j->options.pack != NULL ? describe_garment(j, error) : SLV_OK;
    if (result == SLV_OK) {
        const slv_outputs outputs = outputs_of(j);
        result =
            slv_outputs_write(&outputs, j->console, j->written, &j->report->error_source, error);
    }
    if (result == SLV_OK) {
        j->report->pack_bytes = slv_output_files_size(j->written, j->options.pack);
        j->report->sdf_bytes = slv_output_files_size(j->written, j->options.sdf);
    }
    end_stage(j, SLV_STAGE_OUTPUT);
    return result;
}

static slv_result run(job *j, slv_error *error) {
    slv_result result = resolve_options(j, error);
    const bool ready = j->options.mesh != NULL && slv_is_tetrahedral_file(j->options.mesh);
    if (result == SLV_OK && j->options.mesh != NULL) {
        result = ready ? read_tetrahedra(j, error) : read_mesh(j, error);
    }
    if (result == SLV_OK && j->options.list) {
        return SLV_OK;
    }
    if (result == SLV_OK) {
        const slv_outputs outputs = outputs_of(j);
        result = slv_outputs_check(&outputs, &j->report->error_source, error);
    }
    if (result == SLV_OK) {
        j->report->error_source = j->options.mesh;
        result = ready                     ? make_from_tetrahedra(j, error)
                 : j->options.mesh != NULL ? make_from_mesh(j, error)
                                           : make_from_shape(j, error);
    }
    if (result == SLV_OK) {
        result = write_outputs(j, error);
    }
    return result;
}

slv_result slv_voxelize(const slv_voxelize_options *options, slv_console *console,
                        slv_voxelize_report *report, slv_output_files *files, slv_error *error) {
    job j = {.options = *options, .console = console, .report = report, .written = files};
    *report = (slv_voxelize_report){.mode = options->mode};
    j.stage_start = slv_console_seconds();
    const slv_result result = run(&j, error);
    slv_field_source_destroy(j.source);
    slv_grid_index_free(&j.index);
    free(j.bits);
    slv_builder_free(&j.builder);
    slv_file_list_free(&j.files);
    slv_mesh_free(&j.mesh);
    slv_tetrahedral_free(&j.tetrahedral);
    return result;
}

// SPDX-License-Identifier: MIT
#include "tools/colorize/colorize.h"

#include "formats/reader.h"
#include "tools/colorize/factor.h"
#include "tools/colorize/provenance.h"
#include "tools/colorize/repack.h"
#include "tools/colorize/schemes.h"
#include "tools/colorize/svg.h"
#include "tools/common/depfile.h"

#include <stdlib.h>
#include <string.h>

typedef struct job {
    slv_colorize_options options; // of the caller, with defaults resolved
    slv_console *console;
    slv_colorize_report *report;
    slv_output_files *files;
    slv_pack *pack;
    slv_garment garment;
    slv_phantoms phantoms;
    slv_coloring particles;
    slv_particle_order order;
    slv_repack repack;
    slv_made_factor factor;
} job;

// --- Options ----------------------------------------------------------------------------------------

static const char *option_conflict(const slv_colorize_options *options) {
    const bool phantoms =
        options->scheme == SLV_SCHEME_PHANTOM || options->scheme == SLV_SCHEME_HYBRID;
    if (options->input == NULL) {
        return "nothing to read: name a garment pack";
    }
    if (options->output == NULL) {
        return "nothing to write: name a pack with -o OUT.slv";
    }
    if (options->scheme == SLV_SCHEME_RED_BLACK && options->of == SLV_OF_CONSTRAINTS) {
        return "--scheme red-black is for particles: use --of particles, or --scheme greedy";
    }
    if (phantoms && options->of == SLV_OF_PARTICLES) {
        return "--scheme phantom and hybrid are for constraints: use --of constraints, or --scheme "
               "greedy";
    }
    if (options->colors > 0 && !phantoms) {
        return "--colors goes with --scheme phantom or hybrid; the other schemes take as few as "
               "they can";
    }
    const slv_factor_options *factor = &options->factor;
    const bool describes = factor->particle_mass > 0.0 || factor->stretch > 0.0 ||
                           factor->shear > 0.0 || factor->bending > 0.0 || factor->damping > 0.0 ||
                           factor->fixed;
    if (describes && !(factor->time_step > 0.0)) {
        return "options --factor-… go with --factor SECONDS";
    }
    return NULL;
}

static slv_result resolve_options(job *j, slv_error *error) {
    const char *wrong = option_conflict(&j->options);
    if (wrong) {
        return slv_fail(error, SLV_ERROR_ARGUMENT, "%s", wrong);
    }
    if (j->options.of == SLV_OF_DEFAULT) {
        j->options.of = j->options.scheme == SLV_SCHEME_AUTO        ? SLV_OF_BOTH
                        : j->options.scheme == SLV_SCHEME_RED_BLACK ? SLV_OF_PARTICLES
                                                                    : SLV_OF_CONSTRAINTS;
    }
    j->report->of = j->options.of;
    const char *const outputs[] = {j->options.output, j->options.svg, j->options.depfile};
    return slv_output_files_check(outputs, sizeof outputs / sizeof *outputs, &j->options.input, 1,
                                  &j->report->error_source, error);
}

// --- Reading ----------------------------------------------------------------------------------------

static bool is_colored(const slv_garment *garment, slv_color_what of) {
    const bool particles = garment->color_count > 0 && garment->colors[0].color == 0;
    const bool constraints = garment->group_count > 0 && garment->groups[0].color == 0;
    return (of & SLV_OF_PARTICLES ? particles : true) &&
           (of & SLV_OF_CONSTRAINTS ? constraints : true);
}

static slv_result read_garment(job *j, slv_error *error) {
    j->report->error_source = j->options.input;
    slv_open_options options = slv_default_open_options();
    options.decoded_limit = j->options.memory_limit << 20;
    slv_result result = slv_pack_open(j->options.input, &options, &j->pack, error);
    if (result == SLV_OK) {
        result = slv_garment_open(j->pack, &j->garment, error);
    }
    if (result == SLV_OK && j->garment.group_count == 0) {
        result = slv_fail(error, SLV_ERROR_CONTENT, "it has no constraints, so nothing to color");
    }
    if (result == SLV_OK) {
        j->report->particles = j->garment.info.particle_count;
        j->report->was_colored = is_colored(&j->garment, j->options.of);
        result =
            slv_phantoms_create(j->report->particles, &j->phantoms) ? SLV_OK : slv_no_memory(error);
    }
    return result;
}

// --- Coloring --------------------------------------------------------------------------------------

static slv_result color(job *j, slv_error *error) {
    const bool keep = !(j->options.of & SLV_OF_CONSTRAINTS);
    slv_colorize_report *report = j->report;
    const double start = slv_console_seconds();
    slv_result result =
        slv_constraint_sets_create(&j->garment, keep, &j->phantoms, &report->sets, error);
    if (result == SLV_OK && j->options.of & SLV_OF_PARTICLES) {
        result = slv_scheme_particles(&j->garment, &report->sets, &j->phantoms, j->options.scheme,
                                      report, &j->particles, error);
    }
    if (result == SLV_OK && !keep) {
        result = slv_scheme_constraints(&j->garment, j->options.scheme, (uint32_t)j->options.colors,
                                        j->console, report, &j->phantoms, error);
    }
    report->phantom_particles = j->phantoms.count;
    report->phantom_constraints =
        j->phantoms.first ? slv_phantoms_split_particles(&j->phantoms) : 0;
    report->launches_before = slv_scheme_launches(&report->sets, true, 0);
    report->launches = slv_scheme_launches(&report->sets, false, j->phantoms.count);
    report->seconds = slv_console_seconds() - start;
    return result;
}

static slv_result repack(job *j, slv_error *error) {
    const slv_coloring *coloring = j->options.of & SLV_OF_PARTICLES ? &j->particles : NULL;
    if (!slv_particle_order_create(&j->garment, coloring, &j->order) ||
        !slv_repack_create(&j->garment, &j->order, &j->report->sets, &j->phantoms, &j->repack)) {
        return slv_no_memory(error);
    }
    char *provenance = slv_color_provenance(&j->garment, &j->options, j->report);
    if (!provenance) {
        return slv_no_memory(error);
    }
    slv_repack_set_provenance(&j->repack, provenance);
    return SLV_OK;
}

// An earlier factor stays: it numbers particles by their own numbers.
static slv_result factor(job *j, slv_error *error) {
    const double start = slv_console_seconds();
    if (!(j->options.factor.time_step > 0.0)) {
        return SLV_OK;
    }
    j->report->error_source = j->options.input;
    slv_garment *garment = &j->repack.garment;
    const slv_result result = slv_factor_create(garment, &j->options.factor, &j->factor, error);
    if (result == SLV_OK) {
        garment->factor = j->factor.view;
        j->report->factor_values = j->factor.view.value_count;
        j->report->factor_blocks = j->factor.view.block_count;
        j->report->factor_seconds = slv_console_seconds() - start;
    }
    return result;
}

// --- Writing ----------------------------------------------------------------------------------------

// The field does not depend on particles and is copied. Sections unknown to this version may depend
// on them and are dropped.
static slv_result copy_field(job *j, slv_writer *writer, slv_error *error) {
    size_t size = 0;
    const void *bytes = slv_pack_get_section(j->pack, SLV_SECTION_FIELD, &size);
    if (!bytes) {
        return SLV_OK;
    }
    uint32_t codec = SLV_CODEC_RAW;
    uint32_t count = 0;
    const slv_section_entry *entries = slv_pack_get_entries(j->pack, &count);
    for (uint32_t i = 0; i < count; i++) {
        codec = entries[i].kind == SLV_SECTION_FIELD ? entries[i].codec : codec;
    }
    slv_result result = slv_writer_begin(writer, SLV_SECTION_FIELD, codec, 0, error);
    if (result == SLV_OK) {
        result = slv_writer_append(writer, bytes, size, error);
    }
    return result == SLV_OK ? slv_writer_end(writer, error) : result;
}

static slv_result write_pack(job *j, slv_error *error) {
    const slv_garment *garment = &j->repack.garment;
    size_t field_size = 0;
    const bool field = slv_pack_get_section(j->pack, SLV_SECTION_FIELD, &field_size) != NULL;
    slv_writer *writer = NULL;
    slv_atomic_file *file = NULL;
    j->report->error_source = j->options.output;
    slv_result result =
        slv_writer_open(j->options.output, SLV_CONTENTS_GARMENT,
                        slv_garment_get_section_count(garment) + (field ? 1 : 0), &writer, error);
    if (result == SLV_OK) {
        result = slv_garment_write(garment, writer, error);
    }
    if (result == SLV_OK) {
        result = copy_field(j, writer, error);
    }
    if (result != SLV_OK) {
        slv_writer_abandon(writer);
        return result;
    }
    result = slv_writer_seal(writer, &file, error);
    if (result == SLV_OK) {
        slv_output_files_take(j->files, j->options.output, file);
    }
    return result;
}

static slv_result write_svg(job *j, slv_error *error) {
    slv_atomic_file *file = NULL;
    if (!j->options.svg) {
        return SLV_OK;
    }
    j->report->error_source = j->options.svg;
    slv_result result = slv_output_files_open(j->files, j->options.svg, &file, error);
    return result == SLV_OK ? slv_svg_write(&j->repack.garment, j->options.of, file, error)
                            : result;
}

static slv_result write_rule(job *j, slv_error *error) {
    const char *const outputs[] = {j->options.output, j->options.svg};
    const slv_depfile_rule rule = {outputs, j->options.svg ? 2 : 1, &j->options.input, 1};
    slv_atomic_file *file = NULL;
    if (!j->options.depfile) {
        return SLV_OK;
    }
    j->report->error_source = j->options.depfile;
    slv_result result = slv_output_files_open(j->files, j->options.depfile, &file, error);
    return result == SLV_OK ? slv_depfile_put(&rule, file, error) : result;
}

static slv_result write_all(job *j, slv_error *error) {
    slv_result result = write_pack(j, error);
    if (result == SLV_OK) {
        result = write_svg(j, error);
    }
    if (result == SLV_OK) {
        result = write_rule(j, error);
    }
    if (result == SLV_OK) {
        result = slv_output_files_flush(j->files, &j->report->error_source, error);
    }
    if (result == SLV_OK) {
        j->report->pack_bytes = slv_output_files_size(j->files, j->options.output);
    } else {
        slv_output_files_abandon(j->files);
    }
    return result;
}

static slv_result run(job *j, slv_error *error) {
    slv_result result = resolve_options(j, error);
    if (result == SLV_OK) {
        result = read_garment(j, error);
    }
    if (result == SLV_OK) {
        result = color(j, error);
    }
    if (result == SLV_OK) {
        result = repack(j, error);
    }
    if (result == SLV_OK) {
        result = factor(j, error);
    }
    return result == SLV_OK ? write_all(j, error) : result;
}

slv_result slv_colorize(const slv_colorize_options *options, slv_console *console,
                        slv_colorize_report *report, slv_output_files *files, slv_error *error) {
    job j = {.options = *options, .console = console, .report = report, .files = files};
    *report = (slv_colorize_report){0};
    const slv_result result = run(&j, error);
    slv_factor_destroy(&j.factor);
    slv_repack_destroy(&j.repack);
    slv_particle_order_destroy(&j.order);
    slv_coloring_destroy(&j.particles);
    slv_phantoms_destroy(&j.phantoms);
    slv_pack_close(j.pack);
    return result;
}

// SPDX-License-Identifier: MIT
// Fuzz target: arbitrary bytes as a pack are rejected, or colored with every scheme as
// selvage-colorize does, without files. Every verified pack can be colored, and no constraint is
// lost.
#include "tests/formats/forged_pack.h"
#include "tools/colorize/repack.h"
#include "tools/colorize/schemes.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void color(const slv_garment *garment, slv_scheme scheme, bool keep) {
    slv_console console = {.program = "fuzz", .quiet = true};
    slv_colorize_report report = {.particles = garment->info.particle_count};
    slv_phantoms phantoms = {0};
    slv_coloring particles = {0};
    slv_particle_order order = {0};
    slv_repack repack = {0};
    slv_error error = {0};
    if (!slv_phantoms_create(report.particles, &phantoms) ||
        slv_constraint_sets_create(garment, keep, &phantoms, &report.sets, &error) != SLV_OK ||
        slv_scheme_particles(garment, &report.sets, &phantoms, SLV_SCHEME_AUTO, &report, &particles,
                             &error) != SLV_OK ||
        (!keep && slv_scheme_constraints(garment, scheme, 2, &console, &report, &phantoms,
                                         &error) != SLV_OK) ||
        !slv_particle_order_create(garment, &particles, &order) ||
        !slv_repack_create(garment, &order, &report.sets, &phantoms, &repack)) {
        abort(); // what was verified can be colored
    }
    for (uint32_t kind = SLV_CONSTRAINT_FIRST; kind < SLV_CONSTRAINT_END; kind++) {
        if (repack.garment.constraints[kind].count != garment->constraints[kind].count) {
            abort();
        }
    }
    slv_repack_destroy(&repack);
    slv_particle_order_destroy(&order);
    slv_coloring_destroy(&particles);
    slv_phantoms_destroy(&phantoms);
    slv_colorize_report_free(&report);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    forged_pack bytes;
    slv_pack *pack = forged_pack_open(data, size, &bytes);
    slv_garment garment;
    if (pack && slv_garment_open(pack, &garment, NULL) == SLV_OK) {
        color(&garment, SLV_SCHEME_AUTO, false);
        color(&garment, SLV_SCHEME_PHANTOM, false);
        color(&garment, SLV_SCHEME_HYBRID, false);
        color(&garment, SLV_SCHEME_AUTO, true);
    }
    slv_pack_close(pack);
    forged_pack_free(&bytes);
    return 0;
}

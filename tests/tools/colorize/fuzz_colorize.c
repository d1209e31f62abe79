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
    const slv_open_options options = {.decoded_limit = 1 << 20};
    forged_pack bytes = forged_pack_copy(data, size);
    slv_pack *pack = NULL;
    slv_garment garment;
    if (!bytes.bytes) {
        return 0;
    }
    forged_pack_seal(&bytes);
    if (slv_pack_open_memory(bytes.bytes, bytes.size, &options, &pack, NULL) == SLV_OK &&
        slv_garment_open(pack, &garment, NULL) == SLV_OK) {
        color(&garment, SLV_SCHEME_AUTO, false);
        color(&garment, SLV_SCHEME_PHANTOM, false);
        color(&garment, SLV_SCHEME_HYBRID, false);
        color(&garment, SLV_SCHEME_AUTO, true);
    }
    slv_pack_close(pack);
    forged_pack_free(&bytes);
    return 0;
}

// SPDX-License-Identifier: MIT
// Fuzz target: arbitrary bytes as a tetrahedral mesh are converted to a garment or rejected,
// without faults. A form feed separates the two files of a TetGen pair; without one the text is
// Medit.
#include "tests/tools/common/fuzz_text.h"
#include "tools/voxelize/tetrahedral_file.h"
#include "tools/voxelize/tetrahedral_garment.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_mesh(const slv_tetrahedral_mesh *mesh) {
    for (uint32_t t = 0; t < mesh->tetrahedron_count; t++) {
        for (int c = 0; c < 4; c++) {
            if (mesh->corners[t][c] >= mesh->point_count) {
                abort();
            }
        }
    }
}

static void check_garment(const slv_garment *garment) {
    const uint32_t particles = garment->info.particle_count;
    for (uint64_t c = 0; c < garment->constraints[SLV_CONSTRAINT_DISTANCE].count; c++) {
        const uint32_t one = garment->constraints[SLV_CONSTRAINT_DISTANCE].ends[0][c],
                       other = garment->constraints[SLV_CONSTRAINT_DISTANCE].ends[1][c];
        if (one >= particles || other >= particles || one == other ||
            !(garment->constraints[SLV_CONSTRAINT_DISTANCE].rest[c] >= 0)) {
            abort();
        }
    }
    for (uint64_t c = 0; c < garment->constraints[SLV_CONSTRAINT_TETRAHEDRON].count; c++) {
        if (!(garment->constraints[SLV_CONSTRAINT_TETRAHEDRON].rest[c] >=
              0)) { // those that were inside out are turned
            abort();
        }
    }
}

static void make_garment(const slv_tetrahedral_mesh *mesh) {
    slv_garment_builder builder = {0};
    slv_tetrahedral_facts facts = {0};
    slv_error error;
    if (slv_make_tetrahedral_garment(mesh, &builder, &facts, &error) == SLV_OK) {
        check_garment(&builder.garment);
    }
    free(facts.weights);
    slv_builder_free(&builder);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = fuzz_text(data, size);
    if (text == NULL) {
        return 0;
    }
    char *elements = strchr(text, '\f');
    if (elements) {
        *elements++ = '\0';
    }
    slv_tetrahedral_mesh mesh = {0};
    slv_error error;
    if (slv_tetrahedral_parse(text, elements, &mesh, &error) == SLV_OK) {
        check_mesh(&mesh);
        make_garment(&mesh);
    }
    slv_tetrahedral_free(&mesh);
    free(text);
    return 0;
}

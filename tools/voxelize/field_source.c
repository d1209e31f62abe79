// SPDX-License-Identifier: MIT
#include "tools/voxelize/field_source.h"

#include "tools/common/parallel.h"
#include "tools/voxelize/cover.h"
#include "tools/voxelize/crossings.h"
#include "tools/voxelize/distance.h"
#include "tools/voxelize/orientation.h"
#include "tools/voxelize/winding.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

struct slv_field_source {
    slv_lattice lattice;
    slv_snapped surface;
    slv_bvh bvh;
    slv_orientation orientation;
    slv_winding winding; // empty unless the surface has holes
};

static slv_result check(const slv_mesh *mesh, const slv_lattice *lattice, slv_error *error) {
    for (int axis = 0; axis < 3; axis++) {
        if (lattice->cells[axis] == 0) {
            return slv_fail(error, SLV_ERROR_ARGUMENT, "the grid has no samples along an axis");
        }
    }
    if (!(lattice->spacing > 0.0)) {
        return slv_fail(error, SLV_ERROR_ARGUMENT, "the spacing must be greater than zero");
    }
    if (mesh->triangle_count == 0) {
        return slv_fail(error, SLV_ERROR_CONTENT, "the mesh has no triangles");
    }
    return SLV_OK;
}

static bool has_holes(const slv_field_source *source) {
    return source->orientation.boundary_count > 0;
}

// Two independent parts of the preparation: the BVH and the manifold patches.
typedef struct preparation {
    slv_field_source *source;
    slv_manifold_patches patches;
    unsigned threads;
    slv_result results[2];
    slv_error errors[2];
} preparation;

static void prepare_part(void *context, size_t index, unsigned worker) {
    (void)worker;
    preparation *f = context;
    const slv_snapped *surface = &f->source->surface;
    f->results[index] = index == 0
                            ? slv_bvh_create(surface, f->threads, &f->source->bvh, &f->errors[0])
                            : slv_manifold_patches_create(surface, &f->patches, &f->errors[1]);
}

static slv_result prepare(slv_field_source *source, const slv_mesh *mesh, unsigned threads,
                          slv_error *error) {
    slv_result result = slv_snapped_create(mesh, &source->lattice, &source->surface, error);
    if (result != SLV_OK) {
        return result;
    }
    preparation f = {.source = source, .threads = threads};
    slv_parallel_for(threads, 2, prepare_part, &f);
    for (int i = 0; i < 2 && result == SLV_OK; i++) {
        result =
            f.results[i] == SLV_OK ? SLV_OK : slv_fail(error, f.results[i], "%s", f.errors[i].text);
    }
    if (result == SLV_OK) {
        result = slv_orientation_create(&f.patches, &source->bvh, &source->orientation, error);
    }
    slv_manifold_patches_free(&f.patches);
    if (result == SLV_OK && has_holes(source)) {
        result = slv_winding_create(&source->surface, &source->orientation, threads,
                                    &source->winding, error);
    }
    return result;
}

slv_result slv_field_source_create(const slv_mesh *mesh, const slv_lattice *lattice,
                                   unsigned threads, slv_field_source **source, slv_error *error) {
    *source = NULL;
    slv_result result = check(mesh, lattice, error);
    if (result != SLV_OK) {
        return result;
    }
    slv_field_source *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return slv_fail(error, SLV_ERROR_MEMORY, "out of memory");
    }
    made->lattice = *lattice;
    result = prepare(made, mesh, threads, error);
    if (result != SLV_OK) {
        slv_field_source_destroy(made);
        return result;
    }
    *source = made;
    return SLV_OK;
}

void slv_field_source_destroy(slv_field_source *source) {
    if (source == NULL) {
        return;
    }
    slv_winding_free(&source->winding);
    slv_orientation_free(&source->orientation);
    slv_bvh_free(&source->bvh);
    slv_snapped_free(&source->surface);
    free(source);
}

slv_field_facts slv_field_source_facts(const slv_field_source *source) {
    return (slv_field_facts){
        .closed = !has_holes(source),
        .boundary_edges = source->orientation.boundary_count,
        .flipped_triangles = source->orientation.flipped_count,
        .sign_method = has_holes(source) ? "winding number" : "ray crossings",
    };
}

// --- slabs ---------------------------------------------------------------------------------------

static slv_slab slab_at(const slv_lattice *lattice, size_t index) {
    slv_slab slab = {.first_layer = (uint32_t)index * SLV_FIELD_BLOCK_LAYERS,
                     .layers = SLV_FIELD_BLOCK_LAYERS};
    memcpy(slab.cells, lattice->cells, sizeof slab.cells);
    if (slab.layers > slab.cells[2] - slab.first_layer) {
        slab.layers = slab.cells[2] - slab.first_layer;
    }
    return slab;
}

static size_t slab_count(const slv_lattice *lattice) {
    return ((size_t)lattice->cells[2] + SLV_FIELD_BLOCK_LAYERS - 1) / SLV_FIELD_BLOCK_LAYERS;
}

// Bits of the samples inside and on the surface of a slab. Distances and inside bits both use them.
static slv_result slab_signs(const slv_field_source *source, const slv_slab *slab,
                             slv_crossings *crossings, uint64_t *inside, uint64_t *surface,
                             slv_error *error) {
    slv_crossings_add_surface(crossings, slab, &source->surface, &source->bvh,
                              source->orientation.weights);
    if (has_holes(source)) {
        slv_winding_add(&source->winding, slab, crossings);
    }
    const slv_fill_rule rule = source->orientation.one_sided ? SLV_FILL_ODD : SLV_FILL_NONZERO;
    const slv_result result = slv_crossings_fill(crossings, slab, rule, inside, error);
    if (result != SLV_OK) {
        return result;
    }
    const size_t words = slv_slab_words(slab);
    memset(surface, 0, words * sizeof *surface);
    slv_surface_bits(slab, &source->surface, &source->bvh, surface);
    for (size_t word = 0; word < words; word++) {
        inside[word] &= ~surface[word];
    }
    return SLV_OK;
}

// --- distances -----------------------------------------------------------------------------------

typedef struct distance_slot {
    slv_crossings crossings;
    uint64_t *inside, *surface;
    slv_candidate_leaf *candidates; // scratch of the distance query
    float *values;
} distance_slot;

typedef struct distance_work {
    const slv_field_source *source;
    const slv_field_sink *sink;
    slv_distance distance;
    distance_slot *slots;
    unsigned slot_count;
} distance_work;

unsigned slv_field_block_window(unsigned threads) {
    return threads > 1 ? 2 * threads : 1;
}

// A distance inside is never rounded to zero, so that inside and negative are equivalent.
static void apply_signs(const slv_slab *slab, const distance_slot *slot) {
    const size_t words = slv_slab_row_words(slab);
    for (size_t row = 0; row < slv_slab_rows(slab); row++) {
        float *values = slot->values + row * slab->cells[0];
        const uint64_t *inside = slot->inside + row * words;
        const uint64_t *surface = slot->surface + row * words;
        for (size_t i = 0; i < slab->cells[0]; i++) {
            if ((inside[i / 64] >> (i % 64) & 1) != 0) {
                values[i] = values[i] > FLT_MIN ? -values[i] : -FLT_MIN;
            } else if ((surface[i / 64] >> (i % 64) & 1) != 0) {
                values[i] = 0.0f;
            }
        }
    }
}

static slv_result produce_block(void *context, size_t index, unsigned slot_index, unsigned worker,
                                slv_error *error) {
    (void)worker;
    const distance_work *work = context;
    distance_slot *slot = &work->slots[slot_index];
    const slv_slab slab = slab_at(&work->source->lattice, index);
    const slv_result result =
        slab_signs(work->source, &slab, &slot->crossings, slot->inside, slot->surface, error);
    if (result != SLV_OK) {
        return result;
    }
    slv_distance_query query = {.distance = &work->distance,
                                .first_layer = slab.first_layer,
                                .layers = slab.layers,
                                .unit = work->source->lattice.spacing,
                                .values = slot->values,
                                .candidates = slot->candidates};
    memcpy(query.cells, slab.cells, sizeof query.cells);
    slv_distance_layers(&query);
    apply_signs(&slab, slot);
    return work->sink->format == NULL
               ? SLV_OK
               : work->sink->format(work->sink->context, slab.first_layer, slab.layers,
                                    slot->values, slot_index, error);
}

static slv_result consume_block(void *context, size_t index, unsigned slot, slv_error *error) {
    const distance_work *work = context;
    const slv_slab slab = slab_at(&work->source->lattice, index);
    return work->sink->emit(work->sink->context, slab.first_layer, slab.layers,
                            work->slots[slot].values, slot, error);
}

static slv_result make_slots(distance_work *work, unsigned count, slv_error *error) {
    const slv_slab slab = slab_at(&work->source->lattice, 0);
    const size_t values = slv_slab_rows(&slab) * slab.cells[0];
    work->slots = calloc(count, sizeof *work->slots);
    if (work->slots == NULL) {
        return slv_fail(error, SLV_ERROR_MEMORY, "out of memory");
    }
    work->slot_count = count;
    for (unsigned i = 0; i < count; i++) {
        distance_slot *slot = &work->slots[i];
        slot->inside = malloc(slv_slab_words(&slab) * sizeof *slot->inside);
        slot->surface = malloc(slv_slab_words(&slab) * sizeof *slot->surface);
        slot->candidates = malloc(work->source->bvh.leaf_count * sizeof *slot->candidates);
        slot->values = malloc(values * sizeof *slot->values);
        if (slot->inside == NULL || slot->surface == NULL || slot->candidates == NULL ||
            slot->values == NULL) {
            return slv_fail(error, SLV_ERROR_MEMORY, "out of memory for %u blocks of %zu samples",
                            count, values);
        }
    }
    return SLV_OK;
}

static void free_slots(distance_work *work) {
    for (unsigned i = 0; i < work->slot_count; i++) {
        slv_crossings_free(&work->slots[i].crossings);
        free(work->slots[i].inside);
        free(work->slots[i].surface);
        free(work->slots[i].candidates);
        free(work->slots[i].values);
    }
    free(work->slots);
}

slv_result slv_field_source_distances(const slv_field_source *source, unsigned threads,
                                      const slv_field_sink *sink, slv_error *error) {
    distance_work work = {.source = source, .sink = sink};
    const unsigned window = slv_field_block_window(threads);
    slv_result result = slv_distance_create(&source->surface, &source->bvh, SLV_LANES_BEST, threads,
                                            &work.distance, error);
    if (result == SLV_OK) {
        result = make_slots(&work, window, error);
    }
    if (result == SLV_OK) {
        const slv_ordered_work ordered = {.count = slab_count(&source->lattice),
                                          .window = window,
                                          .produce = produce_block,
                                          .consume = consume_block,
                                          .context = &work};
        result = slv_parallel_ordered(threads, &ordered, error);
    }
    free_slots(&work);
    slv_distance_free(&work.distance);
    return result;
}

// --- bits ----------------------------------------------------------------------------------------

typedef struct bits_worker {
    slv_crossings crossings;
    uint64_t *surface;
    slv_result result; // the first failure
    slv_error error;
} bits_worker;

typedef struct bits_work {
    const slv_field_source *source;
    bits_worker *workers;
    uint64_t *bits;
} bits_work;

static uint64_t *slab_bits(const bits_work *work, const slv_slab *slab) {
    return work->bits + (size_t)slab->first_layer * slab->cells[1] * slv_slab_row_words(slab);
}

static void inside_task(void *context, size_t index, unsigned worker_index) {
    const bits_work *work = context;
    bits_worker *worker = &work->workers[worker_index];
    const slv_slab slab = slab_at(&work->source->lattice, index);
    if (worker->result != SLV_OK) {
        return;
    }
    if (worker->surface == NULL) { // the first slab has the most layers
        const slv_slab first = slab_at(&work->source->lattice, 0);
        worker->surface = malloc(slv_slab_words(&first) * sizeof *worker->surface);
    }
    worker->result = worker->surface == NULL
                         ? slv_fail(&worker->error, SLV_ERROR_MEMORY, "out of memory")
                         : slab_signs(work->source, &slab, &worker->crossings,
                                      slab_bits(work, &slab), worker->surface, &worker->error);
}

slv_result slv_field_source_inside(const slv_field_source *source, unsigned threads, uint64_t *bits,
                                   slv_error *error) {
    bits_work work = {.source = source, .workers = calloc(threads, sizeof *work.workers)};
    work.bits = bits;
    if (work.workers == NULL) {
        return slv_fail(error, SLV_ERROR_MEMORY, "out of memory");
    }
    slv_parallel_for(threads, slab_count(&source->lattice), inside_task, &work);
    slv_result result = SLV_OK;
    for (unsigned i = 0; i < threads; i++) {
        bits_worker *worker = &work.workers[i];
        if (result == SLV_OK && worker->result != SLV_OK) {
            result = slv_fail(error, worker->result, "%s", worker->error.text);
        }
        slv_crossings_free(&worker->crossings);
        free(worker->surface);
    }
    free(work.workers);
    return result;
}

static void cover_task(void *context, size_t index, unsigned worker) {
    (void)worker;
    const bits_work *work = context;
    const slv_slab slab = slab_at(&work->source->lattice, index);
    uint64_t *bits = slab_bits(work, &slab);
    memset(bits, 0, slv_slab_words(&slab) * sizeof *bits);
    slv_cover_bits(&slab, &work->source->surface, &work->source->bvh, bits);
}

slv_result slv_field_source_cover(const slv_field_source *source, unsigned threads, uint64_t *bits,
                                  slv_error *error) {
    (void)error; // needs no memory of its own
    bits_work work = {.source = source};
    work.bits = bits;
    slv_parallel_for(threads, slab_count(&source->lattice), cover_task, &work);
    return SLV_OK;
}

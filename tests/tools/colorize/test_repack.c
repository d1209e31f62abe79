// SPDX-License-Identifier: MIT
// Rebuilding a garment keeps its constraints, and fails cleanly for any failed allocation. The
// linker redirects calloc and free to this file (--wrap), where each block gets guard bytes after
// its end.
#include "tests/formats/sample_garment.h"
#include "tools/colorize/repack.h"
#include "tools/colorize/schemes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { GUARD = 64, GUARD_BYTE = 0xA5, BLOCKS = 256 };

static struct {
    bool watching;
    unsigned calls;   // of calloc while watching
    unsigned failing; // number of the call that fails, from 1; 0 for none
    unsigned overruns;
    struct {
        unsigned char *bytes;
        size_t size;
    } blocks[BLOCKS];
} heap;

// The names are the linker's.
// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)
void *__real_calloc(size_t count, size_t size);
void __real_free(void *block);
void *__wrap_calloc(size_t count, size_t size);
void __wrap_free(void *block);

void *__wrap_calloc(size_t count, size_t size) {
    if (!heap.watching) {
        return __real_calloc(count, size);
    }
    if (++heap.calls == heap.failing) {
        return NULL;
    }
    unsigned char *bytes = __real_calloc(1, count * size + GUARD);
    size_t b = 0;
    while (b < BLOCKS && heap.blocks[b].bytes) {
        b++;
    }
    if (!bytes || b == BLOCKS) {
        abort();
    }
    memset(bytes + count * size, GUARD_BYTE, GUARD);
    heap.blocks[b].bytes = bytes;
    heap.blocks[b].size = count * size;
    return bytes;
}

void __wrap_free(void *block) {
    for (size_t b = 0; block && b < BLOCKS; b++) {
        if (heap.blocks[b].bytes == block) {
            for (size_t i = 0; i < GUARD; i++) {
                heap.overruns += heap.blocks[b].bytes[heap.blocks[b].size + i] != GUARD_BYTE;
            }
            heap.blocks[b].bytes = NULL;
        }
    }
    __real_free(block);
}
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)

// A garment colored with phantoms, before the rebuild.
typedef struct colored {
    sample_garment sample;
    slv_colorize_report report;
    slv_phantoms phantoms;
    slv_particle_order order;
} colored;

static void color(colored *c) {
    slv_console console = {.quiet = true};
    slv_error error = {0};
    const slv_garment *garment = &c->sample.garment;
    c->report.particles = garment->info.particle_count;
    assert_true(slv_phantoms_create(c->report.particles, &c->phantoms));
    assert_int_equal(
        slv_constraint_sets_create(garment, false, &c->phantoms, &c->report.sets, &error), SLV_OK);
    assert_int_equal(slv_scheme_constraints(garment, SLV_SCHEME_PHANTOM, 2, &console, &c->report,
                                            &c->phantoms, &error),
                     SLV_OK);
    assert_true(slv_particle_order_create(garment, NULL, &c->order));
}

static void release(colored *c) {
    slv_particle_order_destroy(&c->order);
    slv_phantoms_destroy(&c->phantoms);
    slv_colorize_report_free(&c->report);
    sample_free(&c->sample);
}

static bool repack_all(const colored *c, unsigned failing, slv_repack *repack) {
    heap.watching = true;
    heap.calls = 0;
    heap.failing = failing;
    const bool done =
        slv_repack_create(&c->sample.garment, &c->order, &c->report.sets, &c->phantoms, repack);
    heap.watching = false;
    return done;
}

static void check_sample(void (*make)(sample_garment *)) {
    colored c = {0};
    slv_repack repack;
    make(&c.sample);
    static const uint32_t ends[] = {2, 5};
    static const uint32_t members[] = {0, 4, 1, 2, 3};
    c.sample.garment.clusters = (slv_clusters){2, 5, ends, members};
    color(&c);
    assert_true(repack_all(&c, 0, &repack));
    for (uint32_t kind = SLV_CONSTRAINT_FIRST; kind < SLV_CONSTRAINT_END; kind++) {
        assert_int_equal(repack.garment.constraints[kind].count,
                         c.sample.garment.constraints[kind].count);
    }
    for (uint32_t m = 0; m < 5; m++) { // the same particles
        const slv_garment *garment = &repack.garment;
        const uint32_t own = garment->own_of_stored[garment->clusters.member[m]];
        bool there = false;
        for (uint32_t i = m < 2 ? 0 : 2; i < (m < 2 ? 2u : 5u); i++) {
            there = there || c.sample.garment.own_of_stored[members[i]] == own;
        }
        assert_true(there);
        assert_true(m == 0 || m == 2 ||
                    garment->clusters.member[m] > garment->clusters.member[m - 1]);
    }
    const unsigned calls = heap.calls;
    assert_true(calls > 10);
    slv_repack_destroy(&repack);
    for (unsigned failing = 1; failing <= calls; failing++) {
        assert_false(repack_all(&c, failing, &repack));
    }
    for (size_t b = 0; b < BLOCKS; b++) {
        assert_null(heap.blocks[b].bytes); // nothing is left behind
    }
    assert_int_equal(heap.overruns, 0);
    release(&c);
}

static void make_grid(sample_garment *sample) {
    sample_grid(sample, 5, 4, 3);
}

static void any_allocation_may_fail(void **state) {
    (void)state;
    check_sample(make_grid);
    check_sample(sample_tetrahedra);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

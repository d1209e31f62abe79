// SPDX-License-Identifier: MIT
// Many garments in one world: a frame against the same garments in worlds of their own, with two threads and with
// one; adding garments; moving colliders; and what a second thread brings to one garment. A frame is one step of
// 1/60 s with the usual iterations. Each garment of 32 x 32 particles hangs over capsules of its own. Worlds that are
// compared run in turn, so that all run under the same load; the shortest time counts.
#define _POSIX_C_SOURCE 200809L
#include "bench/bench_report.h"
#include "tests/common/generated_garment.h"

#include <selvage/selvage.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SIDE = 32, CAPSULES = 8, SETTLING = 30, ROUNDS = 12 };

static const float spacing = 0.03f;          // metres
static const double apart = 2.0;             // metres from a garment to the next
static const double seconds_a_figure = 1.5;  // of measuring
static const double frame_length = 1.0 / 60; // s

// A pack in memory, as a game has it that loads it once.
typedef struct crowd_pack {
    void *bytes;
    size_t size;
} crowd_pack;

static void check(slv_world *world, slv_result result) {
    if (result != SLV_OK) {
        slv_bench_stop(slv_world_get_message(world));
    }
}

static crowd_pack make_pack(generated_garment *made) {
    char path[64];
    (void)snprintf(path, sizeof path, "/tmp/selvage-crowd-%ld.slv", (long)getpid());
    generated_write_and_free(made, path);
    FILE *file = fopen(path, "rb");
    crowd_pack pack = {.bytes = NULL};
    if (file && fseek(file, 0, SEEK_END) == 0) {
        pack.size = (size_t)ftell(file);
        pack.bytes = aligned_alloc(64, (pack.size + 63) / 64 * 64);
        rewind(file);
    }
    if (!pack.bytes || fread(pack.bytes, 1, pack.size, file) != pack.size) {
        slv_bench_stop("the pack cannot be read");
    }
    (void)fclose(file);
    (void)remove(path);
    return pack;
}

// --- Worlds -----------------------------------------------------------------------------------------

typedef struct crowd {
    uint32_t count;
    uint32_t threads;
    uint32_t capsules;           // of each garment
    float shear;                 // N/m; 0: none
    const char *instruction_set; // NULL: the best
} crowd;

static slv_world *make_world(const crowd *like) {
    char message[256];
    slv_world *world = NULL;
    slv_world_def def = slv_default_world_def();
    def.threads = like->threads;
    def.time_step = frame_length;
    def.instruction_set = like->instruction_set;
    def.memory_limit = 4096;
    if (slv_world_create(&def, &world, message, sizeof message) != SLV_OK) {
        slv_bench_stop(message);
    }
    return world;
}

static void find_place(uint32_t number, double place[3]) {
    const uint32_t row = number / 32;
    place[0] = apart * (double)(number % 32);
    place[1] = 0.0;
    place[2] = apart * (double)row;
}

// Garment `number` hangs from two corners.
static void add_garment(slv_world *world, const crowd *like, const crowd_pack *pack, uint32_t side,
                        uint32_t number) {
    const uint32_t corners[2] = {0, side - 1};
    slv_garment_def def = slv_default_garment_def();
    def.pack_bytes = pack->bytes;
    def.pack_size = pack->size;
    def.fixed = corners;
    def.fixed_count = 2;
    def.particle_mass = 0.0002f;
    def.shear_stiffness = like->shear;
    find_place(number, def.position);
    check(world, slv_world_add_garment(world, &def, NULL));
}

// Capsules below garment `number`, like the bones of an arm that reaches under it.
static void add_capsules(slv_world *world, const crowd *like, uint32_t number,
                         slv_collider_id *ids) {
    for (uint32_t n = 0; n < like->capsules; n++) {
        slv_collider_def def = slv_default_collider_def();
        def.kind = SLV_COLLIDER_CAPSULE;
        def.radius = 0.06f;
        def.length = 0.3f;
        def.rotation[2] = def.rotation[3] = sqrtf(0.5f); // along x
        find_place(number, def.position);
        def.position[0] += 0.25 + 0.5 * (double)(n % 2);
        def.position[1] -= 0.2;
        const uint32_t row = n / 2;
        def.position[2] += 0.1 + 0.2 * (double)row;
        check(world, slv_world_add_collider(world, &def, ids ? ids + n : NULL));
    }
}

// One world with all garments.
static slv_world *make_crowd(const crowd *like, const crowd_pack *pack, slv_collider_id *ids) {
    slv_world *world = make_world(like);
    for (uint32_t i = 0; i < like->count; i++) {
        add_capsules(world, like, i, ids ? ids + (size_t)i * like->capsules : NULL);
    }
    for (uint32_t i = 0; i < like->count; i++) {
        add_garment(world, like, pack, SIDE, i);
    }
    return world;
}

static slv_world **take_worlds(uint32_t count) {
    // NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers
    slv_world **worlds = calloc(count, sizeof *worlds);
    if (!worlds) {
        slv_bench_stop("out of memory");
    }
    return worlds;
}

// A world of one thread for each garment.
static slv_world **make_worlds(const crowd *like, const crowd_pack *pack) {
    slv_world **worlds = take_worlds(like->count);
    crowd alone = *like;
    alone.threads = 1;
    for (uint32_t i = 0; i < like->count; i++) {
        worlds[i] = make_world(&alone);
        add_capsules(worlds[i], &alone, i, NULL);
        add_garment(worlds[i], &alone, pack, SIDE, i);
    }
    return worlds;
}

// --- Frames -----------------------------------------------------------------------------------------

static double step_all(slv_world **worlds, uint32_t count) {
    const double begin = slv_bench_clock();
    for (uint32_t i = 0; i < count; i++) {
        check(worlds[i], slv_world_step(worlds[i], 1));
    }
    return slv_bench_clock() - begin;
}

typedef struct contestant {
    slv_world **worlds;
    uint32_t count;
    double best; // seconds a frame
} contestant;

static void race(contestant *all, int count, uint32_t settling) {
    for (int n = 0; n < count; n++) {
        for (uint32_t s = 0; s < settling; s++) {
            (void)step_all(all[n].worlds, all[n].count);
        }
        all[n].best = 1e9;
    }
    for (int round = 0; round < ROUNDS; round++) {
        for (int n = 0; n < count; n++) {
            const double start = slv_bench_clock();
            while (slv_bench_clock() - start < seconds_a_figure / ROUNDS) {
                const double taken = step_all(all[n].worlds, all[n].count);
                all[n].best = taken < all[n].best ? taken : all[n].best;
            }
        }
    }
}

static void destroy(contestant *one) {
    for (uint32_t i = 0; i < one->count; i++) {
        slv_world_destroy(one->worlds[i]);
    }
    free(one->worlds);
}

static contestant enter(slv_world *world) {
    slv_world **worlds = take_worlds(1);
    worlds[0] = world;
    return (contestant){.worlds = worlds, .count = 1};
}

// 100 garments in one world, with one thread and two, and in 100 worlds of one thread each.
static void measure_frames(slv_bench_report *report, const crowd_pack *pack, float shear,
                           double target) {
    crowd one = {.count = 100, .threads = 1, .capsules = CAPSULES, .shear = shear};
    crowd two = one;
    two.threads = 2;
    contestant all[3] = {enter(make_crowd(&two, pack, NULL)),
                         enter(make_crowd(&one, pack, NULL)),
                         {.worlds = make_worlds(&one, pack), .count = one.count}};
    char name[64];
    race(all, 3, SETTLING);
    const char *kind = shear > 0.0f ? "shear" : "plain";
    (void)snprintf(name, sizeof name, "100 garments, %s, 100 worlds, one thread", kind);
    slv_bench_note(report, name, 1e3 * all[2].best, "ms");
    (void)snprintf(name, sizeof name, "100 garments, %s, one world, one thread", kind);
    slv_bench_note(report, name, 1e3 * all[1].best, "ms");
    (void)snprintf(name, sizeof name, "100 garments, %s, one world, two threads", kind);
    slv_bench_at_most(report, name, 1e3 * all[0].best, target, "ms");
    (void)snprintf(name, sizeof name, "one world over 100, %s, one thread", kind);
    slv_bench_at_most(report, name, all[1].best / all[2].best, 1.05, "x");
    (void)snprintf(name, sizeof name, "two threads over one, 100 garments, %s", kind);
    slv_bench_at_least(report, name, all[1].best / all[0].best, 1.8, "x");
    for (int n = 0; n < 3; n++) {
        destroy(&all[n]);
    }
}

// --- Adding -----------------------------------------------------------------------------------------

// Seconds until the first step can begin, for garments that are added to a world with colliders.
static double time_adding(const crowd *like, const crowd_pack *pack) {
    double best = 1e9;
    for (int round = 0; round < 3; round++) {
        slv_world *world = make_world(like);
        add_capsules(world, like, 0, NULL);
        const double begin = slv_bench_clock();
        for (uint32_t i = 0; i < like->count; i++) {
            add_garment(world, like, pack, SIDE, i);
        }
        check(world, slv_world_step(world, 0));
        const double taken = slv_bench_clock() - begin;
        best = taken < best ? taken : best;
        slv_world_destroy(world);
    }
    return best;
}

static void measure_adding(slv_bench_report *report, const crowd_pack *pack) {
    const crowd some = {.count = 100, .threads = 1, .capsules = CAPSULES};
    crowd many = some;
    many.count = 1000;
    const double first = time_adding(&some, pack);
    const double last = time_adding(&many, pack);
    slv_bench_at_most(report, "adding 100 instances of a pack", 1e3 * first, 5.0, "ms");
    slv_bench_note(report, "adding 1,000 instances", 1e3 * last, "ms");
    slv_bench_at_most(report, "an instance of 1,000 over one of 100", last / first / 10.0, 1.2,
                      "x");
}

// --- Colliders --------------------------------------------------------------------------------------

// Up and down, once a frame.
static void move_capsules(slv_world *world, const slv_collider_id *ids, uint32_t count, int frame) {
    for (uint32_t i = 0; i < count; i++) {
        double position[3];
        float rotation[4];
        check(world, slv_collider_get_pose(world, ids[i], position, rotation));
        position[1] += frame % 20 < 10 ? 0.002 : -0.002;
        check(world, slv_collider_move(world, ids[i], position, rotation, 1));
    }
}

// A game moves all 800 capsules of 100 characters once a frame.
static void measure_moves(slv_bench_report *report, const crowd_pack *pack) {
    const crowd like = {.count = 100, .threads = 2, .capsules = CAPSULES};
    const uint32_t count = like.count * like.capsules;
    slv_collider_id *ids = calloc(count, sizeof *ids);
    if (!ids) {
        slv_bench_stop("out of memory");
    }
    slv_world *world = make_crowd(&like, pack, ids);
    double best_moves = 1e9;
    double best_frame = 1e9;
    for (int frame = 0; frame < 100; frame++) {
        const double begin = slv_bench_clock();
        move_capsules(world, ids, count, frame);
        const double moved = slv_bench_clock();
        check(world, slv_world_step(world, 1));
        const double done = slv_bench_clock();
        best_moves = moved - begin < best_moves ? moved - begin : best_moves;
        best_frame = done - begin < best_frame ? done - begin : best_frame;
    }
    slv_bench_at_most(report, "moving 800 capsules", 1e3 * best_moves, 0.2, "ms");
    slv_bench_note(report, "100 garments on moving capsules, two threads", 1e3 * best_frame, "ms");
    slv_world_destroy(world);
    free(ids);
}

// 400 capes with 8 moving capsules each.
static void measure_capes(slv_bench_report *report, const crowd_pack *pack) {
    const crowd like = {.count = 400, .threads = 2, .capsules = CAPSULES};
    const uint32_t count = like.count * like.capsules;
    slv_collider_id *ids = calloc(count, sizeof *ids);
    if (!ids) {
        slv_bench_stop("out of memory");
    }
    slv_world *world = make_crowd(&like, pack, ids);
    double best = 1e9;
    for (int frame = 0; frame < 60; frame++) {
        const double begin = slv_bench_clock();
        move_capsules(world, ids, count, frame);
        check(world, slv_world_step(world, 1));
        const double taken = slv_bench_clock() - begin;
        best = taken < best ? taken : best;
    }
    slv_bench_at_most(report, "400 capes on moving capsules, two threads", 1e3 * best, 6.0, "ms");
    slv_world_destroy(world);
    free(ids);
}

// --- Threads ----------------------------------------------------------------------------------------

static slv_world *make_single(uint32_t side, const crowd *like) {
    crowd_pack pack = make_pack(make_grid(side, 1, side, spacing, NULL));
    slv_world *world = make_world(like);
    add_garment(world, like, &pack, side, 0);
    free(pack.bytes);
    return world;
}

// One garment: a second thread may bring nothing, but must not cost anything.
static void measure_threads(slv_bench_report *report) {
    const uint32_t sides[] = {16, 32, 64, 98, 100, 108, 128, 300};
    for (size_t n = 0; n < sizeof sides / sizeof *sides; n++) {
        crowd like = {.count = 1, .threads = 1};
        contestant all[2];
        for (int t = 0; t < 2; t++) {
            like.threads = (uint32_t)t + 1;
            all[t] = enter(make_single(sides[n], &like));
        }
        race(all, 2, SETTLING);
        char name[64];
        (void)snprintf(name, sizeof name, "two threads over one, %u x %u", sides[n], sides[n]);
        slv_bench_at_least(report, name, all[0].best / all[1].best, sides[n] < 100 ? 1.0 : 1.6,
                           "x");
        destroy(&all[0]);
        destroy(&all[1]);
    }
}

static bool has_set(const char *name) {
    slv_world *world = NULL;
    slv_world_def def = slv_default_world_def();
    def.instruction_set = name;
    const bool has = slv_world_create(&def, &world, NULL, 0) == SLV_OK;
    slv_world_destroy(world);
    return has;
}

// Widths whose rows end in part of a vector of sixteen.
static void measure_tails(slv_bench_report *report) {
    const char *const sets[2] = {"avx2", "avx512"};
    if (!has_set(sets[0]) || !has_set(sets[1])) {
        return;
    }
    const uint32_t sides[] = {98, 108};
    for (size_t n = 0; n < sizeof sides / sizeof *sides; n++) {
        for (uint32_t threads = 1; threads <= 2; threads++) {
            contestant all[2];
            for (int s = 0; s < 2; s++) {
                const crowd like = {.count = 1, .threads = threads, .instruction_set = sets[s]};
                all[s] = enter(make_single(sides[n], &like));
            }
            race(all, 2, SETTLING);
            char name[64];
            (void)snprintf(name, sizeof name, "avx512 over avx2, %u x %u, threads: %u", sides[n],
                           sides[n], threads);
            slv_bench_at_least(report, name, all[0].best / all[1].best, 1.0, "x");
            destroy(&all[0]);
            destroy(&all[1]);
        }
    }
}

int main(int count, char **arguments) {
    const char *const parts[] = {"frames", "adding", "moves", "capes", "threads", "tails", NULL};
    slv_bench_option only = {"--only", "PART",
                             "measure one part: frames, adding, moves, capes, threads, tails",
                             parts, NULL};
    const char *json =
        slv_bench_arguments(count, arguments, "Crowds: many garments in one world.", &only, 1);
    slv_bench_report report;
    slv_bench_begin(&report, json);
    crowd_pack pack = make_pack(make_grid(SIDE, 1, SIDE, spacing, NULL));
    for (const char *const *part = parts; *part; part++) {
        if (only.value && strcmp(only.value, *part) != 0) {
            continue;
        }
        if (strcmp(*part, "frames") == 0) {
            measure_frames(&report, &pack, 0.0f, 1.2);
            measure_frames(&report, &pack, 100.0f, 2.4);
        } else if (strcmp(*part, "adding") == 0) {
            measure_adding(&report, &pack);
        } else if (strcmp(*part, "moves") == 0) {
            measure_moves(&report, &pack);
        } else if (strcmp(*part, "capes") == 0) {
            measure_capes(&report, &pack);
        } else if (strcmp(*part, "threads") == 0) {
            measure_threads(&report);
        } else {
            measure_tails(&report);
        }
    }
    free(pack.bytes);
    slv_bench_end(&report);
    return 0;
}

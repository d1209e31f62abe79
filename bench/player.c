// SPDX-License-Identifier: MIT
// CPU time of the player per picture, without the driver, and the time from start to the first picture.
//   bench-player [--json FILE] [--player FILE]
#define _POSIX_C_SOURCE 200809L
#include "bench/bench_report.h"
#include "runtime/player/output/offscreen_context.h"
#include "runtime/player/view/cloth_view.h"
#include "runtime/player/view/environment.h"
#include "runtime/player/view/snapshot.h"
#include "tests/common/generated_garment.h"
#include "tools/common/console.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WARM_RUNS = 5 };

static void die(const char *what) {
    (void)fprintf(stderr, "bench-player: %s\n", what);
    exit(1);
}

static slv_world *make_world(const char *path) {
    char message[512] = "";
    slv_world_def def = slv_default_world_def();
    slv_garment_def garment = slv_default_garment_def();
    slv_world *world = NULL;
    slv_garment_id id;
    garment.pack_path = path;
    def.threads = 1;
    if (slv_world_create(&def, &world, message, sizeof message) != SLV_OK ||
        slv_world_add_garment(world, &garment, &id) != SLV_OK) {
        die(world ? slv_world_get_message(world) : message);
    }
    return world;
}

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

// Milliseconds per picture: reads positions from the world, computes the frame block, writes positions to an OpenGL
// buffer. Median of several; processor time of this thread.
static double measure_picture(slv_world *world, slv_cloth_view *view, slv_snapshots *snapshots,
                              double *gather) {
    enum { TIMES = 31 };
    double all[TIMES];
    double gathers[TIMES];
    slv_environment stage = {.radius = 0.0f};
    const slv_camera camera = slv_camera_look(slv_v3(0, 1, 3), slv_v3(0, 1, 0));
    slv_frame_block block;
    for (int i = 0; i < TIMES; i++) {
        if (slv_world_step(world, 1) != SLV_OK) {
            die(slv_world_get_message(world));
        }
        const double begin = slv_bench_seconds();
        slv_snapshot *snapshot = slv_snapshots_get_back(snapshots);
        (void)slv_snapshot_fill(snapshot, world, true);
        slv_snapshots_publish(snapshots);
        gathers[i] = slv_bench_seconds() - begin;
        const slv_snapshot *newest = slv_snapshots_get_newest(snapshots, NULL);
        slv_environment_fit(&stage, newest->low, newest->high);
        slv_environment_fill(&stage, &camera, 1280, 720, 2048, &block);
        slv_cloth_view_upload(view, newest->positions);
        all[i] = slv_bench_seconds() - begin;
    }
    qsort(all, TIMES, sizeof *all, compare);
    qsort(gathers, TIMES, sizeof *gathers, compare);
    *gather = 1000.0 * gathers[TIMES / 2];
    return 1000.0 * all[TIMES / 2];
}

static void bench_cloth(slv_bench_report *report, uint32_t side, double target) {
    char path[] = "/tmp/bench-player-XXXXXX";
    char name[64];
    const int file = mkstemp(path);
    slv_error error = {0};
    slv_snapshots snapshots;
    slv_cloth_view view;
    slv_garment_structure structure;
    double gather = 0.0;
    generated_write_and_free(make_grid(side, 1, side, 0.01f, NULL), path);
    slv_world *world = make_world(path);
    (void)unlink(path);
    (void)close(file);
    if (slv_snapshots_make(&snapshots, world, 0, &error) != SLV_OK ||
        slv_garment_get_structure(world, slv_world_get_garment(world, 0), &structure) != SLV_OK ||
        slv_cloth_view_make(&view, &structure, slv_snapshots_get_back(&snapshots)->positions,
                            (const uint8_t[3]){200, 60, 60}, &error) != SLV_OK) {
        die(error.text);
    }
    const double picture = measure_picture(world, &view, &snapshots, &gather);
    (void)snprintf(name, sizeof name, "player, CPU time per picture, %ux%u", side, side);
    slv_bench_at_most(report, name, picture, target, "ms");
    (void)snprintf(name, sizeof name, "  of it reading positions, %ux%u", side, side);
    slv_bench_note(report, name, gather, "ms");
    slv_cloth_view_free(&view);
    slv_snapshots_free(&snapshots);
    slv_world_destroy(world);
}

// The command that draws the first picture: in a window of the default size on the display or under Xvfb; otherwise
// off-screen in that size.
static const char *find_stage(char *command, size_t room, const char *play, const char *path) {
    const bool display = getenv("DISPLAY") != NULL;
    if (display || system("command -v xvfb-run >/dev/null") == 0) { // NOLINT(cert-env33-c)
        (void)snprintf(
            command, room,
            "%s sh -c 'for run in 0 1 2 3 4 5; do \"%.400s\" %s --frames 1 --verbose 2>&1 || "
            "exit 1; done'",
            display ? "" : "xvfb-run -a -s \"-screen 0 1280x720x24\"", play, path);
        return display ? "window, start to first picture, warm"
                       : "window (Xvfb), start to first picture, warm";
    }
    (void)snprintf(
        command, room,
        "for run in 0 1 2 3 4 5; do '%.400s' %s --offscreen 1280x720 --screenshot %s.png "
        "--frame 0 --verbose 2>&1 || exit 1; done",
        play, path, path);
    return "off-screen, start to first picture, warm";
}

// Runs the program on a cloth pack of about 10 MB and reads the time of its first picture. The first run warms the
// page cache and the driver's shader cache and is not counted. The median of the others is the figure. A software
// driver takes nearly all of this time.
static void bench_first_picture(slv_bench_report *report, const char *play) {
    char path[] = "/tmp/bench-player-XXXXXX";
    char command[1400];
    char line[512];
    const int file = mkstemp(path);
    double seconds[1 + WARM_RUNS];
    int runs = 0;
    (void)snprintf(command, sizeof command,
                   "'%s' --shape grid:268x268 --spacing 0.005 -o %s --quiet", SLV_VOXELIZE_PROGRAM,
                   path);
    if (system(command) != 0) { // NOLINT(cert-env33-c)
        die("selvage-voxelize made no pack");
    }
    struct stat written;
    const double megabytes = stat(path, &written) == 0 ? (double)written.st_size / 1e6 : 0.0;
    const char *name = find_stage(command, sizeof command, play, path);
    FILE *out = popen(command, "r"); // NOLINT(cert-env33-c)
    while (out && fgets(line, sizeof line, out)) {
        const char *at = strstr(line, "first picture after ");
        if (at && runs <= WARM_RUNS) {
            seconds[runs++] = strtod(at + strlen("first picture after "), NULL);
        }
    }
    if (!out || pclose(out) != 0 || runs != 1 + WARM_RUNS) {
        die("selvage-play drew nothing");
    }
    qsort(seconds + 1, WARM_RUNS, sizeof *seconds, compare);
    slv_bench_note(report, "pack", megabytes, "MB");
    slv_bench_at_most(report, name, seconds[1 + WARM_RUNS / 2], 0.5, "s");
    slv_bench_note(report, "  fastest run", seconds[1], "s");
    slv_bench_note(report, "  slowest run", seconds[WARM_RUNS], "s");
    (void)snprintf(command, sizeof command, "%s.png", path);
    (void)unlink(command);
    (void)unlink(path);
    (void)close(file);
}

int main(int argc, char **argv) {
    slv_bench_option options[] = {{"--player", "FILE", "path of selvage-play", NULL, NULL}};
    const char *json = slv_bench_arguments(
        argc, argv, "CPU time of the player per picture, and time to the first picture.", options,
        1);
    slv_bench_report report;
    slv_offscreen_context *offscreen = NULL;
    slv_gl_info info;
    slv_error error = {0};
    if (slv_offscreen_open(false, &offscreen, &info, &error) != SLV_OK) {
        (void)printf("skipped: %s\n", error.text);
        return 0;
    }
    slv_bench_begin(&report, json);
    bench_cloth(&report, 100, 0.5);
    bench_cloth(&report, 1000, 5.0);
    slv_offscreen_close(offscreen);
    bench_first_picture(&report, options[0].value ? options[0].value : SLV_PLAY_PROGRAM);
    slv_bench_end(&report);
    return 0;
}

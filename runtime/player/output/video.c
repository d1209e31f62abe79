// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "runtime/player/output/video.h"

#include "formats/atomic_file.h"
#include "formats/unnamed_file.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct slv_video {
    pid_t child;
    int pipe;
    size_t frame_size;
    char *path;
    slv_atomic_file *file;
    int encoded; // what ffmpeg writes: it goes back to the start of the file, so that this is none of the target's
};

extern char **environ;

// "file:" prevents ffmpeg from reading the name as a protocol.
#define ENCODED_IN_CHILD 3
static char encoded_name[] = "file:/dev/fd/3";

enum { ARGUMENTS_MOST = 40 };

static slv_result no_memory(slv_error *error) {
    return slv_fail(error, SLV_ERROR_MEMORY, "out of memory for the video");
}

// --- Starting ------------------------------------------------------------------------------------

static void list_arguments(slv_video_kind kind, char *size, char *rate,
                           char *arguments[ARGUMENTS_MOST]) {
    static char *const input[] = {"ffmpeg", "-y",       "-loglevel", "error",
                                  "-f",     "rawvideo", "-pix_fmt",  "rgb24"};
    static char *const mp4[] = {"-vf",       "pad=ceil(iw/2)*2:ceil(ih/2)*2",
                                "-c:v",      "libx264",
                                "-preset",   "medium",
                                "-crf",      "18",
                                "-pix_fmt",  "yuv420p",
                                "-movflags", "+faststart",
                                "-f",        "mp4"};
    static char palette[] = "fps=25,split[a][b];[a]palettegen=stats_mode=diff[p];"
                            "[b][p]paletteuse=dither=bayer:bayer_scale=4";
    static char *const gif[] = {"-vf", palette, "-f", "gif"};
    size_t n = 0;
    for (size_t i = 0; i < sizeof input / sizeof *input; i++) {
        arguments[n++] = input[i];
    }
    arguments[n++] = "-s";
    arguments[n++] = size;
    arguments[n++] = "-r";
    arguments[n++] = rate;
    arguments[n++] = "-i";
    arguments[n++] = "-";
    char *const *how = kind == SLV_VIDEO_GIF ? gif : mp4;
    const size_t count =
        kind == SLV_VIDEO_GIF ? sizeof gif / sizeof *gif : sizeof mp4 / sizeof *mp4;
    for (size_t i = 0; i < count; i++) {
        arguments[n++] = how[i];
    }
    arguments[n++] = encoded_name;
    arguments[n] = NULL;
}

static slv_result start(slv_video *video, char *arguments[ARGUMENTS_MOST], slv_error *error) {
    int ends[2];
    if (pipe(ends) != 0) {
        return slv_fail(error, SLV_ERROR_MEMORY, "cannot make a pipe: %s", strerror(errno));
    }
    (void)fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    posix_spawn_file_actions_t actions;
    (void)posix_spawn_file_actions_init(&actions);
    (void)posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
    (void)posix_spawn_file_actions_addclose(&actions, ends[0]);
    (void)posix_spawn_file_actions_adddup2(&actions, video->encoded, ENCODED_IN_CHILD);
    const int failure = posix_spawnp(&video->child, "ffmpeg", &actions, NULL, arguments, environ);
    (void)posix_spawn_file_actions_destroy(&actions);
    (void)close(ends[0]);
    if (failure != 0) {
        (void)close(ends[1]);
        video->child = 0;
        return slv_fail(error, SLV_ERROR_UNSUPPORTED,
                        "videos need the program ffmpeg, which cannot be started: %s; --png DIR "
                        "writes the frames without it",
                        strerror(failure));
    }
    video->pipe = ends[1];
    return SLV_OK;
}

static slv_result open_files(slv_video *video, slv_error *error) {
    slv_error reason = {0};
    if (slv_atomic_open(video->path, &video->file, &reason) != SLV_OK) {
        return slv_fail(error, reason.code, "%.300s: %s", video->path, reason.text);
    }
    video->encoded = slv_unnamed_file(video->path);
    return video->encoded >= 0
               ? SLV_OK
               : slv_fail(error, SLV_ERROR_FILE, "%.300s: cannot create a temporary file: %s",
                          video->path, strerror(errno));
}

slv_result slv_video_open(slv_video **video, slv_video_kind kind, const char *path, int width,
                          int height, double frames_per_second, slv_error *error) {
    slv_video *v = calloc(1, sizeof *v);
    *video = v;
    if (v == NULL) {
        return no_memory(error);
    }
    v->pipe = -1;
    v->encoded = -1;
    v->frame_size = (size_t)width * (size_t)height * 3;
    v->path = strdup(path);
    if (!v->path) {
        return no_memory(error);
    }
    if (open_files(v, error) != SLV_OK) {
        return error->code;
    }
    char size[32];
    char rate[32];
    char *arguments[ARGUMENTS_MOST];
    (void)snprintf(size, sizeof size, "%dx%d", width, height);
    (void)snprintf(rate, sizeof rate, "%.6f", frames_per_second);
    list_arguments(kind, size, rate, arguments);
    return start(v, arguments, error);
}

// --- Writing -------------------------------------------------------------------------------------

slv_result slv_video_add(slv_video *video, const uint8_t *pixels, slv_error *error) {
    size_t done = 0;
    while (done < video->frame_size) {
        const ssize_t written = write(video->pipe, pixels + done, video->frame_size - done);
        if (written < 0 && errno != EINTR) {
            return slv_fail(error, SLV_ERROR_FILE, "%.300s: ffmpeg takes no more frames: %s",
                            video->path, strerror(errno));
        }
        done += written > 0 ? (size_t)written : 0;
    }
    return SLV_OK;
}

// Closes the pipe and waits for ffmpeg; true if it succeeded.
static bool wait_for_end(slv_video *video) {
    int status = 0;
    if (video->pipe >= 0) {
        (void)close(video->pipe);
        video->pipe = -1;
    }
    if (video->child <= 0) {
        return false;
    }
    while (waitpid(video->child, &status, 0) < 0 && errno == EINTR) {
    }
    video->child = 0;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void free_video(slv_video *video) {
    if (video->encoded >= 0) {
        (void)close(video->encoded);
    }
    slv_atomic_abandon(video->file);
    free(video->path);
    free(video);
}

static slv_result copy_encoded(slv_video *video, slv_error *error) {
    slv_result result = SLV_OK;
    unsigned char bytes[1 << 14];
    ssize_t got = 0;
    off_t at = 0;
    do {
        got = pread(video->encoded, bytes, sizeof bytes, at);
        if (got < 0 && errno != EINTR) {
            return slv_fail(error, SLV_ERROR_FILE, "cannot read its temporary file: %s",
                            strerror(errno));
        }
        if (got > 0) {
            result = slv_atomic_write(video->file, bytes, (size_t)got, error);
            at += got;
        }
    } while (got != 0 && result == SLV_OK);
    if (result == SLV_OK) {
        slv_atomic_file *file = video->file;
        video->file = NULL;
        result = slv_atomic_commit(file, error);
    }
    return result;
}

slv_result slv_video_finish(slv_video *video, slv_error *error) {
    slv_result result = SLV_OK;
    slv_error reason = {0};
    if (!wait_for_end(video)) {
        result = slv_fail(error, SLV_ERROR_FILE, "%.300s: ffmpeg failed; its messages are above",
                          video->path);
    } else if (copy_encoded(video, &reason) != SLV_OK) {
        result = slv_fail(error, reason.code, "%.300s: %s", video->path, reason.text);
    }
    free_video(video);
    return result;
}

void slv_video_abandon(slv_video *video) {
    if (video == NULL) {
        return;
    }
    (void)wait_for_end(video);
    free_video(video);
}

// SPDX-License-Identifier: MIT
// Videos, encoded by ffmpeg, which runs as a child process and reads raw frames from a pipe: no shell, no temporary
// pictures. The file appears under its name when it is complete.
#ifndef SLV_PLAYER_VIDEO_H
#define SLV_PLAYER_VIDEO_H

#include "formats/result.h"

#include <stdint.h>

typedef enum slv_video_kind { SLV_VIDEO_MP4, SLV_VIDEO_GIF } slv_video_kind;

typedef struct slv_video slv_video;

// SLV_ERROR_UNSUPPORTED without ffmpeg.
slv_result slv_video_open(slv_video **video, slv_video_kind kind, const char *path, int width,
                          int height, double frames_per_second, slv_error *error);
// pixels is [height][width][3], rows from the top.
slv_result slv_video_add(slv_video *video, const uint8_t *pixels, slv_error *error);
// Completes the file and frees the video, also on failure.
slv_result slv_video_finish(slv_video *video, slv_error *error);
void slv_video_abandon(slv_video *video); // NULL is fine

#endif

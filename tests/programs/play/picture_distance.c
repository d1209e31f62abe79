// SPDX-License-Identifier: MIT
// The visible difference of two pictures: picture_distance A.png B.png MOST-MEAN MOST-BLOCK
//
// Both pictures are averaged over blocks of 4 x 4 pixels, so that shifts of edges by a pixel and noise do not count.
// Levels are sRGB, 0 to 255, which are nearly uniform for the eye. Exit status 0 where the mean and the largest
// difference of blocks are within the limits.
#include <png.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 4 };

typedef struct picture {
    int width, height;
    uint8_t *pixels;
} picture;

static picture read_picture(const char *path) {
    png_image image;
    memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    picture p = {0};
    if (png_image_begin_read_from_file(&image, path)) {
        image.format = PNG_FORMAT_RGB;
        p.pixels = malloc(PNG_IMAGE_SIZE(image));
        if (p.pixels && png_image_finish_read(&image, NULL, p.pixels, 0, NULL)) {
            p.width = (int)image.width;
            p.height = (int)image.height;
        }
    }
    if (p.width == 0) {
        (void)fprintf(stderr, "%s: cannot be read: %s\n", path, image.message);
        exit(2);
    }
    return p;
}

static double block_mean(const picture *p, int left, int top, int channel) {
    double sum = 0.0;
    int count = 0;
    for (int y = top; y < top + BLOCK && y < p->height; y++) {
        for (int x = left; x < left + BLOCK && x < p->width; x++, count++) {
            sum += p->pixels[3 * (y * p->width + x) + channel];
        }
    }
    return sum / count;
}

static double block_difference(const picture *a, const picture *b, int left, int top) {
    double largest = 0.0;
    for (int channel = 0; channel < 3; channel++) {
        double d = block_mean(a, left, top, channel) - block_mean(b, left, top, channel);
        d = d < 0.0 ? -d : d;
        largest = d > largest ? d : largest;
    }
    return largest;
}

int main(int argc, char **argv) {
    if (argc != 5) {
        (void)fprintf(stderr, "usage: picture_distance A.png B.png MOST-MEAN MOST-BLOCK\n");
        return 2;
    }
    const picture a = read_picture(argv[1]);
    const picture b = read_picture(argv[2]);
    if (a.width != b.width || a.height != b.height) {
        (void)printf("%d x %d and %d x %d\n", a.width, a.height, b.width, b.height);
        return 1;
    }
    double sum = 0.0;
    double largest = 0.0;
    int count = 0;
    for (int y = 0; y < a.height; y += BLOCK) {
        for (int x = 0; x < a.width; x += BLOCK, count++) {
            const double d = block_difference(&a, &b, x, y);
            sum += d;
            largest = d > largest ? d : largest;
        }
    }
    const double mean = sum / count;
    (void)printf("mean %.2f, largest %.1f\n", mean, largest);
    free(a.pixels);
    free(b.pixels);
    return mean <= strtod(argv[3], NULL) && largest <= strtod(argv[4], NULL) ? 0 : 1;
}

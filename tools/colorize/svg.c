// SPDX-License-Identifier: MIT
#include "tools/colorize/svg.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { SIZE = 900, MARGIN = 30, BARS = 260, BAR_MAX = 22 };

typedef struct drawing {
    const slv_garment *garment;
    slv_atomic_file *file;
    const float *across, *up; // coordinates seen
    double low[2];
    double scale;  // pixels a metre
    double height; // pixels
    double size;   // metres, of the longer side
    char buffer[8192];
    size_t used;
    slv_result result;
    slv_error *error;
} drawing;

static void flush(drawing *d) {
    if (d->result == SLV_OK && d->used > 0) {
        d->result = slv_atomic_write(d->file, d->buffer, d->used, d->error);
    }
    d->used = 0;
}

SLV_PRINTF(2, 3) static void put(drawing *d, const char *format, ...) {
    enum { LINE = 512 };
    va_list arguments;
    if (d->used + LINE > sizeof d->buffer) {
        flush(d);
    }
    va_start(arguments, format);
    d->used += (size_t)vsnprintf(d->buffer + d->used, LINE, format, arguments);
    va_end(arguments);
}

// One channel, 0 … 255, of a hue in degrees: for green subtract 120, for blue 240.
static uint32_t channel(uint32_t degrees, uint32_t dark, uint32_t bright) {
    const uint32_t d = degrees % 360u;
    const uint32_t rise = d < 60 ? 60 : d < 120 ? 120 - d : d < 240 ? 0 : d < 300 ? d - 240 : 60;
    return dark + (bright - dark) * rise / 60;
}

// Hues a golden angle apart, so that consecutive colors differ clearly. Integer arithmetic gives
// the same colors everywhere; RGB, because not all SVG readers support HSL.
static void put_color(drawing *d, uint32_t color) {
    if (color == SLV_UNCOLORED) {
        put(d, "#999");
    } else {
        const uint32_t degrees = color * 1375u / 10u % 360u;
        const uint32_t light = 38u + color / 3u % 3u * 9u; // of a hundred
        const uint32_t spread = 7 * (light < 50 ? light : 100 - light) / 10;
        const uint32_t dark = (light - spread) * 255 / 100, bright = (light + spread) * 255 / 100;
        put(d, "#%02x%02x%02x", channel(degrees, dark, bright),
            channel(degrees + 240, dark, bright), channel(degrees + 120, dark, bright));
    }
}

// Projects along the axis of the smallest extent: to x and y, x and z, or z and y.
static void set_view(drawing *d) {
    const slv_garment *garment = d->garment;
    const float *axes[3] = {garment->x, garment->y, garment->z};
    const float *low = garment->info.bounds_min;
    const float *high = garment->info.bounds_max;
    double extent[3];
    for (int axis = 0; axis < 3; axis++) {
        extent[axis] = (double)high[axis] - (double)low[axis];
    }
    int thin = 2;
    thin = extent[1] < extent[thin] ? 1 : thin;
    thin = extent[0] < extent[thin] ? 0 : thin;
    const int across = thin == 0 ? 2 : 0;
    const int up = thin == 1 ? 2 : 1;
    d->across = axes[across];
    d->up = axes[up];
    d->low[0] = (double)low[across];
    d->low[1] = (double)low[up];
    d->size = extent[across] > extent[up] ? extent[across] : extent[up];
    d->size = d->size > 0 ? d->size : 1;
    d->scale = (SIZE - 2 * MARGIN) / d->size;
    d->height = extent[up] * d->scale + 2 * MARGIN;
}

static double drawn_x(const drawing *d, uint32_t p) {
    return MARGIN + ((double)d->across[p] - d->low[0]) * d->scale;
}

static double drawn_y(const drawing *d, uint32_t p) {
    return d->height - MARGIN - ((double)d->up[p] - d->low[1]) * d->scale;
}

// --- The garment ------------------------------------------------------------------------------------

static void draw_group(drawing *d, const slv_constraint_group *group) {
    const slv_constraints *set = &d->garment->constraints[group->kind];
    put(d, "<path fill=\"none\" stroke=\"");
    put_color(d, group->color);
    put(d, "\" d=\"");
    for (uint64_t i = group->first; i < group->first + group->count; i++) {
        for (uint32_t e = 0; e + 1 < slv_constraint_kinds[group->kind].arity; e++) {
            const uint32_t a = slv_garment_get_original(d->garment, set->ends[e][i]);
            const uint32_t b = slv_garment_get_original(d->garment, set->ends[e + 1][i]);
            put(d, "M%.1f %.1fL%.1f %.1f", drawn_x(d, a), drawn_y(d, a), drawn_x(d, b),
                drawn_y(d, b));
        }
        put(d, "\n");
    }
    put(d, "\"/>\n");
}

// The first kind that the garment has.
static uint32_t drawn_kind(const slv_garment *garment) {
    for (uint32_t kind = SLV_CONSTRAINT_FIRST; kind < SLV_CONSTRAINT_END; kind++) {
        if (garment->constraints[kind].count > 0) {
            return kind;
        }
    }
    return SLV_CONSTRAINT_DISTANCE;
}

static void draw_constraints(drawing *d) {
    const uint32_t kind = drawn_kind(d->garment);
    for (uint32_t g = 0; g < d->garment->group_count; g++) {
        if (d->garment->groups[g].kind == kind) {
            draw_group(d, &d->garment->groups[g]);
        }
    }
}

static void draw_phantoms(drawing *d) {
    const slv_phantom_constraints *phantoms = &d->garment->phantoms;
    for (uint32_t i = 0; i < phantoms->count; i++) {
        put(d, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"none\" stroke=\"#000\"/>\n",
            drawn_x(d, phantoms->original[i]), drawn_y(d, phantoms->original[i]));
    }
}

static void draw_particles(drawing *d) {
    const double spacing = (double)d->garment->info.spacing * d->scale;
    const double radius = spacing > 3 ? 0.3 * spacing : 1;
    for (uint32_t c = 0; c < d->garment->color_count; c++) {
        const slv_color_range *range = &d->garment->colors[c];
        put(d, "<g fill=\"");
        put_color(d, range->color);
        put(d, "\">\n");
        for (uint32_t p = range->first; p < range->first + range->count; p++) {
            put(d, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/>\n", drawn_x(d, p), drawn_y(d, p),
                radius);
        }
        put(d, "</g>\n");
    }
}

// --- The bars ---------------------------------------------------------------------------------------

typedef struct bars {
    double top, step;
    uint64_t largest;
} bars;

static void draw_bar(drawing *d, const bars *b, uint32_t nth, uint32_t color, uint64_t size) {
    const double y = b->top + nth * b->step;
    const double length = (double)size * (BARS - 100) / (double)b->largest;
    put(d, "<rect x=\"%d\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"", SIZE + 10, y, length,
        0.8 * b->step);
    put_color(d, color);
    put(d, "\"/>\n");
    if (b->step >= 9) {
        put(d, "<text x=\"%.1f\" y=\"%.1f\">%llu</text>\n", SIZE + 16 + length, y + 0.65 * b->step,
            (unsigned long long)size);
    }
}

static bars bars_for(drawing *d, const char *what, uint32_t count, uint64_t largest) {
    put(d, "<text x=\"%d\" y=\"%d\">Size of each %s color</text>\n", SIZE + 10, MARGIN - 8, what);
    double step = (d->height - 2 * MARGIN) / (count > 0 ? count : 1);
    step = step < BAR_MAX ? step : BAR_MAX;
    return (bars){MARGIN, step, largest > 0 ? largest : 1};
}

static void draw_constraint_bars(drawing *d) {
    const slv_garment *garment = d->garment;
    const uint32_t kind = drawn_kind(garment);
    uint64_t largest = 0;
    uint32_t count = 0;
    for (uint32_t g = 0; g < garment->group_count; g++) {
        const slv_constraint_group *group = &garment->groups[g];
        count += group->kind == kind;
        largest = group->kind == kind && group->count > largest ? group->count : largest;
    }
    const bars b = bars_for(d, slv_constraint_kinds[kind].name, count, largest);
    for (uint32_t g = 0, nth = 0; g < garment->group_count; g++) {
        if (garment->groups[g].kind == kind) {
            draw_bar(d, &b, nth++, garment->groups[g].color, garment->groups[g].count);
        }
    }
}

static void draw_particle_bars(drawing *d) {
    uint64_t largest = 0;
    for (uint32_t c = 0; c < d->garment->color_count; c++) {
        const uint32_t count = d->garment->colors[c].count;
        largest = count > largest ? count : largest;
    }
    const bars b = bars_for(d, "particle", d->garment->color_count, largest);
    for (uint32_t c = 0; c < d->garment->color_count; c++) {
        draw_bar(d, &b, c, d->garment->colors[c].color, d->garment->colors[c].count);
    }
}

slv_result slv_svg_write(const slv_garment *garment, slv_color_what of, slv_atomic_file *file,
                         slv_error *error) {
    drawing d = {.garment = garment, .file = file, .error = error};
    set_view(&d);
    put(&d,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%.0f\" "
        "font-family=\"sans-serif\" font-size=\"11\" stroke-width=\"1.2\">\n",
        SIZE + BARS, d.height);
    put(&d, "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n");
    if (of & SLV_OF_CONSTRAINTS) {
        draw_constraints(&d);
        draw_phantoms(&d);
        draw_constraint_bars(&d);
    } else {
        draw_particles(&d);
        draw_particle_bars(&d);
    }
    put(&d, "</svg>\n");
    flush(&d);
    return d.result;
}

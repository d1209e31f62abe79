// SPDX-License-Identifier: MIT
// Names inside a pack are untrusted: control characters are replaced before printing.
#include "tools/inspect/summary.h"

#include "formats/number_text.h"
#include "tools/inspect/provenance.h"

#include <stdio.h>
#include <string.h>

enum { COUNT_ROOM = 32, SIZE_ROOM = 32, COLORS_SHOWN = 8, SETS_SHOWN = 24 };

typedef struct summary_page {
    slv_output *output;
    bool styled;
} summary_page;

static void heading(summary_page *page, const char *text) {
    const char *on = page->styled ? "\033[1m" : "";
    const char *off = page->styled ? "\033[0m" : "";
    slv_output_format(page->output, "\n%s%s%s\n", on, text, off);
}

// Prints "  Label       "; the text of the caller follows on the same line.
static void label(summary_page *page, const char *text) {
    slv_output_format(page->output, "  %-12s ", text);
}

static void safe_text(summary_page *page, const char *text, size_t length) {
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        slv_output_bytes(page->output, c < 0x20 || c == 0x7F ? "?" : text + i, 1);
    }
}

// 1234567 as "1,234,567".
static const char *count_text(uint64_t count, char text[COUNT_ROOM]) {
    char digits[SLV_NUMBER_TEXT];
    size_t length = slv_text_of_uint(count, digits);
    size_t used = 0;
    for (size_t i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0) {
            text[used++] = ',';
        }
        text[used++] = digits[i];
    }
    text[used] = '\0';
    return text;
}

static const char *size_text(uint64_t bytes, char text[SIZE_ROOM]) {
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    double size = (double)bytes;
    unsigned unit = 0;
    while (size >= 1024.0 && unit < 4) {
        size /= 1024.0;
        unit++;
    }
    int decimals = unit > 0 && size < 100.0;
    (void)snprintf(text, SIZE_ROOM, "%.*f %s", decimals, size, units[unit]);
    return text;
}

static void print_head(summary_page *page, const slv_inspected_pack *inspected) {
    const slv_pack_header *header = slv_pack_get_header(inspected->pack);
    char size[SIZE_ROOM];
    safe_text(page, inspected->path, strlen(inspected->path));
    slv_output_format(page->output, ": %s pack, format %u.%u, %s, verified\n",
                      inspected->is_collider ? "collider" : "garment", header->version_major,
                      header->version_minor, size_text(header->file_size, size));
}

static void print_sections(summary_page *page, const slv_inspected_pack *inspected) {
    uint32_t count = 0;
    const slv_section_entry *entries = slv_pack_get_entries(inspected->pack, &count);
    heading(page, "Sections");
    slv_output_format(page->output, "  %-4s  %-34s  %-5s  %10s  %10s  %s\n", "name", "holds",
                      "codec", "stored", "raw", "checksum");
    for (uint32_t i = 0; i < count; i++) {
        char name[5];
        char stored[SIZE_ROOM];
        char raw[SIZE_ROOM];
        const slv_section_info *info = slv_section_find(entries[i].kind);
        slv_output_format(
            page->output, "  %-4s  %-34s  %-5s  %10s  %10s  ok\n",
            slv_section_get_name(entries[i].kind, name),
            info ? info->holds : "(unknown to this version)", slv_codec_name(entries[i].codec),
            size_text(entries[i].stored_size, stored), size_text(entries[i].raw_size, raw));
    }
}

static void print_particles(summary_page *page, const slv_garment *garment) {
    char count[COUNT_ROOM];
    uint64_t fixed = 0;
    for (uint32_t i = 0; i < garment->info.particle_count; i++) {
        fixed += garment->inverse_mass[i] == 0.0f;
    }
    label(page, "particles");
    slv_output_text(page->output, count_text(garment->info.particle_count, count));
    if (fixed > 0) {
        slv_output_format(page->output, ", %s of them fixed", count_text(fixed, count));
    }
    if (garment->phantoms.copies > 0) {
        slv_output_format(page->output, ", and %s phantoms",
                          count_text(garment->phantoms.copies, count));
    }
    slv_output_text(page->output, "\n");
}

static void print_clusters(summary_page *page, const slv_garment *garment) {
    char count[COUNT_ROOM];
    const slv_clusters *clusters = &garment->clusters;
    if (clusters->count == 0) {
        return;
    }
    label(page, "clusters");
    slv_output_text(page->output, count_text(clusters->count, count));
    slv_output_format(page->output, ", of %s members\n", count_text(clusters->member_count, count));
}

static void print_factor(summary_page *page, const slv_garment *garment) {
    char count[COUNT_ROOM];
    const slv_factor *factor = &garment->factor;
    if (factor->block_count == 0) {
        return;
    }
    label(page, "factor");
    slv_output_format(page->output, "for steps of %g s, ", factor->time_step);
    slv_output_format(page->output, "%s values\n", count_text(factor->value_count, count));
}

// "red 0 to 255, blue 10 to 255": channels that are not constant 255.
static void print_paint(summary_page *page, const slv_garment *garment) {
    bool any = false;
    if (!garment->paint) {
        return;
    }
    label(page, "paint");
    for (size_t k = 0; k < 4; k++) {
        uint8_t least;
        uint8_t most;
        slv_paint_range(garment, k, &least, &most);
        if (least < UINT8_MAX) {
            slv_output_format(page->output, "%s%s %u to %u", any ? ", " : "", slv_paint_names[k],
                              least, most);
            any = true;
        }
    }
    slv_output_text(page->output, any ? " of 255\n" : "all white\n");
}

// Appends the size of a color: "5,000 + 5,000 + … 12 more".
static void color_size(summary_page *page, uint32_t nth, uint32_t total, uint64_t size) {
    char text[COUNT_ROOM];
    if (nth < COLORS_SHOWN) {
        slv_output_format(page->output, "%s%s", nth ? " + " : "", count_text(size, text));
    } else if (nth == COLORS_SHOWN) {
        slv_output_format(page->output, " + %u more", total - COLORS_SHOWN);
    }
}

static void print_colors(summary_page *page, const slv_garment *garment) {
    label(page, "colors");
    if (garment->color_count == 0 || garment->colors[0].color == SLV_UNCOLORED) {
        slv_output_text(page->output, "none yet\n");
        return;
    }
    slv_output_format(page->output, "%u: ", garment->color_count);
    for (uint32_t i = 0; i < garment->color_count; i++) {
        color_size(page, i, garment->color_count, garment->colors[i].count);
    }
    slv_output_text(page->output, " particles\n");
}

// Groups of one kind, the colored ones first.
static void print_kind(summary_page *page, const slv_constraint_group *groups, uint32_t count) {
    char text[COUNT_ROOM];
    uint64_t total = 0;
    uint64_t uncolored = 0;
    uint32_t colors = 0;
    for (uint32_t g = 0; g < count; g++) {
        bool colored = groups[g].color != SLV_UNCOLORED;
        total += groups[g].count;
        uncolored += colored ? 0 : groups[g].count;
        colors += colored;
    }
    slv_output_format(page->output, "%s %s", count_text(total, text),
                      slv_constraint_kinds[groups[0].kind].name);
    if (colors > 0) {
        slv_output_format(page->output, " in %u color%s: ", colors, colors == 1 ? "" : "s");
    }
    for (uint32_t g = 0; g < colors; g++) {
        color_size(page, g, colors, groups[g].count);
    }
    if (uncolored > 0 && colors > 0) {
        slv_output_format(page->output, " and %s to be averaged", count_text(uncolored, text));
    } else if (uncolored > 0) {
        slv_output_text(page->output, ", uncolored");
    }
    slv_output_text(page->output, "\n");
}

// One line per kind; groups are sorted by kind.
static void print_constraints(summary_page *page, const slv_garment *garment) {
    const slv_constraint_group *groups = garment->groups;
    const char *title = "constraints";
    for (uint32_t first = 0, end = 0; first < garment->group_count; first = end) {
        while (end < garment->group_count && groups[end].kind == groups[first].kind) {
            end++;
        }
        label(page, title);
        print_kind(page, groups + first, end - first);
        title = "";
    }
    if (garment->group_count == 0) {
        label(page, title);
        slv_output_text(page->output, "none\n");
    }
}

// The offset between the coordinates of the pack and those of the source, where there is one.
static void print_frame(summary_page *page, const double frame[3]) {
    if (frame[0] != 0.0 || frame[1] != 0.0 || frame[2] != 0.0) {
        label(page, "frame");
        slv_output_format(page->output, "(%.9g, %.9g, %.9g) m to be added for source coordinates\n",
                          frame[0], frame[1], frame[2]);
    }
}

static void print_extent(summary_page *page, const slv_garment_info *info) {
    const float *min = info->bounds_min;
    const float *max = info->bounds_max;
    label(page, "bounds");
    slv_output_format(page->output, "(%.6g, %.6g, %.6g) to (%.6g, %.6g, %.6g) m\n", (double)min[0],
                      (double)min[1], (double)min[2], (double)max[0], (double)max[1],
                      (double)max[2]);
    label(page, "size");
    slv_output_format(page->output, "%.6g x %.6g x %.6g m\n", (double)max[0] - (double)min[0],
                      (double)max[1] - (double)min[1], (double)max[2] - (double)min[2]);
    print_frame(page, info->frame);
}

static void print_grid(summary_page *page, const slv_grid_info *grid) {
    if (grid) {
        label(page, "grid");
        slv_output_format(page->output,
                          "%u x %u x %u samples, %.6g m apart, from (%.6g, %.6g, %.6g) m\n",
                          grid->cells[0], grid->cells[1], grid->cells[2], grid->spacing,
                          grid->origin[0], grid->origin[1], grid->origin[2]);
    }
}

static void print_field(summary_page *page, const slv_inspected_pack *inspected) {
    if (inspected->has_field) {
        const slv_field_info *field = &inspected->field;
        label(page, "field");
        slv_output_format(page->output, "%u x %u x %u distances, %.6g m apart\n", field->cells[0],
                          field->cells[1], field->cells[2], field->spacing);
    }
}

static void print_render_mesh(summary_page *page, const slv_render_mesh *mesh) {
    char count[COUNT_ROOM];
    label(page, "render mesh");
    if (mesh->vertex_count == 0) {
        slv_output_text(page->output, "none\n");
        return;
    }
    slv_output_format(page->output, "%s vertices, ", count_text(mesh->vertex_count, count));
    slv_output_format(page->output, "%s triangles, %s UVs\n",
                      count_text(mesh->triangle_count, count), mesh->uvs ? "with" : "without");
    label(page, "");
    slv_output_format(page->output, "each vertex follows %s%u particle%s%s\n",
                      mesh->influences > 1 ? "up to " : "", mesh->influences,
                      mesh->influences > 1 ? "s" : "", mesh->offsets ? ", with an offset" : "");
    if (mesh->texture) {
        label(page, "texture");
        slv_output_format(page->output, "%u x %u pixels, a PNG of %s bytes\n",
                          mesh->texture_info.width, mesh->texture_info.height,
                          count_text(mesh->texture_size, count));
    }
}

static void print_sets(summary_page *page, const char *title, const slv_named_sets *sets) {
    if (sets->count == 0) {
        return;
    }
    heading(page, title);
    for (uint32_t i = 0; i < sets->count && i < SETS_SHOWN; i++) {
        char count[COUNT_ROOM];
        const slv_named_set set = slv_named_sets_get(sets, i);
        slv_output_format(page->output, "  %12s  ", count_text(set.count, count));
        safe_text(page, set.name, set.name_length);
        slv_output_text(page->output, "\n");
    }
    if (sets->count > SETS_SHOWN) {
        slv_output_format(page->output, "  and %u more\n", sets->count - SETS_SHOWN);
    }
}

// What a runtime takes from a material where the scene gives no value, and what it leaves out.
static void print_uses(summary_page *page, uint32_t given) {
    for (int used = 1; used >= 0; used--) {
        const char *comma = used ? "\n    used         " : "\n    not used     ";
        for (int i = 0; slv_material_uses[i].name; i++) {
            const slv_material_use *use = &slv_material_uses[i];
            if (((given & use->given) == use->given) == (used == 1)) {
                slv_output_format(page->output, "%s%s", comma, use->name);
                comma = ", ";
            }
        }
    }
}

static void print_materials(summary_page *page, const slv_garment *garment) {
    heading(page, "Materials");
    for (uint32_t i = 0; i < garment->material_count; i++) {
        const slv_material *m = &garment->materials[i];
        slv_output_text(page->output, "  ");
        safe_text(page, m->name, strlen(m->name));
        print_uses(page, m->given);
        slv_output_format(
            page->output,
            "\n    stiffness    stretch %.6g, shear %.6g, bending %.6g N/m\n"
            "    flexural     %.6g N m\n"
            "    damping      %.6g 1/s\n"
            "    friction     static %.6g, kinetic %.6g\n"
            "    restitution  %.6g\n"
            "    thickness    %.6g m\n"
            "    color        %.3g %.3g %.3g, opacity %.3g (linear)\n",
            (double)m->stretch_stiffness, (double)m->shear_stiffness, (double)m->bending_stiffness,
            (double)m->flexural_rigidity, (double)m->damping, (double)m->static_friction,
            (double)m->kinetic_friction, (double)m->restitution, (double)m->thickness,
            (double)m->color[0], (double)m->color[1], (double)m->color[2], (double)m->color[3]);
    }
}

static void print_provenance_line(void *context, const char *key, const char *value) {
    summary_page *page = context;
    slv_output_text(page->output, "  ");
    safe_text(page, key, strlen(key));
    size_t length = strlen(key);
    slv_output_format(page->output, "%*s", (int)(length < 24 ? 25 - length : 1), "");
    safe_text(page, value, strlen(value));
    slv_output_text(page->output, "\n");
}

static void print_garment(summary_page *page, const slv_inspected_pack *inspected) {
    const slv_garment *garment = &inspected->garment;
    heading(page, "Garment");
    label(page, "made as");
    slv_output_format(page->output, "%s\n", slv_pack_mode_name(garment->info.mode));
    print_particles(page, garment);
    print_clusters(page, garment);
    print_factor(page, garment);
    print_paint(page, garment);
    print_colors(page, garment);
    print_constraints(page, garment);
    print_extent(page, &garment->info);
    label(page, "spacing");
    slv_output_format(page->output, "%.6g m\n", (double)garment->info.spacing);
    label(page, "mass");
    slv_output_format(page->output, "%.6g kg\n", (double)garment->info.mass);
    print_grid(page, garment->grid);
    print_field(page, inspected);
    print_render_mesh(page, &garment->render);
    const slv_named_sets sets = slv_garment_get_sets(garment);
    print_sets(page, "Particle sets", &sets);
    print_materials(page, garment);
    if (inspected->provenance) {
        heading(page, "Provenance");
        slv_provenance_visit(inspected->provenance, print_provenance_line, page);
    }
}

static void print_frames(summary_page *page, const slv_clip_info *info) {
    label(page, "frames");
    slv_output_format(page->output, "%u at %g per second, %.6g s from %.6g s on\n",
                      info->frame_count, info->frame_rate, info->duration, info->start);
    label(page, "bounds");
    slv_output_format(page->output, "(%.6g, %.6g, %.6g) to (%.6g, %.6g, %.6g) m in all frames\n",
                      (double)info->bounds_min[0], (double)info->bounds_min[1],
                      (double)info->bounds_min[2], (double)info->bounds_max[0],
                      (double)info->bounds_max[1], (double)info->bounds_max[2]);
    print_frame(page, info->frame);
}

static void print_collider(summary_page *page, const slv_inspected_pack *inspected) {
    const slv_clip_info *info = &inspected->collider.info;
    char count[COUNT_ROOM];
    heading(page, "Collider");
    label(page, "particles");
    slv_output_format(page->output, "%s\n", count_text(info->particle_count, count));
    label(page, "radius");
    slv_output_format(page->output, "%.6g m\n", (double)info->radius);
    label(page, "coverage");
    slv_output_format(page->output,
                      "no point of the surface farther than %.6g m from a particle, in any frame "
                      "(%.3f radii, in frame %u)\n",
                      (double)info->coverage, (double)info->coverage / (double)info->radius,
                      info->coverage_frame);
    label(page, "error");
    slv_output_format(page->output, "%.4g mm at most, %.4g mm allowed\n",
                      1000.0 * (double)info->largest_error, 1000.0 * (double)info->error);
    print_frames(page, info);
    label(page, "drawn mesh");
    if (info->vertex_count > 0) {
        slv_output_format(page->output, "%s vertices, ", count_text(info->vertex_count, count));
        slv_output_format(page->output, "%s triangles, %s UVs\n",
                          count_text(info->triangle_count, count),
                          inspected->collider.uvs ? "with" : "without");
    } else {
        slv_output_text(page->output, "none\n");
    }
    print_sets(page, "Attachments", &inspected->collider.attachments);
    if (inspected->provenance) {
        heading(page, "Provenance");
        slv_provenance_visit(inspected->provenance, print_provenance_line, page);
    }
}

void slv_summary_print(const slv_inspected_pack *inspected, bool styled, slv_output *output) {
    summary_page page = {.output = output, .styled = styled};
    print_head(&page, inspected);
    print_sections(&page, inspected);
    if (inspected->is_collider) {
        print_collider(&page, inspected);
    } else {
        print_garment(&page, inspected);
    }
}

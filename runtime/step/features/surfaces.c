// SPDX-License-Identifier: MIT
// Contacts between surfaces (kernels/surface_contact.h): of garments with themselves and with each other. They follow all
// constraints and all other contacts of a step, since lists are made of the paths that these give. A world without
// garments that touch by their surfaces has neither arrays nor launches of them.
#include "runtime/step/features/surfaces.h"

#include "kernels/surface_contact.h"
#include "runtime/step/feature.h"
#include "runtime/step/features/contacts.h"
#include "runtime/step/features/triangles.h"
#include "runtime/step/neighbor_search.h"
#include "runtime/step/spatial_order.h"
#include "runtime/step/surface_mesh.h"

#include <limits.h>
#include <math.h>
#include <string.h>

// A pass makes lists where these are stale, moves what touches and checks all pairs. Later passes are idle where nothing
// is left to do. A pass that shortens paths has ROUNDS rounds of corrections before its check.
enum { ROUNDS = 6, SHORTEN_PASSES = 4, RETURN_PASSES = 2, RETURN_PATCHES_PASSES = 10 };

enum { VERTEX_LIMIT = INT_MAX / 64 }; // keeps sums within an int until reserving refuses the layout

// Metres that a vertex may leave its path before lists are made anew: of the thickness and of the spacing. Larger
// margins make longer lists, smaller ones make them more often.
static const float thickness_margin = 0.25f, spacing_margin = 0.2f;
static const float unit_of_reach = 1.0f / 65536.0f; // of corrections: 30 nm at a thickness of 2 mm
static const float least_reach = 1e-4f; // metres, for the unit of surfaces without thickness

typedef struct surface_data {
    bool with_itself, with_garments;
    float thickness, friction, kinetic;
    slv_surface_mesh mesh; // NULL where contacts are between particles
} surface_data;

typedef struct surface_layout {
    int block; // in table; 0: there are no surfaces
    int vertices, patches;
    int level_count;
    int nodes[SLV_SURFACE_LEVELS];
    size_t contacts; // that there is room for
    slv_extent report;
    slv_layout_cursor start;
} surface_layout;

extern const slv_feature slv_feature_surfaces;

static surface_data *get_data(const slv_body *body) {
    return slv_feature_get_body_data(&slv_feature_surfaces, body);
}

static surface_layout *get_layout(const slv_layout *layout) {
    return slv_feature_get_layout_data(&slv_feature_surfaces, layout);
}

// Whether any two surfaces can touch.
static bool surfaces_exist(const slv_layout *layout) {
    return layout->neighbors->requests[slv_feature_get_number(&slv_feature_surfaces)].capacity > 0;
}

slv_extent slv_surfaces_get_report(const slv_layout *layout) {
    return get_layout(layout)->report;
}

size_t slv_surfaces_count_bytes(const slv_layout *layout) {
    return get_layout(layout)->contacts *
           (SLV_CORNERS * sizeof(int) + SLV_SURFACE_CONTACT_FLOATS * sizeof(float));
}

// --- Body -------------------------------------------------------------------------------------------

static slv_result define(slv_body *body, const slv_garment *garment, const slv_garment_def *def,
                         slv_memory *scratch, slv_error *error) {
    surface_data *data = get_data(body);
    const float kinetic = def->kinetic_friction < 0.0f ? def->friction : def->kinetic_friction;
    (void)garment;
    if (slv_contacts_get_material(body)->has_surface && !data->mesh.corners &&
        !slv_surface_mesh_create(&data->mesh, body, &body->memory, scratch)) {
        return slv_fail(error, SLV_ERROR_MEMORY, "out of memory");
    }
    data->with_itself = def->self_collision;
    data->with_garments = def->garment_collision;
    data->thickness = def->thickness;
    data->friction = def->friction;
    data->kinetic = kinetic;
    return SLV_OK;
}

// --- Layout -----------------------------------------------------------------------------------------

// Whether any two surfaces can touch.
static bool needs_lists(slv_body *const *bodies, uint32_t count) {
    uint32_t with_garments = 0;
    bool any = false;
    for (uint32_t i = 0; i < count; i++) {
        const surface_data *data = get_data(bodies[i]);
        const bool has = slv_contacts_include_surfaces(bodies[i]);
        any = any || (has && data->with_itself);
        with_garments += has && data->with_garments ? 1 : 0;
    }
    return any || with_garments > 1;
}

static int count_vertices(const slv_body *body) {
    const surface_data *data = get_data(body);
    return (int)((data->mesh.vertex_count + SLV_BLOCK - 1) / SLV_BLOCK * SLV_BLOCK);
}

static void count_all(surface_layout *surfaces, slv_body *const *bodies, uint32_t count) {
    int64_t vertices = 0;
    int64_t patches = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (slv_contacts_include_surfaces(bodies[i])) {
            vertices += count_vertices(bodies[i]);
            patches += get_data(bodies[i])->mesh.patch_count;
        }
    }
    surfaces->vertices = vertices < VERTEX_LIMIT ? (int)vertices : VERTEX_LIMIT;
    surfaces->patches = patches < VERTEX_LIMIT ? (int)patches : VERTEX_LIMIT;
    surfaces->nodes[0] = surfaces->patches * SLV_LANES;
    surfaces->nodes[1] = surfaces->patches;
    surfaces->level_count = 2;
    while (surfaces->nodes[surfaces->level_count - 1] > 1 || surfaces->level_count < 3) {
        surfaces->nodes[surfaces->level_count] =
            (surfaces->nodes[surfaces->level_count - 1] + SLV_LANES - 1) / SLV_LANES;
        surfaces->level_count++;
    }
}

// The tree: nodes of a level in groups of SLV_LANES.
static void reserve_levels(const surface_layout *surfaces, int *block, slv_layout_cursor *cursor) {
    block[SLV_SURFACES_LEVEL_COUNT] = surfaces->level_count;
    for (int k = 0; k < surfaces->level_count; k++) {
        const size_t groups = ((size_t)surfaces->nodes[k] + SLV_LANES - 1) / SLV_LANES;
        block[SLV_SURFACES_NODES + k] = surfaces->nodes[k];
        block[SLV_SURFACES_BOXES + k] =
            slv_reserve_state(cursor, groups * SLV_LANES * SLV_NODE_FLOATS);
    }
}

static void reserve_vertices(const surface_layout *surfaces, int *block,
                             slv_layout_cursor *cursor) {
    const size_t n = (size_t)surfaces->vertices;
    block[SLV_SURFACES_VERTICES] = surfaces->vertices;
    block[SLV_SURFACES_BODY_OF] = slv_reserve_table(cursor, n / SLV_BLOCK);
    block[SLV_SURFACES_OFFSET_OF] = slv_reserve_table(cursor, n);
    block[SLV_SURFACES_SLOT_OF] = slv_reserve_table(cursor, n);
    block[SLV_SURFACES_STARTS] = slv_reserve_state(cursor, 4 * n);
    block[SLV_SURFACES_NOW] = slv_reserve_state(cursor, 4 * n);
    block[SLV_SURFACES_LISTED] = slv_reserve_state(cursor, 4 * n);
    block[SLV_SURFACES_RESTS] = slv_reserve_state(cursor, 4 * n);
    block[SLV_SURFACES_SUMS] = slv_reserve_table(cursor, 4 * n);
    block[SLV_SURFACES_BACK] = slv_reserve_table(cursor, n);
}

// The block in table, and all it names. Twice the same: first to reserve, then, with a table, to write it.
static void reserve_block(slv_layout *layout, slv_layout_cursor *cursor) {
    surface_layout *surfaces = get_layout(layout);
    const uint32_t request = slv_feature_get_number(&slv_feature_surfaces);
    const size_t patches = (size_t)surfaces->patches;
    const size_t bodies = layout->body_count;
    int block[SLV_SURFACES_INTS] = {0};
    surfaces->block = slv_reserve_table(cursor, SLV_SURFACES_INTS);
    surfaces->contacts = patches * SLV_SURFACE_ROOM * layout->neighbors->requests[request].capacity;
    block[SLV_SURFACES_PATCHES] = surfaces->patches;
    block[SLV_SURFACES_BODY_COUNT] = (int)bodies;
    block[SLV_SURFACES_LISTS] = layout->neighbors->requests[request].lists;
    block[SLV_SURFACES_BODIES] = slv_reserve_table(cursor, bodies * SLV_SURFACE_BODY_INTS);
    block[SLV_SURFACES_MATERIALS] = slv_reserve_state(cursor, bodies * SLV_SURFACE_MATERIAL_FLOATS);
    block[SLV_SURFACES_PATCH_BODY] = slv_reserve_table(cursor, patches);
    block[SLV_SURFACES_CORNERS] = slv_reserve_table(cursor, 3 * patches * SLV_LANES);
    block[SLV_SURFACES_OWNED] = slv_reserve_table(cursor, patches * SLV_LANES);
    block[SLV_SURFACES_COUNTS] = slv_reserve_table(cursor, patches);
    block[SLV_SURFACES_ENDS] = slv_reserve_table(cursor, SLV_CORNERS * surfaces->contacts);
    block[SLV_SURFACES_CONTACTS] =
        slv_reserve_state(cursor, SLV_SURFACE_CONTACT_FLOATS * surfaces->contacts);
    block[SLV_SURFACES_STATUS] = slv_reserve_state(cursor, SLV_SURFACE_STATUS_FLOATS);
    block[SLV_SURFACES_TOTALS] = slv_reserve_table(cursor, SLV_SURFACE_TOTALS);
    surfaces->report =
        (slv_extent){(size_t)block[SLV_SURFACES_STATUS] + SLV_SURFACE_REPORT, SLV_SURFACE_TOTALS};
    reserve_vertices(surfaces, block, cursor);
    reserve_levels(surfaces, block, cursor);
    if (layout->table) {
        memcpy(layout->table + surfaces->block, block, sizeof block);
    }
}

static void reserve(slv_layout *layout, slv_body *const *bodies,
                    const slv_layout_settings *settings, slv_layout_cursor *cursor) {
    surface_layout *surfaces = get_layout(layout);
    (void)settings;
    if (surfaces_exist(layout)) {
        count_all(surfaces, bodies, layout->body_count);
        surfaces->start = *cursor;
        reserve_block(layout, cursor);
    }
}

// --- Filling ----------------------------------------------------------------------------------------

static void fill_material(const slv_layout *layout, const int *block, uint32_t index,
                          const surface_data *data) {
    const slv_body_layout *body_layout = &layout->bodies[index];
    int *record = layout->table + block[SLV_SURFACES_BODIES] + index * SLV_SURFACE_BODY_INTS;
    float *material =
        layout->state + block[SLV_SURFACES_MATERIALS] + index * SLV_SURFACE_MATERIAL_FLOATS;
    record[SLV_SURFACE_BODY_Q] = body_layout->q;
    record[SLV_SURFACE_BODY_PREV] = body_layout->prev[0];
    record[SLV_SURFACE_BODY_PREV + 1] = body_layout->prev[1];
    record[SLV_SURFACE_BODY_COMPONENT] = body_layout->component;
    record[SLV_SURFACE_BODY_INVERSE_MASSES] = body_layout->inverse_mass;
    record[SLV_SURFACE_BODY_ASLEEP] = body_layout->asleep;
    record[SLV_SURFACE_BODY_WITH_ITSELF] = data->with_itself;
    record[SLV_SURFACE_BODY_WITH_OTHERS] = data->with_garments;
    material[SLV_SURFACE_THICKNESS] = data->thickness;
    material[SLV_SURFACE_FRICTION] = sqrtf(data->friction);
    material[SLV_SURFACE_KINETIC_FRICTION] = sqrtf(data->kinetic);
}

// The vertices of a body, from vertex `first` of all on.
static void fill_vertices(const slv_layout *layout, const int *block, uint32_t index,
                          const slv_body *body, int first) {
    const slv_surface_mesh *mesh = &get_data(body)->mesh;
    for (int n = 0; n < count_vertices(body); n++) {
        const int vertex = first + n;
        int *offset = layout->table + block[SLV_SURFACES_OFFSET_OF] + vertex;
        float *rest = layout->state + block[SLV_SURFACES_RESTS] + 4 * (size_t)vertex;
        layout->table[block[SLV_SURFACES_BODY_OF] + vertex / SLV_BLOCK] = (int)index;
        *offset = -1;
        if (n < (int)mesh->vertex_count) {
            const uint32_t slot = layout->slots[index][mesh->particles[n]];
            double position[3];
            slv_find_rest_position(body, mesh->particles[n], position);
            *offset = (int)slot * layout->bodies[index].stride;
            layout->table[block[SLV_SURFACES_SLOT_OF] + vertex] = (int)slot;
            for (int d = 0; d < 3; d++) {
                rest[d] = (float)position[d];
            }
        }
    }
}

// The triangles of a body, from patch `first` of all on; their vertices are counted from `vertex` on.
static void fill_triangles(const slv_layout *layout, const int *block, uint32_t index,
                           const slv_surface_mesh *mesh, int first, int vertex) {
    int *corners = layout->table + block[SLV_SURFACES_CORNERS] + 3 * (size_t)first * SLV_LANES;
    int *owned = layout->table + block[SLV_SURFACES_OWNED] + (size_t)first * SLV_LANES;
    for (uint32_t p = 0; p < mesh->patch_count; p++) {
        layout->table[(size_t)block[SLV_SURFACES_PATCH_BODY] + (size_t)first + p] = (int)index;
    }
    for (size_t n = 0; n < 3 * (size_t)mesh->patch_count * SLV_LANES; n++) {
        corners[n] = mesh->corners[n] < 0 ? -1 : vertex + mesh->corners[n];
    }
    memcpy(owned, mesh->owned, (size_t)mesh->patch_count * SLV_LANES * sizeof *owned);
}

// Nodes that no launch writes, since a level has no whole number of groups, meet nothing.
static void clear_levels(const slv_layout *layout, const int *block) {
    for (int k = 0; k < block[SLV_SURFACES_LEVEL_COUNT]; k++) {
        const int groups = (block[SLV_SURFACES_NODES + k] + SLV_LANES - 1) / SLV_LANES;
        for (int n = 0; n < groups * SLV_LANES; n++) {
            const int node = slv_surface_node(layout->table, get_layout(layout)->block, k, n);
            slv_surface_store_node(layout->state, node, slv_empty_range(), slv_empty_range());
        }
    }
}

static bool fill(slv_layout *layout, slv_body *const *bodies, const slv_layout_settings *settings,
                 slv_memory *scratch) {
    surface_layout *surfaces = get_layout(layout);
    (void)settings;
    (void)scratch;
    if (!surfaces_exist(layout)) {
        return true;
    }
    slv_layout_cursor cursor = surfaces->start;
    reserve_block(layout, &cursor);
    const int *block = layout->table + surfaces->block;
    float *status = layout->state + block[SLV_SURFACES_STATUS];
    float thickest = 0.0f;
    float margin = SLV_FAR;
    int vertex = 0;
    int patch = 0;
    for (uint32_t i = 0; i < layout->body_count; i++) {
        const surface_data *data = get_data(bodies[i]);
        if (slv_contacts_include_surfaces(bodies[i])) {
            fill_material(layout, block, i, data);
            fill_vertices(layout, block, i, bodies[i], vertex);
            fill_triangles(layout, block, i, &data->mesh, patch, vertex);
            vertex += count_vertices(bodies[i]);
            patch += (int)data->mesh.patch_count;
            thickest = fmaxf(thickest, data->thickness);
            margin = fminf(margin, fminf(thickness_margin * data->thickness,
                                         spacing_margin * bodies[i]->spacing));
        }
    }
    clear_levels(layout, block);
    status[SLV_SURFACE_MARGIN] = margin;
    status[SLV_SURFACE_REACH] = thickest + margin;
    status[SLV_SURFACE_UNIT] = unit_of_reach * fmaxf(thickest + margin, least_reach);
    layout->bodies[slv_layout_common_body(layout)].surfaces = surfaces->block;
    return true;
}

// --- The step ---------------------------------------------------------------------------------------

static void launch(slv_plan_writer *writer, slv_kernel_id kernel, int index, int rows) {
    slv_plan_launch_rows(writer, kernel, slv_layout_common_body(writer->layout), index, 0, rows);
    slv_plan_barrier(writer);
}

static void launch_vertices(slv_plan_writer *writer, slv_kernel_id kernel) {
    launch(writer, kernel, 0, get_layout(writer->layout)->vertices / SLV_BLOCK);
}

static void find(slv_plan_writer *writer) {
    const surface_layout *surfaces = get_layout(writer->layout);
    launch(writer, SLV_ID_surface_begin_pass, 0, 1);
    launch_vertices(writer, SLV_ID_surface_note);
    launch(writer, SLV_ID_surface_bound, 0, surfaces->patches);
    for (int k = 1; k < surfaces->level_count; k++) {
        launch(writer, SLV_ID_surface_merge, k, surfaces->nodes[k]);
    }
    launch(writer, SLV_ID_surface_find, 0, surfaces->patches);
}

static void push(slv_plan_writer *writer) {
    slv_plan_begin_loop(writer, ROUNDS);
    launch(writer, SLV_ID_surface_push, 0, get_layout(writer->layout)->patches);
    launch_vertices(writer, SLV_ID_surface_apply);
    slv_plan_end_loop(writer);
}

static void check(slv_plan_writer *writer, int act) {
    launch(writer, SLV_ID_surface_check, act, get_layout(writer->layout)->patches);
    launch_vertices(writer, SLV_ID_surface_apply);
}

static void separate(slv_plan_writer *writer) {
    if (!surfaces_exist(writer->layout)) {
        return;
    }
    launch(writer, SLV_ID_surface_begin_step, 0, 1);
    launch_vertices(writer, SLV_ID_surface_load);
    find(writer);
    push(writer);
    if (slv_contacts_get_layout(writer->layout)->colliders) {
        slv_triangles_push_out(writer);
        slv_contacts_push_out(writer);
        launch_vertices(writer, SLV_ID_surface_fetch);
    }
    check(writer, SLV_SURFACE_SHORTEN);
    slv_plan_begin_loop(writer, SHORTEN_PASSES - 1);
    find(writer);
    push(writer);
    check(writer, SLV_SURFACE_SHORTEN);
    slv_plan_end_loop(writer);
    slv_plan_begin_loop(writer, RETURN_PASSES);
    find(writer);
    check(writer, SLV_SURFACE_RETURN);
    slv_plan_end_loop(writer);
    slv_plan_begin_loop(writer, RETURN_PATCHES_PASSES);
    find(writer);
    check(writer, SLV_SURFACE_RETURN_PATCHES);
    slv_plan_end_loop(writer);
    find(writer);
    check(writer, SLV_SURFACE_STOP);
    launch_vertices(writer, SLV_ID_surface_stop);
}

const slv_feature slv_feature_surfaces = {
    .name = "surfaces",
    .body_size = sizeof(surface_data),
    .define = define,
    .layout_size = sizeof(surface_layout),
    .reserve = reserve,
    .fill = fill,
    .neighbors = {.capacity = 4, .needs_lists = needs_lists},
    .launch = {[SLV_POINT_SOLVE_END] = separate},
};

// SPDX-License-Identifier: MIT
#include "tools/voxelize/command_line.h"

#include "formats/fabric.h"
#include "tools/common/import_option_rows.h"
#include "tools/voxelize/memory_plan.h"

static const char SUMMARY[] =
    "Turns a mesh into a garment pack: particles, constraints and coloring for the runtime, with "
    "the mesh embedded for drawing. Reads OBJ, STL, PLY, FBX, glTF, Collada and what else Assimp "
    "reads; and files of tetrahedra, Medit's .mesh and TetGen's .node with .ele, as they are.";

static const char EPILOGUE[] =
    "Examples:\n"
    "  selvage-voxelize shirt.obj -o shirt.slv --mode surface\n"
    "  selvage-voxelize bunny.ply -o bunny.slv --resolution 64\n"
    "  selvage-voxelize bunny.ply --sdf bunny.sdf --spacing 0.01 --padding 1\n"
    "  selvage-voxelize --shape grid:100x100 --spacing 0.02 -o cloth.slv";

slv_result slv_voxelize_parse(int argc, char **argv, slv_voxelize_options *options,
                              slv_common_options *common, slv_error *error) {
    static const char *const poses[] = {"rest", "start", NULL};
    static const char *const keeps[] = {"all", "largest", "joined", NULL};
    int mode = (int)options->mode;
    int keep = (int)options->keep;
    int body = (int)options->body;
    int pose = options->clip_start ? 1 : 0;
    // clang-format off
    const slv_option table[] = {
        {.type = SLV_OPTION_TEXT, .name = "--output", .letter = 'o', .argument = "OUT.slv",
         .value = &options->pack,
         .help = "The garment pack to write."},
        {.type = SLV_OPTION_CHOICE, .name = "--mode", .choices = slv_mode_names, .value = &mode,
         .help = "Where particles go. solid: at samples inside the mesh; shell: at samples of the "
                 "one-cell-thick layer around its surface; surface: at its vertices. auto (the "
                 "default): solid where the mesh is closed, else shell."},
        {.type = SLV_OPTION_NUMBER, .name = "--spacing", .argument = "METRES",
         .value = &options->spacing, .min_open = true, .max = SLV_SPACING_MAX,
         .help = "Distance between samples, above 0. Default for shapes: 0.01."},
        {.type = SLV_OPTION_COUNT, .name = "--resolution", .argument = "CELLS",
         .value = &options->resolution, .min = 1, .max = 1e6,
         .help = "In place of --spacing: cells along the longest side of the mesh. Default: 32."},
        {.type = SLV_OPTION_COUNT, .name = "--padding", .argument = "CELLS",
         .value = &options->padding, .max = 1000,
         .help = "Cells of the grid around the mesh, at least 1, for shells 2. Default: 2."},
        {.type = SLV_OPTION_CHOICE, .name = "--keep", .choices = keeps, .value = &keep,
         .help = "Which connected pieces of a grid become particles: all, the largest, or all but loose particles "
                 "(joined). Default: all."},
        {.type = SLV_OPTION_FLAG, .name = "--tetrahedra", .value = &options->tetrahedra,
         .help = "Splits the cells of a solid into tetrahedra, whose volume solvers can keep. Implies "
                 "--mode solid."},
        {.type = SLV_OPTION_CHOICE, .name = "--body", .choices = slv_body_names, .value = &body,
         .help = "Makes a body of a solid: clusters of particles that keep their shape, in place of distance "
                 "constraints. rigid: one of all particles; soft: many that overlap. Implies --mode solid. "
                 "Default: none."},
        {.type = SLV_OPTION_COUNT, .name = "--cluster-size", .argument = "SAMPLES",
         .value = &options->cluster_side, .min = 2, .max = 64,
         .help = "Samples along a side of a soft body's clusters: the larger, the stiffer. Default: 4."},
        {.type = SLV_OPTION_TEXT, .name = "--shape", .argument = "SHAPE", .value = &options->shape,
         .help = "Makes a garment without a mesh: grid:NXxNY, rope:N, box:NXxNYxNZ or "
                 "poncho:NXxNY:HOLE, counted in particles; grids lie in the x-z plane."},

        {.type = SLV_OPTION_HEADING, .help = "The mesh"},
        SLV_SPACE_OPTION_ROWS(&options->scale, &options->up),
        {.type = SLV_OPTION_CHOICE, .name = "--pose", .choices = poses, .value = &pose,
         .help = "Of a file with a skeleton or clips: rest, the pose of its nodes without a clip, or start, the "
                 "start of its first clip, where selvage-bake-collider starts. Default: rest."},
        SLV_PART_OPTION_ROWS(&options->choice, &options->list),
        {.type = SLV_OPTION_FLAG, .name = "--allow-paths", .value = &options->allow_paths,
         .help = "The file may name files outside of its own folder, such as textures and buffers."},

        {.type = SLV_OPTION_HEADING, .help = "Material"},
        {.type = SLV_OPTION_NUMBER, .name = "--mass", .argument = "KG",
         .value = &options->mass, .min_open = true, .max = 1e9,
         .help = "Of the whole garment."},
        {.type = SLV_OPTION_NUMBER, .name = "--density", .argument = "D",
         .value = &options->density, .min_open = true, .max = 1e9,
         .help = "In place of --mass: kg/m3 for solids and boxes (default: 300), kg/m2 for shells, "
                 "surfaces, grids and ponchos (default: 0.2), kg/m for ropes (default: 0.05)."},

        {.type = SLV_OPTION_CHOICE, .name = "--fabric", .choices = slv_fabric_names, .value = &options->fabric,
         .help = "Density, stiffness, flexural rigidity and friction of a fabric, for flat grids and for meshes "
                 "whose vertices are particles: implies --mode surface. Default: none."},

        {.type = SLV_OPTION_HEADING, .help = "The signed distance field"},
        {.type = SLV_OPTION_TEXT, .name = "--sdf", .argument = "FILE.sdf", .value = &options->sdf,
         .help = "Writes it as text, as SDFGen does; -o is not needed then."},
        {.type = SLV_OPTION_FLAG, .name = "--with-sdf", .value = &options->field_in_pack,
         .help = "Puts it into the pack, compressed."},

        {.type = SLV_OPTION_HEADING, .help = "Limits"},
        {.type = SLV_OPTION_COUNT, .name = "--memory-limit", .argument = "MiB",
         .value = &options->memory_limit, .min = 1, .max = 1e9,
         .help = "Refuses a grid whose arrays would take more. Default: 4096."},
        {.type = SLV_OPTION_FLAG, .name = NULL},
    };
    // clang-format on
    const slv_program program = {.name = "selvage-voxelize",
                                 .synopsis = "MESH -o OUT.slv [options]\n"
                                             "MESH --sdf FILE.sdf [options]\n"
                                             "MESH --list [options]\n"
                                             "--shape SHAPE -o OUT.slv [options]",
                                 .summary = SUMMARY,
                                 .epilogue = EPILOGUE,
                                 .options = table,
                                 .common = common};
    const slv_result result = slv_options_read(&program, argc, argv, &options->mesh, error);
    options->mode = (slv_voxelize_mode)mode;
    options->keep = (slv_keep)keep;
    options->body = (slv_body_kind)body;
    options->clip_start = pose == 1;
    options->threads = (unsigned)common->threads;
    options->depfile = common->depfile;
    return result;
}

// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "tests/common/folder.h"
#include "tests/tools/common/cmocka_all.h"
#include "tools/common/mesh_import.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

// Small files of many formats, valid and damaged, written here and read back.

// A sparse file: the text, followed by zeros that need no disk space.
static void write_sparse(const char *name, const char *text, off_t size) {
    folder_write_text(name, text);
    assert_int_equal(truncate(name, size), 0);
}

static slv_result import_as(const char *name, bool z_up, slv_mesh *mesh, slv_file_list *files,
                            slv_error *error) {
    slv_import_options options = {.up = z_up ? SLV_UP_Z : SLV_UP_OF_FILE};
    return slv_mesh_import(name, &options, mesh, files, error);
}

static slv_mesh import(const char *name) {
    slv_mesh mesh;
    slv_error error = {.code = SLV_OK};
    if (import_as(name, false, &mesh, NULL, &error) != SLV_OK) {
        fail_msg("%s: %s", name, error.text);
    }
    return mesh;
}

static void expect_error(const char *name, slv_result code, const char *message) {
    slv_mesh mesh;
    slv_file_list files;
    slv_error error = {.code = SLV_OK};
    assert_int_equal(import_as(name, false, &mesh, &files, &error), code);
    if (strncmp(error.text, message, strlen(message)) != 0) {
        fail_msg("%s: '%s', expected '%s'", name, error.text, message);
    }
    assert_null(mesh.points);
    assert_null(files.paths);
}

static void expect_bounds(const slv_mesh *mesh, const double min[3], const double max[3]) {
    double low[3];
    double high[3];
    slv_mesh_bounds(mesh, low, high);
    for (int k = 0; k < 3; k++) {
        if (fabs(low[k] - min[k]) > 1e-5 || fabs(high[k] - max[k]) > 1e-5) {
            fail_msg("axis %d from %g to %g, expected %g to %g", k, low[k], high[k], min[k],
                     max[k]);
        }
    }
}

// Enclosed volume; negative where the triangles face inwards.
static double volume(const slv_mesh *mesh) {
    double sum = 0.0;
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        uint32_t p[3];
        slv_mesh_corner_points(mesh, t, p);
        const double *a = mesh->points + 3 * (size_t)p[0];
        const double *b = mesh->points + 3 * (size_t)p[1];
        const double *c = mesh->points + 3 * (size_t)p[2];
        sum += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
               a[2] * (b[0] * c[1] - b[1] * c[0]);
    }
    return sum / 6.0;
}

// --- the files -----------------------------------------------------------------------------------

// A tetrahedron of extents 1, 2, 3, facing outwards.
static const float tetra_positions[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 3}};
static const uint16_t tetra_indices[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
static const double tetra_min[3] = {0, 0, 0};
static const double tetra_max[3] = {1, 2, 3};

static const char ply_text[] = "ply\nformat ascii 1.0\nelement vertex 5\nproperty float x\n"
                               "property float y\nproperty float z\nelement face 2\n"
                               "property list uchar int vertex_indices\nend_header\n"
                               "0 0 0\n1 0 0\n1 1 0\n0 1 0\n2 0.5 0\n4 0 1 2 3\n3 1 4 2\n";
static const char off_text[] = "OFF\n4 4 0\n0 0 0\n1 0 0\n0 2 0\n0 0 3\n"
                               "3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n";
static const char stl_text[] = "solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\n"
                               "vertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid s\n";

static size_t make_binary_stl(unsigned char *bytes, uint32_t promised) {
    memset(bytes, 0, 84);
    bytes[0] = 't'; // anything but "solid"
    memcpy(bytes + 80, &promised, 4);
    size_t at = 84;
    for (int t = 0; t < 4; t++) {
        memset(bytes + at, 0, 50);
        for (size_t c = 0; c < 3; c++) {
            memcpy(bytes + at + 12 + 12 * c, tetra_positions[tetra_indices[3 * t + (int)c]], 12);
        }
        at += 50;
    }
    return at;
}

// Two nodes share the mesh: one moved by 10 along x, one mirrored there and moved back by 10.
static const char gltf_text[] =
    "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0,1]}],"
    "\"nodes\":[{\"name\":\"left\",\"mesh\":0,\"translation\":[10,0,0]},"
    "{\"name\":\"right\",\"mesh\":0,\"translation\":[-10,0,0],\"scale\":[-1,1,1]}],"
    "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1}]}],"
    "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\","
    "\"min\":[0,0,0],\"max\":[1,2,3]},"
    "{\"bufferView\":1,\"componentType\":5123,\"count\":12,\"type\":\"SCALAR\"}],"
    "\"bufferViews\":[{\"buffer\":0,\"byteOffset\":0,\"byteLength\":48},"
    "{\"buffer\":0,\"byteOffset\":48,\"byteLength\":24}],"
    "\"buffers\":[{\"uri\":\"tetra.bin\",\"byteLength\":72}]}";

static void write_gltf(unsigned char buffer[72]) {
    memcpy(buffer, tetra_positions, 48);
    memcpy(buffer + 48, tetra_indices, 24);
    folder_write("tetra.bin", buffer, 72);
    folder_write_text("tetra.gltf", gltf_text);
}

static const char dae_text[] =
    "<?xml version=\"1.0\"?><COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" "
    "version=\"1.4.1\"><asset><unit name=\"centimeter\" meter=\"0.01\"/><up_axis>Z_UP</up_axis>"
    "</asset><library_geometries><geometry id=\"g\"><mesh><source id=\"p\">"
    "<float_array id=\"pa\" count=\"12\">0 0 0 100 0 0 0 200 0 0 0 300</float_array>"
    "<technique_common><accessor source=\"#pa\" count=\"4\" stride=\"3\">"
    "<param name=\"X\" type=\"float\"/><param name=\"Y\" type=\"float\"/>"
    "<param name=\"Z\" type=\"float\"/></accessor></technique_common></source>"
    "<vertices id=\"v\"><input semantic=\"POSITION\" source=\"#p\"/></vertices>"
    "<triangles count=\"4\"><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/>"
    "<p>0 2 1 0 1 3 0 3 2 1 2 3</p></triangles></mesh></geometry></library_geometries>"
    "<library_visual_scenes><visual_scene id=\"s\"><node id=\"n\"><instance_geometry url=\"#g\"/>"
    "</node></visual_scene></library_visual_scenes><scene><instance_visual_scene url=\"#s\"/>"
    "</scene></COLLADA>";

// z up, a unit of an inch.
static const char fbx_text[] =
    "; FBX 7.3.0 project file\nFBXHeaderExtension:  {\n\tFBXHeaderVersion: 1003\n\tFBXVersion: 7300\n"
    "}\nGlobalSettings:  {\n\tVersion: 1000\n\tProperties70:  {\n"
    "\t\tP: \"UpAxis\", \"int\", \"Integer\", \"\",2\n\t\tP: \"UpAxisSign\", \"int\", \"Integer\", "
    "\"\",1\n\t\tP: \"FrontAxis\", \"int\", \"Integer\", \"\",1\n\t\tP: \"FrontAxisSign\", \"int\", "
    "\"Integer\", \"\",-1\n\t\tP: \"CoordAxis\", \"int\", \"Integer\", \"\",0\n\t\tP: "
    "\"CoordAxisSign\", \"int\", \"Integer\", \"\",1\n\t\tP: \"UnitScaleFactor\", \"double\", "
    "\"Number\", \"\",2.54\n\t}\n}\nObjects:  {\n\tGeometry: 100, \"Geometry::\", \"Mesh\" {\n"
    "\t\tVertices: *12 {\n\t\t\ta: 0,0,0,100,0,0,0,200,0,0,0,300\n\t\t}\n"
    "\t\tPolygonVertexIndex: *12 {\n\t\t\ta: 0,2,-2,0,1,-4,0,3,-3,1,2,-4\n\t\t}\n"
    "\t\tGeometryVersion: 124\n\t}\n\tModel: 200, \"Model::Tetra\", \"Mesh\" {\n\t\tVersion: 232\n"
    "\t}\n}\nConnections:  {\n\tC: \"OO\",200,0\n\tC: \"OO\",100,200\n}\n";

// --- good files ----------------------------------------------------------------------------------

static void stl_ply_and_off_are_read(void **state) {
    (void)state;
    unsigned char stl[512];
    folder_write("tetra.stl", stl, make_binary_stl(stl, 4));
    slv_mesh mesh = import("tetra.stl");
    expect_bounds(&mesh, tetra_min, tetra_max);
    assert_int_equal(mesh.point_count, 4);
    assert_int_equal(mesh.vertex_count, 12);
    assert_int_equal(mesh.triangle_count, 4);
    assert_true(fabs(volume(&mesh) - 1.0) < 1e-9);
    slv_mesh_free(&mesh);

    folder_write_text("tetra.off", off_text);
    mesh = import("tetra.off");
    assert_int_equal(mesh.point_count, 4);
    assert_true(fabs(volume(&mesh) - 1.0) < 1e-9);
    slv_mesh_free(&mesh);

    folder_write_text("text.stl", stl_text);
    mesh = import("text.stl");
    assert_int_equal(mesh.triangle_count, 1);
    slv_mesh_free(&mesh);

    folder_write_text("quad.ply", ply_text);
    mesh = import("quad.ply");
    assert_int_equal(mesh.point_count, 5);
    assert_int_equal(mesh.triangle_count, 3);
    assert_int_equal(mesh.polygon_count, 1);
    slv_mesh_free(&mesh);
}

static void instances_are_placed_and_keep_their_orientation(void **state) {
    (void)state;
    unsigned char buffer[72];
    write_gltf(buffer);
    slv_mesh mesh = import("tetra.gltf");
    static const double min[3] = {-11, 0, 0};
    static const double max[3] = {11, 2, 3};
    expect_bounds(&mesh, min, max);
    assert_int_equal(mesh.point_count, 8);
    assert_int_equal(mesh.triangle_count, 8);
    assert_true(fabs(volume(&mesh) - 2.0) < 1e-4);
    assert_int_equal(mesh.group_count, 2);
    assert_string_equal(mesh.groups[0].name, "left");
    assert_string_equal(mesh.groups[1].name, "right");
    slv_mesh_free(&mesh);
}

static void every_file_read_is_listed_and_hashed(void **state) {
    (void)state;
    unsigned char buffer[72];
    write_gltf(buffer);
    slv_mesh mesh;
    slv_file_list files;
    slv_error error = {.code = SLV_OK};
    assert_int_equal(import_as("tetra.gltf", false, &mesh, &files, &error), SLV_OK);
    assert_int_equal(files.count, 2);
    assert_string_equal(files.paths[0], "tetra.gltf");
    assert_non_null(strstr(files.paths[1], "tetra.bin"));
    assert_int_equal(access(files.paths[1], R_OK), 0);
    char both[sizeof gltf_text + 72];
    memcpy(both, gltf_text, sizeof gltf_text - 1);
    memcpy(both + sizeof gltf_text - 1, buffer, 72);
    assert_true(mesh.input_hash == XXH3_64bits(both, sizeof gltf_text - 1 + 72));
    slv_file_list_free(&files);
    slv_mesh_free(&mesh);

    static const char obj[] = "mtllib none.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    folder_write_text("a.OBJ", obj);
    assert_int_equal(import_as("a.OBJ", false, &mesh, &files, &error), SLV_OK);
    assert_int_equal(files.count, 1);
    assert_string_equal(files.paths[0], "a.OBJ");
    assert_true(mesh.input_hash == XXH3_64bits(obj, sizeof obj - 1));
    slv_file_list_free(&files);
    slv_mesh_free(&mesh);
}

// The reference is a URI with %20 for a space; a file with exactly that name has priority.
static void references_are_percent_decoded(void **state) {
    (void)state;
    char text[sizeof gltf_text + 16];
    const char *name = strstr(gltf_text, "tetra.bin");
    (void)snprintf(text, sizeof text, "%.*smy%%20b%%75f.bin%s", (int)(name - gltf_text), gltf_text,
                   name + strlen("tetra.bin"));
    unsigned char buffer[72];
    write_gltf(buffer);
    folder_write_text("escaped.gltf", text);
    expect_error("escaped.gltf", SLV_ERROR_FILE, "its buffer 'my%20b%75f.bin' cannot be read");
    static const char *const found[] = {"my buf.bin", "my%20b%75f.bin"};
    for (int f = 0; f < 2; f++) {
        folder_write(found[f], buffer, sizeof buffer);
        slv_mesh mesh;
        slv_file_list files;
        slv_error error = {.code = SLV_OK};
        if (import_as("escaped.gltf", false, &mesh, &files, &error) != SLV_OK) {
            fail_msg("%s: %s", found[f], error.text);
        }
        assert_int_equal(mesh.triangle_count, 8);
        assert_int_equal(files.count, 2);
        assert_non_null(strstr(files.paths[1], found[f]));
        slv_file_list_free(&files);
        slv_mesh_free(&mesh);
    }
}

static void collada_units_and_axes_are_applied(void **state) {
    (void)state;
    folder_write_text("tetra.dae", dae_text);
    slv_mesh mesh = import("tetra.dae");
    static const double min[3] = {0, 0, -2};
    static const double max[3] = {1, 3, 0};
    expect_bounds(&mesh, min, max);
    assert_true(fabs(volume(&mesh) - 1.0) < 1e-5);
    slv_mesh_free(&mesh);
}

static void fbx_units_and_axes_are_applied(void **state) {
    (void)state;
    folder_write_text("tetra.fbx", fbx_text);
    slv_mesh mesh = import("tetra.fbx");
    static const double min[3] = {0, 0, -5.08};
    static const double max[3] = {2.54, 7.62, 0};
    expect_bounds(&mesh, min, max);
    assert_true(volume(&mesh) > 0.0);
    slv_mesh_free(&mesh);
}

static void the_up_axis_can_be_given(void **state) {
    (void)state;
    folder_write_text("tetra.off", off_text);
    slv_mesh mesh;
    slv_error error = {.code = SLV_OK};
    assert_int_equal(import_as("tetra.off", true, &mesh, NULL, &error), SLV_OK);
    static const double min[3] = {0, 0, -2};
    static const double max[3] = {1, 3, 0};
    expect_bounds(&mesh, min, max);
    slv_mesh_free(&mesh);
}

// --- bad files -----------------------------------------------------------------------------------

static const char *const extensions[] = {"obj", "stl", "ply", "glb",   "gltf", "fbx", "dae",
                                         "3ds", "off", "x",   "blend", "lwo",  "md2", "ms3d",
                                         "ase", "ac",  "b3d", "dxf",   "xyz",  ""};

static void paths_that_are_not_files_are_rejected(void **state) {
    (void)state;
    expect_error("missing.obj", SLV_ERROR_FILE, "cannot be opened: No such file or directory");
    expect_error("missing.stl", SLV_ERROR_FILE, "cannot be opened: No such file or directory");
    expect_error("", SLV_ERROR_FILE, "cannot be opened: No such file or directory");
    assert_int_equal(mkdir("folder.obj", 0755), 0);
    assert_int_equal(mkdir("folder.ply", 0755), 0);
    expect_error("folder.obj", SLV_ERROR_FILE, "is a directory");
    expect_error("folder.ply", SLV_ERROR_FILE, "is a directory");
    assert_int_equal(mkfifo("pipe.obj", 0644), 0);
    assert_int_equal(mkfifo("pipe.stl", 0644), 0);
    expect_error("pipe.obj", SLV_ERROR_FILE, "is not a regular file");
    expect_error("pipe.stl", SLV_ERROR_FILE, "is not a regular file");
    expect_error("/dev/null", SLV_ERROR_FILE, "is not a regular file");
    folder_write_text("secret.obj", "v 0 0 0\n");
    assert_int_equal(chmod("secret.obj", 0), 0);
    if (geteuid() != 0) { // root reads everything
        expect_error("secret.obj", SLV_ERROR_FILE, "cannot be opened: Permission denied");
    }
}

static void empty_and_random_files_are_rejected(void **state) {
    (void)state;
    uint32_t seed = 2463534242u;
    for (size_t e = 0; e < sizeof extensions / sizeof *extensions; e++) {
        char name[32];
        (void)snprintf(name, sizeof name, "bad.%s", extensions[e]);
        folder_write(name, "", 0);
        expect_error(name, SLV_ERROR_CONTENT, "the file is empty");
        for (int round = 0; round < 4; round++) {
            unsigned char bytes[5000];
            for (size_t i = 0; i < sizeof bytes; i++) {
                seed ^= seed << 13;
                seed ^= seed >> 17;
                seed ^= seed << 5;
                bytes[i] = (unsigned char)(round == 3 ? ' ' + seed % 90 : seed);
            }
            folder_write(name, bytes, sizeof bytes);
            expect_error(name, SLV_ERROR_CONTENT, "");
        }
    }
}

static void an_unknown_format_is_named_in_the_message(void **state) {
    (void)state;
    folder_write_text("notes.txt", "just some words, no mesh at all");
    expect_error("notes.txt", SLV_ERROR_CONTENT, "no importer for '.txt' files");
    write_sparse("zeros.bin", "", (off_t)2 << 30);
    expect_error("zeros.bin", SLV_ERROR_CONTENT, "no importer for '.bin' files");
    folder_write_text("notes", "just some words, no mesh at all");
    expect_error("notes", SLV_ERROR_CONTENT, "no extension in the name");
    assert_int_equal(mkdir("folder.stl", 0755), 0);
    folder_write_text("folder.stl/tetra", stl_text);
    expect_error("folder.stl/tetra", SLV_ERROR_CONTENT, "no extension in the name");
}

// Rejected by the first bytes; none of these files is read completely.
static void large_files_with_a_wrong_start_are_rejected_at_once(void **state) {
    (void)state;
    write_sparse("zeros.obj", "", (off_t)3 << 30);
    expect_error("zeros.obj", SLV_ERROR_CONTENT, "not an OBJ file: byte 0 is 0");
    write_sparse("tail.obj", "v 0 0 0\n", (off_t)3 << 30);
    expect_error("tail.obj", SLV_ERROR_CONTENT, "not an OBJ file: byte 8 is 0");
    write_sparse("zeros.ply", "", (off_t)3 << 30);
    expect_error("zeros.ply", SLV_ERROR_CONTENT, "not a PLY file: ");
    static const char *const names[] = {"pack.slv", "pack.obj", "pack.ply", "pack"};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        write_sparse(names[n], "SELVAGE", (off_t)3 << 30);
        expect_error(names[n], SLV_ERROR_CONTENT, "this is a Selvage pack already, not a mesh");
    }
    folder_write_text("selvage.obj", "SELVAGE\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    slv_mesh mesh = import("selvage.obj");
    assert_int_equal(mesh.triangle_count, 1);
    slv_mesh_free(&mesh);
}

static void files_beyond_4_gib_are_rejected(void **state) {
    (void)state;
    static const char *const names[] = {"large.obj", "large.ply", "large.bin"};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        write_sparse(names[n], "ply\n", (off_t)5000000000);
        expect_error(names[n], SLV_ERROR_CONTENT,
                     "5000000000 bytes are too many, the most is 4294967296 (4 GiB)");
    }
}

// Truncated at any length a file is rejected, or read as the smaller mesh that is valid in its
// format. The tool never crashes.
static void truncated_files_are_read_or_rejected(void **state) {
    (void)state;
    unsigned char stl[512];
    unsigned char buffer[72];
    size_t stl_size = make_binary_stl(stl, 4);
    write_gltf(buffer);
    const struct {
        const char *name;
        const void *bytes;
        size_t size;
        size_t first;
        size_t step;
    } files[] = {{"cut.stl", stl, stl_size, 1, 23},
                 {"cut.ply", ply_text, sizeof ply_text - 1, 1, 5},
                 {"cut.off", off_text, sizeof off_text - 1, 1, 7},
                 {"cut.gltf", gltf_text, sizeof gltf_text - 1, 1, 97},
                 {"cut.dae", dae_text, sizeof dae_text - 1, 1, 131},
                 {"cut.fbx", fbx_text, sizeof fbx_text - 1, 1, 113},
                 {"tetra.bin", buffer, sizeof buffer, 1, 24}};
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        for (size_t size = files[f].first; size < files[f].size; size += files[f].step) {
            folder_write(files[f].name, files[f].bytes, size);
            slv_mesh mesh;
            slv_error error = {.code = SLV_OK};
            const char *name = f == 6 ? "tetra.gltf" : files[f].name;
            slv_result result = import_as(name, false, &mesh, NULL, &error);
            assert_true(result == SLV_OK || result == SLV_ERROR_CONTENT);
            assert_true(result == SLV_OK ? mesh.triangle_count > 0 : error.text[0] != '\0');
            slv_mesh_free(&mesh);
        }
    }
}

// Some versions of Assimp would search for the end until the time limit.
static void a_ply_header_without_its_end_is_rejected_at_once(void **state) {
    (void)state;
    const size_t header =
        (size_t)(strstr(ply_text, "end_header") - ply_text) + strlen("end_header\n");
    for (size_t size = 4; size < header; size += 3) {
        folder_write("cut.ply", ply_text, size);
        expect_error("cut.ply", SLV_ERROR_CONTENT,
                     "its PLY header has no end_header line: truncated");
    }
    folder_write("cut.ply", ply_text, header - 1);
    expect_error("cut.ply", SLV_ERROR_CONTENT, "its PLY header has no end_header line: truncated");
    write_sparse("long.ply", "ply\nformat ascii 1.0\ncomment ", (off_t)3 << 20);
    expect_error("long.ply", SLV_ERROR_CONTENT,
                 "its PLY header has no end_header line in the first 1048576 bytes");
    struct rusage usage; // of all children of this program so far
    assert_int_equal(getrusage(RUSAGE_CHILDREN, &usage), 0);
    assert_true(usage.ru_utime.tv_sec < 8);
}

static void counts_that_the_file_cannot_hold_are_rejected(void **state) {
    (void)state;
    static const uint32_t counts[] = {5, 1000000, 0x7fffffff, 0xffffffff};
    unsigned char stl[512];
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        folder_write("huge.stl", stl, make_binary_stl(stl, counts[c]));
        expect_error("huge.stl", SLV_ERROR_CONTENT, "");
        char ply[512];
        (void)snprintf(
            ply, sizeof ply,
            "ply\nformat binary_little_endian 1.0\nelement vertex %u\nproperty float x\n"
            "property float y\nproperty float z\nelement face %u\nproperty list uchar int "
            "vertex_indices\nend_header\nabcdefghijklmnop",
            counts[c], counts[c]);
        folder_write_text("huge.ply", ply);
        expect_error("huge.ply", SLV_ERROR_CONTENT,
                     counts[c] > 16 ? "its PLY header announces " : "");
    }
}

static void coordinates_that_are_not_finite_are_rejected(void **state) {
    (void)state;
    unsigned char stl[512];
    size_t size = make_binary_stl(stl, 4);
    float bad = NAN;
    memcpy(stl + 84 + 12, &bad, 4);
    folder_write("nan.stl", stl, size);
    expect_error("nan.stl", SLV_ERROR_CONTENT, "vertex 1 has the coordinate");
    bad = INFINITY;
    memcpy(stl + 84 + 12, &bad, 4);
    folder_write("inf.stl", stl, size);
    expect_error("inf.stl", SLV_ERROR_CONTENT, "vertex 1 has the coordinate");
    folder_write_text("nan.obj", "v 0 0 nan\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    expect_error("nan.obj", SLV_ERROR_CONTENT, "line 1: 'nan' is not a finite number");
}

static void a_mesh_without_area_is_rejected(void **state) {
    (void)state;
    folder_write_text("flat.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\nf 3 2 1\n");
    expect_error("flat.obj", SLV_ERROR_CONTENT, "all 2 triangles are degenerate (zero area)");
    folder_write_text("flat.off", "OFF\n3 1 0\n0 0 0\n1 1 1\n2 2 2\n3 0 1 2\n");
    expect_error("flat.off", SLV_ERROR_CONTENT, "all 1 triangles are degenerate (zero area)");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stl_ply_and_off_are_read),
        cmocka_unit_test(instances_are_placed_and_keep_their_orientation),
        cmocka_unit_test(every_file_read_is_listed_and_hashed),
        cmocka_unit_test(references_are_percent_decoded),
        cmocka_unit_test(collada_units_and_axes_are_applied),
        cmocka_unit_test(fbx_units_and_axes_are_applied),
        cmocka_unit_test(the_up_axis_can_be_given),
        cmocka_unit_test(paths_that_are_not_files_are_rejected),
        cmocka_unit_test(empty_and_random_files_are_rejected),
        cmocka_unit_test(an_unknown_format_is_named_in_the_message),
        cmocka_unit_test(large_files_with_a_wrong_start_are_rejected_at_once),
        cmocka_unit_test(files_beyond_4_gib_are_rejected),
        cmocka_unit_test(truncated_files_are_read_or_rejected),
        cmocka_unit_test(a_ply_header_without_its_end_is_rejected_at_once),
        cmocka_unit_test(counts_that_the_file_cannot_hold_are_rejected),
        cmocka_unit_test(coordinates_that_are_not_finite_are_rejected),
        cmocka_unit_test(a_mesh_without_area_is_rejected),
    };
    return cmocka_run_group_tests(tests, folder_enter, folder_leave);
}

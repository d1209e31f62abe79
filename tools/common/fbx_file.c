// SPDX-License-Identifier: MIT
#include "tools/common/fbx_file.h"

#include "tools/common/grow.h"

#include <string.h>

// --- Tree ---------------------------------------------------------------------------------------

uint32_t slv_fbx_add(slv_fbx *fbx, const char *name, size_t name_length) {
    void *nodes = fbx->nodes;
    if (!slv_grow(&nodes, &fbx->node_room, (uint64_t)fbx->node_count + 1, sizeof *fbx->nodes)) {
        return SLV_FBX_NONE;
    }
    fbx->nodes = nodes;
    fbx->nodes[fbx->node_count] = (slv_fbx_node){.name = name,
                                                 .name_length = (uint32_t)name_length,
                                                 .child = SLV_FBX_NONE,
                                                 .next = SLV_FBX_NONE};
    return fbx->node_count++;
}

void slv_fbx_append(slv_fbx *fbx, uint32_t parent, uint32_t *last, uint32_t node) {
    if (*last == SLV_FBX_NONE) {
        fbx->nodes[parent].child = node;
    } else {
        fbx->nodes[*last].next = node;
    }
    *last = node;
}

static uint32_t find_from(const slv_fbx *fbx, uint32_t node, const char *name) {
    const size_t length = strlen(name);
    while (node != SLV_FBX_NONE && (fbx->nodes[node].name_length != length ||
                                    memcmp(fbx->nodes[node].name, name, length) != 0)) {
        node = fbx->nodes[node].next;
    }
    return node;
}

uint32_t slv_fbx_child(const slv_fbx *fbx, uint32_t node, const char *name) {
    return node == SLV_FBX_NONE ? SLV_FBX_NONE : find_from(fbx, fbx->nodes[node].child, name);
}

uint32_t slv_fbx_beside(const slv_fbx *fbx, uint32_t node, const char *name) {
    return node == SLV_FBX_NONE ? SLV_FBX_NONE : find_from(fbx, fbx->nodes[node].next, name);
}

// --- Values -------------------------------------------------------------------------------------

bool slv_fbx_value_at(const slv_fbx *fbx, uint32_t node, uint32_t index, slv_fbx_value *value) {
    *value = (slv_fbx_value){.kind = 0};
    return node != SLV_FBX_NONE &&
           (fbx->is_text ? slv_fbx_text_value : slv_fbx_binary_value)(fbx, node, index, value);
}

bool slv_fbx_value_is(const slv_fbx_value *value, const char *text) {
    return value->kind == SLV_FBX_TEXT && value->length == strlen(text) &&
           memcmp(value->text, text, value->length) == 0;
}

double slv_fbx_child_number(const slv_fbx *fbx, uint32_t node, const char *name, double otherwise) {
    slv_fbx_value value;
    return slv_fbx_value_at(fbx, slv_fbx_child(fbx, node, name), 0, &value) &&
                   (value.kind == SLV_FBX_INTEGER || value.kind == SLV_FBX_NUMBER)
               ? value.number
               : otherwise;
}

bool slv_fbx_child_text(const slv_fbx *fbx, uint32_t node, const char *name, slv_fbx_value *text) {
    return slv_fbx_value_at(fbx, slv_fbx_child(fbx, node, name), 0, text) &&
           text->kind == SLV_FBX_TEXT;
}

size_t slv_fbx_type_size(int type) {
    return type == SLV_FBX_INT64 || type == SLV_FBX_DOUBLE ? 8 : 4;
}

// --- Opening ------------------------------------------------------------------------------------

static const char magic[] = "Kaydara FBX Binary  "; // with its terminating zero

bool slv_fbx_is_binary(const char *bytes, size_t size) {
    return size >= sizeof magic && memcmp(bytes, magic, sizeof magic) == 0;
}

bool slv_fbx_is_text(const char *bytes, size_t size) {
    static const char comment[] = "; FBX ";
    static const char head[] = "FBXHeaderExtension";
    while (size > 0 && (*bytes == ' ' || *bytes == '\t' || *bytes == '\r' || *bytes == '\n')) {
        bytes++;
        size--;
    }
    return (size >= sizeof comment - 1 && memcmp(bytes, comment, sizeof comment - 1) == 0) ||
           (size >= sizeof head - 1 && memcmp(bytes, head, sizeof head - 1) == 0);
}

// The version in the first line of a text file, "; FBX 7.4.0 project file": 7400. 0 where there is none.
static uint32_t version_of_comment(const char *bytes, size_t size) {
    static const char before[] = "; FBX ";
    uint32_t version = 0;
    size_t at = sizeof before - 1;
    if (size < at + 6 || memcmp(bytes, before, at) != 0) {
        return 0;
    }
    for (uint32_t unit = 1000; unit >= 10; unit /= 10, at += 2) {
        if (bytes[at] < '0' || bytes[at] > '9') {
            return 0;
        }
        version += unit * (uint32_t)(bytes[at] - '0');
        if (bytes[at + 1] != '.') {
            break;
        }
    }
    return version;
}

static slv_result check_version(const slv_fbx *fbx, slv_error *error) {
    if (fbx->version >= 7000 && fbx->version < 7800) {
        return SLV_OK;
    }
    return slv_fail(error, SLV_ERROR_CONTENT,
                    "is FBX %u.%u; versions 7.0 to 7.7 are read: export it as FBX 2011 or later",
                    fbx->version / 1000, fbx->version / 100 % 10);
}

static slv_result check_header(slv_fbx *fbx, slv_error *error) {
    const uint32_t header = slv_fbx_child(fbx, SLV_FBX_ROOT, "FBXHeaderExtension");
    if (fbx->is_text) {
        const double version = slv_fbx_child_number(fbx, header, "FBXVersion", 0.0);
        if (version > 0.0 && version < 1e5) {
            fbx->version = (uint32_t)version;
        }
    }
    const slv_result result = check_version(fbx, error);
    if (result == SLV_OK && slv_fbx_child_number(fbx, header, "EncryptionType", 0.0) != 0.0) {
        return slv_fail(error, SLV_ERROR_CONTENT, "is encrypted; export it without a password");
    }
    return result;
}

slv_result slv_fbx_open(const char *bytes, size_t size, slv_fbx *fbx, slv_error *error) {
    enum { ENDIANNESS = 22, VERSION = 23, HEADER = 27 };
    *fbx = (slv_fbx){.bytes = bytes, .size = size};
    fbx->is_text = !slv_fbx_is_binary(bytes, size);
    if (fbx->is_text && !slv_fbx_is_text(bytes, size)) {
        return slv_fail(error, SLV_ERROR_CONTENT, "is no FBX file");
    }
    slv_result result = SLV_OK;
    if (fbx->is_text) {
        fbx->version = version_of_comment(bytes, size);
        result = fbx->version > 0 ? check_version(fbx, error) : SLV_OK;
    } else if (size < HEADER) {
        return slv_fail(error, SLV_ERROR_CONTENT, "ends within its header");
    } else if (bytes[ENDIANNESS] != 0) {
        return slv_fail(error, SLV_ERROR_CONTENT,
                        "is a big-endian FBX file; export it in binary or text again");
    } else {
        for (int b = 0; b < 4; b++) {
            fbx->version |= (uint32_t)(unsigned char)bytes[VERSION + b] << (8 * b);
        }
        result = check_version(fbx, error);
    }
    if (result == SLV_OK && slv_fbx_add(fbx, "", 0) == SLV_FBX_NONE) {
        result = slv_no_memory(error);
    }
    if (result == SLV_OK) {
        result = (fbx->is_text ? slv_fbx_parse_text : slv_fbx_parse_binary)(fbx, error);
    }
    if (result == SLV_OK) {
        result = check_header(fbx, error);
    }
    if (result != SLV_OK) {
        slv_fbx_close(fbx);
    }
    return result;
}

void slv_fbx_close(slv_fbx *fbx) {
    free(fbx->nodes);
    *fbx = (slv_fbx){.bytes = NULL};
}

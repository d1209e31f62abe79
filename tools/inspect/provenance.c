// SPDX-License-Identifier: MIT
#include "tools/inspect/provenance.h"

#include "formats/number_text.h"

#include <stdio.h>
#include <string.h>

enum { KEY_ROOM = 256 };

typedef struct walker {
    void (*visit)(void *context, const char *key, const char *value);
    void *context;
    char key[KEY_ROOM]; // of the item being visited
} walker;

static void visit_leaf(walker *walk, const cJSON *item) {
    char number[SLV_NUMBER_TEXT];
    const char *value = "null";
    if (cJSON_IsString(item)) {
        value = item->valuestring;
    } else if (cJSON_IsNumber(item)) {
        slv_text_of_double(item->valuedouble, number);
        value = number;
    } else if (cJSON_IsBool(item)) {
        value = cJSON_IsTrue(item) ? "true" : "false";
    }
    walk->visit(walk->context, walk->key, value);
}

// cJSON rejects text nested deeper than 1000 levels, which bounds the recursion here.
static void visit_children(walker *walk, const cJSON *parent, size_t length) {
    unsigned index = 0;
    const cJSON *item = NULL;
    cJSON_ArrayForEach(item, parent) {
        const char *dot = length > 0 ? "." : "";
        if (item->string) {
            (void)snprintf(walk->key + length, KEY_ROOM - length, "%s%s", dot, item->string);
        } else {
            (void)snprintf(walk->key + length, KEY_ROOM - length, "%s%u", dot, index);
        }
        index++;
        if (item->child) {
            visit_children(walk, item, strlen(walk->key));
        } else {
            visit_leaf(walk, item);
        }
    }
}

void slv_provenance_visit(const cJSON *object,
                          void (*visit)(void *context, const char *key, const char *value),
                          void *context) {
    walker walk = {.visit = visit, .context = context};
    if (object) {
        visit_children(&walk, object, 0);
    }
}

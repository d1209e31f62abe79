// SPDX-License-Identifier: MIT
// Writes from the parameter tables and the list of solvers what would otherwise repeat them: structs and an enum of
// selvage/world.h, the JSON Schema of scene files and the tables in docs/SCENES.md.
#ifndef SLV_RUNTIME_SCENE_GENERATE_GENERATE_H
#define SLV_RUNTIME_SCENE_GENERATE_GENERATE_H

#include "runtime/scene/scene_keys.h"

typedef struct slv_text {
    char *bytes; // ended by a zero; for free()
    size_t used, room;
} slv_text;

void slv_text_add(slv_text *text, const char *format, ...) SLV_PRINTF(2, 3);

typedef enum slv_words {
    SLV_WORDS_FIELDS, // {sleep_delay} becomes sleep_delay
    SLV_WORDS_KEYS,   // … sleepDelay
    SLV_WORDS_CODE,   // … `sleepDelay`
} slv_words;
// Adds words in which {field} names a field of the table.
void slv_text_add_words(slv_text *text, const slv_parameter_table *table, const char *words,
                        slv_words how);

// The struct of a table, for selvage/world.h.
void slv_generate_struct(slv_text *text, const char *name, const slv_parameter_table *table);
// The options of selvage-play that override a scene, for its manual page.
void slv_generate_options(slv_text *text);
// The enum of all solvers (runtime/base/solvers.def), for selvage/world.h.
void slv_generate_solvers(slv_text *text);
void slv_generate_schema(slv_text *text);
// Tables for docs/SCENES.md.
void slv_generate_keys(slv_text *text, const slv_key_list *list);

#endif

// SPDX-License-Identifier: MIT
// A table as CSV (RFC 4180 quoting, "\n" line ends) or as a JSON array of objects. A row is written
// cell by cell in column order; the last cell ends the row.
#ifndef SLV_INSPECT_TABLE_H
#define SLV_INSPECT_TABLE_H

#include "tools/inspect/output.h"

#include <stdint.h>

typedef enum slv_table_format { SLV_TABLE_CSV = 0, SLV_TABLE_JSON = 1 } slv_table_format;

#define SLV_TABLE_COLUMNS_MAX 20u

typedef struct slv_table {
    slv_output *output;
    slv_table_format format;
    const char *columns[SLV_TABLE_COLUMNS_MAX]; // not terminated
    size_t lengths[SLV_TABLE_COLUMNS_MAX];
    unsigned column_count;
    unsigned column; // of the next cell
    bool any_row;
    bool out_of_memory;
} slv_table;

// columns: "particle,x,y,z", printed verbatim as CSV header. Must outlive the table.
void slv_table_begin(slv_table *table, slv_output *output, slv_table_format format,
                     const char *columns);
void slv_table_uint(slv_table *table, uint64_t value);
void slv_table_int(slv_table *table, int64_t value);
void slv_table_float(slv_table *table, float value);
void slv_table_double(slv_table *table, double value);
void slv_table_text(slv_table *table, const char *text, size_t length);
void slv_table_word(slv_table *table, const char *text); // terminated
void slv_table_none(slv_table *table);                   // empty in CSV, null in JSON
void slv_table_color(slv_table *table, uint32_t color);  // -1 for SLV_UNCOLORED
// Marks the table as failed for lack of memory: slv_table_end reports it.
void slv_table_give_up(slv_table *table);
slv_result slv_table_end(slv_table *table, slv_error *error);

// True where the output is closed: further rows would be lost.
static inline bool slv_table_closed(const slv_table *table) {
    return slv_output_failed(table->output);
}

#endif

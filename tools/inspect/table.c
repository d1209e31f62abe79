// SPDX-License-Identifier: MIT
#include "tools/inspect/table.h"

#include "formats/number_text.h"
#include "kernels/types.h"

#include <assert.h>
#include <string.h>

static void split_columns(slv_table *table, const char *columns) {
    table->column_count = 0;
    for (;;) {
        size_t length = strcspn(columns, ",");
        assert(table->column_count < SLV_TABLE_COLUMNS_MAX);
        table->columns[table->column_count] = columns;
        table->lengths[table->column_count++] = length;
        if (columns[length] == '\0') {
            return;
        }
        columns += length + 1;
    }
}

void slv_table_begin(slv_table *table, slv_output *output, slv_table_format format,
                     const char *columns) {
    table->output = output;
    table->format = format;
    table->column = 0;
    table->any_row = false;
    table->out_of_memory = false;
    split_columns(table, columns);
    if (format == SLV_TABLE_CSV) {
        slv_output_text(output, columns);
        slv_output_bytes(output, "\n", 1);
    } else {
        slv_output_bytes(output, "[", 1);
    }
}

void slv_table_give_up(slv_table *table) {
    table->out_of_memory = true;
}

slv_result slv_table_end(slv_table *table, slv_error *error) {
    assert(table->column == 0);
    if (table->out_of_memory) {
        return slv_fail(error, SLV_ERROR_MEMORY, "out of memory");
    }
    if (table->format == SLV_TABLE_JSON) {
        slv_output_text(table->output, table->any_row ? "\n]\n" : "]\n");
    }
    return SLV_OK;
}

static void begin_cell(slv_table *table) {
    slv_output *output = table->output;
    unsigned column = table->column;
    if (table->format == SLV_TABLE_CSV) {
        if (column > 0) {
            slv_output_bytes(output, ",", 1);
        }
        return;
    }
    if (column > 0) {
        slv_output_bytes(output, ",\"", 2);
    } else {
        slv_output_text(output, table->any_row ? ",\n{\"" : "\n{\"");
    }
    slv_output_bytes(output, table->columns[column], table->lengths[column]);
    slv_output_bytes(output, "\":", 2);
}

static void end_cell(slv_table *table) {
    table->any_row = true;
    if (++table->column == table->column_count) {
        table->column = 0;
        slv_output_text(table->output, table->format == SLV_TABLE_CSV ? "\n" : "}");
    }
}

static void plain_cell(slv_table *table, const char *text, size_t length) {
    begin_cell(table);
    slv_output_bytes(table->output, text, length);
    end_cell(table);
}

void slv_table_uint(slv_table *table, uint64_t value) {
    char text[SLV_NUMBER_TEXT];
    plain_cell(table, text, slv_text_of_uint(value, text));
}

void slv_table_int(slv_table *table, int64_t value) {
    char text[SLV_NUMBER_TEXT];
    plain_cell(table, text, slv_text_of_int(value, text));
}

void slv_table_float(slv_table *table, float value) {
    char text[SLV_NUMBER_TEXT];
    plain_cell(table, text, slv_text_of_float(value, text));
}

void slv_table_double(slv_table *table, double value) {
    char text[SLV_NUMBER_TEXT];
    plain_cell(table, text, slv_text_of_double(value, text));
}

void slv_table_none(slv_table *table) {
    bool json = table->format == SLV_TABLE_JSON;
    plain_cell(table, "null", json ? 4 : 0);
}

void slv_table_color(slv_table *table, uint32_t color) {
    slv_table_int(table, color == SLV_UNCOLORED ? -1 : (int64_t)color);
}

static void csv_text(slv_output *output, const char *text, size_t length) {
    bool quoted = false;
    for (size_t i = 0; i < length && !quoted; i++) {
        quoted = text[i] == ',' || text[i] == '"' || text[i] == '\r' || text[i] == '\n';
    }
    if (!quoted) {
        slv_output_bytes(output, text, length);
        return;
    }
    slv_output_bytes(output, "\"", 1);
    for (size_t i = 0; i < length; i++) {
        slv_output_bytes(output, "\"\"", text[i] == '"' ? 1 : 0);
        slv_output_bytes(output, text + i, 1);
    }
    slv_output_bytes(output, "\"", 1);
}

static void json_text(slv_output *output, const char *text, size_t length) {
    slv_output_bytes(output, "\"", 1);
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c < 0x20 || c == 0x7F) {
            slv_output_format(output, "\\u%04x", c);
        } else {
            slv_output_bytes(output, "\\", c == '"' || c == '\\' ? 1 : 0);
            slv_output_bytes(output, text + i, 1);
        }
    }
    slv_output_bytes(output, "\"", 1);
}

void slv_table_text(slv_table *table, const char *text, size_t length) {
    begin_cell(table);
    if (table->format == SLV_TABLE_CSV) {
        csv_text(table->output, text, length);
    } else {
        json_text(table->output, text, length);
    }
    end_cell(table);
}

void slv_table_word(slv_table *table, const char *text) {
    slv_table_text(table, text, strlen(text));
}

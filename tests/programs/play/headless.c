// SPDX-License-Identifier: MIT
#define _XOPEN_SOURCE 700
#include "tests/programs/play/headless.h"

#include "tests/formats/sample_garment.h"
#include "tests/formats/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

char *read_file(const char *path) {
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char *text = NULL;
    size_t size = 0;
    ssize_t length = getdelim(&text, &size, '\0', file);
    if (length < 0) {
        text[0] = '\0';
    }
    (void)fclose(file);
    return text;
}

int setup(void **state) {
    static scratch temporary;
    (void)unsetenv("DISPLAY");
    (void)unsetenv("WAYLAND_DISPLAY");
    *state = &temporary;
    if (scratch_open(&temporary) != 0 || chdir(temporary.folder) != 0) {
        return -1;
    }
    sample_garment sample;
    sample_grid(&sample, 6, 1, 5);
    const slv_result result = sample_write(&sample.garment, NULL, "cloth.slv", NULL);
    sample_free(&sample);
    write_file("scene.json", "{\"softObjects\": [{\"src\": \"cloth.slv\", \"fixed\": [0, 5]}]}");
    return result == SLV_OK ? 0 : -1;
}

int teardown(void **state) {
    (void)chdir("/");
    scratch_close(*state);
    return 0;
}

int play(const char *arguments) {
    char command[2048];
    (void)snprintf(command, sizeof command, "'%s' %s >out.txt 2>err.txt", SLV_PLAY_PROGRAM,
                   arguments);
    const int status = system(command);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

void play_well(const char *arguments) {
    if (play(arguments) != 0) {
        char *messages = read_file("err.txt");
        fail_msg("%s: %s", arguments, messages);
    }
}

void refuse(const char *arguments, int status, const char *message) {
    const int got = play(arguments);
    char *messages = read_file("err.txt");
    if (got != status || strstr(messages, message) == NULL ||
        strncmp(messages, "selvage-play: error: ", strlen("selvage-play: error: ")) != 0) {
        fail_msg("%s: status %d, expected %d; messages %s", arguments, got, status, messages);
    }
    free(messages);
}

void expect_file(const char *path, const char *text) {
    char *found = read_file(path);
    assert_string_equal(found, text);
    free(found);
}

slv_json *read_json(const char *path) {
    char *text = read_file(path);
    slv_json *json = NULL;
    slv_error error = {0};
    if (slv_json_parse(text, strlen(text), &json, &error) != SLV_OK) {
        fail_msg("%s:%s", path, error.text);
    }
    free(text);
    return json;
}

const slv_json_value *get(const slv_json_value *object, const char *key, slv_json_type type) {
    const slv_json_value *value = slv_json_member(object, key);
    if (value == NULL || value->type != type) {
        fail_msg("the report has no %s of the right type", key);
    }
    return value;
}

bool same_hashes(const char *path, const char *other) {
    slv_json *a = read_json(path);
    slv_json *b = read_json(other);
    const slv_json_value *frame_a = get(slv_json_root(a), "frames", SLV_JSON_ARRAY)->first;
    const slv_json_value *frame_b = get(slv_json_root(b), "frames", SLV_JSON_ARRAY)->first;
    bool same = true;
    for (; frame_a && frame_b; frame_a = frame_a->next, frame_b = frame_b->next) {
        same = same && strcmp(get(frame_a, "hash", SLV_JSON_STRING)->text,
                              get(frame_b, "hash", SLV_JSON_STRING)->text) == 0;
    }
    same = same && !frame_a && !frame_b;
    slv_json_free(a);
    slv_json_free(b);
    return same;
}

size_t read_csv(const char *path, csv_row *rows, size_t room) {
    FILE *file = fopen(path, "r");
    char text[256];
    size_t count = 0;
    assert_non_null(file);
    assert_non_null(fgets(text, sizeof text, file));
    assert_string_equal(text, "frame,particle,x,y,z\n");
    while (fgets(text, sizeof text, file)) {
        csv_row *row = &rows[count++];
        char *at = text;
        assert_true(count <= room);
        row->frame = strtoul(at, &at, 10);
        assert_int_equal(*at++, ',');
        row->particle = strtoul(at, &at, 10);
        for (int i = 0; i < 3; i++) {
            assert_int_equal(*at++, ',');
            row->position[i] = strtof(at, &at);
        }
        assert_string_equal(at, "\n");
    }
    (void)fclose(file);
    return count;
}

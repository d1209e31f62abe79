// SPDX-License-Identifier: MIT
#define _XOPEN_SOURCE 700
#include "tests/common/folder.h"

#include <dirent.h>
#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

int folder_enter(void **state) {
    (void)state;
    char folder[512];
    const char *parent = getenv("TMPDIR");
    (void)snprintf(folder, sizeof folder, "%s/selvage-test-XXXXXX", parent ? parent : "/tmp");
    return mkdtemp(folder) != NULL && chdir(folder) == 0 ? 0 : -1;
}

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *where) {
    (void)status;
    (void)kind;
    (void)where;
    return remove(path);
}

int folder_leave(void **state) {
    (void)state;
    char folder[4096];
    if (getcwd(folder, sizeof folder) == NULL || chdir("/") != 0) {
        return -1;
    }
    return nftw(folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

char *folder_read(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    const long end = ftell(file);
    assert_true(end >= 0);
    rewind(file);
    char *bytes = malloc((size_t)end + 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, (size_t)end, file), end);
    bytes[end] = '\0';
    (void)fclose(file);
    *size = (size_t)end;
    return bytes;
}

void folder_write(const char *path, const void *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

void folder_write_text(const char *path, const char *text) {
    folder_write(path, text, strlen(text));
}

void folder_expect_text(const char *path, const char *text) {
    size_t size = 0;
    char *bytes = folder_read(path, &size);
    assert_string_equal(bytes, text);
    free(bytes);
}

size_t folder_count(void) {
    size_t count = 0;
    DIR *folder = opendir(".");
    assert_non_null(folder);
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    }
    (void)closedir(folder);
    return count;
}

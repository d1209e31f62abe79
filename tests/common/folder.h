// SPDX-License-Identifier: MIT
// A temporary folder that a test works in, and whole files in it.
#ifndef SLV_TESTS_FOLDER_H
#define SLV_TESTS_FOLDER_H

#include <stddef.h>

// cmocka set-up and tear-down: makes an empty folder and enters it; leaves it and removes it with all
// that is in it.
int folder_enter(void **state);
int folder_leave(void **state);

// The test fails where these are impossible.
char *folder_read(const char *path, size_t *size); // terminated with an extra zero; to be freed
void folder_write(const char *path, const void *bytes, size_t size);
void folder_write_text(const char *path, const char *text);
void folder_expect_text(const char *path, const char *text); // the content of the file

size_t folder_count(void); // entries of the folder

#endif

// SPDX-License-Identifier: MIT
// Preloaded with the leak sanitizer: libraries stay loaded until the end, so that the sanitizer can name the library
// of a leak.
int dlclose(void *library); // as in dlfcn.h, whose declaration may have attributes

int dlclose(void *library) {
    (void)library;
    return 0;
}

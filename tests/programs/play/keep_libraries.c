// SPDX-License-Identifier: MIT
// Loaded before everything else where leaks are looked for: libraries stay until the end, so that the
// sanitizer can tell a driver's leaks from ours by the library's name.
int dlclose(void *library); // as in dlfcn.h, which may say more about it than we do

int dlclose(void *library) {
    (void)library;
    return 0;
}

// SPDX-License-Identifier: MIT
// The four headers that cmocka.h requires.
#ifndef SLV_TESTS_CMOCKA_ALL_H
#define SLV_TESTS_CMOCKA_ALL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif

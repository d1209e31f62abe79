// SPDX-License-Identifier: MIT
#ifndef SLV_TESTS_COLORIZE_PROPER_H
#define SLV_TESTS_COLORIZE_PROPER_H

#include "tests/tools/common/cmocka_all.h"
#include "tools/colorize/coloring.h"

static inline bool is_proper(const slv_conflicts *conflicts, const slv_coloring *coloring) {
    bool proper = false;
    assert_true(slv_coloring_check(conflicts, coloring, &proper));
    return proper;
}

#endif

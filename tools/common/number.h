// SPDX-License-Identifier: MIT
// Decimal text to double: correctly rounded, the same in every locale, fast for what meshes hold.
#ifndef SLV_TOOLS_NUMBER_H
#define SLV_TOOLS_NUMBER_H

#include <stdbool.h>

// Reads [+-]digits[.digits][e[+-]digits] from text, which must end before a character that is none
// of these (a terminating zero will do). Returns the first character after the number, or NULL where
// there is none or it is too large for a double. No hexadecimal, no "inf", no "nan", no blanks.
const char *slv_parse_number(const char *text, double *value);

// The same for a whole string: false unless it is one number and nothing else.
bool slv_parse_whole_number(const char *text, double *value);

#endif

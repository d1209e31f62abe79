// SPDX-License-Identifier: MIT
// Decimal text to double: correctly rounded, independent of the locale, fast for short numbers.
#ifndef SLV_TOOLS_NUMBER_H
#define SLV_TOOLS_NUMBER_H

#include <stdbool.h>

// Reads [+-]digits[.digits][e[+-]digits]. The text must end before a character that is none of
// these (a terminating zero is sufficient). Returns the first character after the number, or NULL
// where there is none or it overflows a double. No hexadecimal, "inf", "nan" or blanks.
const char *slv_parse_number(const char *text, double *value);

// The same for a whole string: false unless it is exactly one number.
bool slv_parse_whole_number(const char *text, double *value);

#endif

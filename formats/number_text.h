// SPDX-License-Identifier: MIT
// Numbers as text, fast: a dump of a million particles is mostly this.
#ifndef SLV_FORMATS_NUMBER_TEXT_H
#define SLV_FORMATS_NUMBER_TEXT_H

#include <stddef.h>
#include <stdint.h>

#define SLV_NUMBER_TEXT 32u // room for any number below, with its terminating zero

// Each writes a terminated text and returns its length.
size_t slv_text_of_uint(uint64_t value, char text[SLV_NUMBER_TEXT]);
size_t slv_text_of_int(int64_t value, char text[SLV_NUMBER_TEXT]);
// As printf("%.9g"), to the byte: nine digits bring every float back exactly.
size_t slv_text_of_float(float value, char text[SLV_NUMBER_TEXT]);
// As printf("%.17g"), or "%.15g" where that brings the value back too.
size_t slv_text_of_double(double value, char text[SLV_NUMBER_TEXT]);
// A checksum: sixteen hexadecimal digits.
size_t slv_text_of_hash(uint64_t value, char text[SLV_NUMBER_TEXT]);

// A default or an end of a range, as documents write it: 1e6 in place of 1000000, 0.002 as it is. Returns text.
const char *slv_text_of_limit(double value, char text[SLV_NUMBER_TEXT]);

#endif

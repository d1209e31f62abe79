// SPDX-License-Identifier: MIT
// Base64 (RFC 4648), as data URIs have it.
#ifndef SLV_TOOLS_BASE64_H
#define SLV_TOOLS_BASE64_H

#include <stddef.h>

// The bytes that text stands for, for free(); NULL where it is no base64 or memory is short.
void *slv_base64_decode(const char *text, size_t *size);

#endif

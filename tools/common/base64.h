// SPDX-License-Identifier: MIT
// Base64 decoding (RFC 4648) for data URIs.
#ifndef SLV_TOOLS_BASE64_H
#define SLV_TOOLS_BASE64_H

#include <stddef.h>

// The decoded bytes, to be freed; NULL where text is not base64 or memory is short.
void *slv_base64_decode(const char *text, size_t *size);

#endif

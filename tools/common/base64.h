// SPDX-License-Identifier: MIT
// Base64 decoding (RFC 4648) for data URIs.
#ifndef SLV_TOOLS_BASE64_H
#define SLV_TOOLS_BASE64_H

#include "formats/result.h"

#include <stddef.h>
#include <stdint.h>

// The decoded bytes are to be freed.
slv_result slv_base64_decode(const char *text, uint8_t **bytes, size_t *size, slv_error *error);

#endif

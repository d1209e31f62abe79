// SPDX-License-Identifier: MIT
// Untrusted text for JSON: file names may be any bytes, JSON is UTF-8.
#ifndef SLV_TOOLS_UTF8_H
#define SLV_TOOLS_UTF8_H

// A copy with every byte that is not part of proper UTF-8 replaced by U+FFFD; to be freed. NULL when
// memory is short.
char *slv_utf8_copy(const char *bytes);

#endif

// SPDX-License-Identifier: MIT
// Untrusted text for JSON: file names may contain any bytes, JSON requires UTF-8.
#ifndef SLV_TOOLS_UTF8_H
#define SLV_TOOLS_UTF8_H

// A copy with every byte that is not valid UTF-8 replaced by U+FFFD; to be freed. NULL where memory
// is short.
char *slv_utf8_copy(const char *bytes);

#endif

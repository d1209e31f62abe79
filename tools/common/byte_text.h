// SPDX-License-Identifier: MIT
// Amounts of memory in messages.
#ifndef SLV_TOOLS_BYTE_TEXT_H
#define SLV_TOOLS_BYTE_TEXT_H

#define SLV_BYTE_TEXT 32
#define SLV_MIB (1024.0 * 1024.0)

// Three digits and a unit, as in "3.2 GiB"; at least 1 MiB.
void slv_byte_text(double bytes, char text[SLV_BYTE_TEXT]);

#endif

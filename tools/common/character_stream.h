// SPDX-License-Identifier: MIT
// Serialization of a character from the importing child to the parent, in native byte order because both are one
// program.
#ifndef SLV_TOOLS_CHARACTER_STREAM_H
#define SLV_TOOLS_CHARACTER_STREAM_H

#include "tools/common/character.h"
#include "tools/common/file_list.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct slv_character_message {
    slv_error error;     // code SLV_OK: the other fields are valid
    slv_file_list files; // what was read, in that order
    slv_character character;
} slv_character_message;

void slv_character_message_free(slv_character_message *message); // zeroes it

// Write errors are reported when the stream is closed.
void slv_character_message_write(const slv_character_message *message, FILE *out);

// False for a stream that ends early or whose arrays do not fit together; *message is then empty. The sender has processed
// an untrusted file: call slv_character_check before the character is used.
bool slv_character_message_read(FILE *in, slv_character_message *message);

#endif

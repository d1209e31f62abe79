// SPDX-License-Identifier: MIT
// SPDX-License-Identifier: MIT
// Fuzzes what the parent reads from the importer's process, which a malicious file may have taken over: a character that
// passes the check can be posed.
#define _POSIX_C_SOURCE 200809L // fmemopen
#include "tests/tools/common/fuzz_text.h"
#include "tools/common/character_pose.h"
#include "tools/common/character_stream.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void pose(slv_character *character) {
    slv_error error = {.code = SLV_OK};
    slv_pose_scratch scratch = {0};
    if (slv_pose_scratch_create(character, &scratch, &error) == SLV_OK) {
        slv_character_transforms(character, SLV_AT_REST, 0.0, &scratch);
        for (uint32_t c = 0; c < character->clip_count && c < 4; c++) {
            slv_character_transforms(character, c, 0.5, &scratch);
        }
    }
    slv_pose_scratch_free(&scratch);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    slv_character_message message = {.error = {.code = SLV_OK}};
    char *bytes = fuzz_text(data, size);
    FILE *in = bytes && size > 0 ? fmemopen(bytes, size, "rb") : NULL;
    if (in == NULL) {
        free(bytes);
        return 0;
    }
    slv_error error = {.code = SLV_OK};
    if (slv_character_message_read(in, &message) && message.error.code == SLV_OK &&
        slv_character_check(&message.character, &error) == SLV_OK) {
        pose(&message.character);
    }
    slv_character_message_free(&message);
    (void)fclose(in);
    free(bytes);
    return 0;
}

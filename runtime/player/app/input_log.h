// SPDX-License-Identifier: MIT
// A play-through in a file: the state's hash at the start, every input, the hash at the end.
//
//     selvage-input 1
//     begin 0123456789abcdef          hash of the world before the first step
//     96 grab 0 5049 5050 5150        step, what, values
//     96 pull 0x1p-4 0x0p+0 0x0p+0
//     480 release
//     end 960 0123456789abcdef        steps in all, hash after the last
//
// A dash in place of a hash stands for any: for what was written by hand or by a script.
#ifndef SLV_PLAYER_INPUT_LOG_H
#define SLV_PLAYER_INPUT_LOG_H

#include "formats/atomic_file.h"
#include "runtime/player/app/input.h"

// --- Writing: the file appears when it is complete -----------------------------------------------

typedef struct slv_input_recorder {
    slv_atomic_file *file; // NULL: nothing is recorded
} slv_input_recorder;

slv_result slv_input_record_begin(slv_input_recorder *recorder, const char *path, uint64_t hash,
                                  slv_error *error);
slv_result slv_input_record(slv_input_recorder *recorder, const slv_input *input, slv_error *error);
slv_result slv_input_record_end(slv_input_recorder *recorder, uint64_t ticks, uint64_t hash,
                                slv_error *error);
void slv_input_record_abandon(slv_input_recorder *recorder);

// --- Reading -------------------------------------------------------------------------------------

typedef struct slv_input_hash {
    uint64_t value;
    bool any; // nothing is compared
} slv_input_hash;

typedef struct slv_input_log {
    slv_input *inputs;
    size_t count, room;
    slv_input_hash begin, end;
    uint64_t ticks;
} slv_input_log;

// Reads all of it; SLV_ERROR_CONTENT names the line.
slv_result slv_input_log_read(slv_input_log *log, const char *path, slv_error *error);
void slv_input_log_free(slv_input_log *log);

#endif

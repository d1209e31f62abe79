// SPDX-License-Identifier: MIT
// A recording: the hash of the first state, all inputs, the hash of the last state.
//
//     selvage-input 1
//     begin 0123456789abcdef          hash of the world before the first step
//     96 grab 0 5049 5050 5150        step, kind, values
//     96 pull 0x1p-4 0x0p+0 0x0p+0
//     480 release
//     500 parameters solver=PD_RBGS outer_iterations=4 …      all of slv_parameters
//     end 960 0123456789abcdef        number of steps, hash after the last
//
// A dash instead of a hash matches any state: for logs written by hand or by a script.
#ifndef SLV_PLAYER_INPUT_LOG_H
#define SLV_PLAYER_INPUT_LOG_H

#include "formats/atomic_file.h"
#include "runtime/player/app/input.h"

// --- Writing: the file appears when it is complete -----------------------------------------------

typedef struct slv_input_recorder {
    slv_atomic_file *file; // NULL: not recording
    const char *path;      // of the caller, for messages
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
    bool any; // matches any hash
} slv_input_hash;

typedef struct slv_input_log {
    slv_input *inputs;
    size_t count, room;
    slv_input_hash begin, end;
    uint64_t ticks;
} slv_input_log;

// Reads a whole log; an error names the line.
slv_result slv_input_log_read(slv_input_log *log, const char *path, slv_error *error);
void slv_input_log_free(slv_input_log *log);

#endif

// SPDX-License-Identifier: MIT
// The one error enum of the project: libraries return it, programs exit with it.
#ifndef SELVAGE_RESULT_H
#define SELVAGE_RESULT_H

typedef enum slv_result {
    SLV_OK = 0,
    SLV_ERROR_ARGUMENT =
        1, // a value out of range, NaN or infinite, or wrong usage; the message names it
    SLV_ERROR_FILE = 2,        // a file cannot be read or written
    SLV_ERROR_CONTENT = 3,     // a file was read, and its content is bad
    SLV_ERROR_MEMORY = 4,      // out of memory, or an internal fault
    SLV_ERROR_UNSUPPORTED = 5, // not possible on this machine or with this build
    SLV_ERROR_DIVERGED = 6,    // the simulation diverged in this step; reset or restore goes on
    SLV_ERROR_DEVICE = 7,      // a GPU failed; the message is the driver's
} slv_result;

#endif

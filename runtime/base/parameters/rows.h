// SPDX-License-Identifier: MIT
// The words in which the rows of the .def files are written. A file that includes .def files defines STRUCT
// before each.
//   FIELD(type, name, extent, kind, …)   a field of STRUCT; extent is [3] or nothing
//   KEY(kind, …)                         a key of a scene file without a field of its own
// The tables are of slv_parameter (parameter.h), which the including file includes.
#ifndef SLV_RUNTIME_BASE_PARAMETERS_ROWS_H
#define SLV_RUNTIME_BASE_PARAMETERS_ROWS_H

#include <math.h>
#include <stddef.h>

#ifdef SLV_GENERATOR // runs before the struct in selvage/world.h has the field
#define OFFSET(name) .offset = 0
#else
#define OFFSET(name) .offset = offsetof(STRUCT, name)
#endif

#define FIELD(type_, name, extent_, kind_, ...)                                                    \
    {.type = #type_,                                                                               \
     .field = #name,                                                                               \
     .extent = #extent_,                                                                           \
     .kind = SLV_VALUE_##kind_,                                                                    \
     OFFSET(name),                                                                                 \
     __VA_ARGS__},
#define KEY(kind_, ...) {.kind = SLV_VALUE_##kind_, __VA_ARGS__},

#define DEFAULT(...) .initial = {__VA_ARGS__}
#define RANGE(low, high) .min = (low), .max = (high)
// The option of selvage-play that overrides the value, and what its help calls the value.
#define OPTION(name, word) .option = (name), .argument = (word)
// Numbers that only the code behind the scene reader sees, which tests them for NaN: not given.
#define NOT_GIVEN DEFAULT((double)NAN, (double)NAN, (double)NAN)
// Value that stands for "not given" in the struct, and what counts then. Scene files leave the key out.
#define NONE(value, words)                                                                         \
    .none = (double)(value), .has_none = true, .initial = {(double)(value)}, .missing = (words)
// 0 is valid besides the range, in scene files too, and is the default.
#define ZERO(words)                                                                                \
    .none = 0, .has_none = true, .none_in_scene = true, .initial = {0}, .zero_means = (words)
// The same, and 0 is valid besides the range, in scene files too.
#define NONE_OR_ZERO(value, words, zero_words)                                                     \
    NONE(value, words), .also_zero = true, .zero_in_scene = true, .zero_means = (zero_words)

#define TABLE(rows_)                                                                               \
    { .rows = (rows_), .count = sizeof(rows_) / sizeof *(rows_) }

#endif

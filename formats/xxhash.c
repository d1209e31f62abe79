// SPDX-License-Identifier: MIT
// xxHash, compiled from its header once for the whole project: nothing that ships needs its library, and its
// functions take long to compile. XXH_NAMESPACE (CMakeLists.txt) keeps them apart from those of a host program.
#define XXH_IMPLEMENTATION
#include <xxhash.h>

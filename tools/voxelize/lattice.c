// SPDX-License-Identifier: MIT
#include "tools/voxelize/lattice.h"

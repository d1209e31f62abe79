// SPDX-License-Identifier: MIT
#include "tools/voxelize/field_source.h"

// SPDX-License-Identifier: MIT
#include "tools/common/mesh.h"

// SPDX-License-Identifier: MIT
#include "tools/common/mesh_import.h"

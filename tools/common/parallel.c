// SPDX-License-Identifier: MIT
#include "tools/common/parallel.h"

// SPDX-License-Identifier: MIT
#include "tools/common/options.h"

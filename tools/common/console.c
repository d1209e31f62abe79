// SPDX-License-Identifier: MIT
#include "tools/common/console.h"

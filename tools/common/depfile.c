// SPDX-License-Identifier: MIT
#include "tools/common/depfile.h"

// SPDX-License-Identifier: MIT
#include "formats/atomic_file.h"

// SPDX-License-Identifier: MIT
#include "formats/reader.h"

// SPDX-License-Identifier: MIT
#include "formats/garment.h"

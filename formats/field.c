// SPDX-License-Identifier: MIT
#include "formats/field.h"

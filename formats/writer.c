// SPDX-License-Identifier: MIT
#include "formats/writer.h"

// SPDX-License-Identifier: MIT
// The headers of all kernels that list.h names.
#ifndef SLV_KERNELS_ALL_H
#define SLV_KERNELS_ALL_H

#include "kernels/averaged.h"
#include "kernels/compliant.h"
#include "kernels/graph.h"
#include "kernels/grid.h"
#include "kernels/limits.h"
#include "kernels/moves.h"
#include "kernels/pairs.h"
#include "kernels/phantom.h"
#include "kernels/sleep.h"
#include "kernels/slots.h"
#include "kernels/tear.h"
#include "kernels/tetrahedron.h"
#include "kernels/wind.h"

#endif

// SPDX-License-Identifier: MIT
// Selvage's runtime: cloth simulation from packs. This is the only header that a game includes.
//
// Units are SI: metres, kilograms, seconds, newtons. Coordinates are right-handed, y is up. Particles have
// own numbers, counted from 0: on grids x fastest, then y or, where the grid is flat, z; on surfaces the vertex
// order of the mesh file.
//
// Failures. Every call that can fail returns a slv_result, and slv_world_get_message gives a sentence with the name
// of the value and its range. Wrong arguments are refused like bad packs, a lack of memory or divergence; none
// crashes. A call that fails leaves the world as it was. Of several steps, those before the failure are done.
//
// Memory. The library keeps no global state and prints nothing. slv_world_advance allocates nothing, unless
// objects were added or removed (slv_world_add_garment) or neighbor lists are enlarged after its last step
// (slv_world_reserve).
//
// Threads. A world is used by one call at a time, on any thread. This holds for getters as well: none may run while
// another thread is in a call on the same world. Views and texts are read before the next call that steps or
// changes the world; a thread that draws gets copies. OpenGL calls need the context current on their thread.
// Different worlds are independent, and so are functions that take no world or only read a scene.
#ifndef SELVAGE_H
#define SELVAGE_H

#include <selvage/clip.h>      // IWYU pragma: export
#include <selvage/collider.h>  // IWYU pragma: export
#include <selvage/export.h>    // IWYU pragma: export
#include <selvage/garment.h>   // IWYU pragma: export
#include <selvage/lock.h>      // IWYU pragma: export
#include <selvage/parameter.h> // IWYU pragma: export
#include <selvage/result.h>    // IWYU pragma: export
#include <selvage/scene.h>     // IWYU pragma: export
#include <selvage/world.h>     // IWYU pragma: export

#endif

// SPDX-License-Identifier: MIT
// Every domain that a kernel can run over, once: what the rows of a launch are, and what the elements of a
// row are. The runtime's table of domains, the entries of a GPU and its launch shapes are made from this list;
// the CPU's loops are in runtime/backends/cpu/cpu_kernels.inl. Deliberately without an include guard.
//
//     SLV_DOMAIN(name, columns, dimensions)
//
// columns: elements of a row; may use `body`.
// dimensions: of the threads of a launch on a GPU.
//     1  thread number row * columns + column
//     2  a column along the first axis, a row along the second: `columns` is known only at run time, and a
//        division by it is slow
//     3  the same, and a component d along the third axis
// Domains of two and three dimensions are grids. A row of a grid reads and writes nothing beyond its own row
// and the rows beside it (of a solid grid: its own layer and the layers beside it), but for kernels with the trait
// SLV_DISTANT. The CPU's wavefronts (runtime/backends/cpu/cpu_wavefront.h) rely on that.

// A row of a grid; a column of it, with a cell of either color.
SLV_DOMAIN(GRID_COLUMNS, body->columns, 2)
// A row of a grid, both colors; its columns from … to - 1: all of them, or one a thread.
SLV_DOMAIN(GRID_RANGES, body->columns, 2)
// A row of a grid; a cell of color launch->index, and its component d.
SLV_DOMAIN(GRID_COMPONENTS, body->columns, 3)
// A block of slots; a slot of it.
SLV_DOMAIN(SLOTS, SLV_BLOCK, 1)
// A block of slots; its slots from … to - 1: all of them, or one a thread.
SLV_DOMAIN(SLOT_RANGES, SLV_BLOCK, 1)
// A slice; a particle of it.
SLV_DOMAIN(SLICES, SLV_LANES, 1)
// SLV_LANES springs of group launch->index; a spring of them.
SLV_DOMAIN(SPRINGS, SLV_LANES, 1)
// SLV_LANES moves; a move of them.
SLV_DOMAIN(MOVES, SLV_LANES, 1)
// SLV_LANES elements of any other list; an element of them.
SLV_DOMAIN(LANES, SLV_LANES, 1)
// A tile of particles or a block of points; one of its SLV_BLOCK elements.
SLV_DOMAIN(POINTS, SLV_BLOCK, 1)
// Anything; a row is one element.
SLV_DOMAIN(ROWS, 1, 1)
// Nothing: one row with one element, which does all the work.
SLV_DOMAIN(ONCE, 1, 1)

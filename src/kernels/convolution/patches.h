#pragma once

#include "core/function_ref.h"
#include "core/matrix.h"
#include "kernels/convolution/windows.h"

namespace dhyan::kernels {

// Convolution as GEMM ([chellapilla2006], im2col): a patch is the cells of a window as one row [kernel*kernel*C], zeros
// where the window is outside of the picture. Patches are made in blocks that stay in the L2 cache.

// Patch i is that of window first + i.
void gather_patches(ConstMatrix x, const Windows& windows, Index first, Matrix patches);

// x += patches: each value is added to the cell that gather_patches() reads it from.
void scatter_patches_add(ConstMatrix patches, const Windows& windows, Index first, Matrix x);

// f(patches, first) for all windows, block by block. If windows are cells, blocks are rows of x and nothing is copied.
void for_patch_blocks(ConstMatrix x, const Windows& windows, FunctionRef<void(ConstMatrix patches, Index first)> f);

// scatter_patches_add() of all patches: fill(patches, first) writes each block.
void add_patch_blocks(const Windows& windows, FunctionRef<void(Matrix patches, Index first)> fill, Matrix x);

}  // namespace dhyan::kernels

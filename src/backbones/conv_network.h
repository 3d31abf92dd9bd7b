#pragma once

#include <vector>

#include "backbones/backbone.h"
#include "nn/convolution.h"
#include "nn/layer_norm.h"

namespace dhyan {

struct ConvNetworkOptions {
  struct Layer {
    Index channels, stride;
  };

  GridShape picture = {64, 64};
  std::vector<Layer> layers = {{16, 2}, {32, 2}, {64, 2}, {64, 1}};
  Index kernel = 3;
  Rng rng = Rng(0);
};

// A small convolutional network, to be trained with the decoder: convolutions with relu, and a layer norm of each cell.
// With the default layers 64x64 pixels become a grid of 8x8. Parameters name.<layer>.weight and .bias, name.norm.
class ConvNetwork final : public Backbone {
 public:
  ConvNetwork(ParameterSet& parameters, const std::string& name, const ConvNetworkOptions& options);

  Var operator()(const Var& pixels) const override;
  GridShape grid() const override { return grid_; }
  Index width() const override { return width_; }

 private:
  std::vector<Convolution> layers_;
  GridShape grid_;
  Index width_ = 3;
  LayerNorm norm_;
};

}  // namespace dhyan

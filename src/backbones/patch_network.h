#pragma once

#include "backbones/backbone.h"
#include "nn/convolution.h"

namespace dhyan {

struct PatchNetworkOptions {
  GridShape picture = {64, 64};
  Index patch = 8;    // pixels on each side
  Index width = 128;  // H
  Rng rng = Rng(0);
};

// [dosovitskiy2021] eq. 1 without the positions: each patch of patch x patch pixels is multiplied by a matrix.
// Parameters name.patch.weight and .bias. ConfigError unless patches cover the picture.
class PatchNetwork final : public Backbone {
 public:
  PatchNetwork(ParameterSet& parameters, const std::string& name, const PatchNetworkOptions& options);

  Var operator()(const Var& pixels) const override;
  GridShape grid() const override { return patch_.grid_of(picture()); }
  Index width() const override { return patch_.weight().value.cols(); }

 private:
  Convolution patch_;
};

}  // namespace dhyan

#pragma once

#include <memory>
#include <optional>

#include "backbones/backbones.h"
#include "models/model_config.h"
#include "models/source_batch.h"
#include "nn/grid_positions.h"
#include "nn/linear.h"
#include "ops/ragged.h"

namespace dhyan {

// Turns pictures into rows of width H: a backbone makes a grid of features, which are projected unless they are H wide,
// and learned positions are added. Pictures are pixels, or features that the backbone computed earlier.
// Parameters name.backbone.*, name.projection.*, name.positions.*
class GridInput {
 public:
  GridInput(ParameterSet& parameters, const std::string& name, const ModelConfig& config, const Rng& rng);

  Ragged operator()(Scope& scope, const SourceBatch& source) const;  // [B*h*w,H]

  PictureInput pictures() const { return {backbone_->picture(), backbone_->grid()}; }

 private:
  Var features(Scope& scope, const SourceBatch& source) const;  // [B*h*w,C]

  bool frozen_;
  std::unique_ptr<Backbone> backbone_;
  std::optional<Linear> projection_;
  GridPositions positions_;
};

}  // namespace dhyan

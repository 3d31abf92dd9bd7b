#pragma once

#include "models/sequence_mixer.h"
#include "nn/linear.h"

namespace dhyan {

// The simpler simple recurrent unit of [kim2019] section 3: its GEMMs read no state, so a step costs the same at every
// place of a sentence, and all rows of a sentence are computed at once in training. Parameters name.value.weight,
// name.forget.weight and name.forget.bias.
class Ssru final : public SequenceMixer {
 public:
  Ssru(ParameterSet& parameters, const std::string& name, const TransformerConfig& config, const Rng& rng);

  Mixed operator()(const MixerInput& input) const override;

 private:
  Linear value_, forget_;
};

}  // namespace dhyan

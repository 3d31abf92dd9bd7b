#pragma once

#include "models/sequence_mixer.h"
#include "nn/feed_forward.h"
#include "nn/linear.h"

namespace dhyan {

// The average attention network of [zhang2018]: every word reads the mean of itself and those before, through a
// feed-forward layer and gates. As Marian does, each gate reads its own input alone, instead of both. Parameters
// name.feed.*, name.input.* and name.forget.*.
class AverageAttention final : public SequenceMixer {
 public:
  AverageAttention(ParameterSet& parameters, const std::string& name, const TransformerConfig& config, const Rng& rng);

  Mixed operator()(const MixerInput& input) const override;

 private:
  FeedForward feed_;
  Linear input_, forget_;
};

}  // namespace dhyan

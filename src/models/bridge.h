#pragma once

#include "models/encoder.h"
#include "models/recurrent_config.h"
#include "nn/normed_linear.h"

namespace dhyan {

// One vector for a whole source: the final states of a recurrent encoder's top layer, [forward h_S; backward h_1]; for
// an encoder without states, the mean of the annotations.
Var context_vector_of(const EncodedSource& source);  // [B,A]

// Computes the initial state of the decoder from the final state of the encoder.
//   Encoder of one direction and as many layers as the decoder: its final states are the initial ones, layer by layer
//   ([sutskever2014], [luong2015]).
//   Otherwise s_0 = tanh(z W + b), with weights bridge.0.h, bridge.1.h, ... of each layer, z being
//     the context vector, where the decoder sees nothing else of the source or the encoder has no states ([xu2015]);
//     the state at the end of the last direction, where there is attention: backward h_1 ([bahdanau2015] A.2.2).
//   The memory of an LSTM comes from memories, or the mean, in the same way, by weights bridge.0.c, ...
// With FirstState::kMean, s_0 = tanh(m W + b), m the mean annotation, is the state and the memory of every layer
// ([sennrich2017] section 2); parameters bridge.*.
class Bridge {
 public:
  Bridge(ParameterSet& parameters, const RecurrentConfig& config, const Encoder& encoder, const Rng& rng);

  std::span<const State> operator()(const EncodedSource& source) const;  // [B,H] for each layer of the decoder

  // Everything the decoder gets through the bridge: states and memories, concatenated.
  Var crossing(const EncodedSource& source) const;  // [B,.]

 private:
  struct Layer {
    Linear h;
    std::optional<Linear> c;
  };

  State crossed(const EncodedSource& source) const;  // z

  Var from_mean(const EncodedSource& source) const;  // s_0 [B,H]

  bool from_context_vector_;
  std::vector<Layer> layers_;  // empty: states are copied
  std::optional<Linear> mean_;
  std::optional<NormedLinear> normed_mean_;
  Index depth_;
  bool has_memory_;
};

}  // namespace dhyan

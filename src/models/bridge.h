#pragma once

#include "models/recurrent_encoder.h"
#include "nn/linear.h"

namespace dhyan {

// One vector for a whole sentence: the final states of the encoder's top layer, [forward h_S; backward h_1].
Var context_vector_of(const EncodedSource& source);  // [B,D H]

// From the end of the encoder to the beginning of the decoder.
//   Encoder of one direction and as many layers as the decoder: its final states are the initial ones, layer by layer
//   ([sutskever2014], [luong2015]).
//   Otherwise s_0 = tanh(z W + b), with weights bridge.0.h, bridge.1.h, ... of each layer, z being
//     the context vector, where the decoder sees nothing else of the source;
//     the state at the end of the last direction, where there is attention: backward h_1 ([bahdanau2015] A.2.2).
//   The memory of an LSTM comes from memories in the same way, by weights bridge.0.c, ...
class Bridge {
 public:
  Bridge(ParameterSet& parameters, const RecurrentConfig& config, const Rng& rng);

  std::span<const State> operator()(const EncodedSource& source) const;  // [B,H] for each layer of the decoder

  // All of the source that crosses it, states and memories side by side.
  Var crossing(const EncodedSource& source) const;  // [B,.]

 private:
  struct Layer {
    Linear h;
    std::optional<Linear> c;
  };

  State crossed(const EncodedSource& source) const;  // z

  bool from_context_vector_;
  std::vector<Layer> layers_;  // none: states are copied
};

}  // namespace dhyan

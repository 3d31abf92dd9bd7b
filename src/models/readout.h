#pragma once

#include <optional>

#include "models/recurrent_config.h"
#include "nn/normed_linear.h"

namespace dhyan {

// The layer before the output layer.
//   kMaxout    maxout([s; y; c] W + b) over pairs: [bahdanau2015] A.2.2, with U_o, V_o, C_o below each other in W; s is
//              s_i, as in eq. 4
//   kDeepTanh  tanh([s; y; c] W + b): [sennrich2017] section 2
//   kTanh      h~ = tanh([c; s] W + b): [luong2015] eq. 5
// Without a context at every step, c is left out. With inner norms, the products of s, y and c have weights of their
// own and are normalised before they are added: readout.s, readout.y, readout.c.
class Readout {
 public:
  Readout(ParameterSet& parameters, const RecurrentConfig& config, Index context, const Rng& rng);

  Var operator()(const Var& s, const Var& c, const Var& y) const;  // [.,H] [.,C] [.,E] -> [.,O]

 private:
  Var product(const Var& s, const Var& c, const Var& y) const;  // before maxout or tanh

  OutputKind kind_;
  std::optional<Linear> layer_;
  std::optional<NormedLinear> of_s_, of_c_, of_y_;  // with inner norms
};

}  // namespace dhyan

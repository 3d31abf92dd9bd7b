#pragma once

#include "models/recurrent_config.h"
#include "nn/linear.h"

namespace dhyan {

// The layer before the output layer.
//   kMaxout    maxout([s; y; c] W + b) over pairs: [bahdanau2015] A.2.2, with U_o, V_o, C_o below each other in W; s is
//              s_i, as in eq. 4
//   kDeepTanh  tanh([s; y; c] W + b): [sennrich2017] section 2
//   kTanh      h~ = tanh([c; s] W + b): [luong2015] eq. 5
// Without a context at every step, c is left out.
class Readout {
 public:
  Readout(ParameterSet& parameters, const RecurrentConfig& config, Index context, const Rng& rng);

  Var operator()(const Var& s, const Var& c, const Var& y) const;  // [.,H] [.,C] [.,E] -> [.,O]

 private:
  OutputKind kind_;
  Linear layer_;
};

}  // namespace dhyan

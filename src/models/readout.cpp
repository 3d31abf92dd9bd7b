#include "models/readout.h"

#include "ops/activations.h"
#include "ops/arithmetic.h"
#include "ops/rows.h"

namespace dhyan {

namespace {

constexpr Index kPool = 2;  // l in [bahdanau2015] A.2.2: the larger of each two

Index width_in(const RecurrentConfig& config, Index context) {
  return context + decoder_width(config) + (config.output == OutputKind::kTanh ? 0 : config.embedding);
}

Index width_out(const RecurrentConfig& config) {
  return config.output_hidden * (config.output == OutputKind::kMaxout ? kPool : 1);
}

}  // namespace

Readout::Readout(ParameterSet& parameters, const RecurrentConfig& config, Index context, const Rng& rng)
    : kind_(config.output) {
  const Index O = width_out(config);
  if (!config.inner_norm) {
    layer_.emplace(parameters, "readout", width_in(config, context), O, LinearOptions{.rng = rng});
    return;
  }
  of_s_.emplace(parameters, "readout.s", decoder_width(config), O, rng);
  if (context > 0) of_c_.emplace(parameters, "readout.c", context, O, rng);
  if (kind_ != OutputKind::kTanh) {
    of_y_.emplace(parameters, "readout.y", config.embedding, O, rng);
  }
}

Var Readout::product(const Var& s, const Var& c, const Var& y) const {
  if (layer_) {
    if (kind_ == OutputKind::kTanh) return (*layer_)(c ? concat_cols({c, s}) : s);  // [.,O]
    return (*layer_)(c ? concat_cols({s, y, c}) : concat_cols({s, y}));             // [.,O], of maxout [.,2 O]
  }
  Var sum = (*of_s_)(s);  // the same
  if (of_y_) sum = add(sum, (*of_y_)(y));
  return c ? add(sum, (*of_c_)(c)) : sum;
}

// [.,O]  h~_i or t_i
Var Readout::operator()(const Var& s, const Var& c, const Var& y) const {
  const Var z = product(s, c, y);
  return kind_ == OutputKind::kMaxout ? maxout(z, kPool) : tanh(z);
}

}  // namespace dhyan

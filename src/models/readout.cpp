#include "models/readout.h"

#include "ops/activations.h"
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
    : kind_(config.output), layer_(parameters, "readout", width_in(config, context), width_out(config), {.rng = rng}) {}

Var Readout::operator()(const Var& s, const Var& c, const Var& y) const {
  if (kind_ == OutputKind::kTanh) return tanh(layer_(c ? concat_cols({c, s}) : s));  // [.,O]  h~_i
  const Var deep = layer_(c ? concat_cols({s, y, c}) : concat_cols({s, y}));         // [.,O], of maxout [.,2 O]
  return kind_ == OutputKind::kMaxout ? maxout(deep, kPool) : tanh(deep);            // [.,O]  t_i
}

}  // namespace dhyan

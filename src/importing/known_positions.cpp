#include "importing/known_positions.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "kernels/elementwise/fill.h"

namespace dhyan {

namespace {

// The sine of a large angle in single precision differs by this much from that in double precision.
constexpr float kLargestDifference = 2e-3F;

struct NamedForm {
  const char* name;
  kernels::SinusoidForm form;
};
constexpr NamedForm kForms[] = {
    {"sinusoidal", {}},
    {"sinusoidal-halves", {.columns = kernels::SinusoidColumns::kHalves}},
    {"sinusoidal-closed", {.columns = kernels::SinusoidColumns::kHalves, .rates = kernels::SinusoidRates::kClosed}},
};

bool is_of_form(const ForeignMatrix& table, kernels::SinusoidForm form, Index first) {
  form.first = first;
  const Tensor expected = Tensor::uninitialized({table.rows, table.cols});
  kernels::fill_sinusoids(expected.matrix(), form);
  return std::ranges::equal(table.values, expected.span(),
                            [](float a, Real b) { return std::abs(a - static_cast<float>(b)) <= kLargestDifference; });
}

}  // namespace

void set_positions(ImportedModel& model, ForeignMatrix encoder, ForeignMatrix decoder) {
  TransformerSettings& settings = model.config.transformer;
  const Index H = model.config.common.hidden;
  if (encoder.cols != H || decoder.cols != H || encoder.rows == 0 || decoder.rows == 0) {
    throw ModelFileError(cat("positions: tables are [", encoder.rows, ",", encoder.cols, "] and [", decoder.rows, ",",
                             decoder.cols, "], expected rows of ", H));
  }
  for (const NamedForm& known : kForms) {
    for (const Index first : {0, 1, 2}) {
      if (!is_of_form(encoder, known.form, first) || !is_of_form(decoder, known.form, first)) continue;
      settings.positions = known.name;
      settings.first_position = first;
      return;
    }
  }
  settings.positions = "learned";
  settings.longest = std::min(encoder.rows, decoder.rows);
  model.config.data.max_length = std::min(model.config.data.max_length, settings.longest - 1);
  model.weights["source.positions.table"] = encoder.row_range(0, settings.longest);
  model.weights["target.positions.table"] = decoder.row_range(0, settings.longest);
}

}  // namespace dhyan

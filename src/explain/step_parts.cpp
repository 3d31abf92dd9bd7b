#include "explain/step_parts.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "explain/number_format.h"
#include "text/display.h"

namespace dhyan {

Softmax softmax_of(std::span<const Real> energy, std::span<const Real> weights) {
  constexpr double kCalculator = 20;  // exp() of larger energies is hard to read on a pocket calculator
  const double greatest = *std::ranges::max_element(energy);
  Softmax softmax;
  // One position with all the weight is the choice of hard attention among all positions.
  const bool chosen = std::ranges::count(weights, Real{0}) + 1 == std::ssize(weights);
  softmax.shift = std::isfinite(greatest) && std::abs(greatest) > kCalculator ? greatest : 0;
  for (std::size_t j = 0; j < energy.size(); ++j) {
    const bool outside = !chosen && weights[j] == 0 && std::exp(double{energy[j]} - greatest) > 1e-6;
    softmax.has_window |= outside;
    softmax.outside.push_back(outside);
    softmax.exponentials.push_back(outside ? 0 : std::exp(double{energy[j]} - softmax.shift));
    softmax.sum += softmax.exponentials.back();
  }
  for (std::size_t j = 0; j < energy.size(); ++j) {
    softmax.is_alpha &= std::abs(softmax.exponentials[j] / softmax.sum - double{weights[j]}) < 5e-4;
  }
  return softmax;
}

std::string exponent_of(std::string_view e, const Softmax& softmax) {
  if (softmax.shift == 0) return std::string(e);
  return cat(e, softmax.shift < 0 ? " + " : " - ", fixed(std::abs(softmax.shift), 4));
}

std::string RecordedSteps::piece(TokenId id) const { return shown(tokenizers.target->piece(id)); }

std::string RecordedSteps::text_before(std::size_t i) const {
  return shown(tokenizers.target->decode(std::span(translated.hypothesis.tokens).first(i)));
}

std::size_t RecordedSteps::seen(const AttentionRecord& record, std::size_t i) {
  const std::size_t columns = record.weights[i].size();
  return record.place == AttentionPlace::kDecoder ? columns - record.weights.size() + i + 1 : columns;
}

std::string_view RecordedSteps::attended(const AttentionRecord& record) const {
  return record.place == AttentionPlace::kCross && !translated.cells.empty() ? "row,column" : "token";
}

std::string RecordedSteps::key(const AttentionRecord& record, std::size_t j) const {
  const std::size_t before =
      record.place == AttentionPlace::kDecoder ? record.weights.front().size() - record.weights.size() : j + 1;
  if (j < before && !translated.cells.empty()) return translated.cells[j];
  if (j < before) return shown(tokenizers.source->piece(translated.source_tokens[j]));
  return piece(j == before ? kBegin : translated.hypothesis.tokens[j - before - 1]);
}

void expect_step(const Translated& translated, const StepOptions& options) {
  const auto steps = static_cast<Index>(translated.hypothesis.tokens.size());
  if (options.step < 1 || options.step > steps) {
    throw UsageError(
        cat("explain: there is no step ", options.step, "; the translation has ", steps, ", one for each token"));
  }
  const std::vector<AttentionPlace>& places = options.attention.places;
  if (options.attention.summary == Summary::kRollout)
    throw UsageError("explain: rollout covers the whole translation; it cannot show one step");
  if (places == std::vector{AttentionPlace::kEncoder}) {
    throw UsageError("explain: the encoder has no steps; choose cross or decoder attention");
  }
  const auto lacks_steps = [](const AttentionRecord& record) {
    return record.energy.empty() || record.context.empty();
  };
  if (translated.hypothesis.candidates.empty() || std::ranges::any_of(translated.hypothesis.attention, lacks_steps)) {
    throw UsageError(
        "step_in_numbers: the steps of this translation were not recorded; search with RecordedAttention::kSteps");
  }
}

}  // namespace dhyan

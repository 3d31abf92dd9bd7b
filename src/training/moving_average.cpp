#include "training/moving_average.h"

#include <algorithm>

#include "core/error.h"
#include "kernels/elementwise/updates.h"
#include "training/chunks.h"

namespace dhyan {

MovingAverage::MovingAverage(const ParameterSet& weights, double decay) : decay_(decay) {
  if (!(decay > 0 && decay < 1)) throw ConfigError(cat("ema is ", decay, ", expected more than 0 and less than 1"));
  for (const Parameter& weight : weights) averages_.push_back({weight.name, weight.value.clone()});
}

void MovingAverage::add(const ParameterSet& weights, Index step, ThreadPool* pool) {
  const auto t = static_cast<double>(step);
  const double share = 1 - std::min(decay_, (1 + t) / (10 + t));
  run_chunks(pool, chunk_count(weights.element_count()), [&](Index chunk) {
    const auto size_of = [](const Parameter& weight) { return weight.value.size(); };
    for_each_piece(chunk, weights, size_of, [&](std::size_t i, Index begin, Index end) {
      const auto cut = [&](const Tensor& tensor) {
        return tensor.span().subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
      };
      kernels::ema_update(cut(averages_[i].value), cut(weights.begin()[static_cast<Index>(i)].value), share);
    });
  });
}

void MovingAverage::swap_with(ParameterSet& weights) {
  for (Parameter& weight : weights) std::ranges::swap_ranges(weight.value.span(), averages_[weight.index].value.span());
}

}  // namespace dhyan

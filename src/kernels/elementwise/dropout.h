#pragma once

#include <cstdint>
#include <span>

#include "core/rng.h"

namespace dhyan::kernels {

// words[i] = noise.block(i / 4)[i % 4]: the stream from its start, many blocks at a time.
void random_words(const Rng& noise, std::span<std::uint32_t> words);

// The factor m_i is 0 if word i of the stream is below probability * 2^32, else 1 / (1 - probability). Every call draws
// from the start of the stream, so backward repeats forward's factors. 0 < probability < 1.
void dropout_mask(const Rng& noise, double probability, std::span<Real> m);
void dropout(std::span<const Real> x, const Rng& noise, double probability, std::span<Real> y);  // y = m x
void dropout_added(std::span<const Real> x, std::span<const Real> y, const Rng& noise, double probability,
                   std::span<Real> sum);  // sum = x + m y
void dropout_backward(std::span<const Real> dy, const Rng& noise, double probability,
                      std::span<Real> dx);  // dx += m dy

}  // namespace dhyan::kernels

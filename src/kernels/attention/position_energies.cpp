#include "kernels/attention/position_energies.h"

#include <algorithm>
#include <limits>

namespace dhyan::kernels {

// Plain loops: a few operations per pair, where a score takes hundreds.

void position_energies(const AttentionLayout& layout, ConstMatrix by_position, std::span<Real> energies) {
  const Index L = by_position.cols / layout.heads;
  for_each_block(layout, [&](const LayoutBlock& block) {
    const Index known = std::min(block.S, L);
    Real* e = energies.data() + block.offset;
    for (Index t = 0; t < block.T; ++t, e += block.S) {
      std::copy_n(by_position.row(block.query_begin + t) + block.head * L, known, e);
      std::fill(e + known, e + block.S, -std::numeric_limits<Real>::infinity());
    }
  });
}

void position_energies_backward(const AttentionLayout& layout, std::span<const Real> denergies, Matrix dby_position) {
  const Index L = dby_position.cols / layout.heads;
  for_each_block(layout, [&](const LayoutBlock& block) {
    const Real* de = denergies.data() + block.offset;
    for (Index t = 0; t < block.T; ++t, de += block.S) {
      Real* to = dby_position.row(block.query_begin + t) + block.head * L;
      for (Index j = 0; j < std::min(block.S, L); ++j) to[j] += de[j];
    }
  });
}

namespace {

// f(query's row, S, index of the query's first energy) for every query of every head.
template <class F>
void for_each_query(const AttentionLayout& layout, const F& f) {
  for_each_block(layout, [&](const LayoutBlock& block) {
    for (Index t = 0; t < block.T; ++t) f(block.query_begin + t, block.S, block.offset + t * block.S);
  });
}

}  // namespace

void log_gaussians(const AttentionLayout& layout, std::span<const Real> centres, Real sigma, std::span<Real> energies) {
  const Real factor = -1 / (2 * sigma * sigma);
  for_each_query(layout, [&](Index query, Index S, Index offset) {
    const Real centre = static_cast<Real>(S) * centres[static_cast<std::size_t>(query)];
    Real* e = energies.data() + offset;
    for (Index j = 0; j < S; ++j) {
      const Real distance = static_cast<Real>(j) - centre;
      e[j] = factor * distance * distance;
    }
  });
}

void log_gaussians_backward(const AttentionLayout& layout, std::span<const Real> centres, Real sigma,
                            std::span<const Real> denergies, std::span<Real> dcentres) {
  for_each_query(layout, [&](Index query, Index S, Index offset) {
    const auto width = static_cast<Real>(S);
    const Real centre = width * centres[static_cast<std::size_t>(query)];
    const Real* de = denergies.data() + offset;
    Real sum = 0;
    for (Index j = 0; j < S; ++j) sum += de[j] * (static_cast<Real>(j) - centre);
    dcentres[static_cast<std::size_t>(query)] += sum * width / (sigma * sigma);
  });
}

}  // namespace dhyan::kernels

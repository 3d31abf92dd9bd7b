#include "kernels/attention/latent_alignment.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <numeric>
#include <vector>

namespace dhyan::kernels {
namespace {

constexpr Index kTargets = 3, kWords = 3, kKeys = kWords + 1;
constexpr double kNull = 0.25;
const std::vector<Real> kJumpScores{-1, -0.25, 0, 0.75, -0.5};  // of -2..2; three places need no longer ones
const std::vector<Real> kEnergies{-1, -2, -3,   -2.5,           //
                                  -4, -1, -2,   -3,             //
                                  -2, -2, -0.5, -1};            // the last key is null

double jump_probability(Index from, Index to) {
  double sum = 0, own = 0;
  for (Index j = 0; j < kWords; ++j) {
    const auto distance = static_cast<std::size_t>(std::clamp<Index>(j - from, -2, 2) + 2);
    const double p = std::exp(static_cast<double>(kJumpScores[distance]));
    sum += p;
    if (j == to) own = p;
  }
  return own / sum;
}

// Sums over all paths: at each target a place, and whether null generates it.
class AllPaths {
 public:
  AllPaths() : posterior(kTargets * kKeys) { follow(0, -1, 1, {}); }

  double p = 0;
  std::vector<double> posterior;  // [T,S], not yet divided by p

 private:
  void follow(Index i, Index place, double so_far, std::vector<Index> keys) {
    if (i == kTargets) {
      p += so_far;
      for (Index t = 0; t < kTargets; ++t)
        posterior[static_cast<std::size_t>(t * kKeys) + index(keys[index(t)])] += so_far;
      return;
    }
    const auto emission = [&](Index key) { return std::exp(static_cast<double>(kEnergies[index(i * kKeys + key)])); };
    for (Index to = 0; to < kWords; ++to) {
      const double jump = jump_probability(place, to);
      keys.push_back(to);
      follow(i + 1, to, so_far * jump * (1 - kNull) * emission(to), keys);
      keys.back() = kWords;
      const double stay = i == 0 ? jump : (to == place ? 1 : 0);
      if (stay > 0) follow(i + 1, to, so_far * stay * kNull * emission(kWords), keys);
      keys.pop_back();
    }
  }
  static std::size_t index(Index i) { return static_cast<std::size_t>(i); }
};

ConstMatrix energies() { return {kEnergies.data(), kTargets, kKeys, kKeys}; }
AlignmentChain chain() { return {kJumpScores, kNull}; }

TEST(LatentAlignmentKernel, SumsOverAllAlignments) {
  const AllPaths all;
  std::vector<Real> posterior(kEnergies.size());
  std::vector<double> scratch(alignment_scratch(kTargets, kKeys));
  const double log_p = align_sentence({energies(), {posterior.data(), kTargets, kKeys, kKeys}}, chain(), scratch);
  EXPECT_NEAR(log_p, std::log(all.p), 1e-6);
  for (std::size_t i = 0; i < posterior.size(); ++i) EXPECT_NEAR(posterior[i], all.posterior[i] / all.p, 1e-6) << i;
}

TEST(LatentAlignmentKernel, DoesNotUnderflow) {
  constexpr Index kLong = 200;
  std::vector<Real> energy(kLong * kKeys, Real{-60}), posterior(energy.size());
  std::vector<double> scratch(alignment_scratch(kLong, kKeys));
  const double log_p =
      align_sentence({{energy.data(), kLong, kKeys, kKeys}, {posterior.data(), kLong, kKeys, kKeys}}, chain(), scratch);
  EXPECT_NEAR(log_p, -60.0 * kLong, 1e-3) << "all keys explain a target equally well";
  for (Index i = 0; i < kLong; ++i) {
    const Real* const row = posterior.data() + i * kKeys;
    EXPECT_NEAR(std::accumulate(row, row + kKeys, 0.0), 1, 1e-5);
  }
}

TEST(LatentAlignmentKernel, LeavesOnlyNullToASentenceWithoutWords) {
  const std::vector<Real> energy{-1, -2};
  std::vector<Real> posterior(2), djumps(5, 7);
  EXPECT_NEAR(align_sentence({{energy.data(), 2, 1, 1}, {posterior.data(), 2, 1, 1}, djumps}, chain(), {}), -3, 1e-6);
  EXPECT_EQ(posterior, (std::vector<Real>{1, 1}));
  EXPECT_EQ(djumps, std::vector<Real>(5, 0));
}

TEST(LatentAlignmentKernel, StepByStepIsTheForwardPass) {
  std::vector<double> places, next(kKeys);
  double log_p = 0;
  for (Index i = 0; i < kTargets; ++i) {
    next_source(places, chain(), next);
    EXPECT_NEAR(std::accumulate(next.begin(), next.end(), 0.0), 1, 1e-9);
    const std::span<const Real> energy(energies().row(i), kKeys);
    double p = 0;
    for (std::size_t j = 0; j < next.size(); ++j) p += next[j] * std::exp(static_cast<double>(energy[j]));
    log_p += std::log(p);
    if (places.empty()) {
      for (Index j = 0; j < kWords; ++j) places.push_back(jump_probability(-1, j));
    }
    update_places(next, energy, places);
  }
  EXPECT_NEAR(log_p, std::log(AllPaths().p), 1e-6);
}

TEST(LatentAlignmentKernel, MixesProbabilities) {
  const std::vector<Real> table{0.5, 0.25, 0.25, 0, 0.5, 0.5};
  const std::vector<RowId> keys{1, 0, 1};
  const std::vector<Real> weights{0.5, 0.25, 0.25};
  std::vector<Real> z(3);
  log_mixture({table.data(), 2, 3, 3}, keys, weights, z);
  EXPECT_NEAR(z[0], std::log(0.125), 1e-5);
  EXPECT_NEAR(z[1], std::log(0.25 * 0.25 + 0.75 * 0.5), 1e-5);
  log_mixture({table.data(), 2, 3, 3}, std::span(keys).first(1), weights, z);
  EXPECT_TRUE(std::isfinite(z[0])) << "of a word that nothing generates";
}

}  // namespace
}  // namespace dhyan::kernels

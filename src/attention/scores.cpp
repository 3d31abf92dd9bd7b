#include "attention/scores.h"

#include <cmath>

#include "core/table.h"

namespace dhyan {

namespace {

// [luong2015] section 3.1: e = s·h
class DotScore final : public Score {
 public:
  Var operator()(const Var& query, const Memory& memory, const Pairing& pairing) const override {
    return energies(query, memory.keys, pairing);  // [Σ N T_b S_b]
  }
};

// [vaswani2017] section 3.2.1: e = s·h / √K, K the width of one head
class ScaledDotScore final : public Score {
 public:
  Var operator()(const Var& query, const Memory& memory, const Pairing& pairing) const override {
    const double K = static_cast<double>(query.cols()) / static_cast<double>(pairing.heads);
    return energies(query, memory.keys, pairing, static_cast<Real>(1 / std::sqrt(K)));  // [Σ N T_b S_b]
  }
};

template <class T>
std::unique_ptr<Score> make() {
  return std::make_unique<T>();
}

constexpr ScoreEntry kScores[] = {
    {"dot", "s·h", "luong2015", make<DotScore>},
    {"scaled_dot", "s·h / √d", "vaswani2017", make<ScaledDotScore>},
};

}  // namespace

std::span<const ScoreEntry> scores() { return kScores; }

std::unique_ptr<Score> make_score(std::string_view name) { return entry_named("score", scores(), name).make(); }

}  // namespace dhyan

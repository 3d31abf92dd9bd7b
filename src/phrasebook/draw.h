#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/rng.h"
#include "phrasebook/phrase.h"

namespace dhyan::phrases {

// Random choices and link names for one sentence, and the combinations of words that it contains.
class Draw {
 public:
  explicit Draw(Rng rng) : rng_(rng), fixed_(rng_.next()) {}

  // A link name this sentence has not used; UsageError after kMostLinks of them.
  Links link();

  // Draws from a table.
  template <class Table>
  const auto& one_of(const Table& table) {
    return table[static_cast<std::size_t>(rng_.below(std::size(table)))];
  }

  // Draws from the entries of a table that satisfy a predicate; null if there is none.
  template <class Table, class Allowed>
  auto one_where(const Table& table, Allowed allowed) -> decltype(&*std::begin(table)) {
    std::uint64_t count = 0;
    for (const auto& entry : table) count += allowed(entry) ? 1 : 0;
    if (count == 0) return nullptr;
    std::uint64_t left = rng_.below(count);
    for (const auto& entry : table) {
      if (allowed(entry) && left-- == 0) return &entry;
    }
    return nullptr;
  }

  bool chance(unsigned percent) { return rng_.below(100) < percent; }
  // Random choices for the whole sentence: whether "you" is तुम or आप, and which persons are women.
  enum class Fixed : unsigned { kFamiliar, kWomanSpeaks, kWomanListens, kWomenTogether };
  bool fixed(Fixed coin) const { return (fixed_ >> static_cast<unsigned>(coin) & 1) != 0; }

  std::uint64_t below(std::uint64_t n) { return rng_.below(n); }

  // A fixed phrase: "शाम1 को2 = in2 the1 evening1". Words with the same digit are linked, words with - get no link, and
  // words with neither are linked to each other.
  Part gloss(std::string_view text);

  // Records a combination of words; whole combinations are held out of training.
  void combine(std::string_view a, std::string_view b, std::string_view c = {});
  const std::vector<std::string>& combinations() const { return combinations_; }

  // Records what the "it" of the sentence stands for.
  void refer(const Referring& links) { referring_ = links; }
  const std::optional<Referring>& referring() const { return referring_; }

 private:
  Rng rng_;
  std::uint32_t fixed_;
  int used_links_ = 0;
  std::vector<std::string> combinations_;
  std::optional<Referring> referring_;
};

}  // namespace dhyan::phrases

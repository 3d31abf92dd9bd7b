#include "models/batch_words.h"

#include <algorithm>

#include "core/error.h"
#include "ops/arena_copy.h"

namespace dhyan {

namespace {

constexpr RowId kNowhere = -1;

// Words in order of first occurrence, with the place of each.
class Places {
 public:
  Places(Arena& arena, Index vocabulary, std::size_t most)
      : place_of_(arena_span<RowId>(arena, static_cast<std::size_t>(vocabulary))),
        words_(arena_span<RowId>(arena, most)) {
    std::ranges::fill(place_of_, kNowhere);
  }

  bool has(TokenId word) const { return place_of_[static_cast<std::size_t>(word)] != kNowhere; }

  RowId place(TokenId word) {
    if (word < 0 || word >= std::ssize(place_of_)) {
      throw DataError(cat("aligner: id ", word, ", expected 0 <= id < ", place_of_.size()));
    }
    RowId& place = place_of_[static_cast<std::size_t>(word)];
    if (place == kNowhere) {
      place = static_cast<RowId>(count_);
      words_[count_++] = word;
    }
    return place;
  }

  std::span<const RowId> places(Arena& arena, std::span<const TokenId> words) {
    return map_to_arena(arena, words, [this](TokenId word) { return place(word); });
  }

  std::span<const RowId> words() const { return words_.first(count_); }

 private:
  std::span<RowId> place_of_;
  std::span<RowId> words_;
  std::size_t count_ = 0;
};

}  // namespace

BatchWords batch_words(Arena& arena, const WordSides& sides, Index negatives, Rng* rng) {
  Places sources(arena, sides.source_vocabulary, sides.source.size());
  Places targets(arena, sides.target_vocabulary, sides.target.size() + static_cast<std::size_t>(negatives));
  BatchWords words;
  words.places = {sources.places(arena, sides.source), targets.places(arena, sides.target)};
  words.sources = sources.words();
  words.occurring = std::ssize(targets.words());
  const Index others = sides.target_vocabulary - words.occurring;
  for (Index left = rng == nullptr ? 0 : std::min(negatives, others); left > 0;) {
    const auto word = static_cast<TokenId>(rng->below(static_cast<std::uint64_t>(sides.target_vocabulary)));
    if (targets.has(word)) continue;
    targets.place(word);
    --left;
  }
  words.targets = targets.words();
  return words;
}

}  // namespace dhyan

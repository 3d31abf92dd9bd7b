#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/sentencepiece_model.h"
#include "text/tokenizer.h"

namespace dhyan {

// Characters that are pieces of a subword model by themselves.
class SingleCharacters {
 public:
  explicit SingleCharacters(const SubwordModel& model);
  bool contains(char32_t code) const { return code < known_.size() && known_[code]; }

 private:
  std::vector<bool> known_;
};

// A text in which long runs of unknown characters are shortened to kLongestRun of them. SentencePiece joins such a run
// to one <unk> in quadratic time (it copies the run for every further character), and lines are untrusted. The tokens
// are the same: a run of any length is one <unk>.
class ShortenedRuns {
 public:
  static constexpr Index kLongestRun = 128;  // characters

  // `is_unknown` is asked once for each different character that is not among `known`: a normaliser may turn it
  // into a known one.
  using IsUnknown = std::function<bool(std::string_view character)>;
  ShortenedRuns(std::string_view text, const SingleCharacters& known, const IsUnknown& is_unknown);

  // The shortened text; empty if there is no long run.
  const std::optional<std::string>& text() const { return shortened_; }

  // Maps a range of the shortened text to the original text.
  ByteRange original(ByteRange range) const;

 private:
  struct Removed {
    Index at;     // position in the shortened text after which bytes were removed
    Index bytes;  // number of bytes removed up to there
  };

  void shorten(std::string_view text, ByteRange rest);  // of a run
  Index original(Index position) const;

  std::optional<std::string> shortened_;
  Index copied_ = 0;  // bytes of the text
  std::vector<Removed> removed_;
};

}  // namespace dhyan

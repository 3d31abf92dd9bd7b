#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "text/tokenizer.h"

namespace dhyan {

// Reads one line at a time, without line end and in UTF-8; false after the last.
using LineSource = std::function<bool(std::string& line)>;

// Reads the lines of a plain text file once; line ends may be those of Windows. Throws IoError if it cannot be read.
LineSource lines_of(const std::filesystem::path& path);

inline constexpr Index kUsualVocabularySize = 8'000;  // if none is given or chosen
inline constexpr Index kByteTokens = 256;             // of byte fallback

// Settings of all kinds of tokenizers; each uses its own.
struct TokenizerOptions {
  // With the four special tokens and without the tokens of byte fallback; for words and characters an upper limit.
  // Not given: see text/tokenizer_choice.h.
  std::optional<Index> vocabulary_size = {};
  bool fewer_is_fine = false;                     // subwords: accept fewer pieces if the text does not give enough
  std::uint64_t min_count = 1;                    // words, characters: rarer ones become <unk>
  std::optional<double> character_coverage = {};  // subwords: the share of characters that get pieces; not given: 1
  bool byte_fallback = true;        // subwords: spell text without a piece in bytes, so that nothing is unknown
  Index sample_lines = 500'000;     // subwords: number of lines to learn from, sampled uniformly; 0: all
  Index max_line_bytes = 16'384;    // subwords: skip longer lines
  std::uint64_t seed = 1;           // of the sample
  std::function<void()> poll = {};  // called during training; may throw to stop
};

// Counts of the lines.
struct TrainingReport {
  Index lines = 0;      // read
  Index used = 0;       // used for training
  Index not_drawn = 0;  // not in the sample
  Index empty = 0;
  Index too_long = 0;
  Index reserved = 0;  // with a character reserved by SentencePiece (U+0000, U+2581, U+2585)
};

struct TrainedTokenizer {
  std::unique_ptr<Tokenizer> tokenizer;
  TrainingReport report;
};

}  // namespace dhyan

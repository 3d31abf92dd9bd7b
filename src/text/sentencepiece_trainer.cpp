#include "text/sentencepiece_trainer.h"

#include <algorithm>
#include <charconv>
#include <memory>
#include <optional>
#include <sentencepiece_trainer.h>
#include <unordered_map>

#include "core/error.h"
#include "core/number_text.h"
#include "text/nfc.h"
#include "text/run_polled.h"
#include "text/unicode.h"
#include "text/vocabulary.h"

namespace dhyan {

namespace {

namespace sp = sentencepiece;

// Threads add up partial sums, so the number of threads must be the same on every machine.
constexpr int kThreads = 8;
constexpr Index kLongestLine = 1 << 30;

class Lines final : public sp::SentenceIterator {
 public:
  explicit Lines(const std::vector<std::string>& lines) : lines_(lines) {}  // which must outlive it
  bool done() const override { return at_ == lines_.size(); }
  void Next() override { ++at_; }
  const std::string& value() const override { return lines_[at_]; }
  sp::util::Status status() const override { return {}; }

 private:
  const std::vector<std::string>& lines_;
  std::size_t at_ = 0;
};

Index size_of(const TokenizerOptions& options) { return options.vocabulary_size.value_or(kUsualVocabularySize); }

double coverage_of(const TokenizerOptions& options) { return options.character_coverage.value_or(1); }

// The library counts them as pieces.
Index byte_pieces(const TokenizerOptions& options) { return options.byte_fallback ? kByteTokens : 0; }

void check(const TokenizerOptions& options) {
  const auto specials = static_cast<Index>(kSpecialTokens.size());
  if (const Index size = size_of(options); size <= specials || size > Vocabulary::kMaxSize) {
    throw ConfigError(
        cat("tokenizer: vocabulary_size is ", size, ", expected ", specials + 1, " to ", Vocabulary::kMaxSize));
  }
  if (const double coverage = coverage_of(options); !(coverage >= 0.98 && coverage <= 1)) {
    throw ConfigError(cat("tokenizer: character_coverage is ", coverage, ", expected 0.98 to 1"));
  }
  if (options.sample_lines < 0) {
    throw ConfigError(cat("tokenizer: sample_lines is ", options.sample_lines, ", expected 0 or more"));
  }
  if (options.max_line_bytes < 1 || options.max_line_bytes > kLongestLine) {
    throw ConfigError(cat("tokenizer: max_line_bytes is ", options.max_line_bytes, ", expected 1 to ", kLongestLine));
  }
}

// The library silently skips lines with these characters and with tabs.
bool has_reserved_character(std::string_view line) {
  for (const Character& character : Characters(line)) {
    if (character.code == 0 || character.code == 0x2581 || character.code == 0x2585) return true;
  }
  return false;
}

// Algorithm R: after n lines each of them is in the sample with the same probability, and only the sample is in memory.
// The library does not seed its own generator for each training.
std::vector<std::string> sample(const LineSource& lines, const TokenizerOptions& options, TrainingReport& report) {
  std::vector<std::string> kept;
  Rng rng(options.seed);
  Index usable = 0;
  for (std::string line; lines(line);) {
    ++report.lines;
    require_utf8(line, cat("training line ", report.lines));
    line = nfc(line);
    std::replace(line.begin(), line.end(), '\t', ' ');
    if (line.find_first_not_of(' ') == std::string::npos) {
      ++report.empty;
    } else if (static_cast<Index>(line.size()) > options.max_line_bytes) {
      ++report.too_long;
    } else if (has_reserved_character(line)) {
      ++report.reserved;
    } else if (++usable <= options.sample_lines || options.sample_lines == 0) {
      kept.push_back(std::move(line));
    } else {
      const std::uint64_t place = rng.below(static_cast<std::uint64_t>(usable));
      if (place < kept.size()) kept[place] = std::move(line);
    }
  }
  report.used = static_cast<Index>(kept.size());
  report.not_drawn = usable - report.used;
  return kept;
}

// The number after `mark` in a message of the library.
std::optional<Index> number_after(std::string_view message, std::string_view mark) {
  const std::size_t at = message.find(mark);
  Index number = 0;
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view rest = message.substr(at + mark.size());
  if (std::from_chars(rest.data(), rest.data() + rest.size(), number).ec != std::errc()) return std::nullopt;
  return number;
}

[[noreturn]] void fail(std::string_view message, const TokenizerOptions& options, Index lines) {
  const Index size = size_of(options), bytes = byte_pieces(options);
  if (const auto found = number_after(message, "set it to a value <= ")) {
    const Index most = *found - bytes;
    throw ConfigError(cat("tokenizer: vocabulary_size is ", size, ", but ", lines, " lines give at most ", most,
                          " pieces; expected ", most, " or less"));
  }
  if (const auto found = number_after(message, cat("required_chars. ", size + bytes, " vs "))) {
    const Index least = *found - bytes;
    throw ConfigError(cat("tokenizer: vocabulary_size is ", size, ", but the characters and special tokens alone are ",
                          least, "; expected more than that, or a lower character_coverage"));
  }
  throw DataError(cat("tokenizer: SentencePiece could not learn from ", lines, " lines: ", message));
}

using LibrarySettings = std::unordered_map<std::string, std::string>;

LibrarySettings settings_of(SubwordAlgorithm algorithm, const TokenizerOptions& options) {
  return {
      {"model_type", algorithm == SubwordAlgorithm::kBpe ? "bpe" : "unigram"},
      {"vocab_size", cat(size_of(options) + byte_pieces(options))},
      {"hard_vocab_limit", options.fewer_is_fine ? "false" : "true"},
      {"character_coverage", number_text(coverage_of(options))},
      {"byte_fallback", options.byte_fallback ? "true" : "false"},
      {"normalization_rule_name", "identity"},
      {"pad_id", cat(kPad)},
      {"unk_id", cat(kUnknown)},
      {"bos_id", cat(kBegin)},
      {"eos_id", cat(kEnd)},
      {"max_sentence_length", cat(options.max_line_bytes)},
      {"num_threads", cat(kThreads)},
      {"minloglevel", "3"},  // it would write to stderr
  };
}

// Owns all inputs of the library: a stopped training continues to use them in the background.
struct Training {
  std::vector<std::string> lines;
  std::string model;
  sp::util::Status status;

  void run(const LibrarySettings& settings) {
    Lines iterator(lines);
    status = sp::SentencePieceTrainer::Train(settings, &iterator, &model);
  }
};

}  // namespace

std::string train_sentencepiece(SubwordAlgorithm algorithm, const LineSource& lines, const TokenizerOptions& options,
                                TrainingReport& report) {
  check(options);
  std::vector<std::string> kept = sample(lines, options, report);
  if (kept.empty()) {
    throw DataError(cat("tokenizer: no text to learn from: of ", report.lines, " lines ", report.empty, " are empty, ",
                        report.too_long, " longer than ", options.max_line_bytes, " bytes, ", report.reserved,
                        " with reserved characters"));
  }
  const auto training = std::make_shared<Training>(Training{std::move(kept), {}, {}});
  run_polled([training, settings = settings_of(algorithm, options)] { training->run(settings); }, options.poll);
  if (!training->status.ok()) fail(training->status.message(), options, report.used);
  return std::move(training->model);
}

}  // namespace dhyan

#include "runs/sample_words.h"

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>

#include "config/model_kinds.h"
#include "core/error.h"
#include "explain/units.h"
#include "text/tokenizer_factory.h"

namespace dhyan {

namespace {

namespace fs = std::filesystem;

// Maps the text of tokens back to their ids. The tokenizer must outlive it.
class TokenNames {
 public:
  explicit TokenNames(const Tokenizer& tokenizer) : tokenizer_(tokenizer) {
    for (TokenId id = 0; id < tokenizer.size(); ++id) ids_.emplace(tokenizer.piece(id), id);
  }

  // Empty if the tokenizer lacks a token.
  std::optional<TokenUnits> words(const std::vector<std::string>& pieces) const {
    std::vector<TokenId> tokens;
    for (const std::string& piece : pieces) {
      const auto found = ids_.find(piece);
      if (found == ids_.end()) return std::nullopt;
      tokens.push_back(found->second);
    }
    return target_units(tokenizer_, tokens, Units::kWords);
  }

 private:
  const Tokenizer& tokenizer_;
  std::unordered_map<std::string_view, TokenId> ids_;
};

// Each token is a unit.
TokenUnits as_tokens(const std::vector<std::string>& pieces) {
  TokenUnits units{.labels = pieces, .unit_of = {}, .ended = !pieces.empty() && pieces.back() == kSpecialTokens[kEnd]};
  for (std::size_t i = 0; i < pieces.size(); ++i) units.unit_of.push_back(i);
  return units;
}

std::string line_of(const TokenUnits& units) {
  std::string line;
  for (std::size_t i = 0; i + (units.ended ? 1 : 0) < units.labels.size(); ++i) {
    line += cat(line.empty() ? "" : " ", units.labels[i]);
  }
  return line;
}

SampleInWords in_words(const AttentionSample& sample, const TokenUnits& source, const TokenUnits& translation) {
  SampleInWords words{.step = sample.step,
                      .source = line_of(source),
                      .translation = line_of(translation),
                      .reference = sample.reference,
                      .map = {}};
  if (!sample.weights.empty()) {
    AttentionRecord record;
    for (const std::vector<double>& row : sample.weights) record.weights.emplace_back(row.begin(), row.end());
    words.map = attention_map(record, source, translation);
  }
  words.map.layer = words.map.head = std::nullopt;
  words.map.title = cat("step ", sample.step);
  return words;
}

bool has_tokenizers(const Config& config, const fs::path& folder) {
  const std::string_view file = tokenizer_kind(config.tokenizer.kind).file;
  return std::ranges::any_of(std::array{"shared", "source", "target"},
                             [&](const char* side) { return fs::exists(folder / cat(side, file)); });
}

}  // namespace

std::vector<SampleInWords> samples_in_words(const std::vector<AttentionSample>& samples, const Config& config,
                                            const fs::path& folder) {
  TokenizerPair tokenizers;
  std::optional<TokenNames> source, target;
  if (!samples.empty() && has_tokenizers(config, folder)) {
    tokenizers = load_tokenizers(config.tokenizer.kind, folder);
    source.emplace(*tokenizers.source);
    target.emplace(*tokenizers.target);
  }
  std::vector<SampleInWords> result;
  for (const AttentionSample& sample : samples) {
    const std::optional<TokenUnits> from = source ? source->words(sample.source) : std::nullopt;
    const std::optional<TokenUnits> to = target ? target->words(sample.translation) : std::nullopt;
    result.push_back(
        in_words(sample, from.value_or(as_tokens(sample.source)), to.value_or(as_tokens(sample.translation))));
    if (reads_pictures(config)) result.back().source = cat("a picture of ", sample.source.size(), " cells");
  }
  return result;
}

}  // namespace dhyan

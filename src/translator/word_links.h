#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "explain/attention_map.h"
#include "metrics/alignment.h"
#include "translator/translator.h"

namespace dhyan {

// Which of a model's attention is its alignment.
struct AttentionReading {
  std::optional<Index> layer = {};  // from 1; none: the mean of all
  std::optional<Index> head = {};   // from 1; none: the mean of all
  // The alignment of a word is the attention of the step that reads it, not of the step that predicts it: a Transformer
  // often looks at what it has just written ([chen2020]).
  bool shifted = false;

  friend bool operator==(const AttentionReading&, const AttentionReading&) = default;
};

// "layer 2, mean of its heads, of the step that reads the word".
std::string in_words(const AttentionReading& reading);

// Weights between the words of a forced translation, </s> last on both sides; empty without text or attention.
// DataError, beginning with `command`, if tokens span spaces, so that words of the line are not those of the map;
// UsageError if the model lacks the layer or head.
AttentionMap word_map(std::string_view command, const Translation& forced, const TokenizerPair& tokenizers,
                      const AttentionReading& reading);

// The links of a map: of each target word to the source word that it attends to most, or with a threshold to all words
// whose weight reaches it.
Links links_of(const AttentionMap& map, std::optional<double> threshold = {});

Links reversed(Links links);  // sorted

// How the maps of both directions become one alignment: by their links, or by the mean of both weights, which links
// have that reach a threshold.
inline constexpr double kAverageThreshold = 0.5;
Links average_links(const AttentionMap& forward, const AttentionMap& reverse, double threshold);  // sorted

// All ways to read a model with these records: each layer and each head, of both steps unless the model knows the
// targets that it aligns.
std::vector<AttentionReading> readings_of(std::span<const AttentionRecord> records, bool knows_targets);

// The readings of two directions by which they agree most: no gold links are needed.
struct AgreedReadings {
  AttentionReading forward = {}, reverse = {};
  double agreement = 0;  // F1 of the links of one against those of the other
};
struct ForcedDirection {
  std::span<const Translation> sentences;  // with their attention
  const TokenizerPair& tokenizers;
  std::vector<AttentionReading> readings;
};
AgreedReadings agreed_readings(std::string_view command, const ForcedDirection& forward,
                               const ForcedDirection& reverse);

}  // namespace dhyan

#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "decoding/hypothesis.h"
#include "text/tokenizer_factory.h"
#include "text/vocabulary.h"

namespace dhyan {

// <unk> is replaced by the source word with the most attention when it was written (as [luong2015b], but by attention),
// or by the translation of that word in a dictionary.
struct UnknownReplacement {
  std::optional<Index> layer = {};        // from 1: the mean over its heads; empty: the mean of all layers
  TokenMap<std::string> dictionary = {};  // source word, its translation
};

// A dictionary: source word, tab, translation in each line. DataError for other lines; the first entry of a word wins.
TokenMap<std::string> read_dictionary(const std::string& file);

// The text of a hypothesis with recorded attention, with its <unk> replaced. UsageError for a missing layer.
std::string text_without_unknown(const Hypothesis& hypothesis, std::string_view source,
                                 std::span<const TokenId> source_tokens, const TokenizerPair& tokenizers,
                                 const UnknownReplacement& replacement);

// How many tokens of a line the vocabulary has, and how many stand for text it lacks: <unk>, and characters spelled in
// bytes, each counted once. Tokens that stand for no text of their own, such as the mark of a word's beginning, do not
// count.
std::pair<Index, Index> known_and_unknown(const Tokenizer& tokenizer, const Encoded& line);

// The parts of each token of a line that the vocabulary lacks, empty if it is known. If a word is known without the
// punctuation at its ends, only this punctuation.
std::vector<std::vector<ByteRange>> unknown_parts(const Tokenizer& tokenizer, std::string_view line,
                                                  const Encoded& encoded);

}  // namespace dhyan

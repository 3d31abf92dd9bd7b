#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "importing/foreign_tensors.h"
#include "text/piece_tokenizer.h"
#include "text/tokenizer_factory.h"

namespace dhyan {

// The places of the special tokens in the vocabulary of another toolkit, wherever they stand there.
struct SpecialPlaces {
  std::optional<Index> pad = {}, unknown = {}, end = {};
  std::optional<Index> start = {};  // the token that the decoder starts with; none: a zero embedding
};

// The order of its tokens in ours, which begins with <pad> <unk> <s> </s>: <s> is what the decoder starts with.
struct VocabularyOrder {
  std::vector<std::string> tokens;  // in our order
  std::vector<Index> places;        // of their rows in the other toolkit's tables; -1: it has none
  std::vector<bool> never_written;  // has no output of its own there: a row of zeros, or a second row of a token

  Vocabulary vocabulary() const;

  ForeignMatrix table(const ForeignMatrix& theirs) const;        // [V',H] -> [V,H]
  ForeignMatrix output_bias(const ForeignMatrix& theirs) const;  // [1,V'] -> [1,V]
};

// Written tokens have biases far above this one, so that the others have a probability of 0.
inline constexpr float kNeverWritten = -1e4F;

// A token that occurs twice, or is spelled like a special token of ours but is none, gets another spelling. Rows of the
// table beyond the tokens get names: they too have probabilities.
VocabularyOrder our_order(const std::vector<std::string>& tokens, Index rows, const SpecialPlaces& special);

std::optional<Index> place_of(const std::vector<std::string>& tokens, std::string_view token);

// The contents of SentencePiece models; empty: there is none.
struct PieceModels {
  std::string_view source, target;
  std::string where_source, where_target;  // for messages
};

// One order for both sides gives one vocabulary, but each side its own SentencePiece model. Without one for the target,
// that of the source is used if it has nearly all pieces of the target's vocabulary.
TokenizerPair make_tokenizers(const VocabularyOrder& source, const VocabularyOrder& target, const PieceModels& models);

}  // namespace dhyan

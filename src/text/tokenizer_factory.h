#pragma once

#include <memory>
#include <optional>
#include <span>

#include "text/subword_sampler.h"
#include "text/tokenizer_training.h"

namespace dhyan {

// The kinds of tokenizers. A new kind is an entry in this table.
struct TokenizerKind {
  std::string_view name;
  std::string_view description;
  TrainedTokenizer (*train)(const LineSource& lines, const TokenizerOptions& options,
                            const std::optional<SubwordSampling>& sampling);
  std::unique_ptr<Tokenizer> (*load)(const std::filesystem::path& folder, std::string_view side,
                                     const std::optional<SubwordSampling>& sampling);
  std::string_view file;   // extension of the required file of a side: ".model" or ".vocab"
  bool keeps_text = true;  // decode() restores the NFC form of a line of known tokens
};
std::span<const TokenizerKind> tokenizer_kinds();

// Throws ConfigError for a name that is not in the table.
const TokenizerKind& tokenizer_kind(std::string_view name);

// The tokenizers of both sides of a model; the same object if they share a vocabulary.
struct TokenizerPair {
  std::shared_ptr<const Tokenizer> source;
  std::shared_ptr<const Tokenizer> target;

  bool shared() const { return source == target; }
};

// Saves them in a model's folder: source.* and target.*, or shared.* for both.
void save_tokenizers(const TokenizerPair& pair, const std::filesystem::path& folder);

// Throws ModelFileError if the folder holds neither both sides nor a shared one, or holds both.
TokenizerPair load_tokenizers(std::string_view kind, const std::filesystem::path& folder,
                              const std::optional<SubwordSampling>& sampling = {});

}  // namespace dhyan

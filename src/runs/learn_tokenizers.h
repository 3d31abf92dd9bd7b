#pragma once

#include <functional>
#include <span>

#include "runs/corpora.h"

namespace dhyan {

// The origin of the vocabulary size: the user, or choose_tokenizers().
enum class SizeOf { kUser, kChosen };

// Sets the kind, size and coverage that the config leaves open, from statistics of the corpora. Returns the choice and
// its reason, or an empty text if nothing was open. ConfigError for a vocabulary that is too small for the text.
std::string choose_tokenizers(TokenizerConfig& config, DataKind data_kind, std::span<const CorpusInput> corpora);

// Sets the kind of tokenizers that are taken from a model's folder, if the config leaves it open. UsageError if the
// config names another kind.
void take_tokenizer_kind(TokenizerConfig& config, const std::filesystem::path& folder);

// Learns tokenizers from the corpora: one for each side, or a shared one; plain text always has a shared one. A
// vocabulary is smaller than configured if the text has fewer tokens. `poll` is called meanwhile and may throw to stop.
TokenizerPair learn_tokenizers(const TokenizerConfig& config, DataKind data_kind, std::span<const CorpusInput> corpora,
                               const std::function<void()>& poll = {});

// A note if the vocabularies are smaller than configured; else empty. Also empty for words and characters without a
// configured size.
std::string fewer_than_asked(const TokenizerConfig& config, const TokenizerPair& tokenizers, SizeOf size);

// Loads the tokenizers of a model's folder, which must have the config's kind.
TokenizerPair load_tokenizers(const TokenizerConfig& config, const std::filesystem::path& folder);

}  // namespace dhyan

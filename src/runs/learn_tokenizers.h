#pragma once

#include <functional>
#include <span>

#include "runs/corpora.h"

namespace dhyan {

// Who decided on the size of the vocabularies: the user, or choose_tokenizers().
enum class SizeOf { kUser, kChosen };

// Gives the config the kind, size and coverage that it leaves open, chosen from the sentences of the corpora, and says
// what was chosen and why; an empty text if nothing was. ConfigError for a vocabulary that is too small for the text.
std::string choose_tokenizers(TokenizerConfig& config, DataKind data_kind, std::span<const CorpusInput> corpora);

// For tokenizers that are taken from a model's folder: its kind, where the config leaves that open. UsageError where
// the config names another kind.
void take_tokenizer_kind(TokenizerConfig& config, const std::filesystem::path& folder);

// Learned from the sentences of the corpora, one for each side or one for both, which of plain text there always is; a
// vocabulary is smaller than the config says if the text gives no more. `poll` is called while
// they are learned, and may throw, to stop.
TokenizerPair learn_tokenizers(const TokenizerConfig& config, DataKind data_kind, std::span<const CorpusInput> corpora,
                               const std::function<void()>& poll = {});

// Says so if the text gives fewer tokens than the config asks for; else empty, and for words and characters also where
// nobody gave a size.
std::string fewer_than_asked(const TokenizerConfig& config, const TokenizerPair& tokenizers, SizeOf size);

// Of a folder in which a model of the config's kind of tokenizer was saved.
TokenizerPair load_tokenizers(const TokenizerConfig& config, const std::filesystem::path& folder);

}  // namespace dhyan

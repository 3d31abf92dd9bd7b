#pragma once

#include <span>

#include "translator/corpora.h"

namespace dhyan {

// Learned from the sentences of the corpora, one for each side or one for both, which of plain text there always is; a
// vocabulary is smaller than the config says if the text gives no more.
TokenizerPair learn_tokenizers(const TokenizerConfig& config, Material material, std::span<const CorpusInput> corpora);

// Of a folder in which a model of the config's kind of tokenizer was saved.
TokenizerPair load_tokenizers(const TokenizerConfig& config, const std::filesystem::path& folder);

}  // namespace dhyan

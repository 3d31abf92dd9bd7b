#pragma once

#include "markup/marked_text.h"
#include "translator/translator.h"

namespace dhyan::server {

// A translation with its words and the links between them, for markup to be put back. The links are those of attention,
// the mean of layers and heads; there are none of a model without attention.
TranslatedSentence translated_sentence(const Translation& translation, const TokenizerPair& tokenizers);

// Where each word stands in a text, in bytes. The last one may be </s>, which has no place.
std::vector<ByteRange> ranges_of(std::span<const std::string> words, std::string_view text);

}  // namespace dhyan::server

#pragma once

#include "translator/translator.h"

namespace dhyan {

// Translates the sentences of each line separately and joins their best translations, with a blank between them if the
// script has blanks. Log p is the sum over the sentences; the score is that of one hypothesis of their total length,
// with coverage summed. Attention stays with the sentences. UsageError for constraints and sampling, which apply to
// a single sentence.
std::vector<std::vector<Translation>> translate_sentences(const Translator& translator,
                                                          std::span<const std::string> lines,
                                                          const TranslationOptions& options,
                                                          const Workers& workers = {});

}  // namespace dhyan

#pragma once

#include "translator/translator.h"

namespace dhyan {

// Lines of several sentences, each of which is translated by itself: their best translations put together, one blank
// between them where the script has blanks. Log p is the sum over the sentences, and the score is that of a hypothesis
// as long as all of them, coverage added up. Attention is kept with the sentences. UsageError for what cannot be put
// together: demands, and what is drawn.
std::vector<std::vector<Translation>> translate_sentences(const Translator& translator,
                                                          std::span<const std::string> lines,
                                                          const TranslationOptions& options,
                                                          const Workers& workers = {});

}  // namespace dhyan

#pragma once

#include "translator/translator.h"

namespace dhyan {

// Lines of several sentences, each of which is translated by itself: their best translations put together, with the sum
// of log p, and without attention. UsageError for what cannot be put together: demands, and what is drawn.
std::vector<std::vector<Translation>> translate_sentences(const Translator& translator,
                                                          std::span<const std::string> lines,
                                                          const TranslationOptions& options,
                                                          const Workers& workers = {});

}  // namespace dhyan

#pragma once

#include "data/lines.h"
#include "translator/translator.h"

namespace dhyan {

// Lines are translated in windows. A window is small at first, so that there is soon something to see, and doubles up
// to the largest, so that lines of like length find each other. It ends early when the next line lets itself be waited
// for: who types a line sees its translation.
struct StreamOptions {
  TranslationOptions translation = {};  // its demands and the number of the first line are found while reading
  LineReader* prefixes = nullptr;       // a line for each of the input: what its translation begins with
  LineReader* required = nullptr;       // likewise: the phrases it has, with tabs between
  bool split_sentences = false;         // a line is cut into sentences, and its translation put together from theirs
  Workers workers = {};
  Index first_window = 128;                // lines
  Index largest_window = 4096;             // translations, n_best of each line; at least one line
  std::chrono::milliseconds patience{10};  // a program may take between two lines
};

using NBestLists = std::vector<std::vector<Translation>>;  // as Translator::translate gives them

// Translates line after line until the input ends; `give` is called in order, once for each window. If a line cannot
// be read, those before it are translated, and then its DataError is thrown; so it is if a file of demands has not as
// many lines as the input. Memory is bounded by the largest window.
void translate_stream(const Translator& translator, LineReader& input, const StreamOptions& options,
                      const std::function<void(const NBestLists& window)>& give);

}  // namespace dhyan

#pragma once

#include "data/lines.h"
#include "translator/translator.h"

namespace dhyan {

// Lines are translated in windows. The first is small, so that output appears soon; each next one is twice as large, up
// to the largest, so that batches have lines of similar length. A window ends early if no line arrives within
// `patience`: a line that a user types is translated at once.
struct StreamOptions {
  TranslationOptions translation = {};  // constraints and first_line are set while reading
  LineReader* prefixes = nullptr;       // the prefix of each line's translation
  LineReader* required = nullptr;       // the required phrases of each line, separated by tabs
  bool split_sentences = false;         // translate the sentences of a line separately
  Workers workers = {};
  Index first_window = 128;                // lines
  Index largest_window = 4096;             // translations, n_best of each line; at least one line
  std::chrono::milliseconds patience{10};  // longest wait for the next line of a window
  // For processes that share out a file, each of which reads it: this one translates every `shares`-th window of equal
  // size, beginning with number `share`, and calls `pass_over` with the number and the lines of each other one.
  Index share = 0, shares = 1;
  std::function<void(Index window, std::size_t lines)> pass_over = {};
};

using NBestLists = std::vector<std::vector<Translation>>;  // as from Translator::translate

// Translates all lines of the input and calls `give` once for each window, in order. If a line cannot be read, or a
// file of constraints has too few or too many lines, the lines before it are translated and then DataError is thrown.
// Memory is bounded by the largest window.
void translate_stream(const Translator& translator, LineReader& input, const StreamOptions& options,
                      const std::function<void(const NBestLists& window)>& give);

}  // namespace dhyan

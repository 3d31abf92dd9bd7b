#pragma once

#include <functional>
#include <memory>

#include "core/precision.h"
#include "data/lines.h"
#include "translator/translation_options.h"

namespace CLI {
class App;
}

namespace dhyan::cli {

// What every command that translates can be told: --beam-size, how hypotheses are ranked, when search ends, lengths,
// groups.
void add_search_options(CLI::App& command, SearchOptions& options);

void add_allow_unknown_option(CLI::App& command, bool& allow);  // part of the above

// What translate alone can be told about words and chance, as it was given; files are read by open().
struct WordOptions {
  std::vector<std::string> forbidden;
  std::string forbidden_file;
  std::string prefix_file;
  bool prefix_open = false;
  std::string required_file;
  std::string shortlist_file;
  ShortlistOptions shortlist;
  bool sampling = false;
  SamplingOptions draw;
  std::uint64_t seed = 1;
  bool replace_unknown = false;
  std::optional<Index> unknown_layer;
  std::string dictionary_file;
};
void add_word_options(CLI::App& command, WordOptions& options);  // after those of search
std::vector<std::string> files_of(const WordOptions& options);

// Files that go with the input, and the options that refer to them.
struct OpenedWords {
  TranslationOptions translation;
  std::unique_ptr<Shortlist> shortlist;
  std::unique_ptr<LineReader> prefixes, required;
};
OpenedWords open_words(const WordOptions& options, const SearchOptions& search, const TokenizerPair& tokenizers);

// --amx: the faster rounding of machines with tiles. It is never chosen by how a text is handed over.
void add_precision_option(CLI::App& command, Precision& precision);

// --threads; as many as the machine has, unless told.
void add_threads_option(CLI::App& command, int& threads);

}  // namespace dhyan::cli

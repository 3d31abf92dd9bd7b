#include "phrasebook/phrasebook.h"

#include <array>

#include "core/error.h"
#include "phrasebook/book.h"

namespace dhyan {

namespace {

std::array<const phrases::Grammar*, 3> grammars() {
  return {&phrases::hindi_grammar(), &phrases::french_grammar(), &phrases::reference_grammar()};
}

const phrases::Grammar& grammar_of(std::string_view language_pair) {
  std::string known;
  for (const phrases::Grammar* grammar : grammars()) {
    if (grammar->pair == language_pair) return *grammar;
    known += cat(known.empty() ? "" : ", ", grammar->pair);
  }
  throw UsageError(cat("phrasebook: language pair '", language_pair, "' is none of ", known));
}

std::vector<PhrasePair> pairs_of(std::vector<phrases::Entry> entries) {
  std::vector<PhrasePair> pairs;
  pairs.reserve(entries.size());
  for (phrases::Entry& entry : entries) pairs.push_back(std::move(entry.pair));
  return pairs;
}

}  // namespace

Phrasebook phrasebook(std::string_view language_pair, Index max_words) {
  if (max_words < kFewestWords || max_words > kMostWords) {
    throw UsageError(cat("phrasebook: max-words is ", max_words, "; expected ", kFewestWords, " to ", kMostWords));
  }
  phrases::Book book = phrases::make_book(grammar_of(language_pair), static_cast<std::size_t>(max_words));
  return {pairs_of(std::move(book.train)), pairs_of(std::move(book.dev)), pairs_of(std::move(book.test))};
}

std::vector<PhrasePair> phrasebook(std::string_view language_pair, Part part, Index max_words) {
  Phrasebook book = phrasebook(language_pair, max_words);
  return std::move(part == Part::kTrain ? book.train : part == Part::kDev ? book.dev : book.test);
}

bool has_english_source(std::string_view language_pair) { return language_pair.starts_with("en-"); }

std::vector<std::string> phrasebook_names() {
  std::vector<std::string> names;
  for (const phrases::Grammar* grammar : grammars()) names.emplace_back(grammar->pair);
  return names;
}

std::string to_pharaoh(const std::vector<std::pair<int, int>>& alignment) {
  std::string text;
  for (const auto& [source, target] : alignment) text += cat(text.empty() ? "" : " ", source, '-', target);
  return text;
}

}  // namespace dhyan

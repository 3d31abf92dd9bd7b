#pragma once

#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/pairs.h"
#include "metrics/alignment.h"
#include "phrasebook/phrasebook.h"
#include "translator/inputs.h"

namespace dhyan {

// Sentences to be translated, and what is right.
struct TestSet {
  std::string name;                                         // where they come from, for people
  std::vector<std::string> sources = {};                    // none where given translations are compared
  std::vector<std::vector<std::string>> references = {};    // of each sentence; of a picture, any number
  std::vector<GoldLinks> alignments = {};                   // of source and first reference; none if not known
  std::shared_ptr<const PictureSource> pictures = nullptr;  // of captions: sources are the names of these
  std::optional<Part> scenes = {};  // the pictures are scenes of this part of the picture book, from number 0 on

  Inputs inputs() const { return {sources, pictures.get()}; }
};

struct TestFiles {
  std::vector<std::string> pairs;       // two parallel files, or one TSV or TMX: sources and references
  std::vector<std::string> references;  // further references for the same sentences
  std::string alignments;               // in Pharaoh's format; empty: none
};

// DataError, with file and line, for what cannot be used: files that differ in their number of lines, or have none;
// links that are none, or lead to no word.
TestSet read_test_set(const TestFiles& files, const ReadOptions& options = {});

// A part of the built-in corpus of a language pair, with its alignments.
TestSet phrasebook_test_set(std::string_view language_pair, Part part = Part::kTest);

// Translations that were made elsewhere, and what they are compared with.
struct TranslationFiles {
  std::string hypotheses;
  std::vector<std::string> references;
  std::string sources;  // empty: not known
};

struct TranslatedSet {
  std::vector<std::string> hypotheses;
  TestSet set;
};
TranslatedSet read_translations(const TranslationFiles& files, const ReadOptions& options = {});

// References alone, for translations that are read one system after the other.
TestSet read_references(const std::vector<std::string>& files, const ReadOptions& options = {});

// One system's translations of a test set, a line each.
std::vector<std::string> read_hypotheses(const std::string& file, const TestSet& set, const ReadOptions& options = {});

// UsageError if more than one of these files is standard input.
void refuse_stdin_twice(std::initializer_list<std::span<const std::string>> lists);

// Counts words of the source, or of the first reference where the source is not known or is a picture.
std::vector<Index> sentence_lengths(const TestSet& set);

}  // namespace dhyan

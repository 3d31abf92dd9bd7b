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

// Sentences to translate, and their references.
struct TestSet {
  std::string name;                                         // where they come from, for people
  std::vector<std::string> sources = {};                    // empty when given translations are compared
  std::vector<std::vector<std::string>> references = {};    // of each sentence; of a picture, any number
  std::vector<GoldLinks> alignments = {};                   // of source and first reference; empty if not known
  std::shared_ptr<const PictureSource> pictures = nullptr;  // of captions: sources are the names of these
  std::optional<Part> scenes = {};  // the pictures are scenes of this part of the picture book, from number 0 on

  Inputs inputs() const { return {sources, pictures.get()}; }
};

struct TestFiles {
  std::vector<std::string> pairs;       // two parallel files, or one TSV or TMX: sources and references
  std::vector<std::string> references;  // further references for the same sentences
  std::string alignments;               // in Pharaoh's format; empty: none
};

// DataError, with file and line, if files differ in their number of lines or have none, or if a link is malformed or
// leads to a missing word.
TestSet read_test_set(const TestFiles& files, const ReadOptions& options = {});

// A part of the built-in corpus of a language pair, with its alignments.
TestSet phrasebook_test_set(std::string_view language_pair, Part part = Part::kTest, Index max_words = kUsualWords);

// Given translations and the references to compare them with.
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

// References only; the translations of each system are read separately.
TestSet read_references(const std::vector<std::string>& files, const ReadOptions& options = {});

// One system's translations of a test set, a line each.
std::vector<std::string> read_hypotheses(const std::string& file, const TestSet& set, const ReadOptions& options = {});

// UsageError if more than one of these files is standard input.
void refuse_stdin_twice(std::initializer_list<std::span<const std::string>> lists);

// Counts words of the source, or of the first reference where the source is not known or is a picture.
std::vector<Index> sentence_lengths(const TestSet& set);

}  // namespace dhyan

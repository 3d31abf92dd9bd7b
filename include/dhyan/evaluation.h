#pragma once

#include <cstdint>
#include <dhyan/options.h>
#include <optional>
#include <string>
#include <vector>

namespace dhyan::v1 {

// Sentences and their reference translations.
struct TestSet {
  std::string name = "test set";
  std::vector<std::string> sources = {};
  std::vector<std::vector<std::string>> references = {};  // of each sentence, one or more
  std::vector<std::string> alignments = {};  // gold alignment of each with its first reference, "0-0 1p2"; or none
};

// Two parallel files, or one TSV or TMX file; may be compressed. `alignments` names a file in Pharaoh's format or is
// empty. DataError, with file and line, for what cannot be read.
DHYAN_EXPORT TestSet read_test_set(const std::vector<std::string>& files, const std::string& alignments = {});

// The held-out part of the built-in corpus of a pair of languages: "hi-en", "fr-en".
DHYAN_EXPORT TestSet phrasebook_test_set(const std::string& pair);

struct EvaluateOptions {
  std::vector<std::string> metrics = {"bleu", "chrf"};  // as `dhyan evaluate --metrics`
  int beam_size = 5;
  std::vector<Setting> more = {};  // any search option of `dhyan translate --help-all`
  Progress progress = {};
  Poll poll = {};
};

struct MetricScore {
  std::string name;
  double value = 0;
  std::string signature;  // all that the value depends on
  std::string details;    // more about it; may be empty
};

struct AlignmentQuality {
  double error_rate = 0, precision = 1, recall = 1;
};

struct Evaluation {
  std::vector<std::string> translations = {};
  std::vector<MetricScore> scores = {};  // in the order of the metrics asked for
  // Of the references, each word predicted from the correct words before it.
  double perplexity = 0;
  std::int64_t tokens = 0;                         // of the references, </s> included
  std::int64_t skipped = 0;                        // sentences without a source, or too long
  std::optional<AlignmentQuality> alignment = {};  // against gold alignments, by the attention of the references
};

// Given translations against references, by any system. UsageError if their numbers differ.
DHYAN_EXPORT std::vector<MetricScore> score_text(const std::vector<std::string>& translations,
                                                 const std::vector<std::vector<std::string>>& references,
                                                 const std::vector<std::string>& metrics = {"bleu", "chrf"});

}  // namespace dhyan::v1

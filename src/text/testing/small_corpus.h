#pragma once

#include <string>
#include <vector>

#include "core/rng.h"
#include "text/tokenizer_training.h"

namespace dhyan {

// For tests: Hindi and English lines made of a few words, enough to learn some hundred subwords.
inline std::vector<std::string> small_corpus(int lines = 600) {
  const std::vector<std::string> hindi[] = {
      {"मैं", "लड़का", "लड़की", "राम", "सीता", "विद्यार्थी", "अध्यापक", "माँ"},
      {"खाना", "पानी", "किताब", "चिट्ठी", "सब्ज़ी", "दूध", "ज़्यादा", "अख़बार"},
      {"खा", "पी", "पढ़", "लिख", "देख", "सुन"},
      {"रहा हूँ।", "रही है।", "रहा था।", "सकता है।", "चुकी थी।"},
  };
  const std::vector<std::string> english[] = {
      {"the boy", "the girl", "a student", "my mother", "the teacher", "nobody"},
      {"is eating", "was drinking", "has written", "will read", "cannot see"},
      {"bread,", "the letter,", "some water,", "newspapers,", "vegetables,"},
      {"isn't it?", "I think.", "you know.", "they said.", "unfortunately."},
  };
  Rng rng(7);
  std::vector<std::string> corpus;
  for (int i = 0; i < lines; ++i) {
    std::string line;
    for (const auto& words : i % 2 == 0 ? hindi : english) {
      line += (line.empty() ? "" : " ") + words[rng.below(words.size())];
    }
    corpus.push_back(line);
  }
  return corpus;
}

// A vocabulary size that this corpus supports.
inline TokenizerOptions small_vocabulary() {
  TokenizerOptions options;
  options.vocabulary_size = 100;
  options.character_coverage = 1;
  options.byte_fallback = false;
  return options;
}

// Reads the lines of a vector once; the vector must outlive the reader.
inline LineSource lines_of(const std::vector<std::string>& lines) {
  return [&lines, at = std::size_t{0}](std::string& line) mutable {
    if (at == lines.size()) return false;
    line = lines[at++];
    return true;
  };
}

}  // namespace dhyan

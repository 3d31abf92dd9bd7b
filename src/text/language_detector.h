#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "text/trigram_profile.h"

namespace dhyan {

struct DetectedLanguage {
  std::string code;
  double confidence = 0;  // 0 to 100

  friend bool operator==(const DetectedLanguage&, const DetectedLanguage&) = default;
};

// Detects the language of a text: naive Bayes over letter trigrams.
class LanguageDetector {
 public:
  // Adds to the profile of the code if there is one.
  void add(const std::string& code, const TrigramProfile& profile);

  // All languages, the likeliest first, equally likely ones by code. The confidence is the posterior probability in
  // percent; the rest belongs to languages that were not added. Empty for a text without letters.
  std::vector<DetectedLanguage> detect(std::string_view text) const;

 private:
  struct Language {
    double total = 0;
    TrigramCounts counts;
    std::unordered_set<char32_t> letters;  // of these trigrams
  };

  static double log_probability(const Language& language, const Trigram& trigram);

  std::map<std::string, Language> languages_;
};

}  // namespace dhyan

#include "text/language_detector.h"

#include <algorithm>
#include <cmath>

namespace dhyan {

namespace {

// Probabilities of a trigram that a profile lacks. They are the same for all profiles, so that a profile of little text
// is neither better nor worse with unknown words. A letter that the profile lacks is the strongest evidence.
constexpr double kOfKnownLetters = 1e-5, kOfUnknownLetters = 1e-7;
constexpr double kOfOtherLanguages = 1e-6;  // any trigram, in a language that has no profile

}  // namespace

void LanguageDetector::add(const std::string& code, const TrigramProfile& profile) {
  Language& language = languages_[code];
  language.total += static_cast<double>(profile.total);
  for (const TrigramCount& entry : profile.commonest) {
    language.counts[entry.trigram] += entry.count;
    language.letters.insert(entry.trigram.begin(), entry.trigram.end());
  }
}

double LanguageDetector::log_probability(const Language& language, const Trigram& trigram) {
  if (const auto found = language.counts.find(trigram); found != language.counts.end()) {
    return std::log(std::max(static_cast<double>(found->second) / language.total, kOfKnownLetters));
  }
  const bool known = std::ranges::all_of(trigram, [&](char32_t letter) { return language.letters.contains(letter); });
  return std::log(known ? kOfKnownLetters : kOfUnknownLetters);
}

std::vector<DetectedLanguage> LanguageDetector::detect(std::string_view text) const {
  std::vector<Trigram> trigrams;
  for_each_trigram(text, [&](const Trigram& trigram) { trigrams.push_back(trigram); });
  if (trigrams.empty()) return {};
  const double other = static_cast<double>(trigrams.size()) * std::log(kOfOtherLanguages);
  double best = other;
  std::vector<DetectedLanguage> detected;
  for (const auto& [code, language] : languages_) {
    double sum = 0;
    for (const Trigram& trigram : trigrams) sum += log_probability(language, trigram);
    detected.push_back({code, sum});
    best = std::max(best, sum);
  }
  double all = std::exp(other - best);
  for (DetectedLanguage& language : detected) all += language.confidence = std::exp(language.confidence - best);
  for (DetectedLanguage& language : detected) language.confidence *= 100 / all;
  std::ranges::stable_sort(detected, std::ranges::greater(), &DetectedLanguage::confidence);
  return detected;
}

}  // namespace dhyan

#include "metrics/chrf.h"

#include "core/error.h"
#include "metrics/ngrams.h"
#include "text/lowercase.h"
#include "text/unicode.h"

namespace dhyan {

namespace {

bool is_ascii_punctuation(char32_t code) {
  return (code >= '!' && code <= '/') || (code >= ':' && code <= '@') || (code >= '[' && code <= '`') ||
         (code >= '{' && code <= '~');
}

// Words; one punctuation character at the end, or else at the beginning, is split off.
std::vector<std::u32string_view> words_of(std::u32string_view text) {
  std::vector<std::u32string_view> words;
  for (const std::u32string_view word : split_words(text)) {
    const std::size_t last = word.size() - 1;
    if (last > 0 && is_ascii_punctuation(word.back())) {
      words.insert(words.end(), {word.substr(0, last), word.substr(last)});
    } else if (last > 0 && is_ascii_punctuation(word.front())) {
      words.insert(words.end(), {word.substr(0, 1), word.substr(1)});
    } else {
      words.push_back(word);
    }
  }
  return words;
}

std::u32string prepared(std::string_view line, const ChrfOptions& options) {
  return options.lowercase ? lowercase(to_utf32(line)) : to_utf32(line);
}

Symbols characters_of(std::u32string_view text, const ChrfOptions& options) {
  Symbols characters;
  for (const char32_t code : text) {
    if (options.whitespace || !is_blank(code)) characters.push_back(code);
  }
  return characters;
}

// For each order: n-grams of the hypothesis, of the reference, of both.
constexpr std::size_t kPerOrder = 3;

void append_counts(Counts& counts, const Symbols& hypothesis, const Symbols& reference, Index order) {
  for (Index n = 1; n <= order; ++n) {
    const NgramCounts found(hypothesis, n), wanted(reference, n);
    counts.push_back(
        static_cast<double>(wanted.empty() ? 0 : found.total()));  // counts only if the reference has n-grams
    counts.push_back(static_cast<double>(wanted.total()));
    counts.push_back(static_cast<double>(found.matches(wanted)));
  }
}

struct Rates {
  double precision = 0, recall = 0;
};

// F = (1 + b^2) P R / (b^2 P + R)   [popovic2015] eq. 1
double f_score(const Rates& rates, double beta, double if_both_are_0) {
  const double factor = beta * beta;
  const double denominator = factor * rates.precision + rates.recall;
  return denominator > 0 ? (1 + factor) * rates.precision * rates.recall / denominator : if_both_are_0;
}

// The F-score of mean precision and mean recall, over the orders for which both sides have n-grams.
double score_of_means(const Counts& sums, double beta) {
  Rates mean;
  double orders = 0;
  for (std::size_t i = 0; i < sums.size(); i += kPerOrder) {
    const double found = sums[i], wanted = sums[i + 1], both = sums[i + 2];
    if (found == 0 || wanted == 0) continue;
    mean.precision += both / found;
    mean.recall += both / wanted;
    ++orders;
  }
  if (orders == 0) return 0;
  mean.precision /= orders;
  mean.recall /= orders;
  return f_score(mean, beta, 0);
}

double mean_of_scores(const Counts& sums, double beta) {
  constexpr double kEpsilon = 1e-16;
  double sum = 0;
  for (std::size_t i = 0; i < sums.size(); i += kPerOrder) {
    const double found = sums[i], wanted = sums[i + 1], both = sums[i + 2];
    sum += f_score({found > 0 ? both / found : kEpsilon, wanted > 0 ? both / wanted : kEpsilon}, beta, kEpsilon);
  }
  return sum / static_cast<double>(sums.size() / kPerOrder);
}

}  // namespace

Chrf::Chrf(const ChrfOptions& options) : options_(options) {
  if (options.character_order < 0 || options.word_order < 0 || options.character_order + options.word_order == 0 ||
      options.beta < 1) {
    throw ConfigError(cat("chrF: orders ", options.character_order, " of characters and ", options.word_order,
                          " of words with beta ", options.beta, "; expected an order and a beta of at least 1"));
  }
}

std::string Chrf::name() const {
  return cat("chrF", options_.beta, std::string(static_cast<std::size_t>(options_.word_order), '+'));
}

std::string Chrf::settings() const {
  return cat("case:", options_.lowercase ? "lc" : "mixed", "|eff:", options_.epsilon ? "no" : "yes",
             "|nc:", options_.character_order, "|nw:", options_.word_order,
             "|space:", options_.whitespace ? "yes" : "no");
}

Counts Chrf::counts(std::string_view hypothesis, std::span<const std::string> references) const {
  const std::u32string translation = prepared(hypothesis, options_);
  const Symbols characters = characters_of(translation, options_);
  Counts best;
  double best_score = -1;
  for (const std::string& line : references) {
    const std::u32string reference = prepared(line, options_);
    WordNumbers numbers;
    Counts counts;
    append_counts(counts, characters, characters_of(reference, options_), options_.character_order);
    const Symbols words = numbers(words_of(translation));
    append_counts(counts, words, numbers(words_of(reference)), options_.word_order);
    const double of_this = score(counts);
    if (of_this <= best_score) continue;
    best_score = of_this;
    best = std::move(counts);
  }
  return best;
}

double Chrf::score(const Counts& sums) const {
  const auto beta = static_cast<double>(options_.beta);
  return 100 * (options_.epsilon ? mean_of_scores(sums, beta) : score_of_means(sums, beta));
}

}  // namespace dhyan

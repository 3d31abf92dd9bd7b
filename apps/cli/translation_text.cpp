#include "cli/translation_text.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/number_text.h"
#include "explain/attention_choice.h"

namespace dhyan::cli {

namespace {

// To six decimals: what is written does not hang on the last bits.
double rounded(double number) {
  constexpr double kSteps = 1e6;
  return std::round(number * kSteps) / kSteps + 0.0;  // no -0
}

std::string text_of(double number) { return number_text(rounded(number)); }

template <class Items, class Text>
std::string joined(const Items& items, const char* between, const Text& text) {
  std::string all;
  for (const auto& item : items) all += cat(all.empty() ? "" : between, text(item));
  return all;
}

// A line has one end. A model that spells in bytes could write another.
std::string on_one_line(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return text;
}

// A translation on units. Without text, everything is empty.
struct OnUnits {
  std::vector<std::string> source;
  std::vector<std::string> target;
  std::vector<double> scores;  // of target
  AttentionMap map;            // empty where the model does not attend, or nobody asked
};

OnUnits on_units(const Translation& translation, const TokenizerPair& tokenizers, Units units) {
  if (translation.source_tokens.empty()) return {};
  const SentenceUnits sentence{
      .source = source_units(*tokenizers.source, translation.source, translation.source_tokens, units),
      .target = target_units(*tokenizers.target, translation.hypothesis.tokens, units)};
  OnUnits result{sentence.source.labels,
                 sentence.target.labels,
                 unit_scores(translation.hypothesis.token_scores, sentence.target),
                 {}};
  auto maps = attention_maps(translation.hypothesis.attention, sentence, {.summary = Summary::kMean});
  if (!maps.empty()) result.map = std::move(maps.front());
  return result;
}

std::string alignment_text(const AttentionMap& map, AlignmentText alignment) {
  if (alignment == AlignmentText::kHard) {
    return joined(hard_alignment(map), " ", [](const auto& link) { return cat(link.first, '-', link.second); });
  }
  return joined(map.weights, " ", [](const std::vector<double>& row) { return joined(row, ",", text_of); });
}

std::string json_line(const Translation& translation, std::uint64_t line, std::size_t rank, const OnUnits& units,
                      const TranslationFormat& format) {
  const auto numbers = [](const std::vector<double>& exact) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const double number : exact) list.push_back(rounded(number));
    return list;
  };
  nlohmann::ordered_json object{{"line", line}};
  if (format.n_best) object["rank"] = rank;
  object["source"] = translation.source;
  object["translation"] = translation.text;
  object["score"] = rounded(translation.hypothesis.score);
  object["log_probability"] = rounded(translation.hypothesis.log_probability);
  object["tokens"] = units.target;
  object["source_tokens"] = units.source;
  object["token_scores"] = numbers(units.scores);
  object["attention"] = nlohmann::ordered_json::array();
  for (const std::vector<double>& row : units.map.weights) object["attention"].push_back(numbers(row));
  if (format.alignment == AlignmentText::kHard) object["alignment"] = hard_alignment(units.map);
  return object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string plain_line(const Translation& translation, std::uint64_t line, const OnUnits& units,
                       const TranslationFormat& format) {
  constexpr const char* kBetween = " ||| ";
  std::string text = format.n_best ? cat(line, kBetween) : "";
  text += on_one_line(translation.text);
  if (format.alignment != AlignmentText::kNone) text += kBetween + alignment_text(units.map, format.alignment);
  if (format.word_scores) text += cat(kBetween, "WordScores= ", joined(units.scores, " ", text_of));
  if (format.n_best) text += kBetween + text_of(translation.hypothesis.score);
  return text;
}

}  // namespace

std::string to_text(const std::vector<Translation>& n_best, std::uint64_t line, const TokenizerPair& tokenizers,
                    const TranslationFormat& format) {
  const bool needs_units = format.json || format.word_scores || format.alignment != AlignmentText::kNone;
  std::string text;
  for (std::size_t rank = 0; rank < n_best.size(); ++rank) {
    const OnUnits units = needs_units ? on_units(n_best[rank], tokenizers, format.units) : OnUnits();
    text += format.json ? json_line(n_best[rank], line, rank, units, format)
                        : plain_line(n_best[rank], line, units, format);
    text += '\n';
  }
  return text;
}

std::string scored_text(const Translation& scored, std::uint64_t line, const TokenizerPair& tokenizers,
                        const TranslationFormat& format) {
  if (scored.hypothesis.tokens.empty()) {
    if (!format.json) return format.word_scores ? "-inf ||| WordScores=\n" : "-inf\n";
    Translation without = scored;
    without.hypothesis.score = without.hypothesis.log_probability = -std::numeric_limits<double>::infinity();
    return json_line(without, line, 0, {}, format) + '\n';
  }
  const OnUnits units = format.json || format.word_scores ? on_units(scored, tokenizers, format.units) : OnUnits();
  if (format.json) return json_line(scored, line, 0, units, format) + '\n';
  std::string text = text_of(scored.hypothesis.score);
  if (format.word_scores) text += cat(" ||| WordScores= ", joined(units.scores, " ", text_of));
  return text + '\n';
}

}  // namespace dhyan::cli

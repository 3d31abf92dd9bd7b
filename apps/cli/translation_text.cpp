#include "cli/translation_text.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "cli/choice_option.h"
#include "core/error.h"
#include "core/number_text.h"
#include "translator/translation_units.h"

namespace dhyan::cli {

namespace {

std::string text_of(double number) { return number_text(rounded(number)); }

template <class Items, class Text>
std::string joined(const Items& items, const char* between, const Text& text) {
  std::string all;
  for (const auto& item : items) all += cat(all.empty() ? "" : between, text(item));
  return all;
}

constexpr const char* kBetween = " ||| ";

// A line has one end. A model that spells in bytes could write another.
std::string on_one_line(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return text;
}

bool needs_units(const TranslationFormat& format) {
  return format.json || format.word_scores || format.alignment != AlignmentText::kNone;
}

std::string alignment_text(const AttentionMap& map, AlignmentText alignment) {
  if (alignment == AlignmentText::kHard) {
    return joined(hard_alignment(map), " ", [](const auto& link) { return cat(link.first, '-', link.second); });
  }
  return joined(map.weights, " ", [](const std::vector<double>& row) { return joined(row, ",", text_of); });
}

// The columns that tell more of a translation.
std::string columns(const TranslationUnits& units, const TranslationFormat& format) {
  std::string text;
  if (format.alignment != AlignmentText::kNone) text += kBetween + alignment_text(units.map, format.alignment);
  if (format.word_scores) text += cat(kBetween, "WordScores= ", joined(units.scores, " ", text_of));
  return text;
}

std::string json_line(const Translation& translation, std::uint64_t line, std::size_t rank,
                      const TranslationUnits& units, const TranslationFormat& format) {
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
  object["finished"] = translation.finished();
  object["mostly_unknown"] = translation.mostly_unknown();
  object["tokens"] = units.target;
  object["source_tokens"] = units.source;
  object["token_scores"] = numbers(units.scores);
  object["attention"] = nlohmann::ordered_json::array();
  for (const std::vector<double>& row : units.map.weights) object["attention"].push_back(numbers(row));
  if (format.alignment == AlignmentText::kHard) object["alignment"] = hard_alignment(units.map);
  return object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string plain_line(const Translation& translation, std::uint64_t line, const TranslationUnits& units,
                       const TranslationFormat& format) {
  std::string text = format.n_best ? cat(line, kBetween) : "";
  text += on_one_line(translation.text);
  text += columns(units, format);
  if (format.n_best) text += kBetween + text_of(translation.hypothesis.score);
  return text;
}

}  // namespace

std::string to_text(const std::vector<Translation>& n_best, std::uint64_t line, const TokenizerPair& tokenizers,
                    const TranslationFormat& format) {
  std::string text;
  for (std::size_t rank = 0; rank < n_best.size(); ++rank) {
    const TranslationUnits units =
        needs_units(format) ? written_units(n_best[rank], tokenizers, format.units) : TranslationUnits();
    text += format.json ? json_line(n_best[rank], line, rank, units, format)
                        : plain_line(n_best[rank], line, units, format);
    text += '\n';
  }
  return text;
}

std::string scored_text(const Translation& scored, std::uint64_t line, const TokenizerPair& tokenizers,
                        const TranslationFormat& format) {
  const TranslationUnits units =
      needs_units(format) ? given_text_units(scored, tokenizers, format.units) : TranslationUnits();
  if (!scored.hypothesis.tokens.empty()) {
    return (format.json ? json_line(scored, line, 0, units, format)
                        : text_of(scored.hypothesis.score) + columns(units, format)) +
           '\n';
  }
  if (!format.json) return "-inf" + columns(units, format) + '\n';
  Translation without = scored;
  without.hypothesis.score = without.hypothesis.log_probability = -std::numeric_limits<double>::infinity();
  return json_line(without, line, 0, units, format) + '\n';
}

void add_alignment_option(CLI::App& command, AlignmentText& alignment) {
  add_choice(
      command, "--alignment", kAlignments, alignment,
      "Append ||| and the word alignment: hard, pairs i-j of source and target words from 0; soft, all attention "
      "weights, one row per target word, </s> included")
      ->type_name("KIND");
}

void expect_cross_attention(std::string_view command, const std::string& name, const TranslationModel& model,
                            std::string_view asked) {
  if (model.has_cross_attention()) return;
  throw UsageError(cat(command, ": ", name, " is a model without ", model.attends() ? "cross-" : "",
                       "attention; it has no ", asked));
}

void expect_text_model(std::string_view command, const std::string& name, const TranslationModel& model,
                       std::string_view instead) {
  if (model.pictures()) throw UsageError(cat(command, ": ", name, " reads pictures; ", instead));
}

void expect_picture_model(std::string_view command, const std::string& name, const TranslationModel& model) {
  if (!model.pictures()) throw UsageError(cat(command, ": ", name, " translates text; use dhyan translate"));
}

}  // namespace dhyan::cli

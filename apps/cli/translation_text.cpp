#include "cli/translation_text.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>

#include "cli/choice_option.h"
#include "core/error.h"
#include "core/number_text.h"

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

// f(numbers of a row) for each row.
template <class F>
void for_each_row(const v1::Matrix& matrix, const F& f) {
  const std::span<const double> values = matrix.values;
  for (Index i = 0; i < matrix.rows; ++i) {
    f(values.subspan(static_cast<std::size_t>(i * matrix.cols), static_cast<std::size_t>(matrix.cols)));
  }
}

std::string alignment_text(const v1::Translation& translation, AlignmentText alignment) {
  if (alignment == AlignmentText::kHard) {
    return joined(translation.alignment, " ", [](const v1::Link& link) { return cat(link.source, '-', link.target); });
  }
  std::string text;
  for_each_row(translation.attention,
               [&](std::span<const double> row) { text += cat(text.empty() ? "" : " ", joined(row, ",", text_of)); });
  return text;
}

// The columns that tell more of a translation.
std::string columns(const v1::Translation& translation, const TranslationFormat& format) {
  std::string text;
  if (format.alignment != AlignmentText::kNone) text += kBetween + alignment_text(translation, format.alignment);
  if (format.word_scores) text += cat(kBetween, "WordScores= ", joined(translation.unit_scores, " ", text_of));
  return text;
}

nlohmann::ordered_json numbers(std::span<const double> exact) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const double number : exact) list.push_back(rounded(number));
  return list;
}

std::string json_line(const v1::Translation& translation, std::uint64_t line, std::size_t rank,
                      const TranslationFormat& format) {
  nlohmann::ordered_json object{{"line", line}};
  if (format.n_best) object["rank"] = rank;
  object["source"] = translation.source;
  object["translation"] = translation.text;
  object["score"] = rounded(translation.score);
  object["log_probability"] = rounded(translation.log_probability);
  object["finished"] = translation.finished;
  object["mostly_unknown"] = translation.mostly_unknown;
  object["tokens"] = translation.target_units;
  object["source_tokens"] = translation.source_units;
  object["token_scores"] = numbers(translation.unit_scores);
  object["attention"] = nlohmann::ordered_json::array();
  for_each_row(translation.attention,
               [&](std::span<const double> row) { object["attention"].push_back(numbers(row)); });
  if (format.alignment == AlignmentText::kHard) {
    object["alignment"] = nlohmann::ordered_json::array();
    for (const v1::Link& link : translation.alignment) object["alignment"].push_back({link.source, link.target});
  }
  return object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string plain_line(const v1::Translation& translation, std::uint64_t line, const TranslationFormat& format) {
  std::string text = format.n_best ? cat(line, kBetween) : "";
  text += on_one_line(translation.text);
  text += columns(translation, format);
  if (format.n_best) text += kBetween + text_of(translation.score);
  return text;
}

// The same of a model and of a translator.
template <class Attending>
void expect_attending(std::string_view command, const std::string& name, const Attending& model,
                      std::string_view asked) {
  if (model.has_cross_attention()) return;
  throw UsageError(cat(command, ": ", name, " is a model without ", model.attends() ? "cross-" : "",
                       "attention; it has no ", asked));
}

}  // namespace

std::string to_text(const v1::NBest& n_best, std::uint64_t line, const TranslationFormat& format) {
  std::string text;
  for (std::size_t rank = 0; rank < n_best.size(); ++rank) {
    text += format.json ? json_line(n_best[rank], line, rank, format) : plain_line(n_best[rank], line, format);
    text += '\n';
  }
  return text;
}

std::string scored_text(const v1::Translation& scored, std::uint64_t line, const TranslationFormat& format) {
  if (format.json) return json_line(scored, line, 0, format) + '\n';
  return (scored.target_tokens == 0 ? "-inf" : text_of(scored.score)) + columns(scored, format) + '\n';
}

v1::Details details_of(const TranslationFormat& format) {
  if (format.json || format.alignment != AlignmentText::kNone) return v1::Details::kAttention;
  return format.word_scores ? v1::Details::kScores : v1::Details::kText;
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
  expect_attending(command, name, model, asked);
}

void expect_cross_attention(std::string_view command, const std::string& name, const v1::Translator& translator,
                            std::string_view asked) {
  expect_attending(command, name, translator, asked);
}

void expect_text_model(std::string_view command, const std::string& name, const TranslationModel& model,
                       std::string_view instead) {
  if (model.pictures()) throw UsageError(cat(command, ": ", name, " reads pictures; ", instead));
}

void expect_text_model(std::string_view command, const std::string& name, const v1::Translator& translator) {
  if (translator.reads_pictures()) throw UsageError(cat(command, ": ", name, " reads pictures; use dhyan caption"));
}

void expect_picture_model(std::string_view command, const std::string& name, const TranslationModel& model) {
  if (!model.pictures()) throw UsageError(cat(command, ": ", name, " translates text; use dhyan translate"));
}

}  // namespace dhyan::cli

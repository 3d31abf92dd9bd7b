#include "server/explanation_json.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/number_text.h"
#include "explain/beam_tree.h"
#include "explain/explanation.h"
#include "server/call.h"
#include "server/float_array.h"
#include "server/own_api.h"
#include "server/sentence_links.h"
#include "text/unicode.h"
#include "translator/context_vector.h"
#include "translator/unknown_words.h"

namespace dhyan::server {

namespace {

bool is_chosen(const std::vector<Index>& numbers, Index from_0) {
  return numbers.empty() || std::ranges::find(numbers, from_0 + 1) != numbers.end();
}

// The text that each token adds to those before it.
std::vector<ByteRange> written_ranges(const Tokenizer& tokenizer, std::span<const TokenId> tokens,
                                      const std::string& text) {
  std::vector<ByteRange> ranges = decode_pieces(tokenizer, tokens).pieces;
  for (ByteRange& range : ranges) {
    range = {std::min<Index>(range.begin, std::ssize(text)), std::min<Index>(range.end, std::ssize(text))};
  }
  return ranges;
}

// Places in bytes as places in characters.
std::vector<ByteRange> places_in(const std::string& text, const std::vector<ByteRange>& ranges) {
  return first_bad_byte(text) ? ranges : in_characters(text, ranges);
}

// Units with their places in characters; </s> has none.
JsonAnswer tokens_json(const std::vector<std::string>& labels, const std::string& text,
                       const std::vector<ByteRange>& ranges) {
  const std::vector<ByteRange> places = places_in(text, ranges);
  JsonAnswer tokens = JsonAnswer::array();
  for (std::size_t i = 0; i < labels.size(); ++i) {
    JsonAnswer token{{"text", labels[i]}};
    if (i < places.size()) token["begin"] = places[i].begin, token["end"] = places[i].end;
    tokens.push_back(std::move(token));
  }
  return tokens;
}

// Marks in each unit what the vocabulary lacks: <unk>, and characters that it spells in bytes.
void mark_unknown(JsonAnswer& tokens, const std::vector<ByteRange>& ranges, const std::string& text,
                  const std::vector<std::vector<ByteRange>>& parts, std::span<const std::size_t> unit_of) {
  std::vector<ByteRange> unknown;
  std::vector<std::size_t> units;  // that each is in
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::size_t unit = unit_of[i];
    if (unit >= ranges.size()) break;
    for (const ByteRange& range : parts[i]) {
      const ByteRange inside{std::max(range.begin, ranges[unit].begin), std::min(range.end, ranges[unit].end)};
      if (inside.begin >= inside.end) continue;  // a space before the word
      const bool goes_on = !units.empty() && units.back() == unit && unknown.back().end == inside.begin;
      if (goes_on) {
        unknown.back().end = inside.end;
      } else {
        unknown.push_back(inside), units.push_back(unit);
      }
    }
  }
  const std::vector<ByteRange> places = places_in(text, unknown);
  for (std::size_t i = 0; i < places.size(); ++i) {
    tokens[units[i]]["unknown"].push_back({places[i].begin, places[i].end});
  }
}

JsonAnswer source_tokens_json(const Tokenizer& tokenizer, const Translation& translation, const TokenUnits& units,
                              bool words) {
  const std::string& source = translation.source;
  Encoded encoded = tokenizer.encode(source);
  std::vector<std::vector<ByteRange>> parts = unknown_parts(tokenizer, source, encoded);
  const std::size_t read = std::min(encoded.ids.size(), units.unit_of.size() - 1);  // of a line that may be cut
  parts.resize(read);
  encoded.pieces.resize(read);
  const std::vector<ByteRange> ranges = words ? ranges_of(units.labels, source) : encoded.pieces;
  JsonAnswer tokens = tokens_json(units.labels, source, ranges);
  mark_unknown(tokens, ranges, source, parts, units.unit_of);
  return tokens;
}

double entropy_of(std::span<const double> weights) {
  double entropy = 0;
  for (const double weight : weights) entropy -= weight > 0 ? weight * std::log(weight) : 0;
  return entropy;
}

// Σ_t α_tj: how much each source unit was looked at.
std::vector<double> coverage_of(const AttentionMap& map) {
  std::vector<double> coverage(map.columns.size());
  for (const std::vector<double>& row : map.weights) {
    for (std::size_t j = 0; j < row.size(); ++j) coverage[j] += row[j];
  }
  return coverage;
}

template <class Value>
JsonAnswer rows_json(const std::vector<std::vector<Value>>& rows, bool base64) {
  if (base64) return float_array(rows);
  JsonAnswer list = JsonAnswer::array();
  for (const std::vector<Value>& row : rows) {
    JsonAnswer values = JsonAnswer::array();
    for (const Value value : row) {
      values.push_back(std::isfinite(value) ? JsonAnswer(rounded(static_cast<double>(value))) : JsonAnswer());
    }
    list.push_back(std::move(values));
  }
  return list;
}

// One entry for each layer and head.
JsonAnswer attention_json(const Translation& translation, const SentenceUnits& units,
                          const ExplainJsonOptions& options) {
  AttentionChoice choice{.places = places_of(translation.hypothesis.attention)};
  JsonAnswer list = JsonAnswer::array();
  for (const AttentionMap& map : attention_maps(translation.hypothesis.attention, units, choice)) {
    const bool cross = map.place == AttentionPlace::kCross;
    if (!(cross ? options.include.attention : options.include.self_attention)) continue;
    if (!is_chosen(options.layers, *map.layer) || !is_chosen(options.heads, *map.head)) continue;
    list.push_back({{"place", name_of(map.place)},
                    {"layer", *map.layer + 1},
                    {"head", *map.head + 1},
                    {"weights", rows_json(map.weights, options.base64)}});
  }
  return list;
}

// Energies and contexts of cross-attention, by subword.
JsonAnswer recorded_json(const Translation& translation, const ExplainJsonOptions& options,
                         std::vector<std::vector<Real>> AttentionRecord::*values) {
  JsonAnswer list = JsonAnswer::array();
  for (const AttentionRecord& record : translation.hypothesis.attention) {
    if (record.place != AttentionPlace::kCross) continue;
    if (!is_chosen(options.layers, record.layer) || !is_chosen(options.heads, record.head)) continue;
    list.push_back({{"layer", record.layer + 1},
                    {"head", record.head + 1},
                    {"values", rows_json(record.*values, options.base64)}});
  }
  return list;
}

JsonAnswer candidates_json(const Translation& translation, const Tokenizer& tokenizer) {
  JsonAnswer steps = JsonAnswer::array();
  for (const std::vector<Candidate>& step : translation.hypothesis.candidates) {
    JsonAnswer words = JsonAnswer::array();
    for (const Candidate& word : step) {
      words.push_back({{"token", tokenizer.piece(word.token)}, {"log_probability", rounded(word.log_probability)}});
    }
    steps.push_back(std::move(words));
  }
  return steps;
}

void add_attention(JsonAnswer& body, const Translation& translation, const SentenceUnits& units) {
  const auto means = attention_maps(translation.hypothesis.attention, units,
                                    {.places = {AttentionPlace::kCross}, .summary = Summary::kMean});
  const AttentionMap& mean = means.front();
  body["entropy"] = JsonAnswer::array();
  for (const std::vector<double>& row : mean.weights) body["entropy"].push_back(rounded(entropy_of(row)));
  body["coverage"] = rounded_json(coverage_of(mean));
  std::string pharaoh;
  for (const auto& [i, j] : hard_alignment(mean)) pharaoh += cat(pharaoh.empty() ? "" : " ", i, '-', j);
  body["alignment"] = pharaoh;
}

}  // namespace

std::string explanation_json(const ServedModel& model, const Translation& translation,
                             const ExplainJsonOptions& options) {
  const Hypothesis& hypothesis = translation.hypothesis;
  const Tokenizer& target = *model.tokenizers().target;
  const SentenceUnits units = sentence_units(
      {translation.source, translation.text, translation.source_tokens, hypothesis}, model.tokenizers(), options.units);
  const bool words = options.units == Units::kWords;
  const auto target_ranges = words ? ranges_of(units.target.labels, translation.text)
                                   : written_ranges(target, hypothesis.tokens, translation.text);
  JsonAnswer body{{"model", model.name()},
                  {"source", translation.source},
                  {"translation", translation.text},
                  {"score", rounded(hypothesis.score)},
                  {"log_probability", rounded(hypothesis.log_probability)},
                  {"finished", translation.finished()},
                  {"units", words ? "word" : "subword"},
                  {"source_tokens", source_tokens_json(*model.tokenizers().source, translation, units.source, words)},
                  {"target_tokens", tokens_json(units.target.labels, translation.text, target_ranges)},
                  {"token_scores", rounded_json(unit_scores(hypothesis.token_scores, units.target))}};
  const auto places = places_of(hypothesis.attention);
  if (std::ranges::find(places, AttentionPlace::kCross) != places.end()) {
    add_attention(body, translation, units);
  }
  if (options.influence) body["influence"] = rounded_json(*options.influence);
  const ExplainInclude& include = options.include;
  if (include.attention || include.self_attention) body["attention"] = attention_json(translation, units, options);
  if (include.energies) body["energies"] = recorded_json(translation, options, &AttentionRecord::energy);
  if (include.context) body["context"] = recorded_json(translation, options, &AttentionRecord::context);
  const std::vector<Real> fixed =
      include.context ? context_vector_of(model.translator()->model(), translation) : std::vector<Real>();
  if (!fixed.empty()) body["context_vector"] = rounded_json(std::vector<double>(fixed.begin(), fixed.end()));
  if (include.candidates) body["candidates"] = candidates_json(translation, target);
  if (include.beam && !translation.beam.nodes.empty()) {
    const BeamTree tree = beam_tree(translation.source, translation.text, translation.beam, target, options.units);
    body["beam"] = JsonAnswer::parse(beam_json(tree, {}));
  }
  return json_text(body);
}

}  // namespace dhyan::server

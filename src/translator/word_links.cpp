#include "translator/word_links.h"

#include <algorithm>

#include "core/error.h"
#include "explain/attention_choice.h"
#include "metrics/symmetrize.h"
#include "text/word_tokenizer.h"

namespace dhyan {

namespace {

// Links count the words of a line; a token that spans two words would shift the count.
void expect_words(std::string_view command, const TokenUnits& units, const std::string& line) {
  const std::size_t words = word_ranges(line).size(), found = units.labels.size() - 1;  // without </s>
  if (found == words) return;
  throw DataError(cat(command, ": '", line, "' has ", words, " words, but its tokens form ", found,
                      "; alignments need tokens that do not span a space"));
}

// Each row is that of the step which reads the row's token; nothing reads </s>, whose row stays.
std::vector<AttentionRecord> shifted(std::span<const AttentionRecord> records) {
  std::vector<AttentionRecord> moved(records.begin(), records.end());
  for (AttentionRecord& record : moved) {
    for (std::size_t t = 0; t + 1 < record.weights.size(); ++t) record.weights[t] = record.weights[t + 1];
  }
  return moved;
}

std::vector<std::vector<Links>> links_by_reading(std::string_view command, const ForcedDirection& direction) {
  std::vector<std::vector<Links>> all;
  for (const AttentionReading& reading : direction.readings) {
    std::vector<Links>& links = all.emplace_back();
    for (const Translation& forced : direction.sentences) {
      links.push_back(links_of(word_map(command, forced, direction.tokenizers, reading)));
    }
  }
  return all;
}

}  // namespace

std::string in_words(const AttentionReading& reading) {
  std::string text = reading.layer ? cat("layer ", *reading.layer) : "mean of all layers";
  text += reading.head ? cat(", head ", *reading.head) : ", mean of all heads";
  return text + (reading.shifted ? ", of the step that reads the word" : ", of the step that predicts the word");
}

AttentionMap word_map(std::string_view command, const Translation& forced, const TokenizerPair& tokenizers,
                      const AttentionReading& reading) {
  if (forced.hypothesis.attention.empty() || forced.hypothesis.tokens.empty()) return {};
  const TokenUnits source = source_units(*tokenizers.source, forced.source, forced.source_tokens, Units::kWords);
  const TokenUnits target = source_units(*tokenizers.target, forced.text, forced.hypothesis.tokens, Units::kWords);
  if (!forced.source_cut) expect_words(command, source, forced.source);
  expect_words(command, target, forced.text);
  const AttentionChoice choice{.layer = reading.layer, .head = reading.head, .summary = Summary::kMean};
  const std::span<const AttentionRecord> records = forced.hypothesis.attention;
  return attention_maps(reading.shifted ? shifted(records) : std::vector(records.begin(), records.end()),
                        {source, target}, choice)
      .front();
}

Links links_of(const AttentionMap& map, std::optional<double> threshold) {
  if (map.rows.empty()) return {};
  if (!threshold) return hard_alignment(map);
  Links links;
  for (std::size_t i = 0; i + 1 < map.rows.size(); ++i) {
    for (std::size_t j = 0; j + 1 < map.columns.size(); ++j) {
      if (map.weights[i][j] >= *threshold) links.emplace_back(j, i);
    }
  }
  return links;
}

Links reversed(Links links) {
  for (auto& [source, target] : links) std::swap(source, target);
  std::ranges::sort(links);
  return links;
}

Links average_links(const AttentionMap& forward, const AttentionMap& reverse, double threshold) {
  Links links;
  if (forward.rows.empty() || reverse.rows.empty()) return links;
  for (std::size_t j = 0; j + 1 < forward.columns.size(); ++j) {
    for (std::size_t i = 0; i + 1 < forward.rows.size(); ++i) {
      if (forward.weights[i][j] + reverse.weights[j][i] >= 2 * threshold) links.emplace_back(j, i);
    }
  }
  return links;
}

std::vector<AttentionReading> readings_of(std::span<const AttentionRecord> records, bool knows_targets) {
  Index layers = 0, heads = 0;
  for (const AttentionRecord& record : records) {
    if (record.place != AttentionPlace::kCross) continue;
    layers = std::max(layers, record.layer + 1);
    heads = std::max(heads, record.head + 1);
  }
  std::vector<AttentionReading> readings;
  for (Index layer = 1; layer <= layers; ++layer) {
    for (const bool moved : {false, true}) {
      if (moved && knows_targets) continue;
      readings.push_back({.layer = layer, .shifted = moved});
      for (Index head = 1; heads > 1 && head <= heads; ++head) readings.push_back({layer, head, moved});
    }
  }
  return readings;
}

AgreedReadings agreed_readings(std::string_view command, const ForcedDirection& forward,
                               const ForcedDirection& reverse) {
  const std::vector<std::vector<Links>> ours = links_by_reading(command, forward);
  std::vector<std::vector<Links>> theirs = links_by_reading(command, reverse);
  for (std::vector<Links>& one : theirs) {
    for (Links& links : one) links = reversed(std::move(links));
  }
  AgreedReadings best{.agreement = -1};
  for (std::size_t i = 0; i < ours.size(); ++i) {
    for (std::size_t k = 0; k < theirs.size(); ++k) {
      LinkAgreement agreement;
      for (std::size_t n = 0; n < ours[i].size(); ++n) {
        Links own = ours[i][n];
        std::ranges::sort(own);
        agreement.add(own, theirs[k][n]);
      }
      if (agreement.value() > best.agreement) best = {forward.readings[i], reverse.readings[k], agreement.value()};
    }
  }
  return best;
}

}  // namespace dhyan

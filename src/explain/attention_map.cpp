#include "explain/attention_map.h"

#include <algorithm>

#include "core/error.h"

namespace dhyan {

namespace {

// A special token and its meaning.
struct Mark {
  std::string_view label;
  std::string_view meaning;
};
constexpr std::array kMarks = {Mark{"<s>", "the beginning of a text"}, Mark{"</s>", "the end of a sentence"},
                               Mark{"<unk>", "text outside the vocabulary"}, Mark{"⁇", "text outside the vocabulary"},
                               Mark{"[MASK]", "a gap to fill"}};
constexpr std::string_view kSpaceMark = "▁";  // SentencePiece's

// "<0x57>", a token of byte fallback.
bool is_byte_mark(std::string_view label) {
  return label.size() == 6 && label.starts_with("<0x") && label.ends_with('>');
}

}  // namespace

AxisNames axes_of(const AttentionMap& map) {
  switch (map.place) {
    case AttentionPlace::kCross:
      return {"source", "translation"};
    case AttentionPlace::kEncoder:
      return {"sentence, attended to", "sentence, attending"};
    case AttentionPlace::kDecoder:
      break;
  }
  const bool has_source = std::ranges::find(map.columns, kSpecialTokens[kEnd]) != map.columns.end();
  return {has_source ? "source, and what is written so far" : "read so far", "predicted next"};
}

std::string marks_in_words(std::span<const std::string> labels) {
  std::string text;
  const auto add = [&](std::string_view mark, std::string_view meaning) {
    text += cat(text.empty() ? "" : ", ", mark, text.empty() ? " marks " : " ", meaning);
  };
  for (const Mark& mark : kMarks) {
    if (std::ranges::find(labels, mark.label) != labels.end()) add(mark.label, mark.meaning);
  }
  const auto is_spaced = [](const std::string& label) { return label.starts_with(kSpaceMark); };
  if (std::ranges::any_of(labels, is_spaced)) add(kSpaceMark, "a space");
  const auto byte = std::ranges::find_if(labels, is_byte_mark);
  if (byte != labels.end()) add(*byte, "one byte of a character outside the vocabulary");
  return text.empty() ? text : text + ".";
}

std::string reading_of(const AttentionMap& map) {
  std::vector<std::string> labels = map.columns;
  labels.insert(labels.end(), map.rows.begin(), map.rows.end());
  const std::string marks = marks_in_words(labels);
  return cat("A row shows how much a word on the left attends to each word above: weights α, which sum to 1.",
             marks.empty() ? "" : " ", marks);
}

std::string_view name_of(AttentionPlace place) {
  return std::ranges::find(kAttentionPlaces, place, &Choice<AttentionPlace>::value)->name;
}

std::string title_of(AttentionPlace place) {
  return cat(name_of(place), place == AttentionPlace::kCross ? "-attention" : " self-attention");
}

AttentionMap mean_of(std::span<const AttentionMap> maps) {
  AttentionMap mean = maps.front();
  if (maps.size() == 1) return mean;
  mean.energy.clear();
  for (const AttentionMap& map : maps.subspan(1)) {
    if (map.layer != mean.layer) mean.layer.reset();
    if (map.head != mean.head) mean.head.reset();
  }
  for (std::size_t i = 0; i < mean.weights.size(); ++i) {
    for (std::size_t j = 0; j < mean.weights[i].size(); ++j) {
      double sum = 0;
      for (const AttentionMap& map : maps) sum += map.weights[i][j];
      mean.weights[i][j] = sum / static_cast<double>(maps.size());
    }
  }
  return mean;
}

namespace {

// Runs of consecutive maps with the same value of a member.
template <class Member>
std::vector<std::span<const AttentionMap>> grouped(std::span<const AttentionMap> maps, Member member) {
  std::vector<std::span<const AttentionMap>> groups;
  while (!maps.empty()) {
    const auto end =
        std::ranges::find_if(maps, [&](const AttentionMap& map) { return map.*member != maps[0].*member; });
    groups.push_back(maps.first(static_cast<std::size_t>(end - maps.begin())));
    maps = maps.subspan(groups.back().size());
  }
  return groups;
}

}  // namespace

std::vector<std::span<const AttentionMap>> by_place(std::span<const AttentionMap> maps) {
  return grouped(maps, &AttentionMap::place);
}

std::vector<std::span<const AttentionMap>> by_layer(std::span<const AttentionMap> maps) {
  return grouped(maps, &AttentionMap::layer);
}

std::vector<std::pair<Index, Index>> hard_alignment(const AttentionMap& map) {
  std::vector<std::pair<Index, Index>> links;
  const std::size_t words = map.rows.size() - (map.ended && !map.rows.empty() ? 1 : 0);
  for (std::size_t i = 0; i < words; ++i) {
    const std::vector<double>& row = map.weights[i];
    const auto most = std::ranges::max_element(row) - row.begin();
    if (most + 1 < static_cast<std::ptrdiff_t>(row.size())) links.emplace_back(most, i);
  }
  return links;
}

}  // namespace dhyan

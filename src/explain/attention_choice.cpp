#include "explain/attention_choice.h"

#include <algorithm>

#include "core/error.h"
#include "explain/rollout.h"

namespace dhyan {

namespace {

std::string names_of_places(const std::vector<AttentionPlace>& places) {
  std::string names;
  for (const AttentionPlace place : places) names += cat(names.empty() ? "" : ", ", name_of(place));
  return names;
}

void expect_number(std::string_view what, std::optional<Index> number, Index count, const ChosenAttention& chosen,
                   std::string_view model) {
  if (!number || (*number >= 1 && *number <= count)) return;
  throw UsageError(
      cat("attention: there is no ", what, ' ', *number, " of ", title_of(chosen.place), "; ", model, " has ", count));
}

ChosenAttention chosen_of(std::span<const AttentionRecord> records, AttentionPlace place,
                          const AttentionChoice& choice) {
  ChosenAttention chosen{.place = place};
  for (const AttentionRecord& record : records) {
    if (record.place != place) continue;
    chosen.layers = std::max(chosen.layers, record.layer + 1);
    chosen.heads = std::max(chosen.heads, record.head + 1);
    const bool wanted = choice.layer.value_or(record.layer + 1) == record.layer + 1 &&
                        choice.head.value_or(record.head + 1) == record.head + 1;
    if (wanted) chosen.records.push_back(&record);
  }
  expect_number("layer", choice.layer, chosen.layers, chosen, choice.model);
  expect_number("head", choice.head, chosen.heads, chosen, choice.model);
  return chosen;
}

// The units of a record's columns. A decoder-only model reads the source before its own output.
TokenUnits columns_of(const AttentionRecord& record, const SentenceUnits& units) {
  if (record.place != AttentionPlace::kDecoder) return units.source;
  const std::size_t columns = record.weights.empty() ? 0 : record.weights.front().size();
  return columns > units.given.unit_of.size() ? joined(units.source, units.given) : units.given;
}

AttentionMap map_of(const AttentionRecord& record, const SentenceUnits& units) {
  const TokenUnits& rows = record.place == AttentionPlace::kEncoder ? units.source : units.target;
  return attention_map(record, columns_of(record, units), rows);
}

std::string several(Index count, std::string_view what) { return cat(count, ' ', what, count == 1 ? "" : "s"); }

// "cross-attention, layer 2, mean of 4 heads".
std::string title_of(const AttentionMap& map, const ChosenAttention& chosen) {
  std::string title = title_of(map.place);
  if (map.layer) title += cat(", layer ", *map.layer + 1);
  if (map.head) title += cat(", head ", *map.head + 1);
  if (map.layer && map.head) return title;
  return cat(title, ", mean of ", map.layer ? "" : several(chosen.layers, "layer"),
             map.layer || map.head ? "" : " and ", map.head ? "" : several(chosen.heads, "head"));
}

AttentionMap rolled_out(std::span<const AttentionRecord> records, const SentenceUnits& units,
                        const ChosenAttention& chosen, const AttentionChoice& choice) {
  if (choice.head) throw UsageError("attention: rollout combines all heads; it cannot show a single head");
  const Index layers = choice.layer.value_or(chosen.layers);
  AttentionMap map = map_of(rollout(records, chosen.place, layers), units);
  map.layer.reset();
  map.head.reset();
  map.title = cat(title_of(map.place), ", rollout through ", several(layers, "layer"));
  return map;
}

void append_maps(std::vector<AttentionMap>& maps, const ChosenAttention& chosen, const SentenceUnits& units,
                 Summary summary) {
  std::vector<AttentionMap> own;
  for (const AttentionRecord* record : chosen.records) {
    if (summary == Summary::kLast && record->layer != chosen.records.back()->layer) continue;
    own.push_back(map_of(*record, units));
  }
  if (summary != Summary::kNone) own = {mean_of(own)};
  for (AttentionMap& map : own) {
    map.title = title_of(map, chosen);
    maps.push_back(std::move(map));
  }
}

}  // namespace

std::vector<AttentionPlace> places_of(std::span<const AttentionRecord> records) {
  std::vector<AttentionPlace> places;
  for (const auto& place : kAttentionPlaces) {
    if (std::ranges::find(records, place.value, &AttentionRecord::place) != records.end()) {
      places.push_back(place.value);
    }
  }
  return places;
}

std::vector<ChosenAttention> chosen_attention(std::span<const AttentionRecord> records, const AttentionChoice& choice) {
  const std::vector<AttentionPlace> has = places_of(records);
  if (has.empty() && (!choice.places.empty() || choice.layer || choice.head)) {
    throw UsageError(cat("attention: ", choice.model, " does not attend; there is nothing to choose from"));
  }
  if (has.empty()) return {};
  std::vector<ChosenAttention> chosen;
  for (const AttentionPlace place : choice.places.empty() ? std::vector{has.front()} : choice.places) {
    if (std::ranges::find(has, place) == has.end()) {
      throw UsageError(
          cat("attention: ", choice.model, " has no ", title_of(place), "; it has: ", names_of_places(has)));
    }
    chosen.push_back(chosen_of(records, place, choice));
  }
  return chosen;
}

std::vector<AttentionMap> attention_maps(std::span<const AttentionRecord> records, const SentenceUnits& units,
                                         const AttentionChoice& choice) {
  std::vector<AttentionMap> maps;
  for (const ChosenAttention& chosen : chosen_attention(records, choice)) {
    if (choice.summary == Summary::kRollout) {
      maps.push_back(rolled_out(records, units, chosen, choice));
    } else {
      append_maps(maps, chosen, units, choice.summary);
    }
  }
  if (records.size() == 1) maps.front().title.clear();
  return maps;
}

AttentionChoice choice_of(const AttentionOptions& options, std::span<const AttentionRecord> records,
                          Summary by_default) {
  AttentionChoice choice{.layer = options.layer,
                         .head = options.head,
                         .summary = options.summary.value_or(options.heads_apart ? Summary::kNone : by_default)};
  if (options.place == kAllPlaces) choice.places = places_of(records);
  for (const auto& place : kAttentionPlaces) {
    if (place.name == options.place) choice.places = {place.value};
  }
  return choice;
}

}  // namespace dhyan

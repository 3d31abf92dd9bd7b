#include "explain/records.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "explain/number_format.h"

namespace dhyan {

namespace {

using Rows = std::vector<std::vector<double>>;

// "[a, b, c]".
template <class Items, class Write>
std::string list(const Items& items, Write&& write, std::string_view between = ", ") {
  std::string text;
  for (const auto& item : items) text += cat(text.empty() ? "[" : between, write(item));
  return text.empty() ? "[]" : text + "]";
}

bool is_cross(const AttentionMap& map) { return map.place == AttentionPlace::kCross; }

std::string json_number(double value) { return number(value, "null"); }
std::string json_strings(const std::vector<std::string>& texts) { return list(texts, json_string); }
std::string json_numbers(const std::vector<double>& values) { return list(values, json_number); }

// [layer][head][target][source], one line per row. Maps are ordered by layer, then by head.
std::string json_cube(std::span<const AttentionMap> maps, Rows AttentionMap::*values) {
  std::vector<std::vector<const AttentionMap*>> layers;
  for (const AttentionMap& map : maps) {
    if (layers.empty() || layers.back().back()->layer != map.layer) layers.emplace_back();
    layers.back().push_back(&map);
  }
  const auto head = [&](const AttentionMap* map) { return list(map->*values, json_numbers, ",\n       "); };
  const auto layer = [&](const auto& heads) { return list(heads, head, ",\n      "); };
  return list(layers, layer, ",\n     ");
}

// The maps of one place. Self-attention lists its rows and columns; those of cross-attention are the units of both
// sides.
std::string json_attention(std::span<const AttentionMap> maps) {
  const AttentionMap& first = maps.front();
  const bool is_summary = !first.layer || !first.head;
  const bool has_energies =
      std::ranges::none_of(maps, [](const AttentionMap& map) { return map.energy.empty() && !map.rows.empty(); });
  std::string text = "{\n    \"axes\": [\"layer\", \"head\", \"target\", \"source\"]";
  if (is_summary) text += cat(",\n    \"summary\": ", json_string(first.title));
  if (!is_cross(first)) {
    text += cat(",\n    \"rows\": ", json_strings(first.rows), ",\n    \"columns\": ", json_strings(first.columns));
  }
  text += cat(",\n    \"weights\":\n    ", json_cube(maps, &AttentionMap::weights));
  if (has_energies) text += cat(",\n    \"energies\":\n    ", json_cube(maps, &AttentionMap::energy));
  return text + "\n  }";
}

// Cross-attention has the key "attention", self-attention "encoder_attention" or "decoder_attention".
std::string json_places(const std::vector<AttentionMap>& maps) {
  std::string text;
  for (const std::span<const AttentionMap> place : by_place(maps)) {
    const std::string_view name = name_of(place.front().place);
    text += cat(",\n  \"", is_cross(place.front()) ? "" : cat(name, '_'), "attention\": ", json_attention(place));
  }
  return text;
}

// The number of a layer or head, from 1 as in titles and on the command line; empty for a summary.
std::string csv_number(std::optional<Index> number) { return number ? std::to_string(*number + 1) : ""; }

void append_cells(std::string& text, const AttentionMap& map, std::string_view before) {
  for (std::size_t i = 0; i < map.rows.size(); ++i) {
    for (std::size_t j = 0; j < map.columns.size(); ++j) {
      text += cat(before, csv_number(map.layer), ',', csv_number(map.head), ',', i, ',', csv_field(map.rows[i]), ',', j,
                  ',', csv_field(map.columns[j]), ',', number(map.weights[i][j], ""), "\r\n");
    }
  }
}

}  // namespace

std::string json_string(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string csv_field(std::string_view text) {
  if (text.find_first_of("\",\r\n") == std::string_view::npos) return std::string(text);
  std::string field = "\"";
  for (const char byte : text) field.append(byte == '"' ? 2 : 1, byte);
  return field + '"';
}

std::string to_json(const Explanation& explanation) {
  return cat("{\n  \"source\": ", json_string(explanation.source),
             ",\n  \"translation\": ", json_string(explanation.translation), ",\n  \"log_probability\": ",
             explanation.log_probability ? json_number(*explanation.log_probability) : "null",
             ",\n  \"units\": ", json_string(std::ranges::find(kUnits, explanation.units, &Choice<Units>::value)->name),
             ",\n  \"source_units\": ", json_strings(explanation.source_units),
             ",\n  \"target_units\": ", json_strings(explanation.target_units),
             ",\n  \"target_log_probabilities\": ", json_numbers(explanation.target_scores),
             explanation.maps.empty() ? cat(",\n  \"thought_vector\": ", json_numbers(explanation.context_vector))
                                      : json_places(explanation.maps),
             "\n}\n");
}

std::string to_csv(const Explanation& explanation) {
  if (explanation.maps.empty()) {
    std::string text = "dimension,thought_vector\r\n";
    for (std::size_t k = 0; k < explanation.context_vector.size(); ++k) {
      text += cat(k, ',', number(explanation.context_vector[k], ""), "\r\n");
    }
    return text;
  }
  const bool only_cross = std::ranges::all_of(explanation.maps, is_cross);
  std::string text =
      cat(only_cross ? "" : "attention,", "layer,head,target_position,target,source_position,source,weight\r\n");
  for (const AttentionMap& map : explanation.maps) {
    append_cells(text, map, only_cross ? "" : cat(name_of(map.place), ','));
  }
  return text;
}

std::string to_pharaoh(const Explanation& explanation) {
  if (explanation.maps.empty()) return "\n";
  if (std::ranges::none_of(explanation.maps, is_cross)) {
    throw UsageError("pharaoh: words are aligned by cross-attention; there is none among what was chosen");
  }
  std::string text;
  for (const AttentionMap& map : explanation.maps) {
    if (!is_cross(map)) continue;
    std::string line;
    for (const auto& [source, target] : hard_alignment(map)) line += cat(line.empty() ? "" : " ", source, '-', target);
    text += line + '\n';
  }
  return text;
}

}  // namespace dhyan

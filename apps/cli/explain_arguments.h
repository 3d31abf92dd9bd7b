#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>

#include "cli/attention_options.h"
#include "cli/output.h"
#include "core/choice.h"
#include "core/error.h"
#include "core/suggest.h"
#include "explain/units.h"
#include "explain/worked_example.h"
#include "translator/search_request.h"

namespace dhyan::cli {

enum class Drawing { kMap, kLines };
inline constexpr std::array kDrawings = {Choice{"map", Drawing::kMap}, Choice{"lines", Drawing::kLines}};

struct ExplainArguments {
  std::string example;
  std::string model;
  std::string text;                  // or the file of a picture
  std::optional<std::string> scene;  // a picture drawn to order
  std::optional<std::string> target;
  std::string format;
  std::string output;
  std::optional<Index> step;
  bool full = false;
  Units units = Units::kWords;
  AttentionOptions attention;
  SearchRequest search;
  Drawing drawing = Drawing::kMap;
  std::optional<std::string> compared;  // folder of another model
  std::optional<Index> beam;            // hypotheses given up to show of each step
};

template <class Entry>
std::string names_in(std::span<const Entry> table) {
  std::string text;
  for (const Entry& entry : table) text += cat(' ', entry.name);
  return text;
}

// The entry of a table; UsageError with the nearest name, or with all names if none is near.
template <class Entry>
const Entry& entry_called(std::string_view what, std::span<const Entry> table, std::string_view name) {
  const auto found = std::ranges::find(table, name, &Entry::name);
  if (found != table.end()) return *found;
  const std::string near = suggestion(name, names_of(table));
  throw UsageError(
      cat("explain: there is no ", what, " '", name, "'", near.empty() ? "; there is:" + names_in(table) : near));
}

// Colour only on a terminal.
Colour colour_of(const ExplainArguments& options, const Output& output);

// Writes to --output, or to the output itself. UsageError for binary data on a terminal.
void write(const ExplainArguments& options, const std::string& result, Output& output);

// Loads the model, runs it on the text and writes its attention.
void explain_model(const ExplainArguments& options, Output& output);

}  // namespace dhyan::cli

#include "server/given_edits.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "server/known_names.h"

namespace dhyan::server {

namespace {

constexpr std::size_t kMaxEdits = 1000;

std::optional<Index> number_of(const nlohmann::json& edit, const char* name) {
  const auto given = edit.find(name);
  if (given == edit.end() || given->is_null()) return std::nullopt;
  if (given->is_number_unsigned() && *given >= 1 && *given <= std::numeric_limits<int>::max())
    return given->get<Index>();
  throw BadRequest(cat("edits has the ", name, ' ', given->dump(), ", expected a number from 1"), "edits");
}

UnitEdit edit_of(const nlohmann::json& given) {
  if (!given.is_object()) throw BadRequest("edits is not a list of objects", "edits");
  expect_known_fields("edits", given, {"step", "layer", "head", "weights"});
  const std::optional<Index> step = number_of(given, "step");
  if (!step) throw BadRequest("edits has an entry without a step", "edits");
  UnitEdit edit{.step = *step, .layer = number_of(given, "layer"), .head = number_of(given, "head")};
  const auto weights = given.find("weights");
  if (weights == given.end() || !weights->is_array() ||
      !std::ranges::all_of(*weights, [](const nlohmann::json& weight) { return weight.is_number(); })) {
    throw BadRequest(cat("edits has no list of weights for step ", *step), "edits");
  }
  edit.weights = weights->get<std::vector<double>>();
  return edit;
}

bool overlap(const std::optional<Index>& a, const std::optional<Index>& b) { return !a || !b || *a == *b; }

void expect_one_for_each_row(std::span<const UnitEdit> edits) {
  for (std::size_t i = 0; i < edits.size(); ++i) {
    for (std::size_t k = i + 1; k < edits.size() && edits[k].step == edits[i].step; ++k) {
      if (!overlap(edits[i].layer, edits[k].layer) || !overlap(edits[i].head, edits[k].head)) continue;
      throw BadRequest(cat("edits has two rows for the same layer and head of step ", edits[i].step), "edits");
    }
  }
}

}  // namespace

std::vector<UnitEdit> given_edits(const Parameters& parameters) {
  const nlohmann::json* given = parameters.json("edits");
  if (given == nullptr) return {};
  if (!given->is_array()) throw BadRequest("edits is not a list", "edits");
  if (given->size() > kMaxEdits) {
    throw BadRequest(cat("edits has ", given->size(), " rows, expected at most ", kMaxEdits), "edits");
  }
  std::vector<UnitEdit> edits;
  for (const nlohmann::json& one : *given) edits.push_back(edit_of(one));
  std::ranges::stable_sort(edits, {}, &UnitEdit::step);
  expect_one_for_each_row(edits);
  return edits;
}

}  // namespace dhyan::server

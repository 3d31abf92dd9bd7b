#include "server/own_api.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/number_text.h"
#include "server/text_translation.h"

namespace dhyan::server {

namespace {

std::shared_ptr<const ServedModel> model_between(const ModelSet& models, const std::string& source,
                                                 const std::string& target) {
  const auto from = models.source_called(source), to = models.target_called(target);
  const auto model = from && to ? models.between(*from, *to) : nullptr;
  if (model == nullptr) throw ApiError(404, cat("there is no model from '", source, "' to '", target, "'"), "target");
  return model;
}

// The value of a search option as JSON has it, where the fields of a form are text; null if it is not given.
nlohmann::json option_value(const Parameters& parameters, const std::string& name, OptionKind kind) {
  const nlohmann::json* given = parameters.json(name);
  if (given == nullptr) return {};
  if (kind == OptionKind::kWords) return parameters.texts(name);
  if (given->is_array() || given->is_boolean() || kind == OptionKind::kWord) return *given;
  const std::string text = *parameters.text(name);
  if (text.empty()) return {};
  if (kind == OptionKind::kSwitch) return *parameters.flag(name);
  const auto number = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  return number.is_number() ? number : *given;
}

void expect_bounded(Call& call) {
  for (const auto& [name, most] : kSearchBounds) {
    const long given = call.parameters.integer(name).value_or(0);
    if (given > most) throw BadRequest(cat(name, " is ", given, ", expected at most ", most), std::string(name));
  }
  const std::vector<std::string> forbidden = call.parameters.texts("forbidden");
  expect_few_phrases("forbidden", forbidden.size());
  check_characters(call, forbidden);
}

}  // namespace

std::shared_ptr<const ServedModel> model_of(const Service& service, const Call& call, Task task) {
  const auto models = service.models();
  if (const auto name = call.parameters.text("model")) return models->named(*name);
  const auto source = call.parameters.text("source_lang"), target = call.parameters.text("target_lang");
  if (source && target) return model_between(*models, *source, *target);
  if (source || target) {
    const char* missing = source ? "target_lang" : "source_lang";
    throw BadRequest(cat(missing, " is missing; both languages choose a model"), missing);
  }
  return models->first(task);
}

std::optional<std::string> parameter_of(const SearchOption& option) {
  if (option.availability != Availability::kEverywhere) return std::nullopt;
  if (option.name == "forbid") return "forbidden";  // beside "required"
  std::string name = option.name;
  std::ranges::replace(name, '-', '_');
  return name;
}

void expect_few_phrases(std::string_view parameter, std::size_t phrases) {
  if (phrases <= kMaxPhrases) return;
  throw BadRequest(cat(parameter, " has ", phrases, " phrases, expected at most ", kMaxPhrases),
                   std::string(parameter));
}

SearchRequest search_request_of(Call& call) {
  expect_bounded(call);
  nlohmann::json options = nlohmann::json::object();
  for (const SearchOption& option : search_option_table()) {
    const auto name = parameter_of(option);
    if (!name) continue;
    const nlohmann::json value = option_value(call.parameters, *name, option.kind);
    if (!value.is_null()) options[option.name] = value;
  }
  return search_request_from_json("the request", options.dump());
}

std::vector<std::string> given_texts(const Call& call, const std::string& name) {
  std::vector<std::string> texts = call.parameters.texts(name);
  if (texts.empty()) throw BadRequest(cat(name, " is missing"), name);
  return texts;
}

Units units_of(const Call& call) {
  const std::string name = call.parameters.text("units").value_or("word");
  const auto unit = std::ranges::find(kUnits, name, &Choice<Units>::name);
  if (unit == kUnits.end()) throw BadRequest(cat("units is '", name, "', expected word or subword"), "units");
  return unit->value;
}

std::string content_type_of(std::string_view format) {
  if (format == "svg") return "image/svg+xml";
  if (format == "png") return "image/png";
  if (format == "html") return "text/html; charset=utf-8";
  if (format == "csv") return "text/csv; charset=utf-8";
  return format == "json" ? "application/json" : "text/plain; charset=utf-8";
}

JsonAnswer rounded_json(std::span<const double> numbers) {
  auto list = JsonAnswer::array();
  for (const double number : numbers) list.push_back(rounded(number));
  return list;
}

}  // namespace dhyan::server

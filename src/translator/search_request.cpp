#include "translator/search_request.h"

#include <algorithm>

#include "core/error.h"
#include "core/number_text.h"
#include "translator/search_option_table.h"

namespace dhyan {

namespace {

constexpr std::size_t kLargestRequest = 1 << 20;  // bytes

const SearchOption& option_named(std::string_view name) {
  return *std::ranges::find(search_option_table(), name, [](const SearchOption& option) { return option.name; });
}

// The options of the table that a request may have.
std::vector<SearchOption> request_options() {
  std::vector<SearchOption> options;
  for (const SearchOption& option : search_option_table()) {
    if (option.availability == Availability::kEverywhere) options.push_back(option);
  }
  return options;
}

const char* type_of(OptionKind kind) {
  switch (kind) {
    case OptionKind::kWord:
      return "a string";
    case OptionKind::kNumber:
      return "a number";
    case OptionKind::kSwitch:
      return "true or false";
    case OptionKind::kWords:
      return "a list of strings";
    case OptionKind::kNumbers:
      return "a list of numbers";
  }
  return "";
}

// A number may be a string only if it is a word, such as "all", which the option itself accepts or refuses.
bool has_type(OptionKind kind, JsonType type, const std::string& value) {
  switch (kind) {
    case OptionKind::kWord:
    case OptionKind::kWords:
      return type == JsonType::kString;
    case OptionKind::kSwitch:
      return type == JsonType::kSwitch;
    case OptionKind::kNumber:
    case OptionKind::kNumbers:
      return type == JsonType::kNumber || (type == JsonType::kString && !parse_number<double>(value));
  }
  return false;
}

void expect_type(const SearchOption& option, const Setting& setting) {
  const auto refuse = [&](const std::string& found) {
    setting.fail(cat(setting.name, " is ", found, ", expected ", type_of(option.kind)));
  };
  if (setting.is_list && !is_list(option.kind)) refuse("a list");
  if (!setting.is_list && is_list(option.kind)) refuse(cat("'", setting.values.front(), "'"));
  for (std::size_t i = 0; i < setting.values.size(); ++i) {
    const std::string& value = setting.values[i];
    if (has_type(option.kind, setting.types[i], value)) continue;
    const char* kind = setting.types[i] == JsonType::kString ? "the string " : "";
    refuse(cat(setting.is_list ? "a list with " : "", kind, "'", value, "'"));
  }
}

// An option that is given but false counts as not given.
bool is_given(std::span<const Setting> settings, std::string_view name) {
  return std::ranges::any_of(settings, [&](const Setting& setting) {
    return setting.name == name && setting.values != std::vector<std::string>{"false"};
  });
}

void expect_effect(const SearchOption& option, const Setting& setting, std::span<const Setting> all) {
  if (!option.needs.empty() && !is_given(all, option.needs)) {
    setting.fail(cat(setting.name, " needs ", option.needs));
  }
  if (!option.excludes.empty() && is_given(all, option.excludes)) {
    setting.fail(cat(setting.name, " and ", option.excludes, " do not go together"));
  }
}

bool has_effect(const SearchOption& option, const SearchRequest& request) {
  if (!option.needs.empty() && !is_set(option_named(option.needs), request)) return false;
  return option.excludes.empty() || !is_set(option_named(option.excludes), request);
}

}  // namespace

SearchOptions search_options(const SearchRequest& request) {
  SearchOptions search = request.search;
  if (request.n_best) search.n_best = *request.n_best == 0 ? search.beam_size : *request.n_best;
  if (request.sampling) {  // there is no beam
    search.beam_size = search.n_best;
    search.groups = 1;
  }
  return search;
}

TranslationOptions translation_options(const SearchRequest& request, const SearchOptions& search) {
  TranslationOptions options;
  options.search = search;
  options.seed = request.seed;
  options.forbidden = request.forbidden;
  options.prefix_open = request.prefix_open;
  if (request.no_shortlist) options.model_shortlist = ModelShortlist::kIgnored;
  if (request.sampling) {
    check(request.draw);
    options.sampling = request.draw;
  }
  if (request.replace_unknown) options.unknown = UnknownReplacement{.layer = request.unknown_layer};
  return options;
}

SearchRequest search_request_from_json(std::string_view where, std::string_view json) {
  if (json.size() > kLargestRequest) {
    throw UsageError(cat(where, ": has ", json.size(), " bytes, expected search options of at most ", kLargestRequest));
  }
  const std::vector<Setting> settings = parse_json(where, json, Origin::kRequest);
  const std::vector<SearchOption> table = request_options();
  SearchRequest request;
  for (const Setting& setting : settings) {
    expect_known_text(setting, names_of(table));
    const SearchOption& option = option_named(setting.name);
    expect_type(option, setting);
    option.set(request, setting);
    expect_effect(option, setting, settings);
  }
  check(search_options(request));
  check(request.draw);
  return request;
}

void assign(SearchRequest& request, std::span<const Setting> settings) {
  for (const Setting& setting : settings) {
    assign_by(search_option_table(), request, setting);
    expect_effect(option_named(setting.name), setting, settings);
  }
}

std::string to_json(const SearchRequest& request) {
  return json_text(
      written(request_options(), request, [&](const SearchOption& option) { return has_effect(option, request); }));
}

}  // namespace dhyan

#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "explain/attention_map.h"
#include "server/service.h"
#include "translator/search_option_table.h"

namespace dhyan::server {

// Helpers that the routes of our own API share.

// The model of "model", or the one between "source_lang" and "target_lang", or the first that does the task.
// BadRequest if only one language is given.
std::shared_ptr<const ServedModel> model_of(const Service& service, const Call& call, Task task);

// The parameter of a row of the table of search options: its name with "_" for "-". None for what only the command line
// has.
std::optional<std::string> parameter_of(const SearchOption& option);

// The greatest values that a request may have for search options, so that it does not take the whole machine.
struct SearchBound {
  std::string_view parameter;
  Index most;
};
inline constexpr std::array kSearchBounds{SearchBound{"beam_size", 32}, SearchBound{"n_best", 32},
                                          SearchBound{"min_length", 1024}, SearchBound{"max_length", 1024}};

inline constexpr Index kMaxRecorded = 16 << 20;  // numbers of attention that are kept for the answer

inline constexpr std::size_t kMaxPhrases = 100;  // that a translation must or must not contain

// BadRequest if there are too many phrases.
void expect_few_phrases(std::string_view parameter, std::size_t phrases);

// The search options of a JSON request: names of the table of search options with "_" for "-". Forbidden phrases count
// for the characters of the request.
SearchRequest search_request_of(Call& call);

// The texts of `name`, at least one; BadRequest otherwise.
std::vector<std::string> given_texts(const Call& call, const std::string& name);

Units units_of(const Call& call);  // "units": word or subword

// Numbers to six decimals, as the command line writes them.
JsonAnswer rounded_json(std::span<const double> numbers);

// The entry of a table of output formats; BadRequest if there is none of that name.
template <class Format>
const Format& drawing_format(std::span<const Format> table, const std::string& name) {
  for (const Format& format : table) {
    if (format.name == name) return format;
  }
  throw BadRequest(cat("there is no format '", name, "'"), "format");
}

std::string content_type_of(std::string_view format);  // "svg": "image/svg+xml"

}  // namespace dhyan::server

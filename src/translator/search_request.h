#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/settings.h"
#include "translator/translation_options.h"

namespace dhyan {

// The choices of a user about a translation: the fields of the table of search options (search_option_table.h). Files
// are only named here; the command line opens them.
struct SearchRequest {
  SearchOptions search = {};
  std::optional<Index> n_best = {};  // translations of each line; 0: the whole beam
  std::vector<std::string> forbidden = {};
  std::string forbidden_file = {};
  std::string prefix_file = {};
  bool prefix_open = false;
  std::string required_file = {};
  std::string shortlist_file = {};
  ShortlistOptions shortlist = {};
  bool no_shortlist = false;  // nor that of the model
  bool sampling = false;
  SamplingOptions draw = {};  // with sampling
  std::uint64_t seed = 1;
  bool replace_unknown = false;
  std::optional<Index> unknown_layer = {};
  std::string dictionary_file = {};
};

// The options of the search itself: n_best is resolved, and sampling keeps as many hypotheses as it draws.
SearchOptions search_options(const SearchRequest& request);

// All options that need no file, with a search derived from that of the request.
TranslationOptions translation_options(const SearchRequest& request, const SearchOptions& search);

// A request from one flat JSON object, whose keys are the names of the table: {"beam-size": 4, "forbid": ["red"]}. A
// request names no files, so options that do are refused. UsageError, beginning with `where`, names the key, its value
// and the values that are expected.
SearchRequest search_request_from_json(std::string_view where, std::string_view json);

// Gives a request options of the whole table, files included: the caller is trusted. Fails for an unknown name, a value
// out of range, and an option without effect beside the others.
void assign(SearchRequest& request, std::span<const Setting> settings);

// Every option that has an effect and names no file; search_request_from_json() reads it.
std::string to_json(const SearchRequest& request);

}  // namespace dhyan

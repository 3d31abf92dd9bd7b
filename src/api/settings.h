#pragma once

#include <dhyan/options.h>
#include <string_view>
#include <vector>

#include "config/settings.h"
#include "explain/attention_map.h"
#include "translator/search_request.h"
#include "translator/translator.h"

// From the types of include/dhyan to ours.
namespace dhyan::api {

// `where` names the call, for messages.
std::vector<Setting> settings_of(std::string_view where, const std::vector<v1::Setting>& settings);

// The number of threads that a caller asks for; UsageError for one that is impossible.
int threads_of(int threads);

// The request of a caller who has set `base` by other means.
SearchRequest request_of(std::string_view where, SearchRequest base, const std::vector<v1::Setting>& more);

// UsageError for options that need cross-attention of a model that has none.
void expect_cross_attention_for(const SearchRequest& request, const TranslationModel& model);

inline Units units_of(v1::Units units) { return units == v1::Units::kWords ? Units::kWords : Units::kSubwords; }

}  // namespace dhyan::api

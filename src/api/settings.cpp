#include "api/settings.h"

#include <algorithm>
#include <thread>

#include "core/error.h"
#include "translator/search_option_table.h"

namespace dhyan::api {

std::vector<Setting> settings_of(std::string_view where, const std::vector<v1::Setting>& settings) {
  std::vector<Setting> ours;
  for (const v1::Setting& setting : settings) {
    ours.push_back({std::string(where), setting.name, setting.values, Origin::kCommandLine});
  }
  return ours;
}

int threads_of(int threads) {
  constexpr int kMost = 1024;
  if (threads < 0 || threads > kMost) {
    throw UsageError(cat("threads is ", threads, ", expected 1 to ", kMost, ", or 0 for all of the machine's"));
  }
  return threads > 0 ? threads : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

SearchRequest request_of(std::string_view where, SearchRequest base, const std::vector<v1::Setting>& more) {
  assign(base, settings_of(where, more));
  return base;
}

void expect_cross_attention_for(const SearchRequest& request, const TranslationModel& model) {
  if (model.has_cross_attention()) return;
  for (const SearchOption& option : search_option_table()) {
    if (!option.needs_cross_attention || !is_set(option, request)) continue;
    throw UsageError(cat(option.name, ": the model has no cross-attention, which this option needs"));
  }
}

}  // namespace dhyan::api

#include "training/freeze.h"

#include <algorithm>
#include <fnmatch.h>
#include <set>

#include "core/error.h"
#include "core/suggest.h"

namespace dhyan {

namespace {

bool names(const std::string& pattern, const std::string& name) {
  const bool begins = name.starts_with(pattern) && name.size() > pattern.size() && name[pattern.size()] == '.';
  return begins || fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
}

// All names, and their prefixes that end before a dot.
std::vector<std::string> nameable(const ParameterSet& parameters) {
  std::set<std::string> all;
  for (const Parameter& parameter : parameters) {
    const std::string& name = parameter.name;
    for (std::size_t dot = name.find('.'); dot != name.npos; dot = name.find('.', dot + 1)) {
      all.insert(name.substr(0, dot));
    }
    all.insert(name);
  }
  return {all.begin(), all.end()};
}

}  // namespace

void freeze(ParameterSet& parameters, std::span<const std::string> patterns) {
  for (Parameter& parameter : parameters) parameter.frozen = false;
  for (const std::string& pattern : patterns) {
    bool any = false;
    for (Parameter& parameter : parameters) {
      if (!names(pattern, parameter.name)) continue;
      parameter.frozen = any = true;
    }
    if (any) continue;
    throw ConfigError(
        cat("freeze: no weight of the model is named '", pattern, "'", suggestion(pattern, nameable(parameters))));
  }
  if (parameters.count() > 0 && std::ranges::all_of(parameters, &Parameter::frozen)) {
    throw ConfigError(cat("freeze: all ", parameters.count(), " weights are frozen; expected some to train"));
  }
}

}  // namespace dhyan

#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

#include "core/error.h"

namespace dhyan {

// The entry of a table that has this name; ConfigError("cell: 'gruu' is none of rnn, gru, lstm") if there is none.
template <class Entry>
const Entry& entry_named(const char* what, std::span<const Entry> table, std::string_view name) {
  const auto found = std::ranges::find(table, name, &Entry::name);
  if (found != table.end()) return *found;
  std::string names;
  for (const Entry& entry : table) names += cat(names.empty() ? "" : ", ", entry.name);
  throw ConfigError(cat(what, ": '", name, "' is none of ", names));
}

}  // namespace dhyan

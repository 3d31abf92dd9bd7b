#pragma once

#include <bit>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "core/base64.h"
#include "server/call.h"

namespace dhyan::server {

// float32, little-endian.
template <class Value>
std::string base64_floats(std::span<const Value> values) {
  std::string bytes;
  for (const Value value : values) {
    const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(value));
    for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(bits >> shift);
  }
  return base64(bytes);
}

// Rows of one length as {"shape": [rows, columns], "float32": "…"}.
template <class Value>
JsonAnswer float_array(const std::vector<std::vector<Value>>& rows) {
  std::vector<Value> all;
  for (const std::vector<Value>& row : rows) all.insert(all.end(), row.begin(), row.end());
  const std::size_t columns = rows.empty() ? 0 : rows.front().size();
  return {{"shape", {rows.size(), columns}}, {"float32", base64_floats(std::span<const Value>(all))}};
}

}  // namespace dhyan::server

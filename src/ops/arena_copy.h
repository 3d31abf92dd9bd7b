#pragma once

#include <memory>
#include <span>
#include <type_traits>

#include "core/arena.h"

namespace dhyan {

// Memory for n trivial values until the end of the step; uninitialised.
template <class T>
std::span<T> arena_span(Arena& arena, std::size_t n) {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);
  return {static_cast<T*>(arena.allocate(n * sizeof(T))), n};
}

// A copy that lives until the end of the step: an op's arguments may be gone when backward runs.
template <class T>
std::span<const T> copy_to_arena(Arena& arena, std::span<const T> values) {
  const std::span<T> kept = arena_span<T>(arena, values.size());
  std::uninitialized_copy(values.begin(), values.end(), kept.begin());
  return kept;
}

// f of each value; lives as long.
template <class T, class F>
std::span<const T> map_to_arena(Arena& arena, std::span<const T> values, const F& f) {
  const std::span<T> results = arena_span<T>(arena, values.size());
  for (std::size_t i = 0; i < values.size(); ++i) results[i] = f(values[i]);
  return results;
}

}  // namespace dhyan

#pragma once

#include <initializer_list>
#include <string_view>

#include "text/vocabulary.h"

namespace dhyan {

// For tests: tokenizers of words or characters that know what stands in these lines.
template <class T>
Vocabulary vocabulary_of(std::initializer_list<std::string_view> lines) {
  TokenCounts counts;
  for (const std::string_view line : lines) T::count(line, counts);
  return Vocabulary::from_counts(counts);
}

template <class T>
T trained_on(std::initializer_list<std::string_view> lines) {
  return T(vocabulary_of<T>(lines));
}

}  // namespace dhyan

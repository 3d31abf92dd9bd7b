#pragma once

#include <initializer_list>
#include <string_view>

#include "text/tokenizer_factory.h"

namespace dhyan {

// For tests: word or character tokenizers with the vocabulary of these lines.
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

template <class T>
TokenizerPair pair_trained_on(std::string_view source, std::string_view target) {
  return {std::make_shared<T>(vocabulary_of<T>({source})), std::make_shared<T>(vocabulary_of<T>({target}))};
}

}  // namespace dhyan

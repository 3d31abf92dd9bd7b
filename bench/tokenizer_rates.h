#pragma once

#include <string>
#include <vector>

#include "data/pairs.h"

namespace dhyan::bench {

struct TokenizerRate {
  std::string kind;
  double lines_per_second = 0;
  double sampled_lines_per_second = 0;  // with subword sampling, if the tokenizer has it
};

// Every kind of tokenizer, trained on the first lines of a corpus, on one thread.
std::vector<TokenizerRate> tokenizer_rates(const CorpusSpec& corpus);

}  // namespace dhyan::bench

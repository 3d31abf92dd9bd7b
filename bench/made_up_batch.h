#pragma once

#include "data/batch.h"

namespace dhyan::bench {

struct MadeUp {
  Index sentences = 32;
  Index words = 15;  // per sentence, plus or minus a quarter
  Index vocabulary = 1000;
};

// Pairs of similar length with random words; the same in every call.
Batch make_up_batch(const MadeUp& size);

}  // namespace dhyan::bench

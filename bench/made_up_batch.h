#pragma once

#include "data/batch.h"

namespace dhyan::bench {

struct MadeUp {
  Index sentences = 32;
  Index words = 15;  // of a sentence, a quarter more or less
  Index vocabulary = 1000;
};

// Pairs of like length, of words drawn at random: always the same ones.
Batch make_up_batch(const MadeUp& size);

}  // namespace dhyan::bench

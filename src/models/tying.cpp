#include "models/tying.h"

#include "core/error.h"

namespace dhyan {

void check_tying(Tying tying, Index source_vocabulary, Index target_vocabulary) {
  if (tying != Tying::kAll || source_vocabulary == target_vocabulary) return;
  throw ConfigError(cat("one table for both languages needs one vocabulary; they have ", source_vocabulary, " and ",
                        target_vocabulary, " words"));
}

}  // namespace dhyan

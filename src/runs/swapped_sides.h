#pragma once

#include <span>
#include <string>

#include "runs/corpora.h"

namespace dhyan {

// Whether source and target of held-out pairs look swapped: by letter trigrams, each side clearly resembles the
// other side of the training pairs. Reads the beginnings of the corpora.
bool looks_swapped(std::span<const CorpusInput> train, const CorpusInput& held_out);

}  // namespace dhyan

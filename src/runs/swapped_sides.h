#pragma once

#include <span>
#include <string>

#include "runs/corpora.h"

namespace dhyan {

// Whether held-out pairs look as if source and target had changed places: each of their sides is clearly more like the
// other side of the training pairs than like its own, by the characters that follow each other. Reads the beginnings of
// the corpora.
bool looks_swapped(std::span<const CorpusInput> train, const CorpusInput& held_out);

}  // namespace dhyan

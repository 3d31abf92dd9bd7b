#pragma once

#include "core/real.h"

namespace dhyan {

enum class Tying { kNone, kDecoder, kAll };  // shared tables: the decoder's two, or also the encoder's

// Throws ConfigError if tying needs equal vocabularies and their sizes differ.
void check_tying(Tying tying, Index source_vocabulary, Index target_vocabulary);

}  // namespace dhyan

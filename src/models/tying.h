#pragma once

#include "core/real.h"

namespace dhyan {

enum class Tying { kNone, kDecoder, kAll };  // which tables are one: the decoder's two, or those and the encoder's

// Throws ConfigError where one table is to serve vocabularies of different sizes.
void check_tying(Tying tying, Index source_vocabulary, Index target_vocabulary);

}  // namespace dhyan

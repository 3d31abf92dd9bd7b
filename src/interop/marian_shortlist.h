#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/real.h"

namespace dhyan {

// The lexical shortlist of Marian in its binary form, as models of Bergamot and Firefox have it: target words by source
// word, both as ids of the vocabularies. The first words of the target's vocabulary are always allowed.
struct MarianShortlist {
  Index first = 0, best = 0;          // always allowed; largest number for a source word when it was made
  std::vector<std::uint64_t> begins;  // [S + 1] where the words of each source word begin
  std::vector<RowId> words;           // [begins.back()]
};

bool is_marian_shortlist(std::span<const std::byte> bytes);

// ModelFileError, naming the file, for one that is damaged. Untrusted: every length is checked before it is used.
MarianShortlist parse_marian_shortlist(std::string_view where, std::span<const std::byte> bytes);

std::string to_bytes(const MarianShortlist& shortlist);  // the file

}  // namespace dhyan

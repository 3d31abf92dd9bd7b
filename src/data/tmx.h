#pragma once

#include <memory>
#include <string>

#include "data/byte_source.h"
#include "data/pairs.h"

namespace dhyan {

// The pairs of a TMX file (Translation Memory eXchange 1.1 to 1.4) in two languages, read as a stream. Of a segment
// the text is kept; codes of the original format (bpt, ept, it, ph, ut) and tags are dropped; line breaks and tabs
// become spaces. A unit that lacks one of the languages is counted and skipped; if all do, that is an error naming
// the languages there are. Entities declared by the file itself are refused, external ones are not fetched, nesting
// and lengths are bounded.
std::unique_ptr<PairSource> read_tmx(std::unique_ptr<ByteSource> bytes, std::string name, const ReadOptions& options);

// Whether a file's language code is what was asked for: "en" takes "en", "EN" and "en-US"; "en-US" takes "en_us" only.
bool matches_language(std::string_view code, std::string_view wanted);

}  // namespace dhyan

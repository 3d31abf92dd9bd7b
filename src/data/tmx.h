#pragma once

#include <memory>
#include <string>

#include "data/byte_source.h"
#include "data/pairs.h"

namespace dhyan {

// The pairs of a TMX file (Translation Memory eXchange 1.1 to 1.4) in two languages, read as a stream. The
// reader keeps the text of a segment, drops codes of the original format (bpt, ept, it, ph, ut) and tags, and turns
// line breaks and tabs into spaces. A unit that lacks one of the languages is counted and skipped; if all do, DataError
// names the languages found. Entities declared by the file itself are refused, external ones are not fetched, nesting
// and lengths are bounded.
std::unique_ptr<PairSource> read_tmx(std::unique_ptr<ByteSource> bytes, std::string name, const ReadOptions& options);

// Whether a language code in a file matches the requested one: "en" takes "en", "EN" and "en-US"; "en-US" takes "en_us"
// only.
bool matches_language(std::string_view code, std::string_view wanted);

}  // namespace dhyan

#pragma once

#include <optional>
#include <string>

#include "data/text_input.h"

namespace dhyan::cli {

// If the file does not exist and its name looks like a sentence, takes the name as the text and returns a note for the
// user; otherwise returns an empty string. Throws IoError with a hint if a missing file has a name like a file's.
std::string take_sentence_as_text(TextInput& input);

// Whether a name contains spaces and neither has an extension nor begins with an existing folder.
bool reads_like_a_sentence(const std::string& name);

// The number of lines, for progress; empty if the input can be read only once or is not text.
std::optional<std::uint64_t> count_lines(const std::string& file);

}  // namespace dhyan::cli

#pragma once

#include <optional>
#include <string>

#include "data/lines.h"

namespace dhyan::cli {

// Lines to work on: those of a file, of standard input, or of a text that stands on the command line.
struct TextInput {
  std::string file = "-";
  std::optional<std::string> text = {};  // instead of a file

  std::string name() const;  // for messages
};

// Where the file is none and its name reads like a sentence, takes the name as the text, and returns a note for the
// user; otherwise returns nothing. IoError, with a hint, for a missing file whose name reads like that of a file.
std::string take_sentence_as_text(TextInput& input);

// For an option that takes a file and is given its text instead: IoError that says what the option takes, if the file
// is missing. No name is no file.
void expect_side_file(const std::string& file, std::string_view option, std::string_view content);

// Blanks in a name, unless it has an extension or leads into a folder that exists.
bool reads_like_a_sentence(const std::string& name);

// To tell how long work on its lines will take; none for input that can be read only once, or that is no lines.
std::optional<std::uint64_t> count_lines(const std::string& file);

LineReader open_lines(const TextInput& input, const ReadOptions& options);

}  // namespace dhyan::cli

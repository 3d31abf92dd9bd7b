#include "cli/text_input.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "cli/interrupt.h"
#include "core/error.h"
#include "translator/open_request.h"

namespace dhyan::cli {

namespace {

namespace fs = std::filesystem;

bool is_letter_or_digit(char letter) { return std::isalnum(static_cast<unsigned char>(letter)) != 0; }

// Whether a name ends with an extension such as ".txt" or ".hi"; the full stop of a sentence is none.
bool has_extension(const std::string& name) {
  constexpr std::size_t kLongest = 8;
  const std::size_t dot = name.rfind('.');
  if (dot == name.npos || dot + 1 == name.size() || name.size() - dot - 1 > kLongest) return false;
  return std::all_of(name.begin() + static_cast<std::ptrdiff_t>(dot) + 1, name.end(), is_letter_or_digit);
}

bool is_there(const std::string& name) {
  std::error_code failed;
  return fs::exists(name, failed);
}

bool leads_into_folder(const std::string& name) {
  const std::size_t slash = name.rfind('/');
  return slash != name.npos && (slash == 0 || is_there(name.substr(0, slash)));
}

}  // namespace

bool reads_like_a_sentence(const std::string& name) {
  return name.find_first_of(" \t\n") != name.npos && !has_extension(name) && !leads_into_folder(name);
}

std::string take_sentence_as_text(TextInput& input) {
  if (input.text || input.file == "-" || !is_missing_file(input.file)) return {};
  if (!reads_like_a_sentence(input.file)) {
    throw IoError(cat(input.file, ": cannot open: No such file or directory; to translate words of the command line, ",
                      "use --text"));
  }
  input.text = input.file;
  return cat("there is no file '", input.file, "'; it is translated as text (--text does so without this note)");
}

std::optional<std::uint64_t> count_lines(const std::string& file) {
  std::error_code failed;
  if (!fs::is_regular_file(file, failed) || file.ends_with(".tmx")) return std::nullopt;
  return LineReader(file, {.poll = throw_if_interrupted}).count_rest();
}

}  // namespace dhyan::cli

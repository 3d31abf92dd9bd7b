#include "interop/fairseq_dictionary.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <filesystem>

#include "core/error.h"
#include "text/vocabulary.h"

namespace dhyan {

namespace {

// The token of a line; empty if the line has no count.
std::string_view counted_token(std::string_view line) {
  constexpr std::string_view kOverwrite = " #fairseq:overwrite";
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (line.ends_with(kOverwrite)) line.remove_suffix(kOverwrite.size());
  const std::size_t blank = line.rfind(' ');
  if (blank == line.npos) return {};
  std::uint64_t count = 0;
  const char* end = line.data() + line.size();
  const auto read = std::from_chars(line.data() + blank + 1, end, count);
  return read.ec == std::errc() && read.ptr == end ? line.substr(0, blank) : std::string_view();
}

}  // namespace

FairseqDictionary parse_fairseq_dictionary(const std::string& where, std::string_view text) {
  constexpr std::string_view kNameBegin = "dict.", kNameEnd = ".txt";
  const std::string file = std::filesystem::path(where).filename().string();
  FairseqDictionary dictionary{.language = {}, .tokens = {"<s>", "<pad>", "</s>", "<unk>"}};
  if (file.starts_with(kNameBegin) && file.ends_with(kNameEnd) && file.size() > kNameBegin.size() + kNameEnd.size()) {
    dictionary.language = file.substr(kNameBegin.size(), file.size() - kNameBegin.size() - kNameEnd.size());
  }
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view token = counted_token(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    const auto fail = [&](const auto&... what) { throw ModelFileError(cat(where, ":", number, ": ", what...)); };
    if (token.empty()) fail("expected a token and its count");
    if (token.size() > Vocabulary::kLongestToken) fail("a token of ", token.size(), " bytes");
    if (std::ssize(dictionary.tokens) == Vocabulary::kMaxSize) fail("more than ", Vocabulary::kMaxSize, " tokens");
    dictionary.tokens.emplace_back(token);
  }
  return dictionary;
}

}  // namespace dhyan

#include "text/display.h"

#include <algorithm>
#include <utf8proc.h>

#include "core/error.h"
#include "text/graphemes.h"
#include "text/unicode.h"
#include "text/word_tokenizer.h"

namespace dhyan {

namespace {

constexpr std::string_view kEllipsis = "…";

Index cluster_width(std::string_view cluster) {
  Index width = 0;
  for (const Character& character : Characters(cluster)) {
    const Index cells = utf8proc_charwidth(static_cast<utf8proc_int32_t>(character.code));
    width = std::max(width, cells);
  }
  return width;
}

// Appends to the last line if it fits, else to a new line.
void append_to_lines(std::vector<std::string>& lines, std::string_view item, std::string_view between, Index width) {
  const bool fits =
      !lines.empty() && display_width(lines.back()) + display_width(between) + display_width(item) <= width;
  if (fits) {
    lines.back() += cat(between, item);
  } else {
    lines.emplace_back(item);
  }
}

}  // namespace

Index display_width(std::string_view text) {
  Index width = 0;
  for (const ByteRange& cluster : clusters(text)) width += cluster_width(part(text, cluster));
  return width;
}

bool has_settled_width(std::string_view text) {
  for (const ByteRange& range : clusters(text)) {
    Index with_width = 0;
    for (const Character& character : Characters(part(text, range))) {
      const auto code = static_cast<utf8proc_int32_t>(character.code);
      const utf8proc_category_t category = utf8proc_category(code);
      if (category == UTF8PROC_CATEGORY_MC || category == UTF8PROC_CATEGORY_CC) return false;
      with_width += utf8proc_charwidth(code) > 0;
    }
    if (with_width > 1) return false;  // a conjunct, or emoji joined to one
  }
  return true;
}

std::string padded(std::string_view text, Index width, Align align) {
  const Index missing = std::max<Index>(0, width - display_width(text));
  const Index before = align == Align::kLeft ? 0 : align == Align::kRight ? missing : missing / 2;
  std::string result(static_cast<std::size_t>(before), ' ');
  result.append(text);
  return result.append(static_cast<std::size_t>(missing - before), ' ');
}

std::string cut(std::string_view text, Index width) {
  Index taken = 0;
  Index shorter = 0;  // bytes that fit before an ellipsis
  for (const ByteRange& cluster : clusters(text)) {
    taken += cluster_width(part(text, cluster));
    if (taken > width) {
      return width < 1 ? std::string() : cat(text.substr(0, static_cast<std::size_t>(shorter)), kEllipsis);
    }
    if (taken < width) shorter = cluster.end;
  }
  return std::string(text);
}

std::vector<std::string> wrapped(std::string_view text, Index width) {
  std::vector<std::string> lines;
  for (const ByteRange& word : word_ranges(text)) append_to_lines(lines, part(text, word), " ", width);
  return lines;
}

std::vector<std::string> numbered_words(std::span<const std::string> words, Index width, Index first) {
  std::vector<std::string> lines;
  for (const std::string& word : words) append_to_lines(lines, cat(first++, " ", word), "  ", width);
  return lines;
}

std::string shown(std::string_view text) {
  std::string result;
  bool spaces_alone = true;
  const std::string valid = replace_bad_utf8(text);
  for (const Character& character : Characters(valid)) {
    const utf8proc_category_t category = utf8proc_category(static_cast<utf8proc_int32_t>(character.code));
    const bool is_joiner = character.code == 0x200C || character.code == 0x200D;
    const bool is_no_character = (character.code & 0xFFFE) == 0xFFFE;  // XML forbids U+FFFE
    if (is_space(character.code) || category == UTF8PROC_CATEGORY_ZS) {
      result += ' ';
      continue;
    }
    if (category == UTF8PROC_CATEGORY_CF && !is_joiner) continue;
    spaces_alone = false;
    append_utf8(result, category == UTF8PROC_CATEGORY_CC || is_no_character ? 0xFFFD : character.code);
  }
  if (!spaces_alone) return result;
  std::string visible;
  for (std::size_t i = 0; i < result.size(); ++i) visible += "␣";
  return visible;
}

}  // namespace dhyan

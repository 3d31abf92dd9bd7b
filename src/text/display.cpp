#include "text/display.h"

#include <algorithm>
#include <utf8proc.h>

#include "core/error.h"
#include "text/graphemes.h"
#include "text/unicode.h"

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
  Index shorter = 0;  // of what fits with an ellipsis after it
  for (const ByteRange& cluster : clusters(text)) {
    taken += cluster_width(part(text, cluster));
    if (taken > width) {
      return width < 1 ? std::string() : cat(text.substr(0, static_cast<std::size_t>(shorter)), kEllipsis);
    }
    if (taken < width) shorter = cluster.end;
  }
  return std::string(text);
}

std::string numbered_words(std::span<const std::string_view> words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) text += cat(i == 0 ? "" : "  ", i + 1, " ", words[i]);
  return text;
}

}  // namespace dhyan

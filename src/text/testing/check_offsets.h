#pragma once

#include <gtest/gtest.h>

#include "text/unicode.h"

namespace dhyan {

// For tests: expects that the pieces ascend, begin and end at characters, and cover the whole line except spaces.
inline void check_offsets(std::string_view line, const Encoded& encoded) {
  ASSERT_EQ(encoded.ids.size(), encoded.pieces.size()) << line;
  std::string uncovered;
  Index last = 0;
  for (const ByteRange& range : encoded.pieces) {
    ASSERT_LE(last, range.begin) << line;
    ASSERT_LE(range.begin, range.end) << line;
    uncovered += part(line, {last, range.begin});
    ASSERT_EQ(first_bad_byte(part(line, range)), std::nullopt) << line;
    last = range.end;
  }
  ASSERT_LE(last, static_cast<Index>(line.size()));
  uncovered += line.substr(static_cast<std::size_t>(last));
  for (const Character& character : Characters(uncovered)) {
    ASSERT_TRUE(is_space(character.code)) << "'" << uncovered << "' of '" << line << "' belongs to no piece";
  }
}

}  // namespace dhyan

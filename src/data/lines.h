#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "data/byte_source.h"
#include "data/pairs.h"

namespace dhyan {

// The lines of a text: without their ends (LF or CRLF), without a byte order mark, checked to be UTF-8 and free of
// NUL bytes. Memory is bounded by the longest line allowed.
class LineReader {
 public:
  LineReader(std::unique_ptr<ByteSource> bytes, std::string name, const ReadOptions& options);
  LineReader(const std::string& file, const ReadOptions& options)
      : LineReader(open_bytes(file, options.poll), shown_name(file), options) {}

  // The next line, which lives until the next call; false at the end. DataError, with file and line, for what cannot
  // be taken.
  bool next(std::string_view& line);

  // Will next() come back within that time? Perhaps a little later if only a part of a line is there.
  bool ready(std::chrono::milliseconds wait);

  // The line last given is not UTF-8, and the options say kSkip: to be left out, together with its partner.
  bool bad() const { return bad_; }
  // The line last given was repaired.
  bool replaced() const { return replaced_; }

  // How many lines are left; they are gone then, and are not checked.
  std::uint64_t count_rest();

  std::uint64_t number() const { return number_; }  // of the line last given, from 1
  const std::string& name() const { return name_; }
  const ByteSource& bytes() const { return *bytes_; }

  // DataError("name:number: what").
  [[noreturn]] void fail(const std::string& what) const;

 private:
  bool next_raw(std::string_view& line);
  bool fill();
  void check(std::string_view& line, std::size_t offset);  // offset of the text in its line

  std::unique_ptr<ByteSource> bytes_;
  std::string name_;
  OnBadUtf8 on_bad_utf8_;
  std::size_t max_line_bytes_;
  std::string buffer_;  // read and not yet given: [begin_, end_)
  std::size_t begin_ = 0, end_ = 0;
  std::uint64_t number_ = 0;
  bool bad_ = false, replaced_ = false;
  std::string repaired_;
};

}  // namespace dhyan

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "data/byte_source.h"
#include "data/pairs.h"

namespace dhyan {

// Reads the lines of a text without LF, CRLF or byte order mark, and checks that they are UTF-8 without NUL bytes.
// Memory is bounded by the longest line allowed.
class LineReader {
 public:
  LineReader(std::unique_ptr<ByteSource> bytes, std::string name, const ReadOptions& options);
  LineReader(const std::string& file, const ReadOptions& options)
      : LineReader(open_bytes(file, options.poll), shown_name(file), options) {}

  // The next line, valid until the next call; false at the end. DataError, with file and line, for an invalid line.
  bool next(std::string_view& line);

  // Whether next() returns within about that time; a partial line may take longer.
  bool ready(std::chrono::milliseconds wait);

  // Whether the last line is not UTF-8 and the options say kSkip: the caller drops it and its translation.
  bool bad() const { return bad_; }
  // Whether the last line was repaired.
  bool replaced() const { return replaced_; }

  // Consumes the remaining lines without checking them; returns how many there were.
  std::uint64_t count_rest();

  std::uint64_t number() const { return number_; }  // of the last line, from 1
  const std::string& name() const { return name_; }
  const ByteSource& bytes() const { return *bytes_; }

  // DataError("name:number: what").
  [[noreturn]] void fail(const std::string& what) const;

 private:
  bool next_raw(std::string_view& line);
  bool fill();
  void check(std::string_view& line, std::size_t offset);  // byte offset of the text in its line

  std::unique_ptr<ByteSource> bytes_;
  std::string name_;
  OnBadUtf8 on_bad_utf8_;
  std::size_t max_line_bytes_;
  std::string buffer_;  // [begin_, end_) is read and not yet returned
  std::size_t begin_ = 0, end_ = 0;
  std::uint64_t number_ = 0;
  bool bad_ = false, replaced_ = false;
  std::string repaired_;
};

}  // namespace dhyan

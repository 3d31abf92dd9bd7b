#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "data/pairs.h"

namespace dhyan {

// Where text goes.
class TextSink {
 public:
  virtual ~TextSink() = default;
  virtual void write(std::string_view text) = 0;
  // Called once, after the last write: only now may a file appear.
  virtual void commit() = 0;
};

// A file that appears whole or not at all (core/file.h), compressed as its name says: .gz or .zst.
std::unique_ptr<TextSink> open_text_file(const std::string& path);

// Writes pairs a line each: to two files, or to one as TSV, or of plain text the sentence alone.
class PairWriter {
 public:
  PairWriter(std::unique_ptr<TextSink> sources, std::unique_ptr<TextSink> targets);  // two files
  PairWriter(std::unique_ptr<TextSink> lines, bool two_sided);                       // one

  void write(const SentencePair& pair);
  void commit();

  // Tabs in a text, which a TSV file cannot hold and which became spaces.
  std::uint64_t tabs_replaced() const { return tabs_replaced_; }

 private:
  std::unique_ptr<TextSink> sources_, targets_;
  bool tsv_ = false;
  std::uint64_t tabs_replaced_ = 0;
  std::string line_;
};

// Appends a text as a column of a TSV file; how many tabs became spaces.
std::uint64_t append_column(std::string& line, std::string_view text);

}  // namespace dhyan

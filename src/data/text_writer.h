#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "data/pairs.h"

namespace dhyan {

// A destination for text.
class TextSink {
 public:
  virtual ~TextSink() = default;
  virtual void write(std::string_view text) = 0;
  // Called once, after the last write; only then does a file appear.
  virtual void commit() = 0;
};

// A file that is written atomically (core/file.h) and compressed by its extension: .gz or .zst.
std::unique_ptr<TextSink> open_text_file(const std::string& path);

// Writes one pair per line: to two files, to one TSV file, or as plain text.
class PairWriter {
 public:
  PairWriter(std::unique_ptr<TextSink> sources, std::unique_ptr<TextSink> targets);  // two files
  PairWriter(std::unique_ptr<TextSink> lines, bool two_sided);                       // one

  void write(const SentencePair& pair);
  void commit();

  // The number of tabs that became spaces, because TSV cannot hold them.
  std::uint64_t tabs_replaced() const { return tabs_replaced_; }

 private:
  std::unique_ptr<TextSink> sources_, targets_;
  bool tsv_ = false;
  std::uint64_t tabs_replaced_ = 0;
  std::string line_;
};

// Appends a text as a TSV column; returns how many tabs became spaces.
std::uint64_t append_column(std::string& line, std::string_view text);

}  // namespace dhyan

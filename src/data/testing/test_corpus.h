#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "core/testing/temporary_folder.h"
#include "data/byte_source.h"
#include "data/pairs.h"
#include "data/text_writer.h"

namespace dhyan {

// For tests: a folder for corpora.
class CorpusFolder : public TemporaryFolder {
 public:
  // Writes a file, compressed by the extension of its name.
  std::string text(std::string_view name, std::string_view text) const {
    const auto file = open_text_file(path(name));
    file->write(text);
    file->commit();
    return path(name);
  }
};

// Bytes in memory, returned `step` at a time.
class MemoryBytes final : public ByteSource {
 public:
  explicit MemoryBytes(std::string_view bytes, std::size_t step = 1 << 20) : bytes_(bytes), step_(step) {}
  std::size_t read(std::span<char> into) override {
    const std::size_t n = bytes_.copy(into.data(), std::min(into.size(), step_), at_);
    at_ += n;
    return n;
  }
  std::uint64_t bytes_read() const override { return at_; }
  std::uint64_t bytes_in_all() const override { return bytes_.size(); }

 private:
  std::string bytes_;
  std::size_t step_, at_ = 0;
};

// Pairs in memory.
class MemoryPairs final : public PairSource {
 public:
  explicit MemoryPairs(std::vector<SentencePair> pairs) : pairs_(std::move(pairs)) {}
  bool next(SentencePair& pair) override {
    if (at_ == pairs_.size()) return false;
    pair = pairs_[at_++];
    return true;
  }

 private:
  std::vector<SentencePair> pairs_;
  std::size_t at_ = 0;
};

// All pairs as "line: source | target".
inline std::vector<std::string> shown(PairSource& pairs) {
  std::vector<std::string> all;
  for (SentencePair pair; pairs.next(pair);) {
    all.push_back(std::to_string(pair.line) + ": " + pair.source + " | " + pair.target);
  }
  return all;
}

}  // namespace dhyan

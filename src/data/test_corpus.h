#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "data/byte_source.h"
#include "data/pairs.h"
#include "data/text_writer.h"

namespace dhyan {

// For tests: a folder that goes with the test, and files in it.
class CorpusFolder {
 public:
  CorpusFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "dhyan-corpus-test-XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~CorpusFolder() { std::filesystem::remove_all(path_); }
  CorpusFolder(const CorpusFolder&) = delete;
  CorpusFolder& operator=(const CorpusFolder&) = delete;

  std::string path(std::string_view name) const { return (path_ / name).string(); }

  // A file of these bytes.
  std::string file(std::string_view name, std::string_view bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }

  // A file of this text, compressed as its name says.
  std::string text(std::string_view name, std::string_view text) const {
    const auto file = open_text_file(path(name));
    file->write(text);
    file->commit();
    return path(name);
  }

  std::string bytes(std::string_view name) const {
    std::ifstream in(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(path_), {}));
  }

 private:
  std::filesystem::path path_;
};

// Bytes in memory, given `step` at a time.
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

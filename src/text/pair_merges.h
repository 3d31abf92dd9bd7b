#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "text/vocabulary.h"

namespace dhyan {

// The merges of byte pair encoding ([sennrich2016]), the first to be applied first. The file has a pair of symbols in
// each line, in the format of GPT-2's merges.txt and subword-nmt's codes; a first line "#version: 0.2" is optional.
class PairMerges {
 public:
  static constexpr std::size_t kMost = 4'000'000;

  using Pairs = std::vector<std::pair<std::string, std::string>>;
  explicit PairMerges(const Pairs& pairs);

  // ModelFileError, naming file and line, for a line that is no pair of symbols.
  static PairMerges load(const std::filesystem::path& path);
  static PairMerges parse(std::string_view where, std::string_view text);
  void save(const std::filesystem::path& path) const;

  // Symbols [begin, end) that became one.
  struct Merged {
    std::size_t begin = 0, end = 0;
  };
  std::vector<Merged> apply(std::span<const std::string> symbols) const;

  std::uint64_t fingerprint() const { return hash_bytes(file()); }

  // Codes of version 0.1 mark the end of a word by a symbol of its own.
  static bool is_first_version(std::string_view text);

 private:
  struct Rule {
    std::uint32_t rank, merged;
  };
  static std::uint64_t key(std::uint32_t first, std::uint32_t second) { return std::uint64_t{first} << 32 | second; }

  std::uint32_t number(std::string_view symbol);
  std::string file() const;

  Pairs pairs_;
  TokenMap<std::uint32_t> numbers_;
  std::unordered_map<std::uint64_t, Rule> rules_;
};

// folder/side.merges
std::filesystem::path merges_path(const std::filesystem::path& folder, std::string_view side);

}  // namespace dhyan

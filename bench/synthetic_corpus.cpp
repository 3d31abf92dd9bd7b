#include "synthetic_corpus.h"

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/rng.h"

namespace dhyan::bench {

namespace {

constexpr std::size_t kWords = 30'000;
constexpr std::size_t kDraws = 1 << 16;

// 2^16 entries in which the word of rank r occurs in proportion to 1/r, so that 16 random bits draw by Zipf's law.
std::vector<std::string> words_by_draw(Rng rng) {
  std::vector<std::string> words(kWords);
  for (std::string& word : words) {
    const std::uint64_t syllables = 1 + rng.below(4);
    for (std::uint64_t i = 0; i < syllables; ++i) {
      word += "bdgklmnprstv"[rng.below(12)];
      word += "aeiou"[rng.below(5)];
    }
    word += ' ';
  }
  std::vector<std::string> draws(kDraws);
  for (std::size_t i = 0; i < kDraws; ++i) {
    const double rank = std::pow(static_cast<double>(kWords), static_cast<double>(i) / kDraws);
    draws[i] = words[static_cast<std::size_t>(rank) - 1];
  }
  return draws;
}

void write_lines(const std::filesystem::path& path, Index lines, std::uint64_t seed) {
  std::ofstream file(path, std::ios::binary);
  Rng rng(seed);
  const std::vector<std::string> draws = words_by_draw(rng.split(0));
  std::string buffer;
  for (Index line = 0; line < lines; ++line) {
    for (std::uint32_t words = 4 + rng.next() % 32; words > 0; --words) buffer += draws[rng.next() % kDraws];
    buffer.back() = '\n';
    if (buffer.size() > (std::size_t{1} << 20) || line + 1 == lines) {
      file.write(buffer.data(), static_cast<std::streamsize>(buffer.size()));
      buffer.clear();
    }
  }
  if (!file.flush()) throw IoError(cat(path.string(), ": cannot write"));
}

}  // namespace

SyntheticCorpus::SyntheticCorpus(Index pairs) {
  std::string name = (std::filesystem::temp_directory_path() / "dhyan-data-bench-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw IoError(cat(name, ": cannot create"));
  folder_ = name;
  try {
    write_lines(folder_ / "source", pairs, 1);
    write_lines(folder_ / "target", pairs, 2);
  } catch (...) {
    std::filesystem::remove_all(folder_);
    throw;
  }
}

SyntheticCorpus::~SyntheticCorpus() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

std::uintmax_t SyntheticCorpus::bytes() const {
  return std::filesystem::file_size(folder_ / "source") + std::filesystem::file_size(folder_ / "target");
}

}  // namespace dhyan::bench

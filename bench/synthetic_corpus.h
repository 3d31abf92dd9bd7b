#pragma once

#include <cstdint>
#include <filesystem>

#include "data/pairs.h"

namespace dhyan::bench {

// Two parallel files of made-up words with Zipfian frequencies, in a temporary folder that the destructor removes.
class SyntheticCorpus {
 public:
  explicit SyntheticCorpus(Index pairs);
  ~SyntheticCorpus();
  SyntheticCorpus(const SyntheticCorpus&) = delete;
  SyntheticCorpus& operator=(const SyntheticCorpus&) = delete;

  CorpusSpec spec() const { return {{(folder_ / "source").string(), (folder_ / "target").string()}}; }
  std::uintmax_t bytes() const;
  const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path folder_;
};

}  // namespace dhyan::bench

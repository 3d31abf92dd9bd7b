#pragma once

#include <cstdint>
#include <dhyan/aligner.h>
#include <span>
#include <string>

#include "data/lines.h"
#include "metrics/alignment.h"

namespace dhyan::cli {

// "0-0 2-1", or with probabilities "0-0:0.98 2-1:0.7".
std::string pharaoh_links(std::span<const v1::Link> links, bool probabilities);

// An object with the words of both sides and their links; `line` counts from 0.
std::string json_links(const std::string& source, const std::string& target, const v1::AlignedPair& pair,
                       std::uint64_t line);

// Measures links against those of a file in Pharaoh's format, a line for each sentence.
class GoldFile {
 public:
  explicit GoldFile(const std::string& file);

  // The links of the next sentence; DataError if the file lacks it, or links words that the pair does not have.
  void count(const v1::AlignedPair& pair);

  // "AER 0.0630 (precision 0.949, recall 0.921, 5,000 links)\n"; DataError if the file has more lines.
  std::string in_words();

 private:
  LineReader lines_;
  LinkCounts counts_;
};

}  // namespace dhyan::cli

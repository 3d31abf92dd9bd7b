#pragma once

#include <memory>
#include <string>
#include <vector>

#include "data/lines.h"
#include "data/pairs.h"

namespace dhyan {

// Two files, read in lockstep. DataError with both counts if one has more lines than the other.
std::unique_ptr<PairSource> read_parallel(LineReader source, LineReader target);

// Lines of source, tab, target. A line without exactly one tab is an error, or is skipped and counted.
std::unique_ptr<PairSource> read_tsv(LineReader lines, OnBadColumns on_bad_columns);

// One sentence per line; targets are empty.
std::unique_ptr<PairSource> read_plain(LineReader lines);

}  // namespace dhyan

#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/choice.h"
#include "core/real.h"
#include "data/token_links.h"

namespace dhyan {

// A sentence and its translation; in plain text the target is empty.
struct SentencePair {
  std::string source;
  std::string target;
  std::uint64_t line = 0;            // in its file, from 1
  std::uint32_t corpus = 0;          // index among the corpora opened together
  std::vector<WordLink> links = {};  // empty without alignments
};

// Counts of reading so far, of all lines that were skipped or changed.
struct ReadReport {
  std::uint64_t lines = 0;           // of the file, or units of a TMX file
  std::uint64_t pairs = 0;           // returned
  std::uint64_t bad_utf8 = 0;        // pairs skipped, or lines repaired with U+FFFD: as OnBadUtf8 says
  std::uint64_t bad_columns = 0;     // lines skipped that have not exactly one tab
  std::uint64_t other_language = 0;  // TMX units skipped that lack one of the two languages
  std::uint64_t bytes = 0;           // read from the disk
  std::uint64_t bytes_in_all = 0;    // of the files; 0 if unknown

  ReadReport& operator+=(const ReadReport& other);
};

// One pass over a corpus.
class PairSource {
 public:
  virtual ~PairSource() = default;

  // The next pair; false at the end. Reuses the strings of `pair`, so that a loop allocates little.
  virtual bool next(SentencePair& pair) = 0;

  virtual bool has_targets() const { return true; }  // false: plain text
  virtual ReadReport report() const { return {}; }
};

enum class CorpusFormat {
  kGuess,     // two files: parallel; .tmx or XML: TMX; .tsv, or a tab in the first line: TSV; else plain text
  kParallel,  // line n of one file translates line n of the other
  kTsv,       // source, tab, target
  kTmx,       // Translation Memory eXchange, XML
  kPlain,     // one sentence per line, for language models
};

inline constexpr std::array kCorpusFormats{
    Choice{"auto", CorpusFormat::kGuess},  Choice{"parallel", CorpusFormat::kParallel},
    Choice{"tsv", CorpusFormat::kTsv},     Choice{"tmx", CorpusFormat::kTmx},
    Choice{"plain", CorpusFormat::kPlain},
};

enum class OnBadUtf8 { kError, kSkip, kReplace };
inline constexpr std::array kOnBadUtf8{Choice{"error", OnBadUtf8::kError}, Choice{"skip", OnBadUtf8::kSkip},
                                       Choice{"replace", OnBadUtf8::kReplace}};

enum class OnBadColumns { kError, kSkip };
inline constexpr std::array kOnBadColumns{Choice{"error", OnBadColumns::kError}, Choice{"skip", OnBadColumns::kSkip}};

// The files of a corpus. They may be compressed (gzip, zstd); "-" is standard input.
struct CorpusSpec {
  std::vector<std::string> files;  // one, or two parallel ones
  CorpusFormat format = CorpusFormat::kGuess;
};

struct ReadOptions {
  OnBadUtf8 on_bad_utf8 = OnBadUtf8::kError;
  OnBadColumns on_bad_columns = OnBadColumns::kError;
  Index max_line_bytes = 1 << 20;
  std::string source_language = {};  // for TMX: "hi"; "en" also matches "en-US"
  std::string target_language = {};
  std::function<void()> poll = {};  // called for every block; may throw to stop
};

// Whether the file may turn out to be TMX, so that the languages matter to its reading.
bool may_be_tmx(const CorpusSpec& corpus);

std::unique_ptr<PairSource> open_pairs(const CorpusSpec& corpus, const ReadOptions& options = {});

// Groups files into corpora: TSV and TMX files stand alone, others form pairs; a single file is TSV or plain text.
// UsageError if a file is left over.
std::vector<CorpusSpec> group_files(std::span<const std::string> files, CorpusFormat format = CorpusFormat::kGuess);

}  // namespace dhyan

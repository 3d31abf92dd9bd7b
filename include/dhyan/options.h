#pragma once

#include <cstdint>
#include <dhyan/score_function.h>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace dhyan::v1 {

// An option of dhyan by the name it has on the command line, without dashes: {"beam-size", {"8"}}.
struct Setting {
  std::string name;
  std::vector<std::string> values;
};

// Called often while the library works, from several threads at once. It may throw to stop, for example Cancelled;
// the exception leaves the call.
using Poll = std::function<void()>;

// Of long work, from one thread at a time. `total` is 0 if it is not known. May throw to stop.
using Progress = std::function<void(std::uint64_t done, std::uint64_t total)>;

// What is told of a translation beside its text. More takes more time.
enum class Details {
  kText,       // nothing; greedy search does not even compute the score
  kScores,     // the score, the units of both sides, and log p of each
  kAttention,  // these, and the attention between them
};

enum class Units { kWords, kSubwords };

struct LoadOptions {
  int threads = 0;                            // 0: as many as the machine runs at once; they do not change the result
  std::int64_t max_source_length = 1000;      // tokens of a line; what follows is cut off
  std::vector<double> ensemble_weights = {};  // of several models; empty: all equal
  bool split_bfloat16 = false;                // faster on machines with AMX; the last bits of scores change
  std::vector<ScoreFunction> scores = {};     // own score functions that the model was trained with
};

// The part of a file that one of several processes translates; each of them reads the whole file. This one takes every
// `count`-th window of lines, all of the same size, beginning with number `index`.
struct FileShare {
  int index = 0, count = 1;
  std::function<void(std::int64_t window, std::size_t lines)> pass_over = {};  // called for each other window, in order
};

// Lines to translate: of a file, which may be compressed, of standard input ("-"), or of a text.
struct LineSource {
  std::string file = "-";
  std::optional<std::string> text = {};  // instead of a file
  bool replace_invalid = false;          // bytes that are not UTF-8 become U+FFFD; otherwise they are a DataError
  FileShare share = {};
};

// The constraints of the translation of one line.
struct LineConstraints {
  std::string prefix = {};                 // the translation begins with this
  std::vector<std::string> required = {};  // and contains each of these
};

struct TranslateOptions {
  int beam_size = 5;  // 1 is greedy search
  int n_best = 1;     // translations of each line, at most beam_size
  Details details = Details::kText;
  Units units = Units::kWords;
  bool split_sentences = false;                   // translate the sentences of a line separately
  std::vector<LineConstraints> constraints = {};  // of each line, or none
  std::vector<Setting> more = {};                 // any search option of `dhyan translate --help-all`
  Poll poll = {};
};

struct ScoreOptions {
  double length_penalty = 0;  // score = log p / length^penalty
  Details details = Details::kScores;
  Units units = Units::kWords;
  std::vector<Setting> more = {};  // {"length-norm", {"wu"}}
  Poll poll = {};
};

}  // namespace dhyan::v1

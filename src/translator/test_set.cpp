#include "translator/test_set.h"

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "data/lines.h"
#include "text/word_tokenizer.h"

namespace dhyan {

namespace {

Index count_words(std::string_view line) { return std::ssize(word_ranges(line)); }

// Files of equally many lines that belong together.
class LineColumns {
 public:
  explicit LineColumns(ReadOptions options) : options_(std::move(options)) {}

  std::vector<std::string> read(const std::string& file) {
    LineReader reader(file, options_);
    std::vector<std::string> lines;
    for (std::string_view line; reader.next(line);) lines.emplace_back(line);
    expect_fits(reader.name(), lines.size());
    return lines;
  }

  // The first column sets the number of lines that all must have.
  void expect_fits(const std::string& name, std::size_t lines) {
    if (lines == 0) throw DataError(cat(name, ": has no lines; a score needs at least one sentence"));
    if (lines_ == 0) {
      first_ = name;
      lines_ = lines;
    }
    if (lines == lines_) return;
    throw DataError(cat(name, ": ", lines, lines == 1 ? " line" : " lines", ", and ", first_, " has ", lines_,
                        "; they must have equally many"));
  }

 private:
  ReadOptions options_;
  std::string first_;
  std::size_t lines_ = 0;
};

void add_references(TestSet& set, const std::vector<std::string>& files, LineColumns& columns) {
  for (const std::string& file : files) {
    std::vector<std::string> lines = columns.read(file);
    set.references.resize(lines.size());
    for (std::size_t i = 0; i < lines.size(); ++i) set.references[i].push_back(std::move(lines[i]));
  }
}

std::vector<GoldLinks> read_alignments(const std::string& file, const TestSet& set, LineColumns& columns) {
  const std::vector<std::string> lines = columns.read(file);
  std::vector<GoldLinks> alignments;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string where = cat(file, ":", i + 1);
    alignments.push_back(parse_links(lines[i], where));
    require_words(alignments.back(), count_words(set.sources[i]), count_words(set.references[i].front()), where);
  }
  return alignments;
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += cat(text.empty() ? "" : " ", name);
  return text;
}

}  // namespace

void refuse_stdin_twice(std::initializer_list<std::span<const std::string>> lists) {
  std::ptrdiff_t times = 0;
  for (const std::span<const std::string> files : lists) times += std::ranges::count(files, "-");
  if (times > 1) throw UsageError(cat("standard input is named ", times, " times; it can be read only once"));
}

TestSet read_test_set(const TestFiles& files, const ReadOptions& options) {
  refuse_stdin_twice({files.pairs, files.references, {&files.alignments, 1}});
  TestSet set{.name = joined(files.pairs)};
  const auto pairs = open_pairs({.files = files.pairs}, options);
  if (!pairs->has_targets()) {
    throw DataError(cat(set.name, ": no translations to compare with; expected two files, or source, tab, target"));
  }
  for (SentencePair pair; pairs->next(pair);) {
    set.sources.push_back(pair.source);
    set.references.push_back({pair.target});
  }
  LineColumns columns(options);
  columns.expect_fits(set.name, set.sources.size());
  add_references(set, files.references, columns);
  if (!files.alignments.empty()) set.alignments = read_alignments(files.alignments, set, columns);
  return set;
}

TestSet phrasebook_test_set(std::string_view language_pair, Part part, Index max_words) {
  TestSet set{.name = cat("phrasebook ", language_pair, ", ", kPartNames[static_cast<std::size_t>(part)])};
  for (PhrasePair& pair : phrasebook(language_pair, part, max_words)) {
    set.sources.push_back(std::move(pair.source));
    set.references.push_back({std::move(pair.target)});
    set.alignments.push_back({.sure = {pair.alignment.begin(), pair.alignment.end()}, .possible = {}});
  }
  return set;
}

TranslatedSet read_translations(const TranslationFiles& files, const ReadOptions& options) {
  if (files.references.empty())
    throw UsageError("evaluate: no reference to compare the translations with; name one with --reference");
  refuse_stdin_twice({{&files.hypotheses, 1}, files.references, {&files.sources, 1}});
  LineColumns columns(options);
  TranslatedSet result{columns.read(files.hypotheses), {.name = files.hypotheses}};
  add_references(result.set, files.references, columns);
  if (!files.sources.empty()) result.set.sources = columns.read(files.sources);
  return result;
}

TestSet read_references(const std::vector<std::string>& files, const ReadOptions& options) {
  TestSet set{.name = joined(files)};
  LineColumns columns(options);
  add_references(set, files, columns);
  return set;
}

std::vector<std::string> read_hypotheses(const std::string& file, const TestSet& set, const ReadOptions& options) {
  LineColumns columns(options);
  columns.expect_fits(set.name, set.references.size());
  return columns.read(file);
}

std::vector<Index> sentence_lengths(const TestSet& set) {
  std::vector<Index> lengths;
  if (set.pictures == nullptr) {
    for (const std::string& source : set.sources) lengths.push_back(count_words(source));
  }
  if (!lengths.empty()) return lengths;
  for (const std::vector<std::string>& references : set.references) lengths.push_back(count_words(references.front()));
  return lengths;
}

}  // namespace dhyan

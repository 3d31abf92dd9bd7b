#include "data/parallel.h"

#include <algorithm>
#include <utility>

#include "core/error.h"

namespace dhyan {

namespace {

void add_bytes(ReadReport& report, const LineReader& lines) {
  report.bytes += lines.bytes().bytes_read();
  report.bytes_in_all += lines.bytes().bytes_in_all();
}

class ParallelPairs final : public PairSource {
 public:
  ParallelPairs(LineReader source, LineReader target) : source_(std::move(source)), target_(std::move(target)) {}

  bool next(SentencePair& pair) override {
    std::string_view source, target;
    while (true) {
      const bool more_source = source_.next(source), more_target = target_.next(target);
      if (more_source != more_target) refuse(more_source ? source_ : target_, more_source ? target_ : source_);
      if (!more_source) return false;
      ++report_.lines;
      if (source_.bad() || target_.bad()) {
        ++report_.bad_utf8;
        continue;
      }
      report_.bad_utf8 += (source_.replaced() ? 1U : 0U) + (target_.replaced() ? 1U : 0U);
      ++report_.pairs;
      pair.source = source;
      pair.target = target;
      pair.line = source_.number();
      pair.corpus = 0;
      return true;
    }
  }

  ReadReport report() const override {
    ReadReport report = report_;
    add_bytes(report, source_);
    add_bytes(report, target_);
    return report;
  }

 private:
  [[noreturn]] static void refuse(LineReader& longer, const LineReader& shorter) {
    const std::uint64_t surplus = 1 + longer.count_rest();
    throw DataError(cat(longer.name(), ":", shorter.number() + surplus, ": ", surplus, " more line",
                        surplus == 1 ? "" : "s", " than ", shorter.name(), " (", shorter.number(),
                        "); parallel files must have equally many lines"));
  }

  LineReader source_, target_;
  ReadReport report_;
};

// Reads one file line by line; the derived class turns a line into a pair.
class LinePairs : public PairSource {
 public:
  explicit LinePairs(LineReader lines) : lines_(std::move(lines)) {}

  bool next(SentencePair& pair) final {
    std::string_view line;
    while (lines_.next(line)) {
      ++report_.lines;
      if (lines_.bad()) ++report_.bad_utf8;
      if (lines_.bad() || !take(line, pair)) continue;
      if (lines_.replaced()) ++report_.bad_utf8;
      ++report_.pairs;
      pair.line = lines_.number();
      pair.corpus = 0;
      return true;
    }
    return false;
  }

  ReadReport report() const final {
    ReadReport report = report_;
    add_bytes(report, lines_);
    return report;
  }

 protected:
  virtual bool take(std::string_view line, SentencePair& pair) = 0;

  LineReader lines_;
  ReadReport report_;
};

class TsvPairs final : public LinePairs {
 public:
  TsvPairs(LineReader lines, OnBadColumns on_bad_columns)
      : LinePairs(std::move(lines)), on_bad_columns_(on_bad_columns) {}

 private:
  bool take(std::string_view line, SentencePair& pair) override {
    const std::size_t tab = line.find('\t');
    if (tab == line.npos || line.find('\t', tab + 1) != line.npos) {
      if (on_bad_columns_ == OnBadColumns::kError) {
        const auto columns = 1 + std::ranges::count(line, '\t');
        lines_.fail(cat(columns, columns == 1 ? " column" : " columns", "; expected source, tab, target"));
      }
      ++report_.bad_columns;
      return false;
    }
    pair.source = line.substr(0, tab);
    pair.target = line.substr(tab + 1);
    return true;
  }

  OnBadColumns on_bad_columns_;
};

class PlainPairs final : public LinePairs {
 public:
  using LinePairs::LinePairs;
  bool has_targets() const override { return false; }

 private:
  bool take(std::string_view line, SentencePair& pair) override {
    pair.source = line;
    pair.target.clear();
    return true;
  }
};

}  // namespace

ReadReport& ReadReport::operator+=(const ReadReport& other) {
  lines += other.lines;
  pairs += other.pairs;
  bad_utf8 += other.bad_utf8;
  bad_columns += other.bad_columns;
  other_language += other.other_language;
  bytes += other.bytes;
  bytes_in_all += other.bytes_in_all;
  return *this;
}

std::unique_ptr<PairSource> read_parallel(LineReader source, LineReader target) {
  return std::make_unique<ParallelPairs>(std::move(source), std::move(target));
}

std::unique_ptr<PairSource> read_tsv(LineReader lines, OnBadColumns on_bad_columns) {
  return std::make_unique<TsvPairs>(std::move(lines), on_bad_columns);
}

std::unique_ptr<PairSource> read_plain(LineReader lines) { return std::make_unique<PlainPairs>(std::move(lines)); }

}  // namespace dhyan

#include "data/captions.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "core/error.h"
#include "data/lines.h"

namespace dhyan {

namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> fields;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find('\t', begin), line.size());
    fields.push_back(line.substr(begin, end - begin));
    begin = end + 1;
  }
  return fields;
}

struct Columns {
  std::size_t image = 0, caption = 1, split = kNone;
  std::size_t count = 2;
};

// The columns that a header names; nothing if the line is no header.
std::optional<Columns> header_columns(std::string_view line) {
  const std::vector<std::string_view> names = fields_of(line);
  const auto column = [&](std::string_view name) {
    const auto found = std::ranges::find(names, name);
    return found == names.end() ? kNone : static_cast<std::size_t>(found - names.begin());
  };
  const Columns columns{column("image"), column("caption"), column("split"), names.size()};
  if (columns.image == kNone || columns.caption == kNone) return std::nullopt;
  return columns;
}

std::optional<Part> part_named(std::string_view name) {
  if (name == "train") return Part::kTrain;
  if (name == "dev" || name == "val" || name == "valid" || name == "validation") return Part::kDev;
  if (name == "test") return Part::kTest;
  return std::nullopt;
}

class CaptionPairs final : public PairSource {
 public:
  CaptionPairs(const std::string& file, Part part, const ReadOptions& options)
      : lines_(file, options), part_(part), on_bad_columns_(options.on_bad_columns) {}

  bool next(SentencePair& pair) override {
    std::string_view line;
    while (lines_.next(line)) {
      ++report_.lines;
      if (lines_.bad()) {
        ++report_.bad_utf8;
        continue;
      }
      if (report_.lines == 1) {
        if (const std::optional<Columns> header = header_columns(line)) {
          columns_ = *header;
          continue;
        }
      }
      if (!take(line, pair)) continue;
      if (lines_.replaced()) ++report_.bad_utf8;
      ++report_.pairs;
      pair.line = lines_.number();
      pair.corpus = 0;
      pair.links.clear();
      return true;
    }
    return false;
  }

  ReadReport report() const override {
    ReadReport report = report_;
    report.bytes = lines_.bytes().bytes_read();
    report.bytes_in_all = lines_.bytes().bytes_in_all();
    return report;
  }

  bool has_split() const { return columns_.split != kNone; }

 private:
  bool take(std::string_view line, SentencePair& pair) {
    const std::vector<std::string_view> fields = fields_of(line);
    if (fields.size() != columns_.count || fields[columns_.image].empty()) {
      if (on_bad_columns_ == OnBadColumns::kError) refuse(fields.size());
      ++report_.bad_columns;
      return false;
    }
    if (has_split()) {
      const std::optional<Part> part = part_named(fields[columns_.split]);
      if (!part) lines_.fail(cat("split is '", fields[columns_.split], "', expected train, dev, val or test"));
      if (*part != part_) return false;
    }
    pair.source = fields[columns_.image];
    pair.target = fields[columns_.caption];
    return true;
  }

  [[noreturn]] void refuse(std::size_t columns) const {
    if (columns_.count == 2) {
      lines_.fail(cat(columns, columns == 1 ? " column" : " columns", "; expected image, tab, caption"));
    }
    lines_.fail(cat(columns, columns == 1 ? " column" : " columns", "; expected ", columns_.count,
                    ", as the header has, and an image"));
  }

  LineReader lines_;
  Part part_;
  OnBadColumns on_bad_columns_;
  Columns columns_;
  ReadReport report_;
};

}  // namespace

std::unique_ptr<PairSource> open_captions(const std::string& file, Part part, const ReadOptions& options) {
  return std::make_unique<CaptionPairs>(file, part, options);
}

bool has_split(const std::string& file, const ReadOptions& options) {
  LineReader lines(file, options);
  std::string_view line;
  if (!lines.next(line)) return false;
  const std::optional<Columns> header = header_columns(line);
  return header && header->split != kNone;
}

std::vector<CaptionedPicture> read_captions(const std::string& file, Part part, const ReadOptions& options) {
  std::vector<CaptionedPicture> pictures;
  std::unordered_map<std::string, std::size_t> places;
  const std::unique_ptr<PairSource> pairs = open_captions(file, part, options);
  for (SentencePair pair; pairs->next(pair);) {
    const auto [place, fresh] = places.try_emplace(pair.source, pictures.size());
    if (fresh) pictures.push_back({pair.source, {}});
    pictures[place->second].captions.push_back(std::move(pair.target));
  }
  return pictures;
}

}  // namespace dhyan

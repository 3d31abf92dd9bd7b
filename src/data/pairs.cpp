#include "data/pairs.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <utility>

#include "core/error.h"
#include "data/parallel.h"
#include "data/tmx.h"

namespace dhyan {

namespace {

// A source whose first block was read already, to guess the format.
class SniffedBytes final : public ByteSource {
 public:
  explicit SniffedBytes(std::unique_ptr<ByteSource> bytes) : bytes_(std::move(bytes)) {
    constexpr std::size_t kBlock = 1 << 14;
    start_.resize(kBlock);
    std::size_t size = 0, n = 0;
    while (size < kBlock && (n = bytes_->read({start_.data() + size, kBlock - size})) > 0) size += n;
    start_.resize(size);
  }

  std::string_view start() const { return start_; }

  std::size_t read(std::span<char> into) override {
    if (given_ == start_.size()) return bytes_->read(into);
    const std::size_t n = start_.copy(into.data(), into.size(), given_);
    given_ += n;
    return n;
  }
  std::uint64_t bytes_read() const override { return bytes_->bytes_read(); }
  std::uint64_t bytes_in_all() const override { return bytes_->bytes_in_all(); }

 private:
  std::unique_ptr<ByteSource> bytes_;
  std::string start_;
  std::size_t given_ = 0;
};

// ".tsv" of "a.tsv.gz".
std::string extension_of(const std::string& file) {
  std::filesystem::path path(file);
  if (path.extension() == ".gz" || path.extension() == ".zst") path.replace_extension();
  std::string extension = path.extension().string();
  std::ranges::transform(extension, extension.begin(), [](unsigned char c) { return std::tolower(c); });
  return extension;
}

CorpusFormat guess(const std::string& file, std::string_view start) {
  const std::string extension = extension_of(file);
  if (extension == ".tmx") return CorpusFormat::kTmx;
  if (extension == ".tsv") return CorpusFormat::kTsv;
  using namespace std::string_view_literals;
  for (const std::string_view xml :
       {"<?xml"sv, "\xef\xbb\xbf<?xml"sv, "<tmx"sv, "\xff\xfe<\0?\0"sv, "\xfe\xff\0<\0?"sv}) {
    if (start.starts_with(xml)) return CorpusFormat::kTmx;
  }
  return start.substr(0, start.find('\n')).find('\t') != start.npos ? CorpusFormat::kTsv : CorpusFormat::kPlain;
}

std::unique_ptr<PairSource> open_one_file(const CorpusSpec& corpus, const ReadOptions& options) {
  const std::string& file = corpus.files.front();
  auto bytes = std::make_unique<SniffedBytes>(open_bytes(file, options.poll));
  const CorpusFormat format = corpus.format == CorpusFormat::kGuess ? guess(file, bytes->start()) : corpus.format;
  if (format == CorpusFormat::kTmx) return read_tmx(std::move(bytes), shown_name(file), options);
  LineReader lines(std::move(bytes), shown_name(file), options);
  if (format == CorpusFormat::kTsv) return read_tsv(std::move(lines), options.on_bad_columns);
  return read_plain(std::move(lines));
}

bool stands_alone(const std::string& file) {
  const std::string extension = extension_of(file);
  return extension == ".tsv" || extension == ".tmx";
}

void refuse_stdin_twice(const CorpusSpec& corpus) {
  const auto times = std::ranges::count(corpus.files, "-");
  if (times > 1) throw UsageError(cat("standard input is named ", times, " times; it can be read only once"));
}

}  // namespace

bool may_be_tmx(const CorpusSpec& corpus) {
  if (corpus.format == CorpusFormat::kTmx) return true;
  return corpus.format == CorpusFormat::kGuess && corpus.files.size() == 1 &&
         extension_of(corpus.files.front()) != ".tsv";
}

std::unique_ptr<PairSource> open_pairs(const CorpusSpec& corpus, const ReadOptions& options) {
  refuse_stdin_twice(corpus);
  const bool two =
      corpus.format == CorpusFormat::kParallel || (corpus.format == CorpusFormat::kGuess && corpus.files.size() == 2);
  const std::size_t expected = two ? 2 : 1;
  if (corpus.files.size() != expected) {
    throw UsageError(cat("corpus: ", corpus.files.size(), " files; expected ", two ? "two parallel ones" : "one"));
  }
  if (!two) return open_one_file(corpus, options);
  return read_parallel(LineReader(corpus.files[0], options), LineReader(corpus.files[1], options));
}

std::vector<CorpusSpec> group_files(std::span<const std::string> files, CorpusFormat format) {
  std::vector<CorpusSpec> corpora;
  std::vector<std::string> together;
  for (const std::string& file : files) {
    if (format == CorpusFormat::kGuess ? stands_alone(file) : format != CorpusFormat::kParallel) {
      corpora.push_back({{file}, format});
      continue;
    }
    together.push_back(file);
    if (together.size() == 2) corpora.push_back({std::exchange(together, {}), format});
  }
  if (together.empty()) return corpora;
  if (!corpora.empty() || format == CorpusFormat::kParallel) {
    throw UsageError(cat("'", together.front(), "' has no second file beside it; parallel files come in pairs"));
  }
  corpora.push_back({together, format});
  return corpora;
}

}  // namespace dhyan

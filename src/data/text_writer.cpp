#include "data/text_writer.h"

#include <algorithm>
#include <limits>
#include <new>
#include <utility>
#include <vector>
#include <zlib.h>
#include <zstd.h>

#include "core/error.h"
#include "core/file.h"
#include "data/byte_source.h"

namespace dhyan {

namespace {

// Collects small writes into blocks; the derived class writes a block.
class BlockSink : public TextSink {
 public:
  explicit BlockSink(const std::string& path) : file_(path) {}

  void write(std::string_view text) final {
    block_ += text;
    if (block_.size() < kBlock) return;
    encode(block_, false);
    block_.clear();
  }

  void commit() final {
    encode(block_, true);
    block_.clear();
    file_.commit();
  }

 protected:
  virtual void encode(std::string_view block, bool last) = 0;

  AtomicFile file_;

 private:
  std::string block_;
};

class PlainSink final : public BlockSink {
 public:
  using BlockSink::BlockSink;

 private:
  void encode(std::string_view block, bool) override { file_.write(block); }
};

class GzipSink final : public BlockSink {
 public:
  explicit GzipSink(const std::string& path) : BlockSink(path), out_(kBlock) {
    constexpr int kGzip = 16, kMemory = 8;
    if (::deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + kGzip, kMemory, Z_DEFAULT_STRATEGY) !=
        Z_OK) {
      throw std::bad_alloc();
    }
  }
  ~GzipSink() override { ::deflateEnd(&stream_); }

 private:
  void encode(std::string_view block, bool last) override {
    while (!block.empty() || last) {
      const std::string_view part = block.substr(0, std::numeric_limits<uInt>::max());
      block.remove_prefix(part.size());
      stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(part.data()));
      stream_.avail_in = static_cast<uInt>(part.size());
      const bool finishes = last && block.empty();
      do {
        stream_.next_out = reinterpret_cast<Bytef*>(out_.data());
        stream_.avail_out = static_cast<uInt>(out_.size());
        ::deflate(&stream_, finishes ? Z_FINISH : Z_NO_FLUSH);
        file_.write(std::string_view(out_.data(), out_.size() - stream_.avail_out));
      } while (stream_.avail_out == 0);
      if (finishes) return;
    }
  }

  z_stream stream_{};
  std::vector<char> out_;
};

class ZstdSink final : public BlockSink {
 public:
  explicit ZstdSink(const std::string& path) : BlockSink(path), out_(ZSTD_CStreamOutSize()) {
    if (stream_ == nullptr) throw std::bad_alloc();
    ZSTD_CCtx_setParameter(stream_.get(), ZSTD_c_checksumFlag, 1);
  }

 private:
  void encode(std::string_view block, bool last) override {
    ZSTD_inBuffer in{block.data(), block.size(), 0};
    std::size_t left = 0;
    do {
      ZSTD_outBuffer out{out_.data(), out_.size(), 0};
      left = ZSTD_compressStream2(stream_.get(), &out, &in, last ? ZSTD_e_end : ZSTD_e_continue);
      if (ZSTD_isError(left) != 0) throw WriteError(cat("zstd: ", ZSTD_getErrorName(left)));
      file_.write(std::string_view(out_.data(), out.pos));
    } while (last ? left != 0 : in.pos < in.size);
  }

  struct Free {
    void operator()(ZSTD_CStream* stream) const { ZSTD_freeCStream(stream); }
  };
  std::unique_ptr<ZSTD_CStream, Free> stream_{ZSTD_createCStream()};
  std::vector<char> out_;
};

}  // namespace

std::unique_ptr<TextSink> open_text_file(const std::string& path) {
  if (path.ends_with(".gz")) return std::make_unique<GzipSink>(path);
  if (path.ends_with(".zst")) return std::make_unique<ZstdSink>(path);
  return std::make_unique<PlainSink>(path);
}

std::uint64_t append_column(std::string& line, std::string_view text) {
  const std::size_t from = line.size();
  line += text;
  std::uint64_t tabs = 0;
  for (std::size_t i = line.find('\t', from); i != line.npos; i = line.find('\t', i)) {
    line[i] = ' ';
    ++tabs;
  }
  return tabs;
}

PairWriter::PairWriter(std::unique_ptr<TextSink> sources, std::unique_ptr<TextSink> targets)
    : sources_(std::move(sources)), targets_(std::move(targets)) {}

PairWriter::PairWriter(std::unique_ptr<TextSink> lines, bool two_sided) : sources_(std::move(lines)), tsv_(two_sided) {}

void PairWriter::write(const SentencePair& pair) {
  line_.clear();
  if (tsv_) {
    tabs_replaced_ += append_column(line_, pair.source);
    line_ += '\t';
    tabs_replaced_ += append_column(line_, pair.target);
  } else {
    line_ = pair.source;
  }
  line_ += '\n';
  sources_->write(line_);
  if (targets_ == nullptr) return;
  line_ = pair.target;
  line_ += '\n';
  targets_->write(line_);
}

void PairWriter::commit() {
  sources_->commit();
  if (targets_ != nullptr) targets_->commit();
}

}  // namespace dhyan

#include "data/byte_source.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <new>
#include <poll.h>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>
#include <zlib.h>
#include <zstd.h>

#include "core/error.h"

namespace dhyan {

namespace {

// The bytes of a file, not decompressed. Owns the descriptor, unless it is standard input.
class RawBytes final : public ByteSource {
 public:
  RawBytes(const std::string& file, std::function<void()> poll) : name_(shown_name(file)), poll_(std::move(poll)) {
    descriptor_ = file == "-" ? STDIN_FILENO : open_file(file);
    if (descriptor_ < 0) fail("cannot open");
    struct stat status {};
    if (::fstat(descriptor_, &status) != 0) fail("cannot stat");
    may_wait_ = !S_ISREG(status.st_mode);
    if (!may_wait_) in_all_ = static_cast<std::uint64_t>(status.st_size);
  }
  ~RawBytes() override {
    if (descriptor_ > STDIN_FILENO) ::close(descriptor_);
  }
  RawBytes(const RawBytes&) = delete;
  RawBytes& operator=(const RawBytes&) = delete;

  const std::string& name() const { return name_; }

  // The first bytes, up to four, which read() returns again. It does not read beyond the first line: the sender may
  // wait for a reply to it.
  std::string_view peek() {
    while (peeked_.size() < 4 && peeked_.find('\n') == peeked_.npos) {
      char more[4];
      const std::size_t n = read_descriptor({more, 4 - peeked_.size()});
      if (n == 0) break;
      peeked_.append(more, n);
    }
    return peeked_;
  }

  std::size_t read(std::span<char> into) override {
    if (peeked_.empty()) return read_descriptor(into);
    const std::size_t n = peeked_.copy(into.data(), into.size());
    peeked_.erase(0, n);
    return n;
  }

  bool ready(std::chrono::milliseconds wait) override {
    pollfd readable{.fd = descriptor_, .events = POLLIN, .revents = 0};
    return !peeked_.empty() || ::poll(&readable, 1, static_cast<int>(wait.count())) != 0;  // read() reports a failure
  }

  std::uint64_t bytes_read() const override { return read_; }
  std::uint64_t bytes_in_all() const override { return in_all_; }

 private:
  [[noreturn]] void fail(const char* what) const { throw IoError(cat(name_, ": ", what, ": ", std::strerror(errno))); }

  // Does not block on a pipe without a writer: no poll could end the wait here.
  static int open_file(const std::string& file) {
    const int opened = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (opened >= 0) ::fcntl(opened, F_SETFL, ::fcntl(opened, F_GETFL) & ~O_NONBLOCK);
    return opened;
  }

  // A signal that arrives just before read() would not interrupt it, so pipes and terminals are waited for in short
  // intervals.
  void wait_for_bytes() const {
    constexpr int kBetweenPolls = 200;  // milliseconds
    pollfd readable{.fd = descriptor_, .events = POLLIN, .revents = 0};
    while (true) {
      if (poll_) poll_();
      if (!may_wait_) return;
      const int ready = ::poll(&readable, 1, poll_ ? kBetweenPolls : -1);
      if (ready > 0 || (ready < 0 && errno != EINTR)) return;
    }
  }

  std::size_t read_descriptor(std::span<char> into) {
    while (true) {
      wait_for_bytes();
      const ssize_t n = ::read(descriptor_, into.data(), into.size());
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) fail("cannot read");
      read_ += static_cast<std::uint64_t>(n);
      return static_cast<std::size_t>(n);
    }
  }

  std::string name_, peeked_;
  std::function<void()> poll_;
  int descriptor_ = -1;
  bool may_wait_ = false;  // a pipe, a terminal
  std::uint64_t read_ = 0, in_all_ = 0;
};

// Compressed bytes, a block at a time.
class CompressedBytes : public ByteSource {
 public:
  explicit CompressedBytes(std::unique_ptr<RawBytes> raw) : raw_(std::move(raw)), block_(kBlock) {}

  std::uint64_t bytes_read() const override { return raw_->bytes_read(); }
  std::uint64_t bytes_in_all() const override { return raw_->bytes_in_all(); }

 protected:
  std::span<char> next_block() { return {block_.data(), raw_->read(block_)}; }
  [[noreturn]] void damaged(std::string_view what) const { throw DataError(cat(raw_->name(), ": ", what)); }

 private:
  std::unique_ptr<RawBytes> raw_;
  std::vector<char> block_;
};

// One or more gzip members ([RFC 1952] 2.2), as `cat a.gz b.gz` makes them.
class GzipBytes final : public CompressedBytes {
 public:
  explicit GzipBytes(std::unique_ptr<RawBytes> raw) : CompressedBytes(std::move(raw)) {
    constexpr int kGzipOnly = 16;
    if (::inflateInit2(&stream_, MAX_WBITS + kGzipOnly) != Z_OK) throw std::bad_alloc();
  }
  ~GzipBytes() override { ::inflateEnd(&stream_); }

  std::size_t read(std::span<char> into) override {
    stream_.next_out = reinterpret_cast<Bytef*>(into.data());
    stream_.avail_out = static_cast<uInt>(std::min(into.size(), kBlock));
    const uInt wanted = stream_.avail_out;
    while (stream_.avail_out == wanted) {
      if (stream_.avail_in == 0 && !refill()) return 0;
      if (std::exchange(between_members_, false)) ::inflateReset(&stream_);
      const int result = ::inflate(&stream_, Z_NO_FLUSH);
      if (result == Z_MEM_ERROR) throw std::bad_alloc();
      if (result == Z_STREAM_END) {
        between_members_ = true;
      } else if (result != Z_OK && result != Z_BUF_ERROR) {
        damaged(cat("damaged gzip data: ", stream_.msg != nullptr ? stream_.msg : "cannot be decompressed"));
      }
    }
    return wanted - stream_.avail_out;
  }

 private:
  bool refill() {
    const std::span<char> block = next_block();
    if (block.empty() && !between_members_) damaged("gzip data end too early; the file is truncated");
    stream_.next_in = reinterpret_cast<Bytef*>(block.data());
    stream_.avail_in = static_cast<uInt>(block.size());
    return !block.empty();
  }

  z_stream stream_{};
  bool between_members_ = false;
};

// One or more zstd frames.
class ZstdBytes final : public CompressedBytes {
 public:
  explicit ZstdBytes(std::unique_ptr<RawBytes> raw) : CompressedBytes(std::move(raw)) {
    if (stream_ == nullptr) throw std::bad_alloc();
  }

  std::size_t read(std::span<char> into) override {
    ZSTD_outBuffer out{into.data(), into.size(), 0};
    while (out.pos == 0) {
      if (in_.pos == in_.size && !holds_output_ && !refill()) return 0;
      const std::size_t left = ZSTD_decompressStream(stream_.get(), &out, &in_);
      if (ZSTD_isError(left) != 0) damaged(cat("damaged zstd data: ", ZSTD_getErrorName(left)));
      between_frames_ = left == 0;
      holds_output_ = left != 0 && out.pos == out.size;
    }
    return out.pos;
  }

 private:
  bool refill() {
    const std::span<char> block = next_block();
    if (block.empty() && !between_frames_) damaged("zstd data end too early; the file is truncated");
    in_ = {block.data(), block.size(), 0};
    return !block.empty();
  }

  struct Free {
    void operator()(ZSTD_DStream* stream) const { ZSTD_freeDStream(stream); }
  };
  std::unique_ptr<ZSTD_DStream, Free> stream_{ZSTD_createDStream()};
  ZSTD_inBuffer in_{nullptr, 0, 0};
  bool between_frames_ = false;
  bool holds_output_ = false;  // output that did not fit; read it before more input
};

bool is_zstd(std::string_view magic) {
  const bool frame = magic == "\x28\xb5\x2f\xfd";
  const bool skippable = magic.size() == 4 && (magic[0] & 0xf0) == 0x50 && magic.substr(1) == "\x2a\x4d\x18";
  return frame || skippable;
}

}  // namespace

std::string shown_name(const std::string& file) { return file == "-" ? "standard input" : file; }

std::unique_ptr<ByteSource> open_bytes(const std::string& file, std::function<void()> poll) {
  auto raw = std::make_unique<RawBytes>(file, std::move(poll));
  const std::string_view magic = raw->peek();
  if (magic.starts_with("\x1f\x8b")) return std::make_unique<GzipBytes>(std::move(raw));
  if (is_zstd(magic)) return std::make_unique<ZstdBytes>(std::move(raw));
  return raw;
}

}  // namespace dhyan

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "core/bus_error.h"
#include "core/error.h"
#include "core/file.h"
#include "core/number_text.h"

namespace dhyan {

namespace {

struct stat status_of(int descriptor, const std::string& path) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) throw IoError(cat(path, ": cannot stat: ", std::strerror(errno)));
  return status;
}

}  // namespace

// The mapped file, kept open to compare its state later: another file may have its name by then.
struct MappedFile::Origin {
  std::string path;
  int descriptor = -1;
  struct stat status {};
  std::unique_ptr<WatchedRange> watched = nullptr;  // null: no bytes are mapped

  ~Origin() {
    if (descriptor >= 0) ::close(descriptor);
  }
};

MappedFile::MappedFile(const std::filesystem::path& path, Access access) : origin_(std::make_unique<Origin>()) {
  origin_->path = path.string();
  // Non-blocking, so that a pipe is refused at once.
  origin_->descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (origin_->descriptor < 0) throw IoError(cat(path.string(), ": cannot open: ", std::strerror(errno)));
  origin_->status = status_of(origin_->descriptor, origin_->path);
  if (!S_ISREG(origin_->status.st_mode)) throw IoError(cat(path.string(), ": not a regular file"));
  const auto size = static_cast<std::size_t>(origin_->status.st_size);
  if (size == 0) return;  // mmap refuses an empty range
  const int protection = access == Access::kRead ? PROT_READ : PROT_READ | PROT_WRITE;
  void* memory = ::mmap(nullptr, size, protection, MAP_PRIVATE, origin_->descriptor, 0);
  if (memory == MAP_FAILED) throw IoError(cat(path.string(), ": cannot map: ", std::strerror(errno)));
  bytes_ = {static_cast<const std::byte*>(memory), size};
  origin_->watched = std::make_unique<WatchedRange>(bytes_);
}

MappedFile::~MappedFile() {
  origin_.reset();  // before munmap: the signal handler must not see unmapped memory
  if (!bytes_.empty()) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : bytes_(std::exchange(other.bytes_, {})), origin_(std::move(other.origin_)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(bytes_, other.bytes_);
  std::swap(origin_, other.origin_);
  return *this;
}

void MappedFile::release_pages(std::span<const std::byte> part) const {
  if (part.empty()) return;
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const auto begin = static_cast<std::size_t>(part.data() - bytes_.data()), end = begin + part.size();
  const std::size_t from = (begin + page - 1) / page * page, to = end / page * page;  // whole pages only
  if (from < to) ::madvise(const_cast<std::byte*>(bytes_.data()) + from, to - from, MADV_DONTNEED);
}

void MappedFile::expect_unchanged() const {
  if (origin_ == nullptr) return;
  constexpr const char* kAdvice = "; to replace a file that is in use, rename another one to its name (mv, not cp)";
  const struct stat now = status_of(origin_->descriptor, origin_->path);
  const struct stat& then = origin_->status;
  if (now.st_size != then.st_size) {
    throw IoError(cat(origin_->path, ": was changed while it was in use: it had ",
                      grouped(static_cast<std::uint64_t>(then.st_size)), " bytes and has ",
                      grouped(static_cast<std::uint64_t>(now.st_size)), " now", kAdvice));
  }
  if (now.st_mtim.tv_sec != then.st_mtim.tv_sec || now.st_mtim.tv_nsec != then.st_mtim.tv_nsec) {
    throw IoError(cat(origin_->path, ": was written to while it was in use", kAdvice));
  }
  if (origin_->watched != nullptr && origin_->watched->failed()) {
    throw IoError(cat(origin_->path, ": a part of it could not be read from the disk"));
  }
}

}  // namespace dhyan

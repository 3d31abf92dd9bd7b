#include "core/file.h"

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "core/error.h"

namespace dhyan {

namespace {

constexpr std::string_view kTemporary = ".tmp-";  // then the number of the process, and which attempt it was

std::string reason() { return std::strerror(errno); }

// The process whose temporary file has this name; 0 if it is no such name.
int writer_of(std::string_view name) {
  const std::size_t place = name.rfind(kTemporary);
  if (place == std::string_view::npos) return 0;
  int process = 0, attempt = 0;
  const char* end = name.data() + name.size();
  const auto first = std::from_chars(name.data() + place + kTemporary.size(), end, process);
  if (first.ec != std::errc() || first.ptr == end || *first.ptr != '-') return 0;
  const auto second = std::from_chars(first.ptr + 1, end, attempt);
  return second.ec == std::errc() && second.ptr == end ? process : 0;
}

bool is_device_or_pipe(const std::filesystem::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return false;
  return S_ISCHR(status.st_mode) || S_ISBLK(status.st_mode) || S_ISFIFO(status.st_mode);
}

// Closes a descriptor at the end of a scope.
struct Descriptor {
  int number;
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
};

}  // namespace

AtomicFile::AtomicFile(std::filesystem::path path) : path_(std::move(path)) {
  if (is_device_or_pipe(path_)) {
    descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) fail("cannot open");
    return;
  }
  // A name taken by a writer that died, or that is at work in another process, is passed over.
  for (int attempt = 0; attempt < 1000; ++attempt) {
    temporary_ = cat(path_.string(), kTemporary, ::getpid(), "-", attempt);
    descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ >= 0) return;
    if (errno != EEXIST) break;
  }
  throw WriteError(cat(path_.string(), ": cannot create a temporary file beside it: ", reason()));
}

AtomicFile::~AtomicFile() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::fail(const char* what) const { throw WriteError(cat(path_.string(), ": ", what, ": ", reason())); }

void AtomicFile::write(std::span<const std::byte> bytes) {
  if (descriptor_ < 0) throw UsageError(cat(path_.string(), ": written to after commit"));
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("cannot write");
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

void AtomicFile::write(std::string_view text) { write(std::as_bytes(std::span(text))); }

void AtomicFile::commit() {
  if (descriptor_ < 0) throw UsageError(cat(path_.string(), ": committed twice"));
  if (temporary_.empty()) {
    ::close(std::exchange(descriptor_, -1));
    return;
  }
  if (::fsync(descriptor_) != 0) fail("cannot sync");
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) fail("cannot rename the temporary file to it");
  ::close(std::exchange(descriptor_, -1));

  // The rename itself reaches the disk with the folder.
  const std::filesystem::path folder = path_.has_parent_path() ? path_.parent_path() : ".";
  const Descriptor opened{::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  if (opened.number < 0 || ::fsync(opened.number) != 0) fail("cannot sync its folder");
}

void write_file(const std::filesystem::path& path, std::string_view text) {
  AtomicFile file(path);
  file.write(text);
  file.commit();
}

void remove_leftovers(const std::filesystem::path& folder) {
  for (const std::filesystem::directory_entry& entry : std::filesystem::directory_iterator(folder)) {
    const int writer = writer_of(entry.path().filename().string());
    const bool gone = writer > 0 && ::kill(writer, 0) != 0 && errno == ESRCH;
    if (gone) std::filesystem::remove(entry.path());
  }
}

MappedFile::MappedFile(const std::filesystem::path& path, Access access) {
  // Not blocking: a pipe is to be refused, not waited for.
  const Descriptor opened{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  if (opened.number < 0) throw IoError(cat(path.string(), ": cannot open: ", reason()));
  struct stat status {};
  if (::fstat(opened.number, &status) != 0) throw IoError(cat(path.string(), ": cannot stat: ", reason()));
  if (!S_ISREG(status.st_mode)) throw IoError(cat(path.string(), ": not a regular file"));
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size == 0) return;  // an empty range cannot be mapped, and needs no mapping
  const int protection = access == Access::kRead ? PROT_READ : PROT_READ | PROT_WRITE;
  void* memory = ::mmap(nullptr, size, protection, MAP_PRIVATE, opened.number, 0);
  if (memory == MAP_FAILED) throw IoError(cat(path.string(), ": cannot map: ", reason()));
  bytes_ = {static_cast<const std::byte*>(memory), size};
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

void MappedFile::let_go(std::span<const std::byte> part) const {
  if (part.empty()) return;
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const auto begin = static_cast<std::size_t>(part.data() - bytes_.data()), end = begin + part.size();
  const std::size_t from = (begin + page - 1) / page * page, to = end / page * page;  // whole pages of it
  if (from < to) ::madvise(const_cast<std::byte*>(bytes_.data()) + from, to - from, MADV_DONTNEED);
}

MappedFile::MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(bytes_, other.bytes_);
  return *this;
}

}  // namespace dhyan

#include "core/file.h"

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "core/error.h"
#include "core/write_target.h"

namespace dhyan {

namespace {

constexpr std::string_view kTemporary = ".tmp-";  // followed by process id and attempt

std::string reason() { return std::strerror(errno); }

// The id of the process whose temporary file has this name; 0 if the name is not a temporary one.
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

// Closes a descriptor at the end of a scope.
struct Descriptor {
  int number;
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
};

}  // namespace

AtomicFile::AtomicFile(std::filesystem::path path) : path_(std::move(path)) {
  const WriteTarget target = write_target(path_);
  target_ = target.path;
  if (target.kind != WriteTarget::Kind::kReplace) {
    descriptor_ = target.kind == WriteTarget::Kind::kDescriptor ? ::fcntl(target.descriptor, F_DUPFD_CLOEXEC, 0)
                                                                : ::open(target_.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0 && errno == EINTR)
      throw OpenInterrupted(cat(path_.string(), ": a signal ended the wait for a reader"));
    if (descriptor_ < 0) fail("cannot open");
    return;
  }
  // Skips a name that another writer holds or that a dead one left behind.
  const bool replaces = ::access(target_.c_str(), F_OK) == 0;
  for (int attempt = 0; attempt < 1000; ++attempt) {
    temporary_ = cat(target_.string(), kTemporary, ::getpid(), "-", attempt);
    descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, replaces ? 0600 : 0666);
    if (descriptor_ >= 0) {
      copy_permissions(descriptor_, target_);
      return;
    }
    if (errno != EEXIST) break;
  }
  const std::filesystem::path folder = target_.has_parent_path() ? target_.parent_path() : ".";
  if (errno == ENOENT) throw WriteError(cat(path_.string(), ": there is no folder '", folder.string(), "'"));
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
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail("cannot rename the temporary file to it");
  ::close(std::exchange(descriptor_, -1));

  // The rename is on disk only after the folder is synced.
  const std::filesystem::path folder = target_.has_parent_path() ? target_.parent_path() : ".";
  const Descriptor opened{::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  if (opened.number < 0 || ::fsync(opened.number) != 0) fail("cannot sync its folder");
}

void write_file(const std::filesystem::path& path, std::string_view text) {
  AtomicFile file(path);
  file.write(text);
  file.commit();
}

bool is_temporary_name(std::string_view name) { return writer_of(name) > 0; }

void remove_leftovers(const std::filesystem::path& folder) {
  for (const std::filesystem::directory_entry& entry : std::filesystem::directory_iterator(folder)) {
    const int writer = writer_of(entry.path().filename().string());
    const bool gone = writer > 0 && ::kill(writer, 0) != 0 && errno == ESRCH;
    if (gone) std::filesystem::remove(entry.path());
  }
}

}  // namespace dhyan

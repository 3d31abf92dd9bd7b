#include "runs/folder_lock.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "translator/folder_contents.h"
#include "translator/model_folder.h"

namespace dhyan {

namespace fs = std::filesystem;

namespace {

std::string holder_text() {
  std::array<char, 256> host{};
  if (::gethostname(host.data(), host.size() - 1) != 0) host = {"an unknown host"};
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  ::gmtime_r(&now, &utc);
  std::array<char, 32> since{};
  std::strftime(since.data(), since.size(), "%Y-%m-%d %H:%M:%S UTC", &utc);
  return cat("process ", ::getpid(), " on ", host.data(), " since ", since.data(), '\n');
}

// The first line of the file. The file is untrusted, so only printable characters are kept.
std::string holder_named_in(int descriptor) {
  std::array<char, 400> text{};
  const ssize_t bytes = ::pread(descriptor, text.data(), text.size(), 0);
  std::string holder(text.data(), static_cast<std::size_t>(std::max<ssize_t>(bytes, 0)));
  holder.resize(std::min(holder.size(), holder.find('\n')));
  for (char& c : holder) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  }
  return holder.empty() ? "an unknown process" : holder;
}

bool is_same_file(int descriptor, const fs::path& path) {
  struct stat opened {};
  struct stat named {};
  return ::fstat(descriptor, &opened) == 0 && ::stat(path.c_str(), &named) == 0 && opened.st_ino == named.st_ino &&
         opened.st_dev == named.st_dev;
}

}  // namespace

FolderLock::FolderLock(const fs::path& folder, Lock lock) : folder_(folder), file_(folder / kLockFile) {
  if (folder.empty()) throw UsageError("the name of the output folder is empty");
  std::error_code failed;
  for (fs::path missing = fs::absolute(folder_).lexically_normal(); !fs::exists(missing, failed) && !failed;) {
    if (missing.has_filename()) made_.paths.push_back(missing);
    missing = missing.parent_path();
  }
  create_folder(folder_);
  while (!try_to_take(lock == nullptr ? ::flock : lock)) {
  }
}

FolderLock::~FolderLock() {
  if (descriptor_ >= 0) {
    ::unlink(file_.c_str());  // while it is locked, so that a process that opened it notices the removal
    ::close(descriptor_);
  }
}

FolderLock::MadeFolders::~MadeFolders() {
  std::error_code not_empty;
  for (const fs::path& folder : paths) {
    if (!fs::remove(folder, not_empty)) return;
  }
}

// False if the last holder removed the file before this process locked it: the name then belongs to another file.
bool FolderLock::try_to_take(Lock lock) {
  const int descriptor = ::open(file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (descriptor < 0) throw WriteError(cat(file_.string(), ": cannot create it: ", std::strerror(errno)));
  if (lock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    const int reason = errno;
    if (reason == EWOULDBLOCK) {
      const std::string holder = holder_named_in(descriptor);
      ::close(descriptor);
      throw IoError(cat(folder_.string(), ": another dhyan is writing to this folder: ", holder,
                        "; wait for its end, stop it, or name another folder with -o"));
    }
    warning_ = cat(folder_.string(), ": cannot be locked (", std::strerror(reason),
                   "); make sure that no other process writes to it");
  } else if (!is_same_file(descriptor, file_)) {
    ::close(descriptor);
    return false;
  }
  descriptor_ = descriptor;
  const std::string holder = holder_text();
  // The lock holds even if a full disk has no room for the name of the holder.
  if (::ftruncate(descriptor_, 0) == 0) (void)!::pwrite(descriptor_, holder.data(), holder.size(), 0);
  return true;
}

}  // namespace dhyan

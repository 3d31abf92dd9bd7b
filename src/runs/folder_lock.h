#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace dhyan {

// A lock on a folder, so that only one process writes to it: flock on a file in the folder, which names the holder. The
// operating system releases it when the process ends. Readers need no lock.
class FolderLock {
 public:
  using Lock = int (*)(int descriptor, int operation);  // has the signature of flock

  // Creates a missing folder. IoError, naming the holder, if another process has the lock; WriteError if the folder is
  // not writable.
  explicit FolderLock(const std::filesystem::path& folder, Lock lock = nullptr);

  // Also removes a folder that the constructor created and that is still empty.
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

  // A note for the user if the file system has no locks; else empty.
  const std::string& warning() const { return warning_; }

 private:
  // Removes the created folders that are empty at the end.
  struct MadeFolders {
    std::vector<std::filesystem::path> paths;  // the innermost first
    ~MadeFolders();
  };

  bool try_to_take(Lock lock);

  MadeFolders made_;  // first: destroyed last
  std::filesystem::path folder_, file_;
  std::string warning_;
  int descriptor_ = -1;
};

}  // namespace dhyan

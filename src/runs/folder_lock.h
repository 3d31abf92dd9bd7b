#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace dhyan {

// One process at a time writes to a folder: whoever holds this. The lock is one of the operating system (flock) on a
// file of the folder that names its holder, so that it ends with the process, however that ends. Reading the folder
// needs none.
class FolderLock {
 public:
  using Lock = int (*)(int descriptor, int operation);  // as flock

  // Makes the folder if need be. IoError, naming the holder, if another process has the lock; WriteError if nothing can
  // be written to the folder.
  explicit FolderLock(const std::filesystem::path& folder, Lock lock = nullptr);

  // A folder that was made for this and that is still empty goes as well.
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

  // What a user should know: that the file system has no locks. Empty if all is well.
  const std::string& warning() const { return warning_; }

 private:
  // Folders that were made; those that are empty at the end are removed.
  struct MadeFolders {
    std::vector<std::filesystem::path> paths;  // the innermost first
    ~MadeFolders();
  };

  bool try_to_take(Lock lock);

  MadeFolders made_;  // first: it goes last
  std::filesystem::path folder_, file_;
  std::string warning_;
  int descriptor_ = -1;
};

}  // namespace dhyan

#include "core/write_target.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "core/error.h"
#include "core/number_text.h"

namespace dhyan {

namespace fs = std::filesystem;

namespace {

constexpr int kMaxLinks = 40;  // like the kernel's limit

fs::path folder_of_name(const fs::path& path) { return path.has_parent_path() ? path.parent_path() : "."; }

bool is_on_procfs(const fs::path& folder) {
  struct statfs system {};
  return ::statfs(folder.c_str(), &system) == 0 && system.f_type == PROC_SUPER_MAGIC;
}

// The descriptor of this process that a link in /proc names; -1 for any other link.
int own_descriptor(const fs::path& link) {
  std::error_code failed;
  const fs::path folder = fs::canonical(folder_of_name(link), failed);
  if (failed) return -1;
  for (const char* own : {"/proc/self/fd", "/proc/thread-self/fd"}) {
    if (folder == fs::canonical(own, failed)) return parse_number<int>(link.filename().string()).value_or(-1);
  }
  return -1;
}

}  // namespace

WriteTarget write_target(const fs::path& path) {
  if (path.empty()) throw IoError("the name of the file to write is empty");
  fs::path at = path;
  for (int links = 0; links <= kMaxLinks; ++links) {
    // A link in /proc stands for an open file, whose name may be gone.
    if (is_on_procfs(folder_of_name(at))) {
      const int descriptor = own_descriptor(at);
      return {descriptor >= 0 ? WriteTarget::Kind::kDescriptor : WriteTarget::Kind::kInPlace, at, descriptor};
    }
    struct stat status {};
    if (::lstat(at.c_str(), &status) != 0)
      return {WriteTarget::Kind::kReplace, at};  // creating it will report the error
    if (S_ISDIR(status.st_mode)) throw IoError(cat(path.string(), ": is a folder; expected the name of a file"));
    if (S_ISREG(status.st_mode)) return {WriteTarget::Kind::kReplace, at};
    if (!S_ISLNK(status.st_mode)) return {WriteTarget::Kind::kInPlace, at};
    std::error_code failed;
    const fs::path target = fs::read_symlink(at, failed);
    if (failed) throw WriteError(cat(path.string(), ": cannot read the symbolic link: ", failed.message()));
    at = at.parent_path() / target;  // an absolute target replaces the left side
  }
  throw IoError(cat(path.string(), ": cannot be written: its symbolic links form a loop"));
}

void copy_permissions(int descriptor, const fs::path& replaced) {
  struct stat old {};
  struct stat made {};
  if (::lstat(replaced.c_str(), &old) != 0 || !S_ISREG(old.st_mode)) return;
  if (::fstat(descriptor, &made) != 0) return;
  mode_t mode = old.st_mode & 0777;
  const bool other_owner = made.st_uid != old.st_uid && ::fchown(descriptor, old.st_uid, old.st_gid) != 0;
  const bool group_lost =
      (other_owner || made.st_gid != old.st_gid) && ::fchown(descriptor, static_cast<uid_t>(-1), old.st_gid) != 0;
  if (group_lost) mode &= ~static_cast<mode_t>(S_IRWXG) | (mode & S_IRWXO) << 3;
  ::fchmod(descriptor, mode);
}

}  // namespace dhyan

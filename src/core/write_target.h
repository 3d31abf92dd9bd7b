#pragma once

#include <filesystem>
#include <string>

namespace dhyan {

// Where the bytes of an output file go, after its symbolic links are resolved.
struct WriteTarget {
  enum class Kind {
    kReplace,     // a regular file, or nothing yet: written under another name and renamed
    kInPlace,     // a device, a pipe, a socket, or a descriptor of another process: opened and written to
    kDescriptor,  // a descriptor of this process, such as /dev/stdout or /dev/fd/3: duplicated, which keeps its
                  // position and append mode
  };

  Kind kind = Kind::kReplace;
  std::filesystem::path path;  // to open or replace
  int descriptor = -1;         // with kDescriptor
};

// Throws IoError if the links form a loop.
WriteTarget write_target(const std::filesystem::path& path);

// Gives a new file the owner and permissions of the file it replaces, if there is one. If the group cannot be kept, its
// permissions are reduced to those of others.
void copy_permissions(int descriptor, const std::filesystem::path& replaced);

}  // namespace dhyan

#pragma once

#include <filesystem>
#include <string>

namespace dhyan {

// Where the bytes of an output file go, once the symbolic links of its name are followed.
struct WriteTarget {
  enum class Kind {
    kReplace,     // a regular file, or nothing yet: written under another name and renamed
    kInPlace,     // a device, a pipe, a socket, or a descriptor of another process: opened and written to
    kDescriptor,  // one of our own descriptors, as /dev/stdout and /dev/fd/3 name it: duplicated, so that its position
                  // and its append mode hold
  };

  Kind kind = Kind::kReplace;
  std::filesystem::path path;  // that is opened, or replaced
  int descriptor = -1;         // of kDescriptor
};

// WriteError if the links form a loop.
WriteTarget write_target(const std::filesystem::path& path);

// Gives a new file the owner and the permissions of the file whose place it takes, if there is one. Permissions of a
// group that cannot be kept are cut to those of everybody.
void take_over_permissions(int descriptor, const std::filesystem::path& replaced);

}  // namespace dhyan

// libFuzzer: whatever the bytes, a file of weights, of 8 bits or not, is refused with ModelFileError or gives weights
// that can be used.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

#include "autograd/tape.h"
#include "core/error.h"
#include "interop/parameter_file.h"
#include "ops/embedding.h"
#include "ops/linear.h"

namespace {

// A file in memory, under a name of its own.
class MemoryFile {
 public:
  MemoryFile(const std::uint8_t* data, std::size_t size) : descriptor_(memfd_create("fuzz", MFD_CLOEXEC)) {
    if (descriptor_ < 0 || ::write(descriptor_, data, size) != static_cast<ssize_t>(size)) std::abort();
  }
  ~MemoryFile() { ::close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dhyan;
  const MemoryFile file(data, size);
  ParameterSet parameters;
  Parameter &weight = parameters.add("W", {2, 3}), &table = parameters.add("t", {4, 2});
  weight.role = Role::kWeight;
  table.role = Role::kTable;
  try {
    load_settled_parameters(file.path(), parameters);
    Arena arena;
    Scope scope(arena);
    const RowId last[] = {3};
    linear(embedding(scope, scope.parameter(table), last), scope.parameter(weight));
  } catch (const ModelFileError&) {
  } catch (const IoError&) {  // an empty file cannot be mapped
  }
  return 0;
}

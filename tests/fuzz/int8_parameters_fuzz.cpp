// libFuzzer: a weight file, int8 or not, throws ModelFileError or gives usable weights.
#include <cstddef>
#include <cstdint>

#include "autograd/tape.h"
#include "core/error.h"
#include "interop/parameter_file.h"
#include "memory_file.h"
#include "ops/embedding.h"
#include "ops/linear.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dhyan;
  const MemoryFile file(data, size);
  ParameterSet parameters;
  Parameter &weight = parameters.add("W", {2, 3}), &table = parameters.add("t", {4, 2});
  weight.role = Role::kWeight;
  table.role = Role::kTable;
  try {
    load_matching_parameters(file.path(), parameters);
  } catch (const ModelFileError&) {
  } catch (const IoError&) {  // an empty file cannot be mapped
  }
  try {
    load_prepacked_parameters(file.path(), parameters);
    Arena arena;
    Scope scope(arena);
    const RowId last[] = {3};
    linear(embedding(scope, scope.parameter(table), last), scope.parameter(weight));
  } catch (const ModelFileError&) {
  } catch (const IoError&) {
  }
  return 0;
}

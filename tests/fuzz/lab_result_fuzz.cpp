// libFuzzer: the result of an experiment throws DataError, or is written and read back as it is.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "core/error.h"
#include "lab/result_files.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dhyan;
  try {
    const lab::LabResult result = lab::parse_result({reinterpret_cast<const char*>(data), size}, "result.json");
    const std::string written = lab::to_json(result);
    if (lab::to_json(lab::parse_result(written, "written")) != written) std::abort();
    for (const lab::ResultTable& table : result.tables) lab::to_csv(table);
  } catch (const DataError&) {
  }
  return 0;
}

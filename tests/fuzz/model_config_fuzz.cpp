// libFuzzer: a config.json throws ModelFileError, or its config can be written and read back.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "config/options.h"
#include "core/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dhyan;
  try {
    Config config;
    assign(config, parse_json("fuzz", {reinterpret_cast<const char*>(data), size}));
    Config again;
    assign(again, parse_json("again", to_json(config)));
    if (to_json(again) != to_json(config)) std::abort();
    assign(again, parse_yaml("again", to_yaml(config)));
    if (to_json(again) != to_json(config)) std::abort();
  } catch (const ModelFileError&) {
  }
  return 0;
}

// libFuzzer: a YAML file of settings throws ConfigError, or gives a config that can be written and read back.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "config/options.h"
#include "core/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dhyan;
  try {
    Config config;
    assign(config, parse_yaml("fuzz", {reinterpret_cast<const char*>(data), size}));
    Config again;
    assign(again, parse_yaml("again", to_yaml(config)));
    if (to_yaml(again) != to_yaml(config)) std::abort();
  } catch (const ConfigError&) {
  }
  return 0;
}

// libFuzzer: a file of keys throws DataError, or each first word of a line that is no comment is a key, and nothing
// that it is the beginning of is one unless it is in the file too.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <sstream>
#include <string>

#include "core/error.h"
#include "memory_file.h"
#include "server/api_keys.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dhyan;
  const MemoryFile file(data, size);
  try {
    const server::ApiKeys keys(file.path());
    std::set<std::string> known;
    std::istringstream lines(std::string(reinterpret_cast<const char*>(data), size));
    for (std::string line, key; std::getline(lines, line);) {
      if (std::istringstream(line) >> key && key.front() != '#') known.insert(key);
    }
    std::size_t found = 0;
    for (const std::string& key : known) {
      const auto limits = keys.find(key);
      if (limits) ++found;
      if (limits && (limits->requests_per_minute < 0 || limits->characters < 0)) std::abort();
      if (keys.find(key + "x") && !known.contains(key + "x")) std::abort();
    }
    if (keys.find("") || found > keys.size()) std::abort();
  } catch (const DataError&) {
  }
  return 0;
}

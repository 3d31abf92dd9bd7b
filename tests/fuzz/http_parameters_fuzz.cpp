// libFuzzer: whatever a client sends, its parameters throw BadRequest, or are UTF-8 and can be read as every kind. The
// first byte chooses the content type; the first line of the rest is the query, the other lines are the body.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "server/parameters.h"
#include "text/unicode.h"

namespace {

using namespace dhyan;
using namespace dhyan::server;

constexpr std::array kTypes{
    "",           "application/json", "application/x-www-form-urlencoded", "multipart/form-data; boundary=b",
    "text/plain", "image/png"};

template <class Read>
void read_or_refuse(const Read& read) {
  try {
    read();
  } catch (const BadRequest& error) {
    if (first_bad_byte(error.what())) std::abort();
  }
}

void read_all(const Parameters& given, std::string_view name) {
  read_or_refuse([&] {
    const auto text = given.text(name);
    if (text && first_bad_byte(*text)) std::abort();
    if (text && (!given.has(name) || given.is_list(name))) std::abort();
  });
  read_or_refuse([&] {
    for (const std::string& text : given.texts(name)) {
      if (first_bad_byte(text)) std::abort();
    }
  });
  read_or_refuse([&] { given.integer(name); });
  read_or_refuse([&] { given.real(name); });
  read_or_refuse([&] { given.flag(name); });
  if (const nlohmann::json* value = given.json(name)) value->dump();  // throws if it is not UTF-8
  if (const UploadedFile* file = given.file(name); file != nullptr && first_bad_byte(file->name)) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::size_t line = text.find('\n');
  HttpRequest request;
  request.query = text.substr(0, line);
  if (line != text.npos) request.body = text.substr(line + 1);
  request.headers = {{"content-type", kTypes[data[0] % kTypes.size()]}};
  read_or_refuse([&] {
    const Parameters given = Parameters::of(request);
    for (const char* name : {"q", "n", "", "file"}) read_all(given, name);
  });
  return 0;
}

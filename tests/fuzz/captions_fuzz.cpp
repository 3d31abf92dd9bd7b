// libFuzzer: a file of captions throws DataError, or gives names and captions in UTF-8 without tabs and line ends, and
// grouped by picture they are as many. The first byte chooses the policies and the part.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

#include "core/error.h"
#include "data/captions.h"
#include "text/unicode.h"

namespace {

using namespace dhyan;

bool is_clean(const std::string& text) {
  return !first_bad_byte(text) && text.find_first_of("\n\t") == text.npos && text.find('\0') == text.npos;
}

void read_all(const std::string& path, Part part, const ReadOptions& options) {
  const auto pairs = open_captions(path, part, options);
  std::uint64_t given = 0, grouped = 0;
  for (SentencePair pair; pairs->next(pair); ++given) {
    if (pair.source.empty() || !is_clean(pair.source) || !is_clean(pair.target)) std::abort();
  }
  const ReadReport report = pairs->report();
  if (report.pairs != given || report.lines < given) std::abort();
  for (const CaptionedPicture& picture : read_captions(path, part, options)) grouped += picture.captions.size();
  if (grouped != given) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const int descriptor = memfd_create("captions_fuzz", MFD_CLOEXEC);
  static const std::string path = "/proc/self/fd/" + std::to_string(descriptor);
  if (size == 0) return 0;
  const ReadOptions options{.on_bad_utf8 = static_cast<OnBadUtf8>(data[0] % 3),
                            .on_bad_columns = static_cast<OnBadColumns>(data[0] / 3 % 2),
                            .max_line_bytes = 200};
  if (ftruncate(descriptor, 0) != 0 || pwrite(descriptor, data + 1, size - 1, 0) != static_cast<ssize_t>(size - 1)) {
    std::abort();
  }
  try {
    read_all(path, static_cast<Part>(data[0] / 6 % 3), options);
  } catch (const DataError&) {
  }
  return 0;
}

#include "translator/translate_stream.h"

#include <algorithm>
#include <exception>

namespace dhyan {

namespace {

// At least one line unless there is none, and those that are there behind it.
struct Window {
  std::vector<std::string> lines;
  bool ended = false;
  std::exception_ptr failure;  // of the line after them
};

Window next_window(LineReader& input, Index size, std::chrono::milliseconds patience) {
  Window window;
  try {
    do {
      std::string_view line;
      if (!input.next(line)) {
        window.ended = true;
        break;
      }
      window.lines.emplace_back(line);
    } while (std::ssize(window.lines) < size && input.ready(patience));
  } catch (...) {
    window.failure = std::current_exception();
  }
  return window;
}

}  // namespace

void translate_stream(const Translator& translator, LineReader& input, const StreamOptions& options,
                      const std::function<void(std::vector<Translation>&&)>& give) {
  for (Index size = options.first_window;; size = std::min(2 * size, options.largest_window)) {
    const Window window = next_window(input, size, options.patience);
    for (std::vector<Translation>& translations : translator.translate(window.lines, options.search, options.workers)) {
      give(std::move(translations));
    }
    if (window.failure) std::rethrow_exception(window.failure);
    if (window.ended) return;
  }
}

}  // namespace dhyan

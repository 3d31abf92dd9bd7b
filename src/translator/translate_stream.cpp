#include "translator/translate_stream.h"

#include <algorithm>
#include <exception>

namespace dhyan {

namespace {

// At least one line unless there is none, and those that are there behind it.
struct LineWindow {
  std::vector<std::string> lines;
  bool ended = false;
  std::exception_ptr failure;  // of the line after them
};

LineWindow next_window(LineReader& input, Index size, std::chrono::milliseconds patience) {
  LineWindow window;
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
                      const std::function<void(const NBestLists& window)>& give) {
  for (Index size = options.first_window;; size = std::min(2 * size, options.largest_window)) {
    const LineWindow window = next_window(input, size, options.patience);
    if (!window.lines.empty()) give(translator.translate(window.lines, options.search, options.workers));
    if (window.failure) std::rethrow_exception(window.failure);
    if (window.ended) return;
  }
}

}  // namespace dhyan

#include "translator/translate_stream.h"

#include <algorithm>
#include <exception>

#include "core/error.h"
#include "core/pluralize.h"
#include "translator/split_lines.h"

namespace dhyan {

namespace {

// At least one line unless the input has ended, and the lines that arrived with it.
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

// Line n of a file that is parallel to the input.
std::string partner_of(LineReader& lines, const LineReader& input, std::uint64_t n) {
  std::string_view line;
  if (!lines.next(line)) {
    throw DataError(cat(lines.name(), ": has ", pluralize(lines.number(), "line"), ", ", input.name(),
                        " has more; line ", n, " has no partner"));
  }
  return std::string(line);
}

void expect_end(LineReader* lines, const LineReader& input) {
  std::string_view line;
  if (lines != nullptr && lines->next(line)) lines->fail(cat("one more line than ", input.name()));
}

// Collapses blanks: with a tokenizer that keeps blanks, a required phrase has single ones.
std::string with_single_blanks(std::string_view phrase) {
  std::string text;
  for (const char byte : phrase) {
    if (byte != ' ' || (!text.empty() && text.back() != ' ')) text += byte;
  }
  if (text.ends_with(' ')) text.pop_back();
  return text;
}

std::vector<std::string> phrases_of(std::string_view line) {
  std::vector<std::string> phrases;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find('\t', begin), line.size());
    phrases.push_back(with_single_blanks(line.substr(begin, end - begin)));
    begin = end + 1;
  }
  std::erase(phrases, "");
  return phrases;
}

std::vector<LineConstraints> demands_of(const LineWindow& window, const StreamOptions& options, const LineReader& input,
                                        std::uint64_t first_line) {
  std::vector<LineConstraints> constraints;
  if (options.prefixes == nullptr && options.required == nullptr) return constraints;
  for (std::uint64_t n = first_line + 1; n <= first_line + window.lines.size(); ++n) {
    LineConstraints& one = constraints.emplace_back();
    if (options.prefixes != nullptr) one.prefix = partner_of(*options.prefixes, input, n);
    if (options.required != nullptr) one.required = phrases_of(partner_of(*options.required, input, n));
  }
  return constraints;
}

}  // namespace

void translate_stream(const Translator& translator, LineReader& input, const StreamOptions& options,
                      const std::function<void(const NBestLists& window)>& give) {
  TranslationOptions translation = options.translation;
  if (options.prefixes != nullptr) translation.prefix_file = options.prefixes->name();
  if (options.required != nullptr) translation.required_file = options.required->name();
  const Index most = std::max<Index>(1, options.largest_window / std::max<Index>(1, translation.search.n_best));
  Index size = std::min(options.first_window, most);
  for (Index number = 0;; ++number) {
    if (number > 0 && options.shares == 1) size = std::min(2 * size, most);
    const LineWindow window = next_window(input, size, options.patience);
    if (!window.lines.empty()) {
      translation.constraints = demands_of(window, options, input, translation.first_line);
      if (number % options.shares != options.share) {
        options.pass_over(number, window.lines.size());
      } else {
        give(options.split_sentences ? translate_sentences(translator, window.lines, translation, options.workers)
                                     : translator.translate_with(window.lines, translation, options.workers));
      }
      translation.first_line += window.lines.size();
    }
    if (window.failure) std::rethrow_exception(window.failure);
    if (!window.ended) continue;
    expect_end(options.prefixes, input);
    return expect_end(options.required, input);
  }
}

}  // namespace dhyan

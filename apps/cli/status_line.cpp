#include "cli/status_line.h"

#include <cstdlib>
#include <cstring>
#include <string>
#include <sys/ioctl.h>
#include <unistd.h>

#include "core/error.h"
#include "text/display.h"

namespace dhyan::cli {

namespace {

constexpr const char* kEraseLine = "\r\x1b[K";

bool is_terminal(int descriptor) {
  const char* terminal = std::getenv("TERM");
  return terminal != nullptr && std::strcmp(terminal, "dumb") != 0 && ::isatty(descriptor) == 1;
}

void write_if_possible(int descriptor, std::string_view text) {
  [[maybe_unused]] const ssize_t written = ::write(descriptor, text.data(), text.size());
}

// A line that is too long would wrap, and could not be drawn over.
std::string cut_to_width(int descriptor, std::string_view text) {
  winsize size{};
  if (::ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return std::string(text);
  return cut(text, size.ws_col - 1);
}

}  // namespace

StatusLine::StatusLine(int descriptor) : descriptor_(descriptor), terminal_(is_terminal(descriptor)) {}

void StatusLine::show(std::string_view text) {
  if (!terminal_) return;
  write_if_possible(descriptor_, cat(kEraseLine, cut_to_width(descriptor_, text)));
  drawn_ = true;
}

void StatusLine::print(std::string_view text) {
  clear();
  write_if_possible(descriptor_, cat(text, '\n'));
}

void StatusLine::clear() {
  if (drawn_) write_if_possible(descriptor_, kEraseLine);
  drawn_ = false;
}

}  // namespace dhyan::cli

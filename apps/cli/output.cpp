#include "cli/output.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/interrupt.h"
#include "core/error.h"

namespace dhyan::cli {

void Output::write(std::string_view text) {
  while (!text.empty() && descriptor_ != kNowhere) {
    throw_if_interrupted();
    const ssize_t written = ::write(descriptor_, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0 && errno == EPIPE) throw ReaderGone();
    if (written < 0) throw WriteError(cat("standard output: cannot write: ", std::strerror(errno)));
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

bool Output::colour() const {
  const char* none = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  const bool refused = none != nullptr && *none != '\0';
  const bool capable = terminal != nullptr && std::strcmp(terminal, "dumb") != 0;
  return capable && !refused && is_terminal();
}

bool Output::is_terminal() const { return ::isatty(descriptor_) == 1; }

Index Output::width() const {
  winsize size{};
  return ::ioctl(descriptor_, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

}  // namespace dhyan::cli

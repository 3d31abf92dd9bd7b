#pragma once

namespace dhyan::cli {

// Thrown at a point where a command can stop: leaves through main() with exit code 130.
struct Interrupted {};

// From now on the first SIGINT, SIGTERM or SIGHUP only asks: long work looks at interrupted() often, saves and stops. A
// blocking system call returns with EINTR. A second signal, a third of a second later or more, ends the process at
// once, with exit code 130. SIGHUP stays ignored if it was. A pipe closed by its reader, or a limit on the size of
// files, becomes an error of write() instead of a signal.
void catch_signals();

bool interrupted();

void throw_if_interrupted();

}  // namespace dhyan::cli

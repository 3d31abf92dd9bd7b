#pragma once

#include <functional>

namespace dhyan {

// Runs uninterruptible `work` on its own thread and calls `poll` a few times a second until it is done; rethrows
// exceptions of `work`. If `poll` throws, the exception is rethrown at once and the work continues in the background:
// `work` must own everything it uses. A program that returns from main() waits for such threads; _exit() does not.
// Without a poll the work runs on this thread.
void run_polled(std::function<void()> work, const std::function<void()>& poll);

}  // namespace dhyan

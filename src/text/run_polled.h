#pragma once

#include <functional>

namespace dhyan {

// Runs `work`, which nothing can interrupt, on a thread of its own, and calls `poll` a few times a second until it is
// done; what `work` throws is thrown here. If `poll` throws, that is thrown at once and the work goes on in the
// background until it ends by itself: `work` must own all that it uses. A program that returns from main() waits for
// such threads, one that ends by _exit() does not. Without a poll the work is done on this thread.
void run_polled(std::function<void()> work, const std::function<void()>& poll);

}  // namespace dhyan

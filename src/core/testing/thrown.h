#pragma once

#include <gtest/gtest.h>
#include <string>

namespace dhyan {

// For tests: the message of the E that f throws; the test fails if it throws none.
template <class E, class F>
std::string thrown(const F& f) {
  try {
    f();
  } catch (const E& error) {
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

}  // namespace dhyan

#pragma once

#include <string_view>

namespace dhyan::cli {

// The last line of a terminal, drawn over and over while work goes on, with lines that stay above it. What cannot be
// shown must not stop the work: errors of writing are passed over.
class StatusLine {
 public:
  explicit StatusLine(int descriptor = 2);
  ~StatusLine() { clear(); }
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  bool terminal() const { return terminal_; }  // else nothing can be drawn over: show() does nothing

  void show(std::string_view text);   // until the next call; cut to the width of the terminal
  void print(std::string_view text);  // a line that stays
  void clear();

 private:
  int descriptor_;
  bool terminal_;
  bool drawn_ = false;
};

}  // namespace dhyan::cli

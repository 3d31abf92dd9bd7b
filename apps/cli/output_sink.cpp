#include "cli/output_sink.h"

#include <utility>

namespace dhyan::cli {

namespace {

class OutputSink final : public TextSink {
 public:
  explicit OutputSink(Output& output) : output_(output) {}
  void write(std::string_view text) override {
    constexpr std::size_t kBlock = 1 << 16;
    block_ += text;
    if (block_.size() >= kBlock) commit();
  }
  void commit() override { output_.write(std::exchange(block_, {})); }

 private:
  Output& output_;
  std::string block_;
};

}  // namespace

std::unique_ptr<TextSink> open_sink(const std::string& file, Output& output) {
  if (file == "-") return std::make_unique<OutputSink>(output);
  return open_text_file(file);
}

}  // namespace dhyan::cli

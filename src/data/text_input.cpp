#include "data/text_input.h"

#include <cstddef>
#include <span>
#include <utility>

#include "core/error.h"

namespace dhyan {

namespace {

class TextBytes final : public ByteSource {
 public:
  explicit TextBytes(std::string text) : text_(std::move(text)) {}

  std::size_t read(std::span<char> into) override {
    const std::size_t count = text_.copy(into.data(), into.size(), at_);
    at_ += count;
    return count;
  }
  std::uint64_t bytes_read() const override { return at_; }
  std::uint64_t bytes_in_all() const override { return text_.size(); }

 private:
  std::string text_;
  std::size_t at_ = 0;
};

}  // namespace

std::string TextInput::name() const { return text ? "the text" : shown_name(file); }

LineReader open_lines(const TextInput& input, const ReadOptions& options) {
  if (!input.text) return {input.file, options};
  const bool ended = input.text->ends_with('\n');  // the text ends with an empty line
  return {std::make_unique<TextBytes>(ended ? *input.text : cat(*input.text, '\n')), input.name(), options};
}

}  // namespace dhyan

#include "markup/flow.h"

#include <algorithm>
#include <utility>

#include "text/sentences.h"
#include "text/unicode.h"

namespace dhyan {

namespace {

constexpr std::string_view kFlowSpace = " \t\n\f\r";

bool has_letter_or_number(std::string_view text) {
  for (const Character& character : Characters(text)) {
    const char category = major_category(character.code);
    if (category == 'L' || category == 'N') return true;
  }
  return false;
}

class FlowBuilder {
 public:
  explicit FlowBuilder(const FlowOptions& options) : options_(options) {}

  std::vector<Flow> run(std::span<const MarkupToken> tokens) {
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      if (tokens[i].kind == MarkupToken::Kind::kStart && tokens[i].copied) {
        i = copy_element(tokens, i);
      } else {
        add(tokens[i]);
      }
    }
    end_flow();
    flows_.push_back({.before = std::move(before_)});
    return std::move(flows_);
  }

 private:
  using Kind = FlowItem::Kind;

  void add(const MarkupToken& token) {
    if (token.kind == MarkupToken::Kind::kText) return add_text(token.text);
    if (token.role == ElementRole::kBlock) return add_block(token.source);
    if (token.kind == MarkupToken::Kind::kStart) return add_item(Kind::kOpen, token.source);
    if (token.kind == MarkupToken::Kind::kEnd) return add_item(Kind::kClose, token.source);
    const bool visible = token.kind == MarkupToken::Kind::kVoid && token.role == ElementRole::kInline;
    add_item(visible ? Kind::kVisible : Kind::kInvisible, token.source);
  }

  // Copies the element that begins at `first` and returns the number of its end token. An element without an end tag
  // is not moved: its last bytes could begin a tag before other text.
  std::size_t copy_element(std::span<const MarkupToken> tokens, std::size_t first) {
    const char* end = tokens[first].source.data() + tokens[first].source.size();
    std::size_t i = first;
    for (int depth = 1; depth > 0;) {
      const MarkupToken& token = tokens[++i];
      depth += token.kind == MarkupToken::Kind::kStart ? 1 : token.kind == MarkupToken::Kind::kEnd ? -1 : 0;
      if (!token.source.empty()) end = token.source.data() + token.source.size();
    }
    const std::string_view source(tokens[first].source.data(), end);
    const ElementRole role = tokens[i].source.empty() ? ElementRole::kBlock : tokens[first].role;
    if (role == ElementRole::kBlock) {
      add_block(source);
    } else {
      add_item(role == ElementRole::kInline ? Kind::kVisible : Kind::kInvisible, source);
    }
    return i;
  }

  void add_block(std::string_view source) {
    end_flow();
    before_ += source;
  }

  void add_item(Kind kind, std::string_view source) {
    flow_.items.push_back({kind, std::string(source), static_cast<Index>(flow_.text.size()), after_space_});
    verbatim_ += source;
    if (kind != Kind::kVisible) return;
    after_space_ = false;
    trailing_.clear();
    last_visible_ = flow_.items.size();
  }

  void add_text(std::string_view text) {
    while (!text.empty()) {
      const bool space = kFlowSpace.find(text.front()) != kFlowSpace.npos;
      const std::size_t end = space ? text.find_first_not_of(kFlowSpace) : text.find_first_of(kFlowSpace);
      const std::string_view run = text.substr(0, end);
      text.remove_prefix(run.size());
      if (!space) {
        add_word(run);
      } else if (options_.collapse_space) {
        add_space(run);
      } else {
        add_lines(run);
      }
    }
  }

  void add_word(std::string_view word) {
    flow_.text += word;
    verbatim_ += options_.markup ? escape_markup(word) : word;
    trailing_.clear();
    last_visible_ = 0;
    after_space_ = false;
  }

  void add_space(std::string_view run) {
    verbatim_ += run;
    see_space();
    const bool first = flow_.text.empty() && last_visible_ == 0;
    std::string& outer = first ? leading_ : trailing_;
    if (!options_.collapse_space || outer.empty()) outer += run;
    if (flow_.text.empty() || space_is_counted()) return;
    flow_.text += options_.collapse_space ? " " : run;
  }

  void see_space() {
    if (last_visible_ > 0) flow_.items[last_visible_ - 1].space_after = true;
    after_space_ = true;
  }

  // White space on both sides of an item is one space of the text.
  bool space_is_counted() const {
    return (options_.collapse_space || last_visible_ > 0) && kFlowSpace.find(flow_.text.back()) != kFlowSpace.npos;
  }

  // White space stays as it is; line breaks end the flow.
  void add_lines(std::string_view run) {
    while (!run.empty()) {
      const std::size_t blank = std::min(run.find_first_of("\r\n"), run.size());
      if (blank > 0) add_space(run.substr(0, blank));
      run.remove_prefix(blank);
      const std::size_t breaks = std::min(run.find_first_not_of("\r\n"), run.size());
      if (breaks > 0) add_block(run.substr(0, breaks));
      run.remove_prefix(breaks);
    }
  }

  // Keeps the flow if it has text to translate; else its bytes go before the next flow.
  void end_flow() {
    see_space();  // nothing touches the last item
    const bool wanted = !options_.markup || has_letter_or_number(flow_.text);
    if (wanted) flow_.sentences = sentence_ranges(flow_.text);
    if (flow_.sentences.empty()) {
      before_ += verbatim_;
    } else {
      keep_flow();
    }
    flow_ = {};
    verbatim_.clear();
    leading_.clear();
    trailing_.clear();
    last_visible_ = 0;
    after_space_ = true;
  }

  void keep_flow() {
    flow_.text.erase(flow_.text.find_last_not_of(kFlowSpace) + 1);  // it is in trailing_
    const ByteRange inner = {flow_.sentences.front().begin, flow_.sentences.back().end};
    const std::string_view text = flow_.text;
    flow_.before = std::exchange(before_, {});
    flow_.leading = leading_ + std::string(part(text, {0, inner.begin}));
    flow_.trailing = std::string(part(text, {inner.end, static_cast<Index>(text.size())})) + trailing_;
    flows_.push_back(std::move(flow_));
  }

  FlowOptions options_;
  std::vector<Flow> flows_;
  std::string before_;
  Flow flow_;                       // the current one
  std::string verbatim_;            // its bytes
  std::string leading_, trailing_;  // white space at its ends
  std::size_t last_visible_ = 0;    // the number of its last visible item + 1, if only white space followed
  bool after_space_ = true;         // the last visible text was white space, or there was none
};

}  // namespace

std::vector<Flow> flows(std::span<const MarkupToken> tokens, const FlowOptions& options) {
  return FlowBuilder(options).run(tokens);
}

std::string escape_markup(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '&') {
      escaped += "&amp;";
    } else if (c == '<') {
      escaped += "&lt;";
    } else if (c == '>') {
      escaped += "&gt;";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

}  // namespace dhyan

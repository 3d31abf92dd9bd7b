#include "markup/balance.h"

#include <string>
#include <unordered_map>
#include <utility>

#include "markup/html_elements.h"

namespace dhyan {

namespace {

class Balancer {
 public:
  std::vector<MarkupToken> run(std::vector<MarkupToken> tokens) {
    for (MarkupToken& token : tokens) {
      if (token.kind == MarkupToken::Kind::kStart) {
        start(std::move(token));
      } else if (token.kind == MarkupToken::Kind::kEnd) {
        end(std::move(token));
      } else {
        if (token.kind == MarkupToken::Kind::kVoid) close_before(token.name);
        balanced_.push_back(std::move(token));
      }
    }
    while (!open_.empty()) close_innermost();
    return std::move(balanced_);
  }

 private:
  struct Open {
    std::string name;
    ElementRole role;
  };

  void start(MarkupToken token) {
    close_before(token.name);
    ++count_[token.name];
    if (token.role == ElementRole::kBlock) blocks_.push_back(open_.size());
    open_.push_back({token.name, token.role});
    balanced_.push_back(std::move(token));
  }

  void close_before(const std::string& start) {
    while (!blocks_.empty() && ends_implicitly(open_[blocks_.back()].name, start)) {
      const std::size_t block = blocks_.back();
      while (open_.size() > block) close_innermost();
    }
  }

  void end(MarkupToken token) {
    const auto count = count_.find(token.name);
    if (count == count_.end() || count->second == 0) {
      token.kind = MarkupToken::Kind::kOther;
    } else {
      while (open_.back().name != token.name) close_innermost();
      pop();
    }
    balanced_.push_back(std::move(token));
  }

  void close_innermost() {
    balanced_.push_back({.kind = MarkupToken::Kind::kEnd, .name = open_.back().name, .role = open_.back().role});
    pop();
  }

  void pop() {
    --count_[open_.back().name];
    open_.pop_back();
    if (!blocks_.empty() && blocks_.back() == open_.size()) blocks_.pop_back();
  }

  std::vector<Open> open_;
  std::vector<std::size_t> blocks_;             // those of open_ that are blocks
  std::unordered_map<std::string, int> count_;  // of open elements by name
  std::vector<MarkupToken> balanced_;
};

}  // namespace

std::vector<MarkupToken> balanced(std::vector<MarkupToken> tokens) { return Balancer().run(std::move(tokens)); }

}  // namespace dhyan

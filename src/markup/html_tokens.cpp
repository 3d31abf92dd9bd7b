#include "markup/html_tokens.h"

#include <algorithm>
#include <gumbo.h>
#include <memory>
#include <unordered_set>

#include "core/error.h"
#include "markup/balance.h"
#include "markup/html_elements.h"

namespace dhyan {

namespace {

constexpr std::string_view kBlanks = " \t\n\f\r";

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

std::string small_letters(std::string_view text) {
  std::string small(text);
  for (char& c : small) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return small;
}

class HtmlScanner {
 public:
  HtmlScanner(std::string_view document, const std::vector<std::string>& ignored) : document_(document) {
    for (const std::string& name : ignored) ignored_.insert(small_letters(name));
  }

  std::vector<MarkupToken> tokens() {
    while (at_ < document_.size()) {
      const std::size_t open = document_.find('<', at_);
      if (open == document_.npos) break;
      at_ = open;
      markup(open);
    }
    add_text(document_.size());
    return std::move(tokens_);
  }

 private:
  char byte(std::size_t at) const { return at < document_.size() ? document_[at] : '\0'; }

  // Reads the token that begins with the `<` at `open`; if none does, the `<` is text.
  void markup(std::size_t open) {
    const char next = byte(open + 1);
    if (is_letter(next) || (next == '/' && is_letter(byte(open + 2)))) {
      tag(open);
    } else if (document_.substr(open).starts_with("<!--")) {
      add_other(open, comment_end(open + 4));
    } else if (next == '!' || next == '?' || (next == '/' && open + 2 < document_.size())) {
      add_other(open, behind(">", open + 2));
    } else {
      ++at_;
    }
  }

  std::size_t behind(std::string_view end, std::size_t from) const {
    const std::size_t found = document_.find(end, from);
    return found == document_.npos ? found : found + end.size();
  }

  std::size_t comment_end(std::size_t from) const {
    for (const std::string_view abrupt : {">", "->"}) {
      if (document_.substr(from).starts_with(abrupt)) return from + abrupt.size();
    }
    for (std::size_t dashes = document_.find("--", from); dashes != document_.npos;
         dashes = document_.find("--", dashes + 1)) {
      if (byte(dashes + 2) == '>') return dashes + 3;
      if (byte(dashes + 2) == '!' && byte(dashes + 3) == '>') return dashes + 4;
    }
    return document_.npos;
  }

  // Adds the text before `end`, which begins after the last token.
  void add_text(std::size_t end) {
    if (end > begin_) {
      const std::string_view source = document_.substr(begin_, end - begin_);
      tokens_.push_back({.source = source, .text = decode_entities(source)});
    }
    begin_ = at_ = end;
  }

  MarkupToken& add(MarkupToken::Kind kind, std::size_t open, std::size_t end) {
    add_text(open);
    tokens_.push_back({.kind = kind, .source = document_.substr(open, end - open)});
    begin_ = at_ = end;
    return tokens_.back();
  }

  // A comment, a doctype or the like. It stays at the end of a document that does not finish it.
  void add_other(std::size_t open, std::size_t end) {
    const bool finished = end != document_.npos;
    MarkupToken& token = add(MarkupToken::Kind::kOther, open, finished ? end : document_.size());
    token.role = finished ? ElementRole::kInvisible : ElementRole::kBlock;
  }

  struct Tag {
    std::string name;
    std::size_t end = 0;        // 0: the document ends inside the tag
    std::size_t value_end = 0;  // of the last attribute
    bool self_closing = false;
    bool copied = false;
  };

  void tag(std::size_t open) {
    const bool ends = byte(open + 1) == '/';
    const Tag tag = read_tag(open + (ends ? 2 : 1));
    if (tag.end == 0) {
      at_ = document_.size();  // the rest is text
      return;
    }
    const HtmlElement element = html_element(tag.name);
    const bool is_void = !ends && (element.content == HtmlContent::kVoid || tag.self_closing);
    const auto kind = ends ? MarkupToken::Kind::kEnd : is_void ? MarkupToken::Kind::kVoid : MarkupToken::Kind::kStart;
    MarkupToken& token = add(kind, open, tag.end);
    token.name = tag.name;
    token.role = element.role;
    token.copied = element.copied || tag.copied || ignored_.contains(tag.name);
    if (kind == MarkupToken::Kind::kStart) raw_text(tag.name, element.content);
  }

  Tag read_tag(std::size_t at) const {
    Tag tag;
    const std::size_t name_end = std::min(document_.find_first_of(" \t\n\f\r/>", at), document_.size());
    tag.name = small_letters(document_.substr(at, name_end - at));
    at = name_end;
    while (true) {
      at = document_.find_first_not_of(" \t\n\f\r/", at);
      if (at == document_.npos) return tag;
      if (document_[at] == '>') break;
      if (!read_attribute(at, tag)) return tag;
    }
    tag.end = at + 1;
    tag.self_closing =
        document_[at - 1] == '/' && at != tag.value_end;  // the slash of <a href=x/> is part of the value
    return tag;
  }

  // Moves `at` past the attribute; false if the document ends first.
  bool read_attribute(std::size_t& at, Tag& tag) const {
    const std::size_t name_begin = at;
    const std::size_t name_end = document_.find_first_of(" \t\n\f\r/>=", at + 1);
    at = document_.find_first_not_of(kBlanks, name_end);
    if (at == document_.npos) return false;
    if (document_[at] != '=') return true;
    at = document_.find_first_not_of(kBlanks, at + 1);
    if (at == document_.npos) return false;
    if (document_[at] == '>') return true;
    const char quote = document_[at];
    const bool quoted = quote == '"' || quote == '\'';
    const std::size_t begin = at + (quoted ? 1 : 0);
    const std::size_t end = quoted ? document_.find(quote, begin) : document_.find_first_of(" \t\n\f\r>", begin);
    if (end == document_.npos) return false;
    at = tag.value_end = end + (quoted ? 1 : 0);
    if (forbids_translation(document_.substr(name_begin, name_end - name_begin), document_.substr(begin, end - begin)))
      tag.copied = true;
    return true;
  }

  static bool forbids_translation(std::string_view name, std::string_view value) {
    if (small_letters(name) == "translate") return small_letters(value) == "no";
    return small_letters(name) == "class" && has_word(value, "notranslate");
  }

  static bool has_word(std::string_view list, std::string_view word) {
    for (std::size_t at = 0; (at = list.find_first_not_of(kBlanks, at)) != list.npos;) {
      const std::size_t end = std::min(list.find_first_of(kBlanks, at), list.size());
      if (list.substr(at, end - at) == word) return true;
      at = end;
    }
    return false;
  }

  void raw_text(const std::string& name, HtmlContent content) {
    if (content == HtmlContent::kMarkup) return;
    const std::size_t end = content == HtmlContent::kPlainText ? document_.size() : raw_text_end(name);
    if (end == at_) return;
    const std::string_view source = document_.substr(at_, end - at_);
    tokens_.push_back({.source = source, .text = decode_entities(source)});
    begin_ = at_ = end;
  }

  // Where the end tag of the element begins, or the document ends.
  std::size_t raw_text_end(const std::string& name) const {
    std::size_t at = document_.find("</", at_);
    for (; at != document_.npos; at = document_.find("</", at + 2)) {
      const std::string_view found = document_.substr(at + 2, name.size());
      if (found.size() != name.size() || small_letters(found) != name) continue;
      const char next = byte(at + 2 + name.size());
      if (next == '>' || next == '/' || kBlanks.find(next) != kBlanks.npos) return at;
    }
    return document_.size();
  }

  std::string_view document_;
  std::unordered_set<std::string> ignored_;
  std::size_t at_ = 0;     // bytes before it were scanned
  std::size_t begin_ = 0;  // bytes before it are in tokens
  std::vector<MarkupToken> tokens_;
};

struct DestroyParse {
  void operator()(GumboOutput* parsed) const { gumbo_destroy_output(&kGumboDefaultOptions, parsed); }
};

bool is_entity_byte(char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '#' || c == ';'; }

// The length of a reference to a number that no character has; 0 for other text.
std::size_t too_large_number(std::string_view text) {
  if (!text.starts_with("&#")) return 0;
  const bool hexadecimal = text.size() > 2 && (text[2] == 'x' || text[2] == 'X');
  const char* const digits = hexadecimal ? "0123456789abcdefABCDEF" : "0123456789";
  const std::size_t first = std::min(text.find_first_not_of('0', hexadecimal ? 3 : 2), text.size());
  const std::size_t end = std::min(text.find_first_not_of(digits, first), text.size());
  if (end - first <= (hexadecimal ? 6 : 7)) return 0;
  return end < text.size() && text[end] == ';' ? end + 1 : end;
}

// Decodes an ampersand and the letters after it. gumbo gets no other text, because it replaces control characters.
std::string decoded_entity(std::string_view text) {
  if (text.size() < 2) return std::string(text);
  if (const std::size_t length = too_large_number(text); length > 0) {  // gumbo lets it overflow
    return cat("\uFFFD", text.substr(length));
  }
  GumboOptions options = kGumboDefaultOptions;
  options.fragment_context = GUMBO_TAG_TITLE;  // content with entities but without tags
  options.max_errors = 0;
  const std::unique_ptr<GumboOutput, DestroyParse> parsed(gumbo_parse_with_options(&options, text.data(), text.size()));
  std::string decoded;
  const GumboVector& nodes = parsed->root->v.element.children;
  for (unsigned i = 0; i < nodes.length; ++i) decoded += static_cast<const GumboNode*>(nodes.data[i])->v.text.text;
  return decoded;
}

}  // namespace

std::string decode_entities(std::string_view text) {
  std::string decoded;
  while (!text.empty()) {
    const std::size_t entity = std::min(text.find('&'), text.size());
    decoded += text.substr(0, entity);
    text.remove_prefix(entity);
    const std::size_t length =
        std::find_if_not(text.begin() + (text.empty() ? 0 : 1), text.end(), is_entity_byte) - text.begin();
    decoded += decoded_entity(text.substr(0, length));
    text.remove_prefix(length);
  }
  std::erase(decoded, '\0');
  return decoded;
}

std::vector<MarkupToken> html_tokens(std::string_view document, const std::vector<std::string>& ignored) {
  return balanced(HtmlScanner(document, ignored).tokens());
}

}  // namespace dhyan

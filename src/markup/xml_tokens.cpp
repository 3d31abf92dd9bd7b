#include "markup/xml_tokens.h"

#include <algorithm>
#include <exception>
#include <expat.h>
#include <limits>
#include <memory>
#include <new>
#include <unordered_set>

#include "markup/xml_outline.h"

namespace dhyan {

namespace {

// A fragment is parsed as the content of this element.
constexpr std::string_view kWrapperStart = "<fragment>";
constexpr std::string_view kWrapperEnd = "</fragment>";

// The length of the prolog: the XML declaration and the doctype, allowed before the first element only.
std::size_t prolog_length(std::string_view document) {
  std::size_t length = 0;
  for (std::size_t at = 0; (at = document.find_first_not_of(" \t\r\n", at)) != document.npos;) {
    const std::string_view rest = document.substr(at);
    const std::string_view end = rest.starts_with("<!--")        ? "-->"
                                 : rest.starts_with("<?")        ? "?>"
                                 : rest.starts_with("<!DOCTYPE") ? ">"
                                                                 : "";
    const std::size_t found = end.empty() ? rest.npos : rest.find(end, end == "-->" ? 4 : 2);
    if (found == rest.npos) break;
    at += found + end.size();
    length = at;
  }
  return length;
}

// Turns the events of the parser into tokens. The parser is C: run() catches exceptions before they reach it.
class XmlScanner {
 public:
  XmlScanner(std::string_view document, const std::vector<std::string>& ignored)
      : document_(document), ignored_(ignored.begin(), ignored.end()), prolog_(prolog_length(document)) {
    if (parser_ == nullptr) throw std::bad_alloc();
    XML_SetUserData(parser_.get(), this);
    XML_SetElementHandler(parser_.get(), on_start, on_end);
    XML_SetCharacterDataHandler(parser_.get(), on_text);
    XML_SetDefaultHandler(parser_.get(), on_other);
    XML_SetStartDoctypeDeclHandler(parser_.get(), on_doctype);
    XML_SetSkippedEntityHandler(parser_.get(), on_unknown_entity);
  }

  std::vector<MarkupToken> tokens() {
    if (document_.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
      throw BadMarkup("xml: the document is longer than 2 GB");
    if (prolog_ > 0) tokens_.push_back({.kind = MarkupToken::Kind::kOther, .source = document_.substr(0, prolog_)});
    if (prolog_ > 0) tokens_.back().role = ElementRole::kBlock;
    parse(document_.substr(0, prolog_), XML_FALSE);
    parse(kWrapperStart, XML_FALSE);
    parse(document_.substr(prolog_), XML_FALSE);
    parse(kWrapperEnd, XML_TRUE);
    return std::move(tokens_);
  }

 private:
  template <class F>
  static void run(void* self, const F& f) noexcept {
    auto& scanner = *static_cast<XmlScanner*>(self);
    if (scanner.error_) return;
    try {
      f(scanner);
    } catch (...) {
      scanner.error_ = std::current_exception();
      XML_StopParser(scanner.parser_.get(), XML_FALSE);
    }
  }

  static void on_start(void* self, const XML_Char* name, const XML_Char**) {
    run(self, [&](XmlScanner& scanner) { scanner.start(name); });
  }
  static void on_end(void* self, const XML_Char* name) {
    run(self, [&](XmlScanner& scanner) { scanner.end(name); });
  }
  static void on_text(void* self, const XML_Char* text, int length) {
    run(self, [&](XmlScanner& scanner) { scanner.text({text, static_cast<std::size_t>(length)}); });
  }
  // Comments, processing instructions, the brackets of CDATA.
  static void on_other(void* self, const XML_Char*, int) {
    run(self, [](XmlScanner& scanner) { scanner.other(); });
  }
  static void on_doctype(void* self, const XML_Char*, const XML_Char*, const XML_Char*, int has_internal_subset) {
    run(self, [&](XmlScanner& scanner) {
      if (has_internal_subset != 0) scanner.fail("the document declares entities or elements of its own; refused");
    });
  }
  static void on_unknown_entity(void* self, const XML_Char* name, int) {
    run(self, [&](XmlScanner& scanner) {
      scanner.fail(cat("the entity '", std::string_view(name).substr(0, 64), "' is not defined"));
    });
  }

  // The bytes of the current event.
  std::string_view source() const {
    const auto at = static_cast<std::size_t>(XML_GetCurrentByteIndex(parser_.get())) - kWrapperStart.size();
    return document_.substr(at, static_cast<std::size_t>(XML_GetCurrentByteCount(parser_.get())));
  }

  void start(std::string_view name) {
    if (++depth_ == 1) return;  // the wrapper
    const std::string_view tag = source();
    const bool is_void = tag.ends_with("/>");
    tokens_.push_back({.kind = is_void ? MarkupToken::Kind::kVoid : MarkupToken::Kind::kStart, .source = tag});
    tokens_.back().name = name;
    tokens_.back().copied = ignored_.contains(tokens_.back().name);
  }

  void end(std::string_view name) {
    if (--depth_ == 0 || source().empty()) return;  // the wrapper, or a tag such as <x/>, which was added by start()
    tokens_.push_back({.kind = MarkupToken::Kind::kEnd, .source = source(), .name = std::string(name)});
  }

  void text(std::string_view text) {
    if (tokens_.empty() || tokens_.back().kind != MarkupToken::Kind::kText) {
      tokens_.push_back({.source = source(), .text = std::string(text)});
      return;
    }
    tokens_.back().text += text;  // the parser gives a line, a line end or an entity at a time
    tokens_.back().source = {tokens_.back().source.data(), source().data() + source().size()};
  }

  void other() {
    if (depth_ == 0) return;
    const std::string_view bytes = source();
    if (bytes.starts_with("<![CDATA[") || bytes == "]]>") return;  // its content is text
    tokens_.push_back({.kind = MarkupToken::Kind::kOther, .source = bytes, .role = ElementRole::kInvisible});
  }

  void parse(std::string_view bytes, XML_Bool is_last) {
    if (XML_Parse(parser_.get(), bytes.data(), static_cast<int>(bytes.size()), is_last) == XML_STATUS_OK) return;
    if (error_) std::rethrow_exception(error_);
    const XML_Error code = XML_GetErrorCode(parser_.get());
    if (code == XML_ERROR_NO_MEMORY) throw std::bad_alloc();
    fail(cat(XML_ErrorString(code), "; expected well-formed XML"));
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw BadMarkup(cat("xml: line ", XML_GetCurrentLineNumber(parser_.get()), ": ", what));
  }

  struct Free {
    void operator()(XML_Parser parser) const { XML_ParserFree(parser); }
  };
  std::string_view document_;
  std::unordered_set<std::string> ignored_;
  std::size_t prolog_;
  std::unique_ptr<XML_ParserStruct, Free> parser_{XML_ParserCreate("UTF-8")};
  int depth_ = 0;
  std::vector<MarkupToken> tokens_;
  std::exception_ptr error_;
};

}  // namespace

std::vector<MarkupToken> xml_tokens(std::string_view document, const std::vector<std::string>& ignored) {
  std::vector<MarkupToken> tokens = XmlScanner(document, ignored).tokens();
  find_blocks(tokens);
  return tokens;
}

}  // namespace dhyan

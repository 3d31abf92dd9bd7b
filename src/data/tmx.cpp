#include "data/tmx.h"

#include <algorithm>
#include <deque>
#include <exception>
#include <expat.h>
#include <new>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.h"

namespace dhyan {

namespace {

constexpr int kMaxDepth = 64;
constexpr std::size_t kMaxLanguagesShown = 20;

std::string quoted_tag(std::string_view name) {
  return cat("<", name.substr(0, 64), name.size() > 64 ? "..." : "", ">");
}

// Elements that contain codes of the original format.
bool is_code(std::string_view element) {
  return element == "bpt" || element == "ept" || element == "it" || element == "ph" || element == "ut";
}

// Turns the events of the parser into pairs. The parser is C: run() catches exceptions before they reach it.
class TmxHandler {
 public:
  TmxHandler(XML_Parser parser, const ReadOptions& options) : parser_(parser), options_(options) {
    XML_SetUserData(parser, this);
    XML_SetElementHandler(parser, on_start, on_end);
    XML_SetCharacterDataHandler(parser, on_text);
    XML_SetStartDoctypeDeclHandler(parser, on_doctype);
    XML_SetSkippedEntityHandler(parser, on_unknown_entity);
  }

  std::deque<SentencePair>& pairs() { return pairs_; }
  const ReadReport& report() const { return report_; }
  const std::set<std::string>& languages() const { return languages_; }
  std::exception_ptr error() const { return error_; }

 private:
  struct Side {
    std::string text;
    bool found = false;
    bool exactly = false;  // the code itself, not a variety of it
  };

  template <class F>
  static void run(void* self, const F& f) noexcept {
    auto& handler = *static_cast<TmxHandler*>(self);
    if (handler.error_) return;
    try {
      f(handler);
    } catch (...) {
      handler.error_ = std::current_exception();
      XML_StopParser(handler.parser_, XML_FALSE);
    }
  }

  static void on_start(void* self, const XML_Char* name, const XML_Char** attributes) {
    run(self, [&](TmxHandler& handler) { handler.start(name, attributes); });
  }
  static void on_end(void* self, const XML_Char* name) {
    run(self, [&](TmxHandler& handler) { handler.end(name); });
  }
  static void on_text(void* self, const XML_Char* text, int length) {
    run(self, [&](TmxHandler& handler) { handler.add({text, static_cast<std::size_t>(length)}); });
  }
  static void on_doctype(void* self, const XML_Char*, const XML_Char*, const XML_Char*, int has_internal_subset) {
    run(self, [&](TmxHandler&) {
      if (has_internal_subset != 0) throw DataError("the file declares entities or elements of its own; refused");
    });
  }
  static void on_unknown_entity(void* self, const XML_Char* name, int) {
    run(self, [&](TmxHandler&) {
      throw DataError(cat("the entity '", std::string_view(name).substr(0, 64), "' is not defined"));
    });
  }

  void start(std::string_view name, const XML_Char** attributes) {
    ++depth_;
    if (depth_ > kMaxDepth) throw DataError(cat("elements are nested more than ", kMaxDepth, " deep"));
    if (depth_ == 1 && name != "tmx")
      throw DataError(cat("the first element is ", quoted_tag(name), "; expected <tmx>"));
    if (segment_depth_ > 0) {
      if (code_depth_ == 0 && is_code(name)) code_depth_ = depth_;
    } else if (name == "tu") {
      source_ = target_ = {};
      language_.clear();
      line_ = XML_GetCurrentLineNumber(parser_);
    } else if (name == "tuv") {
      language_ = language_of(attributes);
    } else if (name == "seg") {
      segment_depth_ = depth_;
      text_.clear();
      after_break_ = false;
    }
  }

  void end(std::string_view name) {
    if (segment_depth_ == depth_) {
      keep_segment();
      segment_depth_ = 0;
    } else if (segment_depth_ == 0 && name == "tu") {
      end_unit();
    }
    if (code_depth_ == depth_) code_depth_ = 0;
    --depth_;
  }

  // Runs of white space with a line break or tab become one space, because a pair must fit on a line.
  void add(std::string_view text) {
    if (segment_depth_ == 0 || code_depth_ > 0) return;
    for (const char c : text) {
      const bool breaks = c == '\n' || c == '\t' || c == '\r';
      if (breaks) {
        while (text_.ends_with(' ')) text_.pop_back();
      }
      if (breaks || (after_break_ && c == ' ')) {
        after_break_ = true;
        continue;
      }
      if (std::exchange(after_break_, false)) text_ += ' ';
      text_ += c;
    }
    if (text_.size() > static_cast<std::size_t>(options_.max_line_bytes)) {
      throw DataError(cat("the segment is longer than ", options_.max_line_bytes, " bytes"));
    }
  }

  static std::string language_of(const XML_Char** attributes) {
    std::string language;
    for (; *attributes != nullptr; attributes += 2) {
      const std::string_view key = attributes[0];
      if (key == "xml:lang" || (key == "lang" && language.empty())) language = attributes[1];
    }
    return language;
  }

  void keep_segment() {
    while (text_.ends_with(' ')) text_.pop_back();
    text_.erase(0, std::min(text_.find_first_not_of(' '), text_.size()));
    if (languages_.size() < kMaxLanguagesShown) languages_.insert(language_.substr(0, 32));
    keep(source_, options_.source_language);
    keep(target_, options_.target_language);
  }

  // The first segment of a language counts, but "en" itself is preferred to "en-US".
  void keep(Side& side, const std::string& wanted) const {
    if (!matches_language(language_, wanted)) return;
    const bool exactly = language_.size() == wanted.size();
    if (side.found && (side.exactly || !exactly)) return;
    side = {text_, true, exactly};
  }

  void end_unit() {
    ++report_.lines;
    if (!source_.found || !target_.found) {
      ++report_.other_language;
      return;
    }
    ++report_.pairs;
    pairs_.push_back({std::move(source_.text), std::move(target_.text), line_, 0});
    source_ = target_ = {};
  }

  XML_Parser parser_;
  const ReadOptions& options_;
  int depth_ = 0, segment_depth_ = 0, code_depth_ = 0;  // of the open elements; 0: none
  std::uint64_t line_ = 0;
  std::string language_, text_;
  bool after_break_ = false;  // a space must precede the next text
  Side source_, target_;
  std::deque<SentencePair> pairs_;
  std::set<std::string> languages_;
  ReadReport report_;
  std::exception_ptr error_;
};

class TmxPairs final : public PairSource {
 public:
  TmxPairs(std::unique_ptr<ByteSource> bytes, std::string name, const ReadOptions& options)
      : bytes_(std::move(bytes)), name_(std::move(name)), options_(options) {
    if (parser_ == nullptr) throw std::bad_alloc();
  }

  bool next(SentencePair& pair) override {
    while (handler_.pairs().empty()) {
      if (ended_) return false;
      parse_block();
    }
    pair = std::move(handler_.pairs().front());
    handler_.pairs().pop_front();
    return true;
  }

  ReadReport report() const override {
    ReadReport report = handler_.report();
    report.bytes = bytes_->bytes_read();
    report.bytes_in_all = bytes_->bytes_in_all();
    return report;
  }

 private:
  void parse_block() {
    void* const buffer = XML_GetBuffer(parser_.get(), static_cast<int>(kBlock));
    if (buffer == nullptr) throw std::bad_alloc();
    const std::size_t size = bytes_->read({static_cast<char*>(buffer), kBlock});
    ended_ = size == 0;
    const XML_Status status = XML_ParseBuffer(parser_.get(), static_cast<int>(size), ended_ ? XML_TRUE : XML_FALSE);
    if (status != XML_STATUS_OK) refuse();
    fed_ += size;
    // The parser buffers a tag or comment until it is complete.
    const auto parsed = static_cast<std::uint64_t>(std::max<XML_Index>(XML_GetCurrentByteIndex(parser_.get()), 0));
    if (fed_ - parsed > static_cast<std::uint64_t>(options_.max_line_bytes) + kBlock) {
      fail(cat("a tag is longer than ", options_.max_line_bytes, " bytes"));
    }
    if (ended_) expect_pairs();
  }

  [[noreturn]] void refuse() {
    if (!handler_.error()) {
      const XML_Error code = XML_GetErrorCode(parser_.get());
      if (code == XML_ERROR_NO_MEMORY) throw std::bad_alloc();
      fail(cat(XML_ErrorString(code), "; expected well-formed XML"));
    }
    try {
      std::rethrow_exception(handler_.error());
    } catch (const DataError& error) {
      fail(error.what());
    }
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw DataError(cat(name_, ":", XML_GetCurrentLineNumber(parser_.get()), ": ", what));
  }

  void expect_pairs() {
    const ReadReport& report = handler_.report();
    if (report.lines == 0 || report.pairs > 0) return;
    std::string found;
    for (const std::string& language : handler_.languages()) found += cat(found.empty() ? "" : ", ", language);
    throw DataError(cat(name_, ": none of ", report.lines, " units has both ", options_.source_language, " and ",
                        options_.target_language, "; there is ", found.empty() ? "no text at all" : found));
  }

  struct Free {
    void operator()(XML_Parser parser) const { XML_ParserFree(parser); }
  };
  std::unique_ptr<ByteSource> bytes_;
  std::string name_;
  ReadOptions options_;
  std::unique_ptr<XML_ParserStruct, Free> parser_{XML_ParserCreate(nullptr)};
  TmxHandler handler_{parser_.get(), options_};
  std::uint64_t fed_ = 0;
  bool ended_ = false;
};

}  // namespace

bool matches_language(std::string_view code, std::string_view wanted) {
  const auto plain = [](char c) { return c == '_' ? '-' : c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  if (code.size() < wanted.size() || !std::ranges::equal(code.substr(0, wanted.size()), wanted, {}, plain, plain)) {
    return false;
  }
  return code.size() == wanted.size() || plain(code[wanted.size()]) == '-';
}

std::unique_ptr<PairSource> read_tmx(std::unique_ptr<ByteSource> bytes, std::string name, const ReadOptions& options) {
  if (options.source_language.empty() || options.target_language.empty()) {
    throw UsageError(cat(name, ": TMX holds texts in any number of languages; name the two that are wanted"));
  }
  return std::make_unique<TmxPairs>(std::move(bytes), std::move(name), options);
}

}  // namespace dhyan

// Instead of gumbo and expat: what is typed in a page is plain text.
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "markup/html_tokens.h"
#include "markup/xml_tokens.h"

namespace dhyan {

namespace {

[[noreturn]] void refuse(std::string_view what) {
  throw BadMarkup(cat("a page without a server reads no ", what, "; dhyan serve does"));
}

}  // namespace

std::vector<MarkupToken> html_tokens(std::string_view, const std::vector<std::string>&) { refuse("HTML"); }
std::string decode_entities(std::string_view) { refuse("HTML"); }
std::vector<MarkupToken> xml_tokens(std::string_view, const std::vector<std::string>&) { refuse("XML"); }

}  // namespace dhyan

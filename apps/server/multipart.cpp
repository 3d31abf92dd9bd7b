#include "server/multipart.h"

#include <optional>

#include "server/bad_request.h"
#include "server/header_value.h"

namespace dhyan::server {

namespace {

constexpr std::string_view kLineEnd = "\r\n";
constexpr std::size_t kMaxBoundary = 70;  // [RFC 2046] section 5.1.1

// A line `--boundary` or `--boundary--`.
struct Delimiter {
  std::size_t begin = 0;  // of the line end before it, which belongs to it
  std::size_t end = 0;    // of the line, before its own line end
  bool last = false;
};

// The next delimiter whose line begins at `from` or later. A line that only begins like one belongs to the part.
std::optional<Delimiter> next_delimiter(std::string_view body, std::string_view dashes, std::size_t from) {
  for (std::size_t at = body.find(dashes, from); at != body.npos; at = body.find(dashes, at + 1)) {
    if (at > 0 && (at < 2 || body.substr(at - 2, 2) != kLineEnd)) continue;
    Delimiter found{.begin = at > 0 ? at - 2 : 0, .end = at + dashes.size()};
    found.last = body.substr(found.end).starts_with("--");
    if (found.last) return found;
    while (found.end < body.size() && (body[found.end] == ' ' || body[found.end] == '\t')) ++found.end;
    if (body.substr(found.end).starts_with(kLineEnd)) return found;
  }
  return std::nullopt;
}

[[noreturn]] void fail_in_part(std::size_t number, const std::string& what) {
  throw BadRequest(cat("multipart: part ", number, " ", what));
}

void read_part_header(FormPart& part, std::string_view line, std::size_t number) {
  const std::size_t colon = line.find(':');
  if (colon == line.npos) fail_in_part(number, "has a header line without a colon");
  const std::string name = ascii_lowercase(trimmed(line.substr(0, colon)));
  const std::string_view value = trimmed(line.substr(colon + 1));
  if (name == "content-type") part.content_type = value;
  if (name == "content-disposition") {
    const HeaderValue disposition = parse_header_value(value);
    const auto file_name = disposition.parameter("filename");
    part.name = disposition.parameter("name").value_or("");
    part.is_file = file_name || disposition.parameter("filename*");
    part.file_name = file_name.value_or("");
  }
  if (name == "content-transfer-encoding") {  // [RFC 7578] section 4.7: deprecated; these three change nothing
    const std::string encoding = ascii_lowercase(value);
    if (encoding != "binary" && encoding != "8bit" && encoding != "7bit") {
      fail_in_part(number, "has a Content-Transfer-Encoding that is none of binary, 8bit, 7bit");
    }
  }
}

// `text` is all between two delimiters; it begins with the line end of the first.
FormPart parse_part(std::string_view text, std::size_t number) {
  const std::size_t end = text.substr(0, kMaxPartHeader + 4).find("\r\n\r\n");
  if (end == text.npos) {
    if (text.size() > kMaxPartHeader) fail_in_part(number, cat("has a header of over ", kMaxPartHeader, " bytes"));
    fail_in_part(number, "has no empty line after its header");
  }
  FormPart part;
  part.bytes = text.substr(end + 4);
  std::string_view header = text.substr(0, end);
  while (!header.empty()) {
    header.remove_prefix(kLineEnd.size());
    const std::string_view line = header.substr(0, header.find(kLineEnd));
    read_part_header(part, line, number);
    header.remove_prefix(line.size());
  }
  if (part.name.empty()) fail_in_part(number, "has no Content-Disposition with a name");
  return part;
}

}  // namespace

std::vector<FormPart> parse_multipart(std::string_view body, std::string_view boundary) {
  if (boundary.empty() || boundary.size() > kMaxBoundary) {
    throw BadRequest(cat("multipart: the boundary has ", boundary.size(), " characters, expected 1 to ", kMaxBoundary));
  }
  const std::string dashes = cat("--", boundary);
  std::optional<Delimiter> begin = next_delimiter(body, dashes, 0);
  if (!begin) throw BadRequest("multipart: the body has no line with the boundary of the Content-Type");
  std::vector<FormPart> parts;
  while (!begin->last) {
    const std::size_t number = parts.size() + 1;
    if (number > kMaxParts) throw BadRequest(cat("multipart: the body has more than ", kMaxParts, " parts"));
    const std::optional<Delimiter> end = next_delimiter(body, dashes, begin->end + kLineEnd.size());
    if (!end) fail_in_part(number, "has no boundary after it: the body is truncated");
    parts.push_back(parse_part(body.substr(begin->end, end->begin - begin->end), number));
    begin = end;
  }
  return parts;
}

}  // namespace dhyan::server

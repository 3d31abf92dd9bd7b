#include "server/header_value.h"

#include <algorithm>

#include "core/number_text.h"

namespace dhyan::server {

namespace {

// Reads a quoted string whose opening quote is removed already, and removes it from `rest`.
std::string take_quoted(std::string_view& rest) {
  std::string value;
  while (!rest.empty() && rest.front() != '"') {
    const bool escape = rest.front() == '\\' && rest.size() > 1 && (rest[1] == '"' || rest[1] == '\\');
    if (escape) rest.remove_prefix(1);
    value += rest.front();
    rest.remove_prefix(1);
  }
  return value;
}

}  // namespace

std::string ascii_lowercase(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(),
                         [](char c) { return 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return lower;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

std::optional<std::string> HeaderValue::parameter(std::string_view lower_case_name) const {
  const auto found = std::ranges::find(parameters, lower_case_name, &HttpFields::value_type::first);
  if (found == parameters.end()) return std::nullopt;
  return found->second;
}

HeaderValue parse_header_value(std::string_view text) {
  HeaderValue header;
  std::size_t end = std::min(text.find(';'), text.size());
  header.value = ascii_lowercase(trimmed(text.substr(0, end)));
  std::string_view rest = text.substr(end);
  while (!rest.empty()) {
    rest.remove_prefix(1);  // the semicolon
    end = rest.find_first_of(";=");
    if (end == rest.npos) break;
    const std::string name = ascii_lowercase(trimmed(rest.substr(0, end)));
    const bool has_value = rest[end] == '=';
    rest.remove_prefix(end);
    if (!has_value) continue;
    rest = trimmed(rest.substr(1));
    std::string value;
    if (rest.starts_with('"')) {
      rest.remove_prefix(1);
      value = take_quoted(rest);
      rest.remove_prefix(std::min(rest.find(';'), rest.size()));
    } else {
      end = std::min(rest.find(';'), rest.size());
      value = trimmed(rest.substr(0, end));
      rest.remove_prefix(end);
    }
    header.parameters.emplace_back(name, std::move(value));
  }
  return header;
}

bool accepts_encoding(std::string_view header, std::string_view coding) {
  while (!header.empty()) {
    const std::size_t end = std::min(header.find(','), header.size());
    const HeaderValue one = parse_header_value(header.substr(0, end));
    if (one.value == coding) return parse_number<double>(one.parameter("q").value_or("1")).value_or(0) > 0;
    header.remove_prefix(std::min(end + 1, header.size()));
  }
  return false;
}

}  // namespace dhyan::server

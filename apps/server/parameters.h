#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "server/bad_request.h"
#include "server/http.h"

namespace dhyan::server {

inline constexpr std::size_t kMaxShownName = 64;  // bytes of a parameter's name that a message has

struct UploadedFile {
  std::string name;  // as the client sent it; never a path to open
  std::string content_type;
  std::string bytes;
};

// The parameters of a request, from wherever the client put them. All text is UTF-8. Copies share the values.
//
// A body is JSON if its type says so, or if it begins with "{" and its type is text/plain or missing; a name that is
// not in it is looked up in the query. Otherwise query, form and multipart fields are merged in this order, whatever
// the method; CRLF in them becomes LF.
class Parameters {
 public:
  // All functions throw BadRequest, for a body that cannot be read or for a value of another kind.
  static Parameters of(const HttpRequest& request);
  static Parameters of_query(const HttpRequest& request);  // without the body

  std::vector<std::string> names() const;  // of all that were given, null or not, and of files

  bool has(std::string_view name) const;      // given, and not null
  bool is_list(std::string_view name) const;  // a JSON array; a form field that is repeated is none

  // Null counts as not given; numbers and booleans as their text. Of a form field that is repeated, the first.
  std::optional<std::string> text(std::string_view name) const;

  // The texts of a JSON array, or of a form field that may be repeated; one text is a list of one.
  std::vector<std::string> texts(std::string_view name) const;

  // From JSON, or from text; empty text counts as not given.
  std::optional<long> integer(std::string_view name) const;
  std::optional<double> real(std::string_view name) const;  // finite
  std::optional<bool> flag(std::string_view name) const;    // true, false; 1, 0; yes, no; on, off

  // The value itself, valid as long as this; null if it is not given. Form fields are strings, or arrays of strings.
  const nlohmann::json* json(std::string_view name) const;

  const UploadedFile* file(std::string_view name) const;  // of a multipart body; null if there is none

 private:
  class Builder;

  bool is_repeated(std::string_view name) const { return repeated_.find(name) != repeated_.end(); }
  const nlohmann::json* scalar(std::string_view name) const;  // null if it is not given; not an array, not an object

  std::shared_ptr<const nlohmann::json> values_;  // an object
  std::set<std::string, std::less<>> repeated_;   // names of form fields that have several values
  std::map<std::string, UploadedFile, std::less<>> files_;
};

}  // namespace dhyan::server

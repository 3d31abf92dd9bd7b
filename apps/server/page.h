#pragma once

#include <span>
#include <string>
#include <string_view>

namespace dhyan::server {

// A file of the page, as it is in web/dist, which the build puts into the binary.
struct EmbeddedFile {
  std::string_view name;  // "app.js"
  std::string_view bytes;
};
std::span<const EmbeddedFile> page_files();

// A file of the page as it is sent.
struct PageFile {
  std::string_view name;
  std::string content_type;
  std::string_view bytes;
  std::string compressed;  // by gzip
  std::string tag;         // of its contents
};

// The file at a path of the server; "/" is index.html. Null if there is none.
const PageFile* page_file(std::string_view path);

}  // namespace dhyan::server

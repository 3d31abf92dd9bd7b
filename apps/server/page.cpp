// The page: the files of web/dist, from the binary.
#include "server/page.h"

#include <algorithm>
#include <vector>
#include <zlib.h>

#include "data/content_hash.h"
#include "server/header_value.h"
#include "server/own_api.h"
#include "server/route_handlers.h"

namespace dhyan::server {

namespace {

// The page needs nothing but its own files and its server; nothing it shows can become script.
constexpr const char* kContentSecurityPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' blob:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'";

std::string gzipped(std::string_view bytes) {
  constexpr int kGzip = 16 + MAX_WBITS, kMemory = 8;
  z_stream stream{};
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, kGzip, kMemory, Z_DEFAULT_STRATEGY) != Z_OK) {
    throw IoError("the page cannot be compressed");
  }
  std::string compressed(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(compressed.data());
  stream.avail_out = static_cast<uInt>(compressed.size());
  deflate(&stream, Z_FINISH);
  compressed.resize(stream.total_out);
  deflateEnd(&stream);
  return compressed;
}

std::string type_of_file(std::string_view name) {
  const std::string_view extension = name.substr(name.rfind('.') + 1);
  if (extension == "js") return "text/javascript; charset=utf-8";
  if (extension == "css") return "text/css; charset=utf-8";
  return content_type_of(extension);
}

std::vector<PageFile> prepared_files() {
  std::vector<PageFile> files;
  for (const EmbeddedFile& file : page_files()) {
    files.push_back({.name = file.name,
                     .content_type = type_of_file(file.name),
                     .bytes = file.bytes,
                     .compressed = gzipped(file.bytes),
                     .tag = std::to_string(content_hash(std::as_bytes(std::span(file.bytes))))});
  }
  return files;
}

}  // namespace

const PageFile* page_file(std::string_view path) {
  static const std::vector<PageFile> files = prepared_files();
  const std::string_view name = path == "/" ? "index.html" : path.substr(1);
  const auto file = std::ranges::find(files, name, &PageFile::name);
  return file == files.end() ? nullptr : &*file;
}

void handle_page(Service&, const std::shared_ptr<Call>& call) {
  const PageFile& file = *page_file(call->http.path);
  const bool compress = accepts_encoding(call->http.header("accept-encoding"), "gzip");
  const std::string tag = cat('"', file.tag, compress ? "-gzip\"" : "\"");
  HttpResponse response{.content_type = file.content_type};
  response.headers = {{"ETag", tag},
                      {"Cache-Control", "no-cache"},
                      {"Vary", "Accept-Encoding"},
                      {"Content-Security-Policy", kContentSecurityPolicy},
                      {"Cross-Origin-Opener-Policy", "same-origin"},
                      {"Referrer-Policy", "no-referrer"},
                      {"X-Content-Type-Options", "nosniff"}};
  if (call->http.header("if-none-match") == tag) {
    response.status = 304;
    return call->answer(std::move(response));
  }
  if (compress) response.headers.emplace_back("Content-Encoding", "gzip");
  response.body = compress ? file.compressed : std::string(file.bytes);
  call->answer(std::move(response));
}

}  // namespace dhyan::server

// The server's routes, called by a page in a browser instead of by HTTP (web/static/worker.js).
#include <algorithm>
#include <emscripten.h>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "config/model_kinds.h"
#include "interop/parameter_file.h"
#include "server/service.h"
#include "text/tokenizer_factory.h"
#include "translator/model_folder.h"

namespace {

using namespace dhyan::server;

// clang-format off
EM_JS(void, page_begin, (int question, int status, const char* type, const char* retry_after), {
  Module.answerBegins(question, status, UTF8ToString(type), UTF8ToString(retry_after));
});
EM_JS(void, page_write, (int question, const char* bytes, int length), {
  Module.answerGrows(question, HEAPU8.slice(bytes, bytes + length));
});
EM_JS(void, page_end, (int question), { Module.answerEnds(question); });
// clang-format on

class PageExchange final : public HttpExchange {
 public:
  explicit PageExchange(int question) : question_(question) {}

  void send(HttpResponse response) override {
    write_head(response);
    write(std::move(response.body));
    end();
  }
  void begin(HttpResponse head) override { write_head(head); }
  void write(std::string piece) override { page_write(question_, piece.data(), static_cast<int>(piece.size())); }
  void end() override { page_end(question_); }
  bool gone() const override { return false; }
  void when_gone(std::function<void()>) override {}

 private:
  void write_head(const HttpResponse& head) const {
    std::string retry_after;
    for (const auto& [name, value] : head.headers) {
      if (name == "Retry-After") retry_after = value;
    }
    page_begin(question_, head.status, head.content_type.c_str(), retry_after.c_str());
  }

  int question_;
};

// Int8 weights as floats. Arithmetic in int8 rounds values of 8 bits and keys of 16: two machines whose floats differ
// in the last bit then differ visibly, and a page is to show what any other machine shows.
void write_floats(const std::filesystem::path& folder) {
  const dhyan::Config config = dhyan::load_config(folder);
  const dhyan::TokenizerPair tokenizers = dhyan::load_tokenizers(config.tokenizer.kind, folder);
  const auto model = dhyan::make_model(config, tokenizers, dhyan::Rng::unused());
  dhyan::load_matching_parameters(folder / dhyan::kWeightsFile, model->parameters());
  dhyan::save_model(folder, config, tokenizers, *model);
}

std::unique_ptr<Service> service;  // of this instance of the module, which serves one page
std::string loading_failure;

}  // namespace

extern "C" {

// Loads the folders of `models`, a line each, which the page has written to the file system in memory. Returns what
// went wrong; empty if nothing did.
EMSCRIPTEN_KEEPALIVE const char* page_load(const char* models) {
  try {
    ServiceOptions options{.models = {}, .threads = 0, .deadline_seconds = 600, .requests_per_minute = 0};
    for (std::string_view rest = models; !rest.empty();) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      options.models.push_back(model_spec(rest.substr(0, end)));
      write_floats(options.models.back().folder);
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    service = std::make_unique<Service>(std::move(options));
    service->load();
    loading_failure.clear();
  } catch (const std::exception& error) {
    loading_failure = error.what();
  }
  return loading_failure.c_str();
}

// Answers through Module.answerBegins, answerGrows and answerEnds before it returns.
EMSCRIPTEN_KEEPALIVE void page_ask(int question, const char* method, const char* path, const char* body) {
  const std::string_view whole = path;
  const std::size_t mark = std::min(whole.find('?'), whole.size());
  service->handle({.method = method,
                   .path = std::string(whole.substr(0, mark)),
                   .query = std::string(whole.substr(std::min(mark + 1, whole.size()))),
                   .headers = {{"host", "localhost"}, {"content-type", "application/json"}},
                   .body = body,
                   .peer = "127.0.0.1"},
                  std::make_shared<PageExchange>(question));
}

}  // extern "C"

#pragma once

#include <gtest/gtest.h>

#include "binary.h"
#include "core/testing/temporary_folder.h"
#include "process.h"
#include "running_server.h"
#include "source_tree.h"

namespace dhyan {

using Json = nlohmann::ordered_json;
using Answer = RunningServer::Answer;

inline std::filesystem::path clients_folder() { return source_folder() / "tests/clients"; }

// The models of tests/clients/make_models.sh, made once.
inline const TemporaryFolder& client_models() {
  static const TemporaryFolder folder;
  static const Finished made = run({clients_folder() / "make_models.sh", kBinary, folder.path("")});
  if (made.code != 0) throw std::runtime_error(made.error);
  return folder;
}

// Tests with a server of all of them.
class ClientModels : public testing::Test {
 protected:
  static void SetUpTestSuite() { server_ = new RunningServer(flags({})); }
  static void TearDownTestSuite() { delete std::exchange(server_, nullptr); }

  static const RunningServer& server() { return *server_; }

  // The arguments of a server of all models, and others.
  static std::vector<std::string> flags(const std::vector<std::string>& more) {
    std::vector<std::string> words;
    for (const char* model : {"hi-en", "en-hi", "fr-en", "text", "blanks"}) {
      words.insert(words.end(), {"-m", client_models().path(model)});
    }
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }

  // The JSON of an answer with status 200.
  static Json good(const Answer& answer) {
    EXPECT_EQ(answer.status, 200) << answer.body;
    EXPECT_EQ(answer.type, "application/json");
    return Json::parse(answer.body, nullptr, false);
  }
  static Json posted(const std::string& path, const Json& body) { return good(server_->post(path, body)); }

 private:
  static inline RunningServer* server_ = nullptr;
};

}  // namespace dhyan

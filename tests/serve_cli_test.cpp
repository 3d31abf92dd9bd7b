// `dhyan serve` as a program: how it starts, what it refuses, signals, sockets, the models of --demo.

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <thread>

#include "binary.h"
#include "conversation.h"
#include "core/error.h"
#include "core/testing/temporary_folder.h"
#include "process.h"
#include "running_server.h"
#include "small_model.h"
#include "translator/testing/tiny_caption_model.h"

namespace dhyan {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

const std::string kEatingFood = "मैं खाना खा रहा हूँ";

class ServeCommand : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TemporaryFolder;
    make_small_model(folder_->path("model"), ContextKind::kAttention);
  }
  static void TearDownTestSuite() { delete std::exchange(folder_, nullptr); }

  static std::string model() { return folder_->path("model"); }

  static void refused(std::vector<std::string> arguments, int code, const std::string& message) {
    arguments.insert(arguments.begin(), {kBinary, "serve"});
    if (std::ranges::find(arguments, "--port") == arguments.end()) arguments.insert(arguments.end(), {"--port", "0"});
    const Finished finished = run(arguments);
    EXPECT_EQ(finished.code, code) << message;
    EXPECT_EQ(finished.out, "");
    EXPECT_TRUE(has(finished.error, "dhyan: error: " + message));
  }
  static int translation_status(const RunningServer& server) {
    return server.post("/v1/translate", {{"q", kEatingFood}}).status;
  }

  const TemporaryFolder temporary_;

 private:
  static inline TemporaryFolder* folder_ = nullptr;
};

TEST_F(ServeCommand, SaysWhereItListensAndWhatItServes) {
  const RunningServer server({"-m", "first=" + model(), "-m", model() + "/"});
  EXPECT_EQ(server.log(), cat("dhyan: listening on http://127.0.0.1:", server.port(),
                              "\ndhyan: ready: 2 models\n  first: dhyan translate, explain and evaluate\n"
                              "  model: dhyan translate, explain and evaluate\n"));
  EXPECT_EQ(server.get("/health").body, R"({"status":"ok"})");
}

TEST_F(ServeCommand, RefusesMistakesWithAClearMessage) {
  refused({}, 2, "serve: no model given; name one with -m, or use --demo");
  refused({"--modle", model()}, 2, "unknown option '--modle'; did you mean '--model'?");
  refused({"-m", temporary_.path("none")}, 3, temporary_.path("none") + ": there is no such folder");
  refused({"-m", model(), "-m", model()}, 2,
          "serve: there are two models called 'model'; name them with --model name=folder");
  refused({"-m", "a@5=" + model()}, 2, "serve: the name 'a@5' has an @");
  refused({"-m", model(), "--keys", temporary_.path("none")}, 3, temporary_.path("none"));
  const std::string keys = temporary_.write("keys", "good 60 0\nbad sixty 0\n");
  refused({"-m", model(), "--keys", keys}, 3, keys + ":2: ");
  refused({"-m", model(), "--port", "70000"}, 2, "--port");
  refused({"-m", model(), "--host", "no such host"}, 3, "no such host:0: there is no such address: ");
  refused({"-m", model(), "--host", ""}, 3, "the address to listen on is empty; 0.0.0.0 is all of this machine's");
  refused({"-m", model(), "--unix-socket", "/no/socket"}, 3, "/no/socket: cannot listen there: ");
  refused({"-m", model(), "--threads", "0"}, 2, "--threads");
}

TEST_F(ServeCommand, RefusesAPortThatIsTaken) {
  const RunningServer server({"-m", model()});
  const std::string port = std::to_string(server.port());
  refused({"-m", model(), "--port", port}, 3, "127.0.0.1:" + port);
}

TEST_F(ServeCommand, AnswersWhatItHasBeforeItEndsOnSigterm) {
  RunningServer server({"-m", model(), "--threads", "1"});
  std::vector<std::string> texts(100, kEatingFood);
  const std::string body = Json{{"q", texts}, {"beam_size", 12}}.dump();
  server::HttpClient client(server.port());
  client.send("POST /v1/translate HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: " +
              std::to_string(body.size()) + "\r\n\r\n" + body);
  const auto batches = [&] {
    const std::string metrics = server.get("/metrics").body, name = "\ndhyan_batch_seconds_count ";
    return std::stoi(metrics.substr(metrics.find(name) + name.size()));
  };
  while (batches() == 0) continue;
  server.signal(SIGTERM);
  const auto answer = client.answer();
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(Json::parse(answer.body)["translations"].size(), texts.size());
  EXPECT_EQ(server.exit_code(), 0);
  EXPECT_TRUE(has(server.log(), "dhyan: sending the answers in progress; a second signal ends at once\n"));
}

TEST_F(ServeCommand, LoadsItsModelsAgainOnSighupOrKeepsTheOld) {
  const std::string own = temporary_.path("own");
  fs::copy(model(), own, fs::copy_options::recursive);
  const std::string keys = temporary_.write("keys", "old 0 0\n");
  const RunningServer server({"-m", own, "--keys", keys});
  const auto status = [&](const std::string& key) {
    return server
        .post("/v1/translate", "application/json", Json{{"q", kEatingFood}}.dump(),
              "Authorization: Bearer " + key + "\r\n")
        .status;
  };
  EXPECT_EQ(status("old"), 200);

  fs::rename(own, temporary_.path("away"));
  server.signal(SIGHUP);
  EXPECT_TRUE(server.waits_for_log("dhyan: not loaded again, the old ones stay: " + own));
  EXPECT_EQ(status("old"), 200);

  fs::rename(temporary_.path("away"), own);
  temporary_.write("keys", "new 0 0\n");
  server.signal(SIGHUP);
  EXPECT_TRUE(server.waits_for_log("dhyan: models and keys are loaded again\n"));
  EXPECT_EQ(status("old"), 401);
  EXPECT_EQ(status("new"), 200);
}

TEST_F(ServeCommand, SigtermDoesNotWaitForModelsThatAreLoadedAgain) {
  const std::string keys = temporary_.write("keys", "good 0 0\n");
  RunningServer server({"-m", model(), "--keys", keys});
  fs::remove(keys);
  ASSERT_EQ(mkfifo(keys.c_str(), 0600), 0);
  server.signal(SIGHUP);  // waits for somebody to write the keys
  std::ofstream writer(keys);
  server.signal(SIGTERM);
  EXPECT_TRUE(server.waits_for_log("sending the answers in progress"));
  writer << "good 0 0\n";
  writer.close();
  EXPECT_EQ(server.exit_code(), 0);
}

TEST_F(ServeCommand, OpensABrowserThatCanBeEnded) {
  const std::string opened = temporary_.path("opened");
  // Not a shell: some shells unblock all signals.
  const std::string browser = temporary_.write(
      "xdg-open", cat("#!/usr/bin/awk -f\nBEGIN {\n  part = \"", opened, ".part\"\n",
                      "  while ((getline line < \"/proc/self/status\") > 0) if (line ~ /^SigBlk/) print line > part\n",
                      "  print ARGV[1] > part\n  close(part)\n  system(\"mv '\" part \"' '", opened, "'\")\n}\n"));
  fs::permissions(browser, fs::perms::owner_all);
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", cat(temporary_.path("."), ":", path).c_str(), 1);
  const RunningServer server({"-m", model(), "--open"});
  ::setenv("PATH", path.c_str(), 1);
  for (int i = 0; i < 2000 && !fs::exists(opened); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_EQ(temporary_.read("opened"), cat("SigBlk:\t0000000000000000\nhttp://127.0.0.1:", server.port(), "\n"));
}

TEST_F(ServeCommand, SaysWhereToLookIfThereIsNoBrowser) {
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", temporary_.path("none").c_str(), 1);
  const RunningServer server({"-m", model(), "--open"});
  ::setenv("PATH", path.c_str(), 1);
  EXPECT_TRUE(server.waits_for_log(cat("dhyan: no browser could be opened; open http://127.0.0.1:", server.port())));
}

TEST_F(ServeCommand, ListensOnAUnixSocketToo) {
  const std::string socket = temporary_.path("socket");
  {
    const RunningServer server({"-m", model(), "--unix-socket", socket});
    EXPECT_TRUE(has(server.log(), "dhyan: listening on unix:" + socket + "\n"));
    const std::string body = Json{{"q", kEatingFood}}.dump();
    const auto answer = server::HttpClient(socket).ask(
        "POST /v1/translate HTTP/1.1\r\nHost: anything\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
        body);
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer.body, server.post("/v1/translate", {{"q", kEatingFood}}).body);
  }
  EXPECT_FALSE(fs::exists(socket)) << "removed at the end";
}

TEST_F(ServeCommand, DemoServesTheModelsThatItHasTrainedBefore) {
  const std::string demo = temporary_.path("demo");
  for (const char* preset : {"rnnsearch", "seq2seq", "transformer-tiny"}) {
    fs::create_directories(fs::path(demo) / preset);
    fs::copy(model(), fs::path(demo) / preset);
  }
  const LoadedModel captions = tiny_caption_model();
  for (const char* name : {"/caption-tiny", "/caption-tiny-hi"}) {
    save_model(demo + name, captions.config, captions.tokenizers, *captions.model);
  }
  const RunningServer server({"--demo", "--demo-folder", demo});
  EXPECT_TRUE(has(server.log(), "\ndhyan: ready: 5 models\n"));
  for (const char* name : {"rnnsearch", "seq2seq", "transformer-tiny", "caption-tiny", "caption-tiny-hi"}) {
    EXPECT_TRUE(has(server.log(), cat("\n  ", name, ": dhyan ")));
  }
  EXPECT_EQ(server.log().find("training"), std::string::npos);
}

TEST_F(ServeCommand, DemoTrainsNothingForAFolderOfOtherFiles) {
  fs::create_directories(temporary_.path("demo/rnnsearch"));
  temporary_.write("demo/rnnsearch/notes.txt", "mine");
  refused({"--demo", "--demo-folder", temporary_.path("demo")}, 2,
          temporary_.path("demo/rnnsearch") + ": the folder has other files (notes.txt)");
  EXPECT_FALSE(fs::exists(temporary_.path("demo/rnnsearch.unfinished")));
}

TEST_F(ServeCommand, DemoContinuesATrainingThatWasInterrupted) {
  const std::string log = "demo/rnnsearch.unfinished/train.log";
  const auto interrupted_after = [&](const std::string& step) {
    Conversation server({kBinary, "serve", "--demo", "--demo-folder", temporary_.path("demo"), "--port", "0"});
    const auto limit = std::chrono::steady_clock::now() + std::chrono::minutes(2);
    while (!fs::exists(temporary_.path(log)) || !has(temporary_.read(log), step)) {
      if (std::chrono::steady_clock::now() > limit) break;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    server.signal(SIGINT);
    EXPECT_EQ(server.end(), 130) << step;
    return server.error();
  };
  const std::string first = interrupted_after("step 50 ");
  EXPECT_FALSE(has(first, "resumed"));
  EXPECT_TRUE(has(first, "dhyan: started again, 'dhyan serve --demo' goes on from there\n")) << first;
  EXPECT_FALSE(has(first, "--resume")) << "it would leave the demo without the model: " << first;
  EXPECT_TRUE(has(interrupted_after("step 150 "), "resumed after step "));
  EXPECT_FALSE(fs::exists(temporary_.path("demo/rnnsearch")));
}

}  // namespace
}  // namespace dhyan

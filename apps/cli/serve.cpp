#include <CLI/CLI.hpp>
#include <array>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <iostream>
#include <memory>
#include <span>
#include <spawn.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/program.h"
#include "cli/search_options.h"
#include "core/error.h"
#include "core/pluralize.h"
#include "server/server.h"
#include "translator/folder_contents.h"

namespace dhyan::cli {

namespace {

namespace fs = std::filesystem;

struct ServeOptions {
  server::ServerOptions server;
  std::vector<std::string> models;
  bool demo = false;
  std::string demo_folder;
  bool open = false;
};

constexpr std::array kInHindi = {"--picturebook", "hi"};

struct DemoModel {
  const char* name;
  const char* preset;
  std::span<const char* const> options;  // beside those of the preset
};

// The models of --demo, trained on the built-in corpora.
constexpr std::array<DemoModel, 5> kDemoModels = {{
    {"rnnsearch", "rnnsearch", {}},
    {"seq2seq", "seq2seq", {}},
    {"transformer-tiny", "transformer-tiny", {}},
    {"caption-tiny", "caption-tiny", {}},
    {"caption-tiny-hi", "caption-tiny", kInHindi},
}};

constexpr const char* kDemoCheckpoints = "8";  // of each, for the page to show how attention sharpens

fs::path demo_folder(const ServeOptions& options) {
  if (!options.demo_folder.empty()) return options.demo_folder;
  if (const char* data = std::getenv("XDG_DATA_HOME"); data != nullptr && *data != '\0') {
    return fs::path(data) / "dhyan" / "demo";
  }
  if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0') {
    return fs::path(home) / ".local/share/dhyan/demo";
  }
  throw UsageError("serve: there is no HOME to keep the models of --demo in; name a folder with --demo-folder");
}

// A model appears under its name when its training is done; one that was interrupted is continued.
void train_demo_model(const DemoModel& model, const fs::path& folder) {
  const std::string unfinished = folder.string() + ".unfinished";
  std::vector<const char*> arguments = {"dhyan", "train", "--output", unfinished.c_str()};
  if (contents_of(unfinished) == FolderContents::kModel) {
    arguments.push_back("--resume");
  } else {
    arguments.insert(arguments.end(), {"--preset", model.preset, "--overwrite", "--keep-last", kDemoCheckpoints});
    arguments.insert(arguments.end(), model.options.begin(), model.options.end());
  }
  Output nowhere(Output::kNowhere);  // no commands are suggested, for the model under this name
  try {
    run_program(static_cast<int>(arguments.size()), arguments.data(), nowhere);
    throw_if_interrupted();
  } catch (const Interrupted&) {
    std::cerr << "dhyan: started again, 'dhyan serve --demo' goes on from there\n";
    throw;
  }
  fs::rename(unfinished, folder);
}

void add_demo_models(ServeOptions& options) {
  const fs::path parent = demo_folder(options);
  std::error_code failed;
  fs::create_directories(parent, failed);
  if (failed) throw WriteError(cat(parent.string(), ": cannot create the folder: ", failed.message()));
  for (const DemoModel& model : kDemoModels) {
    const fs::path folder = parent / model.name;
    const FolderContents contents = contents_of(folder);
    if (contents == FolderContents::kOther) {
      throw UsageError(cat(folder.string(), ": the folder has other files (", some_files_of(folder),
                           "); expected a model of --demo, or nothing"));
    }
    if (contents != FolderContents::kModel) {
      std::cerr << cat("dhyan: training ", model.name, " on the built-in corpus, kept in ", folder.string(), '\n');
      train_demo_model(model, folder);
    }
    options.models.push_back(cat(model.name, '=', folder.string()));
  }
}

void tell_of_models(const server::ModelSet& models) {
  std::string text = cat("dhyan: ready: ", pluralize(models.all().size(), "model"), '\n');
  for (const auto& model : models.all()) {
    const std::string source = model->source_language(), target = model->target_language();
    text += cat("  ", model->name(), ": ", commands_for(model->task()));
    if (!source.empty() && !target.empty()) text += cat(", ", source, " to ", target);
    text += '\n';
  }
  std::cerr << text;
}

// Starts a program without output, with none of the signals blocked that a server blocks. Whether there is one.
bool start_quietly(std::vector<const char*> arguments) {
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  for (const int output : {STDOUT_FILENO, STDERR_FILENO}) {
    posix_spawn_file_actions_addopen(&files, output, "/dev/null", O_WRONLY, 0);
  }
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  pid_t child = 0;
  const int failed =
      posix_spawnp(&child, arguments.front(), &files, &attributes, const_cast<char* const*>(arguments.data()), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  if (failed == 0) std::thread([child] { waitpid(child, nullptr, 0); }).detach();  // it may run longer than the server
  return failed == 0;
}

void open_in_browser(const std::string& address) {
  if (!start_quietly({"xdg-open", address.c_str()})) {
    std::cerr << cat("dhyan: no browser could be opened; open ", address, '\n');
  }
}

void serve(ServeOptions options) {
  if (options.demo) add_demo_models(options);
  if (options.models.empty()) throw UsageError("serve: no model given; name one with -m, or use --demo");
  for (const std::string& model : options.models) {
    options.server.service.models.push_back(server::model_spec(model));
  }
  std::string first;
  server::serve(
      options.server,
      [&](const std::vector<std::string>& addresses) {
        first = addresses.front();
        for (const std::string& address : addresses) std::cerr << cat("dhyan: listening on ", address, '\n');
      },
      [&](const server::ModelSet& models) {
        tell_of_models(models);
        if (options.open) open_in_browser(first);
      });
}

// NaN is within any range for CLI11.
std::string expect_no_nan(const std::string& text) {
  return std::isnan(std::strtod(text.c_str(), nullptr)) ? "expected a number, got '" + text + "'" : "";
}

template <class Number>
void add_limit(CLI::App& command, const std::string& flag, Number& value, std::pair<Number, Number> range,
               const std::string& help) {
  command.add_option(flag, value, help)
      ->group("Limits")
      ->check(CLI::Range(range.first, range.second))
      ->check(expect_no_nan)
      ->capture_default_str();
}

constexpr double kLongestSeconds = 86400;

void add_service_limits(CLI::App& command, server::ServiceOptions& service) {
  add_limit(command, "--max-characters", service.max_characters, {0, 1 << 24},
            "Characters of a request; 0: any number");
  add_limit(command, "--max-items", service.max_items, {1, 10'000}, "Texts of a request");
  add_limit(command, "--max-alternatives", service.max_alternatives, {0, 100}, "Alternatives of a translation");
  add_limit(command, "--max-waiting", service.max_waiting, {1, 1 << 16}, "Requests that wait; others get 503");
  add_limit(command, "--deadline", service.deadline_seconds, {0.001, kLongestSeconds},
            "Seconds for the answer to a request");
  add_limit(command, "--requests-per-minute", service.requests_per_minute, {0, 1 << 30},
            "Requests a minute of each key or address; a list of texts counts for its length; 0: any number");
}

void add_http_limits(CLI::App& command, server::HttpLimits& http) {
  add_limit<std::size_t>(command, "--max-body", http.max_body, {1, 64 << 20}, "Bytes of a request's body");
  add_limit<std::size_t>(command, "--max-header", http.max_header, {256, 1 << 20}, "Bytes of a request's header");
  add_limit<std::size_t>(command, "--max-connections", http.max_connections, {1, 1 << 16}, "Connections at a time");
  add_limit(command, "--request-seconds", http.request_seconds, {0.001, kLongestSeconds},
            "Seconds for a client to send a request");
}

void add_access(CLI::App& command, server::ServiceOptions& service) {
  command
      .add_option("--keys", service.keys_file,
                  "File of API keys, one per line: key requests-per-minute characters; 0: any number. Without it, no "
                  "key is needed")
      ->type_name("FILE")
      ->group("Access");
  command
      .add_option("--allow-host", service.hosts,
                  "Name of this server in requests, beside its addresses and localhost; can be given several times")
      ->type_name("NAME")
      ->allow_extra_args(false)
      ->group("Access");
  command
      .add_option("--cors", service.cors_origins,
                  "Site whose pages may call this server, such as https://example.org; * is any; can be given several "
                  "times (default: none)")
      ->type_name("ORIGIN")
      ->allow_extra_args(false)
      ->group("Access");
  command
      .add_option("--trusted-proxy", service.trusted_proxies,
                  "Address of a proxy whose X-Forwarded-For is believed, or unix for the UNIX socket; can be given "
                  "several times")
      ->type_name("ADDRESS")
      ->allow_extra_args(false)
      ->group("Access");
}

Runner add_serve_options(CLI::App& command) {
  const auto options = std::make_shared<ServeOptions>();
  command
      .add_option("-m,--model", options->models,
                  "Folder of a model, or name=folder; can be given several times. Its checkpoints are name@step")
      ->type_name("DIR")
      ->allow_extra_args(false);
  command.add_flag("--demo", options->demo,
                   "Serve models of the built-in corpora; those that are missing are trained first, in about five "
                   "minutes, and kept");
  command
      .add_option("--demo-folder", options->demo_folder,
                  "Where the models of --demo are kept (default: dhyan/demo in XDG_DATA_HOME or ~/.local/share)")
      ->type_name("DIR");
  command.add_option("--host", options->server.host, "Address to listen on; 0.0.0.0 is all of this machine's")
      ->type_name("ADDRESS")
      ->capture_default_str();
  command.add_option("--port", options->server.port, "Port to listen on; 0: any free one")
      ->check(CLI::Range(0, 65535))
      ->capture_default_str();
  command.add_option("--unix-socket", options->server.unix_socket, "UNIX socket to listen on as well")
      ->type_name("FILE");
  command.add_flag("--open", options->open, "Open the address in a browser");
  command
      .add_option("--drain-seconds", options->server.drain_seconds,
                  "Seconds for answers in progress after SIGTERM; a second signal ends at once")
      ->check(CLI::Range(0.0, kLongestSeconds))
      ->check(expect_no_nan)
      ->capture_default_str();
  add_threads_option(command, options->server.service.threads);
  add_access(command, options->server.service);
  add_service_limits(command, options->server.service);
  add_http_limits(command, options->server.http);
  return [options](Output&) { serve(*options); };
}

}  // namespace

Command serve_command() {
  return {"serve",
          "Translate, explain and caption over HTTP, for programs and people",
          {"dhyan serve --demo", "dhyan serve -m model/", "dhyan serve -m hi-en=model/ -m en-hi=other/ --port 8000",
           "dhyan serve -m model/ --host 0.0.0.0 --keys keys.txt --allow-host translate.example.org",
           "curl -d \"q=मैं खाना खा रहा हूँ\" -d source=hi -d target=en http://127.0.0.1:8080/translate"},
          add_serve_options,
          {"--model", "--demo", "--host", "--port", "--unix-socket", "--open", "--keys", "--threads"}};
}

}  // namespace dhyan::cli

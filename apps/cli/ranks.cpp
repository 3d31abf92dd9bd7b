#include "cli/ranks.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <fcntl.h>
#include <filesystem>
#include <iostream>
#include <sched.h>
#include <sstream>
#include <thread>
#include <unistd.h>

#include "cli/exit_code.h"
#include "cli/interrupt.h"
#include "core/error.h"
#include "core/version.h"
#include "data/content_hash.h"
#include "distributed/launcher.h"
#include "distributed/mpi_transport.h"
#include "kernels/amx/amx.h"
#include "kernels/simd/runtime.h"
#include "translator/model_folder.h"

namespace dhyan::cli {

namespace {

int kept_errors = -1;  // descriptor: what a rank other than 0 says if rank 0 cannot

// Vector instructions decide how sums are rounded.
std::string processor() {
  std::string text = kernels::simd_target();
  if (kernels::has_amx()) text += "+AMX";
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512bf16") != 0) text += "+BF16";
#endif
  return text;
}

void be_silent() {
  kept_errors = ::dup(2);
  const int nowhere = ::open("/dev/null", O_WRONLY);
  if (nowhere < 0) throw WriteError("/dev/null: cannot be opened");
  ::dup2(nowhere, 1);
  ::dup2(nowhere, 2);
  ::close(nowhere);
}

void write_line(int descriptor, const std::string& text) {
  if (descriptor < 0) return;
  [[maybe_unused]] const auto written = ::write(descriptor, text.data(), text.size());
}

// "dhyan: error: MESSAGE\n" without the first two.
std::string reason_in(std::string text) {
  constexpr std::string_view kError = "dhyan: error: ", kName = "dhyan: ";
  while (text.ends_with('\n')) text.pop_back();
  if (text.starts_with(kError)) return text.substr(kError.size());
  return text.starts_with(kName) ? text.substr(kName.size()) : text;
}

// In a catch clause. Leaves at once: MPI cannot end well without all ranks.
[[noreturn]] void end_all(Communicator& ranks) {
  std::ostringstream text;
  ExitCode code = report_current_exception(text);
  const bool of_another = ranks.failed();
  const std::string reason = ranks.fail(reason_in(text.str()));
  if (of_another) code = kRunFailed;
  if (ranks.first()) {
    std::cerr << (of_another ? cat("dhyan: error: ", reason, "\n") : text.str()) << std::flush;
    ranks.settle_failure();
  } else if (!ranks.settle_failure() || ranks.reports_failure()) {
    write_line(kept_errors, cat("dhyan: error: ", reason, "\n"));
  }
  // The launcher takes the exit code of the rank that ends first, and signals the others then.
  constexpr int kTries = 100;
  for (int tries = 0; tries < kTries && !ranks.first() && !interrupted(); ++tries) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  ::_exit(code);
}

}  // namespace

void add_rank_options(CLI::App& command, RankOptions& options) {
  command.add_flag("--distributed", options.distributed,
                   "Use MPI also if mpirun or srun is not recognised; processes that they start share the work anyway");
  command
      .add_option("--rank-timeout", options.timeout,
                  "Seconds of silence after which a rank counts as lost, which ends the run on all ranks")
      ->type_name("SECONDS")
      ->check(CLI::Range(0.5, 86400.0))
      ->capture_default_str();
}

int usual_threads() {
  const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  const Launched started = launched();
  if (started.size == 1) return cores;
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  const int bound = ::sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? CPU_COUNT(&allowed) : cores;
  return std::max(1, std::min(bound, cores / std::max(1, started.local_size)));
}

std::unique_ptr<Communicator> join_ranks(const RankOptions& options, std::vector<Agreed> agreed) {
  if (!options.distributed && launched().size == 1) return nullptr;
  auto ranks = std::make_unique<Communicator>(
      mpi_transport(), RankLimits{std::chrono::milliseconds(static_cast<std::int64_t>(options.timeout * 1000))});
  if (!ranks->first()) be_silent();
  const std::string binary = cat(version(), sizeof(Real) == 8 ? " double" : "", " ",
                                 content_hash_of_file("/proc/self/exe", throw_if_interrupted));
  agreed.insert(agreed.begin(), {{"version of dhyan", binary}, {"kind of processor", processor()}});
  try {
    shake_hands(*ranks, agreed);
  } catch (...) {
    end_all(*ranks);
  }
  return ranks;
}

std::string file_on_rank(const std::string& file) {
  if (!std::filesystem::is_regular_file(file)) return "missing";
  return cat("content ", content_hash_of_file(file, throw_if_interrupted));
}

Agreed model_on_rank(const std::string& folder) {
  const std::filesystem::path weights = std::filesystem::path(folder) / kWeightsFile;
  std::error_code missing;
  const std::uintmax_t size = std::filesystem::file_size(weights, missing);
  return {cat("model ", folder),
          cat("settings with ", file_on_rank((std::filesystem::path(folder) / kConfigFile).string()), ", weights of ",
              missing ? 0 : size, " bytes")};
}

void run_on_ranks(Communicator* ranks, const std::function<void()>& work) {
  if (ranks == nullptr) return work();
  try {
    work();
    if (!ranks->finished()) ranks->finish();
  } catch (...) {
    if (!ranks->finished()) end_all(*ranks);
    if (ranks->first()) throw;
    std::ostringstream unsaid;
    ::_exit(report_current_exception(unsaid));
  }
}

}  // namespace dhyan::cli

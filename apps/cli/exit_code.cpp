#include "cli/exit_code.h"

#include <array>
#include <exception>
#include <filesystem>
#include <new>
#include <ostream>
#include <string>
#include <system_error>

#include "cli/interrupt.h"
#include "cli/output.h"
#include "core/error.h"
#include "core/file.h"

namespace dhyan::cli {

namespace {

constexpr std::array<ExitCodeEntry, 6> kExitCodes{{
    {kOk, "Done."},
    {kRunFailed, "The run failed."},
    {kUsage, "The command line is wrong."},
    {kUnusable, "A model, data or a setting cannot be used."},
    {kTooLow, "A score is below --fail-under."},
    {kInterrupted, "Interrupted by a signal."},
}};

ExitCode exit_code_of(const std::exception& error) {
  const auto is = [&error]<class Kind>(const Kind*) { return dynamic_cast<const Kind*>(&error) != nullptr; };
  if (is(static_cast<UsageError*>(nullptr))) return kUsage;
  if (is(static_cast<WriteError*>(nullptr))) return kRunFailed;
  if (is(static_cast<IoError*>(nullptr))) return kUnusable;
  if (is(static_cast<ModelFileError*>(nullptr))) return kUnusable;
  if (is(static_cast<DataError*>(nullptr))) return kUnusable;
  if (is(static_cast<ConfigError*>(nullptr))) return kUnusable;
  return kRunFailed;
}

// A path that the system refuses, without a more specific message: a loop of links, a missing permission.
ExitCode report_refused_path(const std::filesystem::filesystem_error& error, std::ostream& errors) {
  const std::string path = error.path1().string();
  errors << "dhyan: error: " << (path.empty() ? "a path" : path) << ": cannot be used";
  if (!error.path2().empty()) errors << " with " << error.path2().string();
  errors << ": " << error.code().message() << '\n';
  const std::error_code& code = error.code();
  const bool disk =
      code == std::errc::no_space_on_device || code == std::errc::read_only_file_system || code == std::errc::io_error;
  return disk ? kRunFailed : kUnusable;
}

}  // namespace

std::span<const ExitCodeEntry> exit_codes() { return kExitCodes; }

ExitCode report_current_exception(std::ostream& errors) {
  try {
    throw;
  } catch (const Interrupted&) {
    errors << "dhyan: interrupted\n";
    return kInterrupted;
  } catch (const OpenInterrupted&) {
    errors << "dhyan: interrupted\n";
    return kInterrupted;
  } catch (const ReaderGone&) {
    return kRunFailed;
  } catch (const ScoreTooLow& score) {
    errors << "dhyan: " << score.what() << '\n';
    return kTooLow;
  } catch (const std::bad_alloc&) {
    errors << "dhyan: error: out of memory\n";
    return kRunFailed;
  } catch (const std::filesystem::filesystem_error& error) {
    return report_refused_path(error, errors);
  } catch (const std::exception& error) {
    errors << "dhyan: error: " << error.what() << '\n';
    return exit_code_of(error);
  }
}

}  // namespace dhyan::cli

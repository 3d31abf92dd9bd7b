#include "cli/exit_code.h"

#include <array>
#include <exception>
#include <new>
#include <ostream>

#include "cli/interrupt.h"
#include "cli/output.h"
#include "core/error.h"

namespace dhyan::cli {

namespace {

constexpr std::array<ExitCodeEntry, 6> kExitCodes{{
    {kOk, "Done."},
    {kRunFailed, "The run failed."},
    {kUsage, "The command line is wrong."},
    {kUnusable, "A model, data or a setting cannot be used."},
    {kTooLow, "A score is below what --fail-under asks for."},
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

}  // namespace

std::span<const ExitCodeEntry> exit_codes() { return kExitCodes; }

ExitCode report_current_exception(std::ostream& errors) {
  try {
    throw;
  } catch (const Interrupted&) {
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
  } catch (const std::exception& error) {
    errors << "dhyan: error: " << error.what() << '\n';
    return exit_code_of(error);
  }
}

}  // namespace dhyan::cli

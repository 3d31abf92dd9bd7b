#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <filesystem>
#include <iomanip>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "core/error.h"
#include "interop/checksum.h"
#include "interop/safetensors.h"
#include "text/language_names.h"
#include "training/checkpoints.h"
#include "translator/model_folder.h"

namespace dhyan::cli {

namespace {

namespace fs = std::filesystem;

struct InspectOptions {
  std::string file;
  bool verify = false;
  bool json = false;
};

// The names in a file are untrusted: control characters must not reach the terminal.
std::string printable(std::string text) {
  std::ranges::replace_if(
      text, [](unsigned char c) { return c < 0x20 || c == 0x7f; }, '?');
  return text;
}

struct Totals {
  Index elements = 0;
  std::size_t bytes = 0;
};

Totals totals_of(const SafetensorsFile& file) {
  Totals totals;
  for (const TensorEntry& entry : file.entries()) {
    totals.elements += entry.shape.size();
    totals.bytes += entry.bytes.size();
  }
  return totals;
}

// "source_language" and its code, "target_language" and its code; an empty code is not shown.
using SideCodes = std::vector<std::pair<std::string, std::string>>;

std::string as_json(const SafetensorsFile& file, const SideCodes& codes) {
  using Json = nlohmann::ordered_json;
  Json tensors = Json::array();
  for (const TensorEntry& entry : file.entries()) {
    Json shape = Json::array();
    for (int axis = 0; axis < entry.shape.rank(); ++axis) shape.push_back(entry.shape[axis]);
    tensors.push_back(
        {{"name", entry.name}, {"dtype", entry.dtype->name}, {"shape", shape}, {"bytes", entry.bytes.size()}});
  }
  const Totals totals = totals_of(file);
  Json all{{"tensors", tensors},
           {"metadata", file.metadata()},
           {"totals", {{"tensors", file.entries().size()}, {"elements", totals.elements}, {"bytes", totals.bytes}}}};
  for (const auto& [side, code] : codes) {
    if (!code.empty()) all[side] = code;
  }
  return all.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string as_table(const SafetensorsFile& file, const SideCodes& codes) {
  std::size_t name_width = 4, shape_width = 5;
  for (const TensorEntry& entry : file.entries()) {
    name_width = std::max(name_width, entry.name.size());
    shape_width = std::max(shape_width, to_string(entry.shape).size());
  }
  std::ostringstream out;
  const auto line = [&](const std::string& name, std::string_view dtype, const std::string& shape, const auto& bytes) {
    out << std::left << std::setw(static_cast<int>(name_width)) << name << "  " << std::setw(5) << dtype << "  "
        << std::setw(static_cast<int>(shape_width)) << shape << "  " << std::right << std::setw(12) << bytes << '\n';
  };
  line("name", "dtype", "shape", "bytes");
  for (const TensorEntry& entry : file.entries()) {
    line(printable(entry.name), entry.dtype->name, to_string(entry.shape), entry.bytes.size());
  }
  const Totals totals = totals_of(file);
  out << file.entries().size() << " tensors, " << totals.elements << " elements, " << totals.bytes << " bytes\n";
  for (const auto& [key, value] : file.metadata()) out << printable(key) << ": " << printable(value) << '\n';
  for (const auto& [side, code] : codes) {
    if (!code.empty()) out << side << ": " << language_name(code) << " (" << code << ")\n";
  }
  return std::move(out).str();
}

// The file, or all weight files of a model's folder, checkpoints included.
std::vector<fs::path> files_to_verify(const fs::path& path) {
  if (!fs::is_directory(path)) return {path};
  std::vector<fs::path> files;
  for (const fs::path& folder : {path, state_folder(path)}) {
    if (!fs::is_directory(folder)) continue;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
      if (entry.path().extension() == ".safetensors") files.push_back(entry.path());
    }
  }
  std::ranges::sort(files);
  if (files.empty()) throw ModelFileError(cat(path.string(), ": holds no .safetensors file to verify"));
  return files;
}

const char* integrity_text(Integrity integrity) {
  switch (integrity) {
    case Integrity::kIntact:
      return "intact";
    case Integrity::kNoChecksum:
      return "no checksum";
    case Integrity::kDamaged:
      break;
  }
  return "damaged";
}

// Reports every file before it fails for the first damaged one.
void verify(const InspectOptions& options, Output& output) {
  std::exception_ptr first_failure;
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const fs::path& path : files_to_verify(options.file)) {
    Integrity integrity = Integrity::kDamaged;
    try {
      const SafetensorsFile file(path);
      integrity = integrity_of(file);
      if (integrity == Integrity::kDamaged) expect_intact(file);
    } catch (const ModelFileError&) {
      if (first_failure == nullptr) first_failure = std::current_exception();
    }
    json.push_back({{"file", path.string()}, {"checksum", integrity_text(integrity)}});
    if (!options.json) output.write(cat(printable(path.string()), ": ", integrity_text(integrity), '\n'));
  }
  if (options.json) output.write(json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
  if (first_failure != nullptr) std::rethrow_exception(first_failure);
}

// The languages of a model's folder; none of another file.
SideCodes codes_of(const fs::path& path) {
  if (!fs::exists(path / kConfigFile)) return {};
  const DataConfig data = load_config(path).data;
  return {{"source_language", data.source_language}, {"target_language", data.target_language}};
}

void inspect(const InspectOptions& options, Output& output) {
  if (options.verify) return verify(options, output);
  const fs::path path = options.file;
  const SafetensorsFile file(fs::is_directory(path) ? model_file(path) : path);
  const SideCodes codes = codes_of(path);
  output.write(options.json ? as_json(file, codes) : as_table(file, codes));
}

Runner add_inspect_options(CLI::App& command) {
  const auto options = std::make_shared<InspectOptions>();
  command.add_option("file", options->file, "A .safetensors file, or the folder of a model")
      ->type_name("FILE")
      ->required();
  command.add_flag("--verify", options->verify,
                   "Verify the checksum of the weights instead; for a folder, also of its checkpoints");
  command.add_flag("--json", options->json, "Print JSON");
  return [options](Output& output) { inspect(*options, output); };
}

}  // namespace

Command inspect_command() {
  return {"inspect",
          "List the tensors of a model or file, or verify its checksum",
          {"dhyan inspect model.safetensors", "dhyan inspect model.safetensors --json", "dhyan inspect model --verify"},
          add_inspect_options};
}

}  // namespace dhyan::cli

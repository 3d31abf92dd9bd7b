#include <CLI/CLI.hpp>
#include <algorithm>
#include <iomanip>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "interop/safetensors.h"

namespace dhyan::cli {

namespace {

struct InspectOptions {
  std::string file;
  bool json = false;
};

// A file is untrusted, and so are its names: nothing in them may steer the terminal.
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

std::string as_json(const SafetensorsFile& file) {
  using Json = nlohmann::ordered_json;
  Json tensors = Json::array();
  for (const TensorEntry& entry : file.entries()) {
    Json shape = Json::array();
    for (int axis = 0; axis < entry.shape.rank(); ++axis) shape.push_back(entry.shape[axis]);
    tensors.push_back(
        {{"name", entry.name}, {"dtype", entry.dtype->name}, {"shape", shape}, {"bytes", entry.bytes.size()}});
  }
  const Totals totals = totals_of(file);
  const Json all{
      {"tensors", tensors},
      {"metadata", file.metadata()},
      {"totals", {{"tensors", file.entries().size()}, {"elements", totals.elements}, {"bytes", totals.bytes}}}};
  return all.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string as_table(const SafetensorsFile& file) {
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
  return std::move(out).str();
}

Runner add_inspect_options(CLI::App& command) {
  const auto options = std::make_shared<InspectOptions>();
  command.add_option("file", options->file, "A .safetensors file")->type_name("FILE")->required();
  command.add_flag("--json", options->json, "Print JSON");
  return [options](Output& output) {
    const SafetensorsFile file(options->file);
    output.write(options->json ? as_json(file) : as_table(file));
  };
}

}  // namespace

Command inspect_command() {
  return {"inspect",
          "List the tensors of a .safetensors file",
          {"dhyan inspect model.safetensors", "dhyan inspect model.safetensors --json"},
          add_inspect_options};
}

}  // namespace dhyan::cli

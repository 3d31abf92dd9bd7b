#include "lab/result_files.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/file.h"
#include "explain/number_format.h"
#include "explain/records.h"
#include "explain/svg.h"

namespace dhyan::lab {

namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr std::size_t kMostBytes = std::size_t{1} << 26;  // of result.json

ordered_json json_of(const ResultTable& table) {
  ordered_json rows = ordered_json::array();
  for (const std::vector<TableCell>& row : table.rows) {
    ordered_json cells = ordered_json::array();
    for (const TableCell& cell : row) {
      const double* value = std::get_if<double>(&cell);
      if (value == nullptr) {
        cells.push_back(std::get<std::string>(cell));
      } else {
        cells.push_back(std::isfinite(*value) ? ordered_json(*value) : ordered_json());
      }
    }
    rows.push_back(std::move(cells));
  }
  return {{"name", table.name}, {"title", table.title}, {"columns", table.columns}, {"rows", std::move(rows)}};
}

// Reads members of an object; errors name the member.
class ResultReader {
 public:
  ResultReader(const ordered_json& object, std::string where) : object_(object), where_(std::move(where)) {
    if (!object.is_object()) fail("expected an object");
  }

  std::string text(const char* name) const {
    const ordered_json& value = member(name);
    if (!value.is_string()) fail(cat("'", name, "' is not a text"));
    return value.get<std::string>();
  }
  double number(const char* name) const {
    const ordered_json& value = member(name);
    if (!value.is_number()) fail(cat("'", name, "' is not a number"));
    return value.get<double>();
  }
  bool truth(const char* name) const {
    const ordered_json& value = member(name);
    if (!value.is_boolean()) fail(cat("'", name, "' is neither true nor false"));
    return value.get<bool>();
  }
  const ordered_json& list(const char* name) const {
    const ordered_json& value = member(name);
    if (!value.is_array()) fail(cat("'", name, "' is not a list"));
    return value;
  }
  // Names of files: letters of any case, digits and hyphens.
  std::string file_name(const char* name) const {
    std::string value = text(name);
    const bool plain =
        !value.empty() && std::ranges::all_of(value, [](unsigned char c) { return std::isalnum(c) != 0 || c == '-'; });
    if (!plain) fail(cat("'", name, "' is not a name of letters, digits and hyphens"));
    return value;
  }
  [[noreturn]] void fail(const std::string& what) const { throw DataError(cat(where_, ": ", what)); }

 private:
  const ordered_json& member(const char* name) const {
    const auto found = object_.find(name);
    if (found == object_.end()) fail(cat("'", name, "' is missing"));
    return *found;
  }

  const ordered_json& object_;
  std::string where_;
};

ResultTable table_from(const ordered_json& json, const std::string& where) {
  const ResultReader reader(json, where);
  ResultTable table{reader.file_name("name"), reader.text("title"), {}, {}};
  for (const ordered_json& column : reader.list("columns")) {
    if (!column.is_string()) reader.fail("the name of a column is not a text");
    table.columns.push_back(column.get<std::string>());
  }
  for (const ordered_json& row : reader.list("rows")) {
    if (!row.is_array() || row.size() != table.columns.size()) reader.fail("a row has not one cell for each column");
    std::vector<TableCell>& cells = table.rows.emplace_back();
    for (const ordered_json& cell : row) {
      if (cell.is_string()) {
        cells.emplace_back(cell.get<std::string>());
      } else if (cell.is_number() || cell.is_null()) {
        cells.emplace_back(cell.is_null() ? std::nan("") : cell.get<double>());
      } else {
        reader.fail("a cell is neither a text nor a number");
      }
    }
  }
  return table;
}

}  // namespace

std::string sentence_of(const LabResult& result) {
  return cat(result.claim, ": ", result.measured, ": ", result.holds ? "holds." : "does not hold.");
}

std::string to_json(const LabResult& result) {
  ordered_json figures = ordered_json::array(), tables = ordered_json::array();
  for (const LabResult::Figure& figure : result.figures) {
    figures.push_back(
        {{"name", figure.name}, {"title", figure.title}, {"description", figure.description}, {"table", figure.table}});
  }
  for (const ResultTable& table : result.tables) tables.push_back(json_of(table));
  const ordered_json json{{"experiment", result.experiment}, {"claim", result.claim},
                          {"paper", result.paper},           {"data", result.data},
                          {"command", result.command},       {"seeds", result.seeds},
                          {"minutes", result.minutes},       {"machine", result.machine},
                          {"measured", result.measured},     {"holds", result.holds},
                          {"figures", std::move(figures)},   {"tables", std::move(tables)}};
  return json.dump(1, ' ', false, ordered_json::error_handler_t::replace) + '\n';
}

std::string to_csv(const ResultTable& table) {
  std::string text;
  for (std::size_t i = 0; i < table.columns.size(); ++i) text += cat(i == 0 ? "" : ",", csv_field(table.columns[i]));
  text += "\r\n";
  for (const std::vector<TableCell>& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      const double* value = std::get_if<double>(&row[i]);
      text += cat(i == 0 ? "" : ",", value != nullptr ? number(*value, "") : csv_field(std::get<std::string>(row[i])));
    }
    text += "\r\n";
  }
  return text;
}

LabResult write_result(const fs::path& folder, LabResult result, const Findings& findings) {
  result.measured = findings.measured;
  result.holds = findings.holds;
  result.tables = findings.tables;
  for (const ResultFigure& figure : findings.figures) {
    result.figures.push_back(
        {figure.name, figure.drawing.title, figure.drawing.description, figure.table, figure.text});
    write_file(folder / (figure.name + ".svg"), standalone_svg(figure.drawing, figure.name, kPlotStyle));
  }
  for (const ResultTable& table : findings.tables) write_file(folder / (table.name + ".csv"), to_csv(table));
  write_file(folder / kResultFile, to_json(result));
  return result;
}

LabResult parse_result(std::string_view text, std::string_view where) {
  const auto json = ordered_json::parse(text, nullptr, false);
  if (json.is_discarded()) throw DataError(cat(where, ": is not JSON"));
  const ResultReader reader(json, std::string(where));
  LabResult result{.experiment = reader.file_name("experiment"),
                   .claim = reader.text("claim"),
                   .paper = reader.text("paper"),
                   .data = reader.text("data"),
                   .command = reader.text("command"),
                   .seeds = reader.text("seeds"),
                   .minutes = reader.number("minutes"),
                   .machine = reader.text("machine"),
                   .measured = reader.text("measured"),
                   .holds = reader.truth("holds"),
                   .figures = {},
                   .tables = {}};
  for (const ordered_json& figure : reader.list("figures")) {
    const ResultReader one(figure, std::string(where));
    result.figures.push_back({one.file_name("name"), one.text("title"), one.text("description"), one.text("table")});
  }
  for (const ordered_json& table : reader.list("tables"))
    result.tables.push_back(table_from(table, std::string(where)));
  return result;
}

LabResult read_result(const fs::path& folder) {
  const fs::path path = folder / kResultFile;
  std::error_code unknown;
  if (fs::file_size(path, unknown) > kMostBytes || unknown) {
    throw DataError(cat(path.string(), unknown ? ": cannot be read" : ": is too large for a result"));
  }
  std::ifstream in(path, std::ios::binary);
  return parse_result(std::string(std::istreambuf_iterator<char>(in), {}), path.string());
}

}  // namespace dhyan::lab

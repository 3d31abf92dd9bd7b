#include "lab/lab_report.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>

#include "core/error.h"
#include "core/number_text.h"
#include "explain/data_uri.h"
#include "lab/experiment.h"
#include "lab/result_files.h"

namespace dhyan::lab {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kLabStyle = R"(:root { color-scheme: light dark; }
body { margin: 0 auto; padding: 1.5rem; max-width: 70rem; background: #ffffff; color: #000000;
  font: 16px/1.5 system-ui, "Noto Sans Devanagari", "Nirmala UI", Mangal, sans-serif; }
h1 { font-size: 1.6rem; font-weight: 600; margin: 0; }
h2 { font-size: 1.2rem; font-weight: 600; margin: 2.5rem 0 0.5rem; border-bottom: 1px solid #c8d0d9; }
h3 { font-size: 1rem; font-weight: 600; margin: 1.5rem 0 0; }
p { margin: 0.4rem 0; max-width: 50rem; }
.verdict { font-weight: 600; }
.figures { display: flex; flex-wrap: wrap; gap: 1rem 2rem; align-items: flex-start; }
figure { margin: 0.5rem 0; min-width: 0; }
img { max-width: 100%; height: auto; display: block; }
.wide { overflow: auto; max-height: 24rem; }
table { border-collapse: collapse; font-size: 0.85rem; font-variant-numeric: tabular-nums; margin: 0.5rem 0; }
th, td { padding: 0.2rem 0.6rem; border: 1px solid #c8d0d9; text-align: right; }
th:first-child, .words { text-align: left; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.1rem 1rem; margin: 0.5rem 0; }
dt, summary { color: #57606a; }
dd { margin: 0; }
code { overflow-wrap: anywhere; }
@media (prefers-color-scheme: dark) {
  body { background: #0f1317; color: #ffffff; }
  dt, summary { color: #a5afba; }
  h2, th, td { border-color: #3a444f; }
}
)";

struct FoundResult {
  fs::path folder;
  LabResult result;
};

std::vector<FoundResult> results_in(const fs::path& folder) {
  std::vector<FoundResult> found;
  const auto add = [&](const fs::path& path) {
    if (fs::exists(path / kResultFile)) found.push_back({path, read_result(path)});
  };
  if (!fs::is_directory(folder)) throw DataError(cat(folder.string(), ": is not a folder"));
  add(folder);
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.is_directory()) add(entry.path());
  }
  if (found.empty()) {
    throw DataError(cat(folder.string(), ": has no results of experiments; dhyan lab run NAME -o ", folder.string(),
                        " makes some"));
  }
  const auto place = [](const FoundResult& one) {
    const auto all = experiments();
    return std::ranges::find(all, one.result.experiment, &Experiment::name) - all.begin();
  };
  std::ranges::sort(found, [&](const FoundResult& a, const FoundResult& b) {
    return std::pair(place(a), a.folder) < std::pair(place(b), b.folder);
  });
  return found;
}

std::string cell_of(const TableCell& cell, bool first) {
  const double* value = std::get_if<double>(&cell);
  const std::string text = xml_text(value != nullptr ? plot_number(*value) : std::get<std::string>(cell));
  if (first) return cat("<th scope=\"row\">", text, "</th>");
  return cat(value == nullptr ? "<td class=\"words\">" : "<td>", text, "</td>");
}

std::string table_html(const ResultTable& table) {
  std::string html = cat("<div class=\"wide\" tabindex=\"0\" role=\"group\" aria-label=\"", xml_text(table.title),
                         "\">\n<table>\n<thead><tr>");
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const bool words = !table.rows.empty() && std::holds_alternative<std::string>(table.rows.front()[i]);
    html += cat("<th scope=\"col\"", words ? " class=\"words\"" : "", ">", xml_text(table.columns[i]), "</th>");
  }
  html += "</tr></thead>\n<tbody>\n";
  for (const std::vector<TableCell>& row : table.rows) {
    html += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i) html += cell_of(row[i], i == 0);
    html += "</tr>\n";
  }
  return html + "</tbody>\n</table>\n</div>\n";
}

std::string picture_of(const fs::path& file) {
  constexpr std::size_t kLargest = std::size_t{1} << 24;
  std::ifstream in(file, std::ios::binary);
  if (!in) throw DataError(cat(file.string(), ": cannot be read"));
  std::string bytes{std::istreambuf_iterator<char>(in), {}};
  if (bytes.size() > kLargest) throw DataError(cat(file.string(), ": is too large for a plot"));
  return data_uri("image/svg+xml", bytes);
}

// A picture cannot run anything where it is the source of an <img>.
std::string figure_html(const FoundResult& found, const LabResult::Figure& figure) {
  std::string html = cat("<figure>\n<img src=\"", picture_of(found.folder / (figure.name + ".svg")), "\" alt=\"",
                         xml_text(cat(figure.title, ". ", figure.description)), "\"/>\n");
  const auto table = std::ranges::find(found.result.tables, figure.table, &ResultTable::name);
  if (table != found.result.tables.end()) {
    html += cat("<details><summary>Numbers</summary>\n", table_html(*table), "</details>\n");
  }
  return html + "</figure>\n";
}

std::string section_of(const FoundResult& found) {
  const LabResult& result = found.result;
  std::string html =
      cat("<h2 id=\"", xml_text(result.experiment), "\">", xml_text(result.experiment), "</h2>\n<p>",
          xml_text(result.claim), ".</p>\n<p>Measured: ", xml_text(result.measured), ".</p>\n<p class=\"verdict\">",
          result.holds ? "The claim holds." : "The claim does not hold.", "</p>\n<div class=\"figures\">\n");
  for (const LabResult::Figure& figure : result.figures) html += figure_html(found, figure);
  html += "</div>\n";
  for (const ResultTable& table : result.tables) {
    const bool beside = std::ranges::any_of(
        result.figures, [&](const LabResult::Figure& figure) { return figure.table == table.name; });
    if (!beside) html += cat("<h3>", xml_text(table.title), "</h3>\n", table_html(table));
  }
  const auto fact = [](const char* name, const std::string& value) {
    return cat("<dt>", name, "</dt><dd>", xml_text(value), "</dd>\n");
  };
  return cat(html, "<dl>\n<dt>command</dt><dd><code>", xml_text(result.command), "</code></dd>\n",
             fact("seeds", result.seeds), fact("minutes", fixed(result.minutes, 1)), fact("machine", result.machine),
             fact("data", result.data), fact("paper", result.paper), "</dl>\n");
}

std::string overview(const std::vector<FoundResult>& all) {
  std::string html =
      "<table>\n<thead><tr><th scope=\"col\">experiment</th><th scope=\"col\" class=\"words\">claim</th>"
      "<th scope=\"col\" class=\"words\">verdict</th></tr></thead>\n<tbody>\n";
  for (const FoundResult& one : all) {
    html += cat("<tr><th scope=\"row\"><a href=\"#", xml_text(one.result.experiment), "\">",
                xml_text(one.result.experiment), "</a></th><td class=\"words\">", xml_text(one.result.claim),
                "</td><td class=\"words\">", one.result.holds ? "holds" : "does not hold", "</td></tr>\n");
  }
  return html + "</tbody>\n</table>\n";
}

}  // namespace

std::string lab_report(const fs::path& folder) {
  const std::vector<FoundResult> all = results_in(folder);
  std::string html =
      cat("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
          "img-src data:\"/>\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>Claims about "
          "attention</title>\n<style>\n",
          kLabStyle, "</style>\n</head>\n<body>\n<main>\n<h1>Claims about attention, measured</h1>\n", overview(all));
  for (const FoundResult& one : all) html += section_of(one);
  return html + "</main>\n</body>\n</html>\n";
}

}  // namespace dhyan::lab

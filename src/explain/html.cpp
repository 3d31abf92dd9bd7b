#include "explain/html.h"

#include "core/error.h"
#include "explain/numbers.h"
#include "explain/svg.h"

namespace dhyan {

namespace {

constexpr std::string_view kPageStyle = R"(:root { color-scheme: light dark; }
body { margin: 1.5rem; font: 16px/1.5 system-ui, "Noto Sans Devanagari", "Nirmala UI", Mangal, sans-serif;
  background: #ffffff; color: #000000; }
h1 { font-size: 1.3rem; font-weight: 600; margin: 0; }
h1 span { display: block; }
.score, summary, output { color: #57606a; }
.maps { display: flex; flex-wrap: wrap; gap: 2rem; align-items: flex-start; }
figure { margin: 1rem 0; max-width: 100%; }
.area, .wide { overflow-x: auto; }
output { display: block; min-height: 1.5em; font-variant-numeric: tabular-nums; }
.picture .cell.picked { stroke: #d1480c; stroke-width: 2; }
.picture .picked { font-weight: 700; }
table { border-collapse: collapse; font-size: 0.85rem; font-variant-numeric: tabular-nums; margin-top: 0.5rem; }
th, td { padding: 0.2rem 0.6rem; border: 1px solid #c8d0d9; text-align: right; }
@media (prefers-color-scheme: dark) {
  body { background: #0f1317; color: #ffffff; }
  .score, summary, output { color: #a5afba; }
  .picture .cell.picked { stroke: #ff9d5c; }
  th, td { border-color: #3a444f; }
}
)";

// Says the cell under the pointer, or the one that arrow keys lead to. Written without the marks XML keeps for itself.
constexpr std::string_view kScript = R"(for (const map of document.querySelectorAll(".map")) {
  const cells = [...map.querySelectorAll(".cells .cell")];
  const rows = [...map.querySelectorAll(".row")];
  const columns = [...map.querySelectorAll(".column")];
  const area = map.querySelector(".area");
  const reading = map.querySelector("output");
  let at = -1;
  const pick = (index) => {
    for (const old of map.querySelectorAll(".picked")) old.classList.remove("picked");
    at = index;
    const column = at % columns.length;
    for (const part of [cells[at], columns[column], rows[(at - column) / columns.length]]) part.classList.add("picked");
    cells[at].parentNode.append(cells[at]);
    reading.textContent = cells[at].querySelector("title").textContent;
  };
  const moves = {ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns.length, ArrowDown: columns.length};
  area.addEventListener("pointerover", (event) => {
    const index = cells.indexOf(event.target);
    if (index !== -1) pick(index);
  });
  area.addEventListener("keydown", (event) => {
    const move = moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    const next = at === -1 ? 0 : at + move;
    if (cells[next] !== undefined) pick(next);
  });
}
)";

// Of a language the page does not know.
std::string foreign(std::string_view element, std::string_view text, std::string_view attributes = "") {
  return cat('<', element, attributes, " lang=\"\" dir=\"auto\">", xml_text(text), "</", element, '>');
}

std::string table_of(const AttentionMap& map) {
  std::string html = "<table>\n<thead><tr><td></td>";
  for (const std::string& label : map.source) html += foreign("th", label, " scope=\"col\"");
  html += "</tr></thead>\n<tbody>\n";
  for (std::size_t i = 0; i < map.target.size(); ++i) {
    html += "<tr>" + foreign("th", map.target[i], " scope=\"row\"");
    for (const double weight : map.weights[i]) html += cat("<td>", fixed(weight, 4), "</td>");
    html += "</tr>\n";
  }
  return html + "</tbody>\n</table>\n";
}

std::string table_of(const std::vector<double>& thought) {
  constexpr std::size_t kInARow = 8;
  std::string html = "<table>\n<tbody>\n";
  for (std::size_t begin = 0; begin < thought.size(); begin += kInARow) {
    const std::size_t end = std::min(thought.size(), begin + kInARow);
    html += cat("<tr><th scope=\"row\">", begin + 1, "–", end, "</th>");
    for (std::size_t k = begin; k < end; ++k) html += cat("<td>", fixed(thought[k], 4), "</td>");
    html += "</tr>\n";
  }
  return html + "</tbody>\n</table>\n";
}

std::string figure(std::string_view kind, const Drawing& drawing, std::string_view id, const std::string& table) {
  return cat(
      "<figure class=\"", kind, "\">\n<div class=\"area\" tabindex=\"0\" role=\"group\" aria-label=\"",
      xml_text(drawing.title), "\">\n", svg_element(drawing, id),
      "</div>\n<output aria-live=\"polite\"></output>\n<details><summary>Numbers</summary>\n<div class=\"wide\">\n",
      table, "</div>\n</details>\n</figure>\n");
}

}  // namespace

std::string to_html(const Explanation& explanation) {
  std::string figures;
  for (std::size_t m = 0; m < explanation.maps.size(); ++m) {
    const AttentionMap& map = explanation.maps[m];
    figures += figure("map", draw_map(map), cat("map-", m + 1), table_of(map));
  }
  if (explanation.maps.empty()) {
    figures = figure("thought", draw_thought(explanation), "thought", table_of(explanation.thought));
  }
  return cat(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
      "script-src 'unsafe-inline'\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>",
      xml_text(explanation.source), " → ", xml_text(explanation.translation), "</title>\n<style>\n", kPictureStyle,
      kPageStyle, "</style>\n</head>\n<body>\n<main>\n<h1>", foreign("span", explanation.source),
      foreign("span", explanation.translation), "</h1>\n<p class=\"score\">",
      probability_in_words(explanation.log_probability), "</p>\n<div class=\"maps\">\n", figures,
      "</div>\n</main>\n<script>\n", kScript, "</script>\n</body>\n</html>\n");
}

}  // namespace dhyan

#include "explain/html.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "explain/number_format.h"
#include "explain/svg.h"

namespace dhyan {

namespace {

// A picture beside others shrinks to the available width down to this scale, where words stay readable, then scrolls.
constexpr double kSmallestScale = 0.75;

constexpr std::string_view kPageStyle = R"(:root { color-scheme: light dark; }
body { margin: 1.5rem; font: 16px/1.5 system-ui, "Noto Sans Devanagari", "Nirmala UI", Mangal, sans-serif;
  background: #ffffff; color: #000000; }
h1 { font-size: 1.3rem; font-weight: 600; margin: 0; }
h1 span { display: block; }
.score, .note, summary, output { color: #57606a; }
figure { margin: 1rem 0; max-width: 100%; display: flex; flex-wrap: wrap; gap: 0 2rem; align-items: flex-start; }
.view, .heads { min-width: 0; max-width: 100%; }
.heads { overflow-x: auto; }
.note { margin: 0.5rem 0; font-size: 0.85rem; }
.heads .note { width: 0; min-width: 100%; }
figure details { flex: 0 0 100%; }
.heads td, .heads th { border: 0; padding: 0.2rem; text-align: center; font-weight: 400; white-space: nowrap; }
.heads button { font: inherit; color: inherit; background: none; padding: 2px; border: 2px solid transparent;
  border-radius: 4px; cursor: pointer; }
.heads button:hover { border-color: #c8d0d9; }
.heads button[aria-pressed=true] { border-color: #d1480c; }
.heads svg { display: block; }
.area { overflow-x: auto; }
.wide { overflow: auto; max-height: 20rem; }
output { display: block; min-height: 1.5em; font-variant-numeric: tabular-nums; }
.picture .cell.picked { stroke: #d1480c; stroke-width: 2; }
.picture .picked { font-weight: 700; }
table { border-collapse: collapse; font-size: 0.85rem; font-variant-numeric: tabular-nums; margin-top: 0.5rem; }
th, td { padding: 0.2rem 0.6rem; border: 1px solid #c8d0d9; text-align: right; }
@media (prefers-color-scheme: dark) {
  body { background: #0f1317; color: #ffffff; }
  .score, .note, summary, output { color: #a5afba; }
  .picture .cell.picked { stroke: #ff9d5c; }
  .heads button:hover { border-color: #3a444f; }
  .heads button[aria-pressed=true] { border-color: #ff9d5c; }
  th, td { border-color: #3a444f; }
}
)";

// Shows the weight of the cell under the pointer or the arrow keys. Avoids < and &, so that the page is valid XML.
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
  const heads = map.querySelectorAll(".heads button");
  const short = (weight) => (weight >= 0.995 ? "1.0" : weight >= 0.005 ? weight.toFixed(2).slice(1) : "");
  const numbers = map.querySelector(".numbers");
  const table = map.querySelectorAll("details tbody td");
  const description = map.querySelector("desc");
  const of_the_mean = description.textContent;
  const number_in = (cell, weight) => {
    const text = document.createElementNS(cell.namespaceURI, "text");
    text.setAttribute("class", weight >= map.dataset.dark ? "number on-dark" : "number");
    text.setAttribute("x", Number(cell.getAttribute("x")) + cell.getAttribute("width") / 2);
    text.setAttribute("y", Number(cell.getAttribute("y")) + cell.getAttribute("height") / 2 + 4);
    text.textContent = short(weight);
    return text;
  };
  const show = (head) => {
    for (const other of heads) other.setAttribute("aria-pressed", other === head);
    const weights = head.dataset.weights.split(" ").map((tenthousandth) => tenthousandth / 10000);
    for (const [index, cell] of cells.entries()) {
      const title = cell.querySelector("title");
      cell.setAttribute("fill-opacity", weights[index]);
      table[index].textContent = weights[index].toFixed(4);
      title.textContent = title.textContent.replace(/α = [^,]*$/, "α = " + table[index].textContent);
    }
    if (numbers !== null) numbers.replaceChildren(...cells.map((cell, index) => number_in(cell, weights[index])));
    const name = head.getAttribute("aria-label");
    area.setAttribute("aria-label", name);
    for (const part of map.querySelectorAll(".heading, svg > title")) part.textContent = name;
    description.textContent = head === heads[0] ? of_the_mean : "";
    reading.textContent = name;
    if (at !== -1) pick(at);
  };
  for (const head of heads) head.addEventListener("click", () => show(head));
}
)";

std::string table_of(const AttentionMap& map) {
  std::string html = "<table>\n<thead><tr><td></td>";
  for (const std::string& label : map.columns) html += foreign("th", label, " scope=\"col\"");
  html += "</tr></thead>\n<tbody>\n";
  for (std::size_t i = 0; i < map.rows.size(); ++i) {
    html += "<tr>" + foreign("th", map.rows[i], " scope=\"row\"");
    for (const double weight : map.weights[i]) html += cat("<td>", fixed(weight, 4), "</td>");
    html += "</tr>\n";
  }
  return html + "</tbody>\n</table>\n";
}

std::string table_of(const std::vector<double>& context_vector) {
  constexpr std::size_t kInARow = 8;
  std::string html = "<table>\n<tbody>\n";
  for (std::size_t begin = 0; begin < context_vector.size(); begin += kInARow) {
    const std::size_t end = std::min(context_vector.size(), begin + kInARow);
    html += cat("<tr><th scope=\"row\">", begin + 1, "–", end, "</th>");
    for (std::size_t k = begin; k < end; ++k) html += cat("<td>", fixed(context_vector[k], 4), "</td>");
    html += "</tr>\n";
  }
  return html + "</tbody>\n</table>\n";
}

// A button with a small map or a word. Pressing it shows its weights in the large map.
std::string head_button(const AttentionMap& map, std::string_view content, bool pressed) {
  std::string weights;
  for (const std::vector<double>& row : map.weights) {
    for (const double weight : row) {
      const bool is_number = weight > 0;
      weights += cat(weights.empty() ? "" : " ", is_number ? std::lround(std::min(weight, 1.0) * 10'000) : 0);
    }
  }
  return cat("<button type=\"button\" aria-pressed=\"", pressed ? "true" : "false", "\" aria-label=\"",
             xml_text(map.title), "\" data-weights=\"", weights, "\">", content, "</button>");
}

std::string head_table(std::span<const AttentionMap> maps, const AttentionMap& mean) {
  constexpr double kSide = 112;  // of a small map
  const double cell =
      std::clamp(std::floor(kSide / static_cast<double>(std::max(mean.rows.size(), mean.columns.size()))), 2.0, 12.0);
  std::string head, body;
  std::optional<Index> layer;
  for (const AttentionMap& map : maps) {
    if (map.layer == maps.front().layer) head += cat("<th scope=\"col\">head ", *map.head + 1, "</th>");
    if (map.layer != layer)
      body += cat(body.empty() ? "" : "</tr>\n", "<tr><th scope=\"row\">layer ", *map.layer + 1, "</th>\n");
    layer = map.layer;
    body += cat("<td>", head_button(map, svg_image(draw_small(map, cell)), false), "</td>\n");
  }
  return cat(
      "<div class=\"heads\">\n<p class=\"note\">Each small map is one head: layers go down, heads across. Choose "
      "one to see it large.</p>\n<table>\n<thead><tr><td>",
      head_button(mean, "mean", true), "</td>", head, "</tr></thead>\n<tbody>\n", body,
      "</tr>\n</tbody>\n</table>\n</div>\n");
}

// The maps of one place: a single map, or the mean of several with a button for each.
std::string section(std::span<const AttentionMap> maps, std::string_view id) {
  AttentionMap shown = mean_of(maps);
  if (maps.size() > 1) shown.title = cat(title_of(shown.place), ", mean of all heads shown");
  return html_figure("map", draw_map(shown), id, table_of(shown), maps.size() > 1 ? head_table(maps, shown) : "");
}

}  // namespace

std::string foreign(std::string_view element, std::string_view text, std::string_view attributes) {
  return cat('<', element, attributes, " lang=\"\" dir=\"auto\">", xml_text(text), "</", element, '>');
}

std::string weights_table(const AttentionMap& map) { return table_of(map); }

std::string html_figure(std::string_view kind, const Drawing& drawing, std::string_view id, const std::string& table,
                        std::string_view beside) {
  return cat(
      "<figure class=\"", kind, "\" data-dark=\"", kDarkCell,
      "\">\n<div class=\"view\">\n<div class=\"area\" style=\"--least:", std::ceil(drawing.width * kSmallestScale),
      "px\" tabindex=\"0\" role=\"group\" aria-label=\"", xml_text(drawing.title), "\">\n", svg_element(drawing, id),
      "</div>\n<output aria-live=\"polite\"></output>\n</div>\n", beside,
      "<details><summary>All values as a table</summary>\n<div class=\"wide\" tabindex=\"0\" role=\"group\" "
      "aria-label=\"All values as a table\">\n",
      table, "</div>\n</details>\n</figure>\n");
}

const std::string_view kMapScript = kScript;

std::string html_page(const HtmlPage& page) {
  return cat(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
      "script-src 'unsafe-inline'; img-src data:\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>",
      xml_text(page.source), page.source.empty() || page.translation.empty() ? "" : " → ", xml_text(page.translation),
      "</title>\n<style>\n", kPictureStyle, kPageStyle, page.style, "</style>\n</head>\n<body>\n<main>\n<h1>",
      page.heading, page.source.empty() || !page.heading.empty() ? "" : foreign("span", page.source),
      page.translation.empty() || !page.heading.empty() ? "" : foreign("span", page.translation),
      "</h1>\n<p class=\"score\">", page.log_probability ? probability_in_words(*page.log_probability) : "", "</p>\n",
      page.content, "</main>\n<script>\n", page.script, "</script>\n</body>\n</html>\n");
}

std::string html_page(std::string_view source, std::string_view translation, std::optional<double> log_probability,
                      std::string_view figures) {
  return html_page(
      {source, translation, log_probability, cat("<div class=\"maps\">\n", figures, "</div>\n"), {}, kMapScript});
}

std::string html_figures(const Explanation& explanation, std::string_view prefix) {
  if (explanation.maps.empty()) {
    return html_figure("thought", draw_context_vector(explanation), cat(prefix, "thought"),
                       table_of(explanation.context_vector));
  }
  std::string figures;
  for (const std::span<const AttentionMap> place : by_place(explanation.maps)) {
    figures += section(place, cat(prefix, "map-", name_of(place.front().place)));
  }
  return figures;
}

std::string to_html(const Explanation& explanation) {
  return html_page(explanation.source, explanation.translation, explanation.log_probability, html_figures(explanation));
}

}  // namespace dhyan

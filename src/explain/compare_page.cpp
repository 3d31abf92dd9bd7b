#include "explain/compare_page.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/error.h"
#include "explain/html.h"
#include "explain/html_table.h"
#include "explain/number_format.h"
#include "explain/png.h"
#include "explain/records.h"
#include "explain/svg.h"
#include "explain/terminal.h"
#include "text/display.h"

namespace dhyan {

namespace {

constexpr std::array kCompareFormats = {
    CompareFormat{"text", ".txt", Summary::kMean, compare_text},
    CompareFormat{"svg", ".svg", Summary::kNone, compare_svg},
    CompareFormat{"html", ".html", Summary::kNone, compare_html},
    CompareFormat{"png", ".png", Summary::kNone, compare_png},
    CompareFormat{"json", ".json", Summary::kNone, compare_json},
};

constexpr std::string_view kComparePageStyle =
    R"(.models { display: flex; flex-wrap: wrap; gap: 1rem 3rem; align-items: flex-start; }
.models article { flex: 1 1 24rem; max-width: 100%; }
.models .area svg { max-width: 100%; min-width: var(--least); height: auto; }
.models article > .wide { max-height: none; }
.models .heads { flex: 1 1 100%; contain: inline-size; }
.models details .wide { contain: inline-size; }
.models h2 { font-size: 1.1rem; margin: 0.5rem 0 0; overflow-wrap: anywhere; }
.reading { max-width: 60rem; margin: 0.4rem 0; }
.translation { font-size: 1.15rem; margin: 0.2rem 0; }
)";

constexpr std::string_view kHowToRead =
    "p is the probability that the model gives a word after the words before it. </s> marks the end of a sentence.";

const std::string& source_of(std::span<const ComparedModel> models) { return models.front().explanation.source; }

// The words of one model. Probabilities come first because their width does not depend on the script.
std::vector<std::string> word_lines(const ComparedModel& model) {
  const Explanation& explanation = model.explanation;
  std::vector<std::string> lines{shown(model.name), shown(explanation.translation),
                                 probability_in_words(explanation.log_probability.value_or(0))};
  for (std::size_t i = 0; i < explanation.target_units.size(); ++i) {
    lines.push_back(cat(fixed(std::exp(explanation.target_scores[i]), 4), "  ", shown(explanation.target_units[i])));
  }
  return lines;
}

Index widest_line(const std::vector<std::string>& lines) {
  Index width = 0;
  for (const std::string& line : lines) width = std::max(width, display_width(line));
  return width;
}

// Side by side if the terminal is wide enough and the width of the left words is known; otherwise one below the other.
std::string words_of(std::span<const ComparedModel> models, Index width) {
  constexpr Index kGap = 4;
  const std::vector<std::string> left = word_lines(models.front()), right = word_lines(models.back());
  const Index room = widest_line(left) + kGap;
  std::string text;
  if (!std::ranges::all_of(left, has_settled_width) || (width > 0 && room + widest_line(right) > width)) {
    for (const std::string& line : left) text += line + '\n';
    text += '\n';
    for (const std::string& line : right) text += line + '\n';
    return text;
  }
  for (std::size_t i = 0; i < std::max(left.size(), right.size()); ++i) {
    const std::string line = cat(padded(i < left.size() ? left[i] : "", room), i < right.size() ? right[i] : "");
    text += cat(line.substr(0, line.find_last_not_of(' ') + 1), '\n');
  }
  return text;
}

std::string word_table(const Explanation& explanation) {
  std::string table = cat("<table>\n<thead><tr>", heading("word"), heading("p"), heading("p as a bar"),
                          heading("log p"), "</tr></thead>\n<tbody>\n");
  for (std::size_t i = 0; i < explanation.target_units.size(); ++i) {
    const double log_p = explanation.target_scores[i], p = std::exp(log_p);
    table += cat("<tr>", foreign("th", explanation.target_units[i], " scope=\"row\""), "<td>", fixed(p, 4), "</td>",
                 bar_cell(p), "<td>", fixed(log_p, 4), "</td></tr>\n");
  }
  return scroll_area("Words and their probabilities", table + "</tbody>\n</table>\n");
}

// The translation of a model and its probabilities, drawn above the attention.
Drawing draw_words(const ComparedModel& model) {
  const Explanation& explanation = model.explanation;
  std::string words;
  for (std::size_t i = 0; i < explanation.target_units.size(); ++i) {
    words +=
        cat(i == 0 ? "p: " : ", ", explanation.target_units[i], ' ', fixed(std::exp(explanation.target_scores[i]), 2));
  }
  const std::string p = probability_in_words(explanation.log_probability.value_or(0));
  Drawing drawing{0, kMargin, "", model.name, cat(explanation.translation, ". ", p, ". ", words, ". ", kHowToRead)};
  std::vector<std::string> all;
  const auto append = [&](std::string_view kind, std::string_view text) {
    for (const std::string& line : wrapped(shown(text), 60)) {
      drawing.elements += svg_text(kind, {kMargin, drawing.height += kFontSize * 1.4}, line);
      all.push_back(line);
    }
  };
  append("heading", model.name);
  append("target", explanation.translation);
  append("small", p);
  append("small", words);
  append("small", kHowToRead);
  drawing.width = std::ceil(widest_estimate(all, kFontSize) + 2 * kMargin);
  drawing.height = std::ceil(drawing.height + kMargin);
  return drawing;
}

}  // namespace

std::span<const CompareFormat> compare_formats() { return kCompareFormats; }

std::string compare_text(std::span<const ComparedModel> models, const RenderOptions& options) {
  std::string text = cat(shown(source_of(models)), "\n\n", words_of(models, options.width));
  for (const ComparedModel& model : models) {
    text += cat('\n', shown(model.name), '\n', attention_text(model.explanation, options));
  }
  return text;
}

std::string compare_html(std::span<const ComparedModel> models, const RenderOptions&) {
  std::string content =
      cat("<p class=\"reading\">", xml_text(kHowToRead),
          " A row of a map shows how much a word of the translation attends to each word of the source.</p>\n"
          "<div class=\"models\">\n");
  for (const ComparedModel& model : models) {
    const Explanation& explanation = model.explanation;
    content += cat("<article>\n", foreign("h2", model.name), '\n',
                   foreign("p", explanation.translation, " class=\"translation\""), "\n<p class=\"score\">",
                   probability_in_words(explanation.log_probability.value_or(0)), "</p>\n", word_table(explanation),
                   "<div class=\"maps\">\n", html_figures(explanation, cat("model-", &model - models.data() + 1, "-")),
                   "</div>\n</article>\n");
  }
  const std::string style = cat(kTableStyle, kComparePageStyle);
  return html_page({.source = source_of(models),
                    .translation = "",
                    .log_probability = std::nullopt,
                    .content = content + "</div>\n",
                    .style = style,
                    .script = kMapScript});
}

std::string compare_svg(std::span<const ComparedModel> models, const RenderOptions&) {
  Drawing all{0, 0, "", cat("Models compared: ", source_of(models)), ""};
  for (const ComparedModel& model : models) {
    const Drawing drawing = stacked({draw_words(model), drawing_of(model.explanation)});
    all.elements += cat("<g transform=\"translate(", all.width, " 0)\">\n", drawing.elements, "</g>\n");
    all.width += drawing.width;
    all.height = std::max(all.height, drawing.height);
    all.description += cat(all.description.empty() ? "" : " ", drawing.description);
  }
  return standalone_svg(all, "compared");
}

std::string compare_png(std::span<const ComparedModel> models, const RenderOptions& options) {
  return svg_to_png(compare_svg(models, options), options);
}

std::string compare_json(std::span<const ComparedModel> models, const RenderOptions&) {
  std::string text;
  for (const ComparedModel& model : models) {
    text += cat(text.empty() ? "" : ",\n", "{\"model\": ", json_string(model.name),
                ", \"explanation\": ", to_json(model.explanation), "}");
  }
  return cat("{\"models\": [\n", text, "\n]}\n");
}

}  // namespace dhyan

#include "runs/report.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "config/options.h"
#include "core/error.h"
#include "core/number_text.h"
#include "explain/plot.h"
#include "explain/svg.h"
#include "runs/sample_words.h"
#include "runs/training_history.h"
#include "translator/model_folder.h"

namespace dhyan {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kReportStyle = R"(:root { color-scheme: light dark; }
body { margin: 0 auto; padding: 1.5rem; max-width: 76rem; background: #ffffff; color: #000000;
  font: 16px/1.5 system-ui, "Noto Sans Devanagari", "Nirmala UI", Mangal, sans-serif; }
h1 { font-size: 1.6rem; font-weight: 600; margin: 0; }
h2 { font-size: 1.2rem; font-weight: 600; margin: 2.5rem 0 0.5rem; border-bottom: 1px solid #c8d0d9; }
h3 { font-size: 1rem; font-weight: 600; margin: 1.5rem 0 0; }
p { margin: 0.4rem 0; max-width: 46rem; }
.note, summary, figcaption { color: #57606a; }
.facts { display: flex; flex-wrap: wrap; gap: 1rem 2.5rem; margin: 1rem 0; padding: 0; list-style: none; }
.facts b { display: block; font-size: 1.4rem; font-weight: 600; font-variant-numeric: tabular-nums; }
.facts span { color: #57606a; }
.curves { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 30rem), 1fr)); gap: 1rem 2rem; }
.maps { display: flex; flex-wrap: wrap; gap: 1rem 2rem; align-items: flex-start; }
figure { margin: 0.5rem 0; min-width: 0; }
figure svg { max-width: 100%; height: auto; display: block; }
.maps figure { max-height: 56rem; overflow-y: auto; }
.wide { overflow-x: auto; max-height: 24rem; overflow-y: auto; }
table { border-collapse: collapse; font-size: 0.85rem; font-variant-numeric: tabular-nums; margin: 0.5rem 0; }
th, td { padding: 0.2rem 0.6rem; border: 1px solid #c8d0d9; text-align: right; }
th:first-child, .words td, .words th { text-align: left; }
th { font-weight: 600; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.1rem 1rem; margin: 0.5rem 0; }
dt { color: #57606a; }
dd { margin: 0; }
@media (prefers-color-scheme: dark) {
  body { background: #0f1317; color: #ffffff; }
  .note, summary, figcaption, dt, .facts span { color: #a5afba; }
  h2, th, td { border-color: #3a444f; }
}
)";

using ReportRow = std::vector<std::string>;

std::string report_table(const ReportRow& head, const std::vector<ReportRow>& rows, std::string_view kind = "numbers") {
  std::string html = cat("<div class=\"wide\" tabindex=\"0\" role=\"group\" aria-label=\"Table\">\n<table class=\"",
                         kind, "\">\n<thead><tr>");
  for (const std::string& cell : head) html += cat("<th scope=\"col\">", xml_text(cell), "</th>");
  html += "</tr></thead>\n<tbody>\n";
  for (const ReportRow& row : rows) {
    html += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i) {
      html += i == 0 ? cat("<th scope=\"row\">", xml_text(row[i]), "</th>") : cat("<td>", xml_text(row[i]), "</td>");
    }
    html += "</tr>\n";
  }
  return html + "</tbody>\n</table>\n</div>\n";
}

// Readable names: "tokens per second", "attention entropy (nats)".
std::string readable(std::string name) {
  constexpr std::string_view kNats = "_nats";
  if (name.ends_with(kNats)) name = cat(name.substr(0, name.size() - kNats.size()), " (nats)");
  std::ranges::replace(name, '_', ' ');
  return name;
}

// How a curve of the log is drawn. Curves that are not in the table are linear and keep their name.
struct CurveKind {
  std::string_view name;  // in train.jsonl
  std::string_view up;    // name of the axis
  std::string_view reading;
  Scale scale = Scale::kLinear;
};
constexpr auto kCurveKinds = std::to_array<CurveKind>({
    {"loss", "loss, nats per token", "Cross-entropy of the words to predict: lower is better."},
    {"perplexity", "perplexity",
     "The exponential of the loss, the number of words the model hesitates between: lower "
     "is better.",
     Scale::kByRange},
    {"bleu", "BLEU (the full scale is 0 to 100)", "Similarity of translations and references: higher is better."},
    {"chrf", "chrF (the full scale is 0 to 100)",
     "Similarity of translations and references in characters: higher is better."},
    {"aer", "alignment error rate",
     "Share of links that attention and the gold alignment do not have in common: lower is better."},
    {"attention_entropy_nats", "attention entropy (nats)",
     "How widely attention spreads over the source: low is sharp, 0 is one word alone, ln S is all S words alike."},
    {"learning_rate", "learning rate", "The learning rate of each step, set by the schedule."},
    {"gradient_norm", "norm of the gradient", "The size of gradients before they are clipped; peaks are hard batches.",
     Scale::kByRange},
    {"update_ratio", "update / weight", "How far a step moves the weights, as a share of their size.", Scale::kByRange},
    {"tokens_per_second", "tokens per second", "How fast training went: higher is faster."},
    {"skipped", "steps skipped", "Steps skipped so far because a gradient was not finite."},
});

// Names of metrics are compared without case, because logs of other versions have "BLEU".
Plot plot_of(const std::string& name) {
  std::string lower = name;
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const auto kind = std::ranges::find(kCurveKinds, lower, &CurveKind::name);
  Plot plot{.title = readable(name), .across = "step", .lines = {}};
  if (kind == kCurveKinds.end()) return plot;
  plot.up = kind->up;
  plot.reading = kind->reading;
  plot.scale = kind->scale;
  return plot;
}

std::vector<Point> points_of(const HistoryCurve& curve) {
  std::vector<Point> points;
  for (const HistoryCurve::Value& at : curve.values) points.push_back({static_cast<double>(at.step), at.value});
  return points;
}

std::string plot_figure(const Plot& plot, std::size_t number) {
  constexpr std::size_t kMostRows = 100;
  std::string tables;
  for (const PlotLine& line : plot.lines) {
    std::vector<ReportRow> rows;
    for (const Point& point : thinned(line.points, kMostRows)) {
      rows.push_back({plot_number(point.x), plot_number(point.y)});
    }
    tables += report_table({plot.across, line.name}, rows);
  }
  return cat("<figure>\n", svg_element(draw_plot(plot), cat("curve-", number)), "<details><summary>Numbers</summary>\n",
             tables, "</details>\n</figure>\n");
}

// One picture per name, with the curves of training and of validation.
std::string curve_section(const TrainingHistory& history) {
  std::vector<Plot> plots;
  const auto add = [&](const HistoryCurve& curve, const char* line) {
    if (curve.name == "skipped" && curve.values.back().value == 0) return;
    auto plot = std::ranges::find(plots, readable(curve.name), &Plot::title);
    if (plot == plots.end()) plot = plots.insert(plots.end(), plot_of(curve.name));
    plot->lines.push_back({line, points_of(curve)});
  };
  for (const HistoryCurve& curve : history.training) add(curve, "training");
  for (const HistoryCurve& curve : history.validation) add(curve, "held-out");
  if (plots.empty()) return "<p class=\"note\">The log has no curves yet.</p>\n";
  std::string html = "<div class=\"curves\">\n";
  for (std::size_t i = 0; i < plots.size(); ++i) html += plot_figure(plots[i], i);
  return html + "</div>\n";
}

// The metrics of the kept weights on held-out data, and the best value of each metric.
std::string score_section(const TrainingHistory& history) {
  std::vector<ReportRow> rows;
  for (const HistoryCurve& curve : history.validation) {
    const std::optional<double> kept = kept_value(history, curve);
    rows.push_back({readable(curve.name), kept ? plot_number(*kept) : "–", plot_number(curve.values.front().value),
                    plot_number(curve.values.back().value)});
  }
  if (rows.empty()) return "<p class=\"note\">There is no held-out data.</p>\n";
  const std::string which = history.mean_of > 0 ? cat("mean of ", history.mean_of) : cat("step ", history.best_step);
  return report_table({"held-out", cat("kept (", which, ")"), "first", "last"}, rows);
}

std::string beginning_of(const fs::path& path, std::size_t most) {
  std::ifstream in(path, std::ios::binary);
  std::string text(most, '\0');
  in.read(text.data(), static_cast<std::streamsize>(most));
  text.resize(static_cast<std::size_t>(in.gcount()));
  return text;
}

// Flattens a JSON object: nested values are named "outer.inner"; only those items of lists that have name and score are
// shown.
void append_rows(const nlohmann::ordered_json& json, const std::string& name, int depth, std::vector<ReportRow>& rows) {
  constexpr int kDeepest = 3;
  constexpr std::size_t kMostRows = 100;
  if (rows.size() >= kMostRows) return;
  if (json.is_object() && depth < kDeepest) {
    for (const auto& [key, value] : json.items()) {
      append_rows(value, name.empty() ? key : cat(name, ".", key), depth + 1, rows);
    }
  } else if (json.is_array() && depth < kDeepest) {
    for (const nlohmann::ordered_json& one : json) {
      const auto named = one.find("name"), score = one.find("score");
      if (named == one.end() || score == one.end() || !named->is_string()) continue;
      append_rows(*score, named->get<std::string>(), kDeepest, rows);
    }
  } else if (json.is_number()) {
    rows.push_back({readable(name), plot_number(json.get<double>())});
  } else if (json.is_string()) {
    rows.push_back({readable(name), json.get<std::string>()});
  }
}

std::string evaluation_section(const fs::path& folder) {
  constexpr std::size_t kLargest = std::size_t{1} << 20;
  const fs::path path = folder / "evaluation.json";
  if (!fs::exists(path)) {
    return cat("<p class=\"note\">No evaluation.json is in the folder; <code>dhyan evaluate -m ",
               xml_text(folder.string()), " --json</code> prints it.</p>\n");
  }
  const auto json = nlohmann::ordered_json::parse(beginning_of(path, kLargest), nullptr, false);
  if (!json.is_object()) throw DataError(cat(path.string(), ": expected a JSON object"));
  std::vector<ReportRow> rows;
  append_rows(json, "", 0, rows);
  return cat("<h3>Evaluation</h3>\n", report_table({"score", "value"}, rows, "words"));
}

Plot sharpening(const std::vector<AttentionSample>& samples) {
  struct Mean {
    double sum = 0, count = 0;
  };
  std::map<Index, Mean> means;
  for (const AttentionSample& sample : samples) {
    if (sample.weights.empty()) continue;
    means[sample.step].sum += sharpness_of(sample);
    means[sample.step].count += 1;
  }
  Plot plot{.title = "largest weight of a row of attention, mean",
            .across = "step",
            .lines = {{"held-out", {}}},
            .up = "weight α, 0 to 1",
            .reading = "How sharply a word attends to the source, over all samples: 1 is a single token each."};
  for (const auto& [step, mean] : means) {
    plot.lines.front().points.push_back({static_cast<double>(step), mean.sum / mean.count});
  }
  return plot;
}

using SampleTimes = std::vector<const SampleInWords*>;  // of one sentence, step after step

std::string foreign_line(std::string_view text) {
  return cat("<span lang=\"\" dir=\"auto\">", xml_text(text), "</span>");
}

std::string map_figure(const SampleInWords& sample, std::string_view id) {
  constexpr std::size_t kWidestMap = 100;
  const std::size_t rows = sample.map.rows.size(), columns = sample.map.columns.size();
  if (sample.map.weights.empty()) return "";
  if (std::max(rows, columns) > kWidestMap) {
    return cat("<p class=\"note\">step ", sample.step, ": the map is left out; ", rows, " by ", columns,
               " words, and up to ", kWidestMap, " by ", kWidestMap, " are drawn.</p>\n");
  }
  return cat("<figure tabindex=\"0\">\n", svg_element(draw_map(sample.map), id), "</figure>\n");
}

// The translations of one sentence at the first validation, half-way and at the last.
std::string sample_section(const SampleTimes& times, std::size_t number) {
  const std::size_t last = times.size() - 1;
  std::vector<std::size_t> chosen{0, last / 2, last};
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  std::string lines = cat("<dt>source</dt><dd>", foreign_line(times[last]->source), "</dd>\n"), maps;
  for (const std::size_t at : chosen) {
    lines += cat("<dt>step ", times[at]->step, "</dt><dd>", foreign_line(times[at]->translation), "</dd>\n");
    maps += map_figure(*times[at], cat("sample-", number, "-", at));
  }
  if (!times[last]->reference.empty()) {
    lines += cat("<dt>reference</dt><dd>", foreign_line(times[last]->reference), "</dd>\n");
  }
  return cat("<h3>Sentence ", number + 1, "</h3>\n<dl>\n", lines, "</dl>\n<div class=\"maps\">\n", maps, "</div>\n");
}

std::string attention_section(const std::vector<AttentionSample>& samples, const std::vector<SampleInWords>& in_words) {
  constexpr std::size_t kMostSentences = 4;
  std::vector<SampleTimes> sentences;
  for (const SampleInWords& sample : in_words) {
    auto same = std::ranges::find_if(sentences, [&](const SampleTimes& times) {
      return times.front()->source == sample.source && times.front()->reference == sample.reference;
    });
    if (same == sentences.end()) same = sentences.insert(sentences.end(), SampleTimes());
    same->push_back(&sample);
  }
  std::string html;
  if (std::ranges::all_of(samples, [](const AttentionSample& sample) { return sample.weights.empty(); })) {
    html = "<p class=\"note\">No samples with attention were kept at validations of this training.</p>\n";
  } else {
    html = cat("<div class=\"curves\">\n", plot_figure(sharpening(samples), 1000), "</div>\n");
  }
  for (std::size_t i = 0; i < std::min(kMostSentences, sentences.size()); ++i) html += sample_section(sentences[i], i);
  return html;
}

std::string option_section(const Config& config) {
  std::string html, group;
  std::vector<ReportRow> rows;
  const auto flush = [&] {
    if (!rows.empty())
      html += cat("<h3>", xml_text(group), "</h3>\n", report_table({"option", "value"}, rows, "words"));
    rows.clear();
  };
  for (const Option& option : options()) {
    if (option.group != group) flush();
    group = option.group;
    std::string values;
    for (const std::string& value : option.get(config)) values += cat(values.empty() ? "" : " ", value);
    rows.push_back({option.name, values});
  }
  flush();
  return cat("<details><summary>Every option</summary>\n", html, "</details>\n");
}

std::string fact_list(const Config& config, const TrainingHistory& history) {
  const auto fact = [](const std::string& value, const char* what) {
    return cat("<li><b>", xml_text(value), "</b><span>", what, "</span></li>\n");
  };
  std::string html = "<ul class=\"facts\">\n" + fact(config.model, "model") +
                     fact(grouped(static_cast<std::uint64_t>(history.steps)), "steps") +
                     fact(fixed(history.seconds / 60, 1), "minutes");
  for (const HistoryCurve& curve : history.validation) {
    if (const std::optional<double> kept = kept_value(history, curve)) {
      html += fact(plot_number(*kept), xml_text("held-out " + readable(curve.name)).c_str());
    }
  }
  return html + "</ul>\n";
}

std::string readme_of(const fs::path& folder) {
  constexpr std::size_t kLargest = std::size_t{1} << 16;
  if (!fs::exists(folder / "README.md")) return "";
  std::istringstream lines(beginning_of(folder / "README.md", kLargest));
  std::string html = "<details><summary>README.md</summary>\n<pre class=\"wide\">";
  for (std::string line; std::getline(lines, line);) html += xml_text(line) + '\n';
  return html + "</pre>\n</details>\n";
}

}  // namespace

std::string training_report(const fs::path& folder) {
  const Config config = load_config(folder);
  const TrainingHistory history = read_history(folder);
  const std::vector<AttentionSample> samples = read_samples(folder);
  const std::string name = xml_text(fs::absolute(folder).lexically_normal().filename().string());
  return cat(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>Training of ",
      name, "</title>\n<style>\n", kPictureStyle, kPlotStyle, kReportStyle,
      "</style>\n</head>\n<body>\n<main>\n<h1>Training of ", name, "</h1>\n", fact_list(config, history),
      "<h2>Curves</h2>\n", curve_section(history), "<h2>Scores</h2>\n", score_section(history),
      evaluation_section(folder), readme_of(folder), "<h2>Attention over training</h2>\n",
      attention_section(samples, samples_in_words(samples, config, folder)), "<h2>Options</h2>\n",
      option_section(config), "</main>\n</body>\n</html>\n");
}

}  // namespace dhyan

#include "server/prometheus_text.h"

#include "core/error.h"
#include "core/number_text.h"
#include "text/unicode.h"

namespace dhyan::server {

namespace {

std::string escaped_label(std::string_view value) {
  std::string escaped;
  for (const char c : replace_bad_utf8(value)) {
    if (c == '\\' || c == '"') escaped += '\\';
    c == '\n' ? escaped += "\\n" : escaped += c;
  }
  return escaped;
}

}  // namespace

void PrometheusText::metric(std::string_view name, std::string_view type, std::string_view help) {
  name_ = name;
  text_ += cat("# HELP ", name, " ", help, "\n# TYPE ", name, " ", type, "\n");
}

void PrometheusText::sample(std::uint64_t value, const MetricLabels& labels) { line("", labels, number_text(value)); }

void PrometheusText::sample(const Histogram& histogram, const MetricLabels& labels) {
  MetricLabels with_bound = labels;
  with_bound.emplace_back("le", "");
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < histogram.counts().size(); ++i) {
    count += histogram.counts()[i];
    with_bound.back().second = i < histogram.bounds().size() ? number_text(histogram.bounds()[i]) : "+Inf";
    line("_bucket", with_bound, number_text(count));
  }
  line("_sum", labels, number_text(histogram.sum()));
  line("_count", labels, number_text(count));
}

void PrometheusText::line(std::string_view suffix, const MetricLabels& labels, std::string_view value) {
  text_ += cat(name_, suffix);
  const char* before = "{";
  for (const auto& [label, content] : labels) {
    text_ += cat(before, label, "=\"", escaped_label(content), "\"");
    before = ",";
  }
  text_ += cat(labels.empty() ? " " : "} ", value, "\n");
}

}  // namespace dhyan::server

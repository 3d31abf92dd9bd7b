#include "server/metrics.h"

#include <gtest/gtest.h>
#include <regex>
#include <set>
#include <sstream>
#include <thread>

namespace dhyan::server {
namespace {

bool has_line(const std::string& text, const std::string& line) {
  return ("\n" + text).find("\n" + line + "\n") != std::string::npos;
}

void record_some(Metrics& metrics) {
  metrics.request("/translate", 200, 0.003);
  metrics.request("/translate", 200, 0.005);
  metrics.request("/translate", 429, 40);
  metrics.request("/health", 200, 0.0001);
  metrics.queued(0.25);
  metrics.batch(5, 0.125, 70);
  metrics.batch(1000, 0.5, 30);
  metrics.cancelled();
  metrics.rejected("queue_full");
  metrics.set_queue_depth(7);
  metrics.set_open_connections(12);
  metrics.set_models(
      {{{"name", "tiny"}, {"kind", "transformer"}}, {{"name", "a\\\"b\"\n\xff"}, {"kind", "rnnsearch"}}});
}

TEST(Metrics, CountWhatHappened) {
  Metrics metrics;
  record_some(metrics);
  const std::string text = metrics.text();
  for (const char* line :
       {"dhyan_http_requests_total{route=\"/translate\",code=\"200\"} 2",
        "dhyan_http_requests_total{route=\"/translate\",code=\"429\"} 1",
        "dhyan_http_requests_total{route=\"/health\",code=\"200\"} 1", "dhyan_open_connections 12",
        "dhyan_queue_depth 7", "dhyan_queue_seconds_sum 0.25", "dhyan_batch_seconds_sum 0.625",
        "dhyan_tokens_total 100", "dhyan_cancelled_total 1", "dhyan_rejected_total{reason=\"queue_full\"} 1",
        "dhyan_model_info{name=\"tiny\",kind=\"transformer\"} 1"}) {
    EXPECT_TRUE(has_line(text, line)) << line << "\n" << text;
  }
}

TEST(Metrics, HaveCumulativeBuckets) {
  Metrics metrics;
  record_some(metrics);
  const std::string text = metrics.text();
  const std::string bucket = "dhyan_http_request_seconds_bucket{route=\"/translate\",le=";
  for (const char* rest : {"\"0.002\"} 0", "\"0.005\"} 2", "\"0.01\"} 2", "\"30\"} 2", "\"+Inf\"} 3"}) {
    EXPECT_TRUE(has_line(text, bucket + rest)) << rest;
  }
  EXPECT_TRUE(has_line(text, "dhyan_http_request_seconds_count{route=\"/translate\"} 3"));
  EXPECT_TRUE(has_line(text, "dhyan_batch_sentences_bucket{le=\"4\"} 0"));
  EXPECT_TRUE(has_line(text, "dhyan_batch_sentences_bucket{le=\"8\"} 1"));
  EXPECT_TRUE(has_line(text, "dhyan_batch_sentences_bucket{le=\"256\"} 1"));
  EXPECT_TRUE(has_line(text, "dhyan_batch_sentences_bucket{le=\"+Inf\"} 2"));
  EXPECT_TRUE(has_line(text, "dhyan_batch_sentences_sum 1005"));
}

TEST(Metrics, EscapeLabels) {
  Metrics metrics;
  record_some(metrics);
  EXPECT_TRUE(has_line(metrics.text(), R"(dhyan_model_info{name="a\\\"b\"\n)"
                                       "\ufffd"
                                       R"(",kind="rnnsearch"} 1)"));
}

TEST(Metrics, ForgetModelsThatAreNotServedAnyMore) {
  Metrics metrics;
  record_some(metrics);
  metrics.set_models({{{"name", "other"}}});
  EXPECT_EQ(metrics.text().find("tiny"), std::string::npos);
}

// Every line is a HELP, its TYPE, or a sample of the metric named last; `promtool check metrics` agrees.
TEST(Metrics, HaveTheFormOfPrometheus) {
  static const std::regex help(R"(# HELP (dhyan_[a-z_]+) [A-Z][^\\]*\.)");
  static const std::regex type(R"(# TYPE (dhyan_[a-z_]+) (counter|gauge|histogram))");
  static const std::regex sample(
      R"re((dhyan_[a-z_]+?)(_bucket|_sum|_count)?(\{[a-z]+="([^"\\]|\\[\\"n])*"(,[a-z]+="([^"\\]|\\[\\"n])*")*\})? [0-9.e+-]+)re");
  Metrics metrics;
  for (const bool filled : {false, true}) {
    if (filled) record_some(metrics);
    std::istringstream text(metrics.text());
    std::set<std::string> names;
    std::string name, kind;
    for (std::string line; std::getline(text, line);) {
      std::smatch found;
      if (std::regex_match(line, found, help)) {
        name = found[1];
        kind.clear();
        EXPECT_TRUE(names.insert(name).second) << name << " occurs twice";
      } else if (std::regex_match(line, found, type)) {
        EXPECT_EQ(found[1], name);
        kind = found[2];
        EXPECT_EQ(kind == "counter", name.ends_with("_total")) << name;
      } else {
        ASSERT_TRUE(std::regex_match(line, found, sample)) << line;
        EXPECT_EQ(found[1], name) << line;
        EXPECT_EQ(found[2].matched, kind == "histogram") << line;
      }
    }
    EXPECT_EQ(names.size(), 11u);
  }
}

TEST(Metrics, CountFromManyThreads) {
  Metrics metrics;
  {
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < 4; ++thread) {
      threads.emplace_back([&] {
        for (int i = 0; i < 500; ++i) {
          metrics.request("/translate", 200, 0.01);
          metrics.batch(1, 0.01, 3);
          if (i % 100 == 0) metrics.text();
        }
      });
    }
  }
  EXPECT_TRUE(has_line(metrics.text(), "dhyan_http_requests_total{route=\"/translate\",code=\"200\"} 2000"));
  EXPECT_TRUE(has_line(metrics.text(), "dhyan_tokens_total 6000"));
}

}  // namespace
}  // namespace dhyan::server

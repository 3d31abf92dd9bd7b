// Translates lines with a model as `dhyan translate` does, and reports tokens per second as JSON. The time includes
// tokenising and detokenising, but not loading.
#include <ctime>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/error.h"
#include "data/lines.h"
#include "kernels/simd/runtime.h"
#include "program.h"
#include "translator/translator.h"

namespace dhyan::bench {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kWarmingSentences = 16;  // after these the weights are packed

struct Settings {
  std::string model, sources;
  int threads = all_threads();
  int beam = 1;
  int batch = 32;
  int length = 0;
  int source_length = 0;
  int sentences = 0;
  int rounds = 3;
  int amx = 0;
};

std::vector<std::string> read_lines(const Settings& settings) {
  std::vector<std::string> lines;
  LineReader reader(settings.sources, {});
  for (std::string_view line; reader.next(line);) {
    lines.emplace_back(line);
    if (std::ssize(lines) == settings.sentences) break;
  }
  if (lines.empty()) throw DataError(settings.sources + ": has no lines");
  return lines;
}

// Lines of exactly `length` tokens, without </s>, made of the words of `lines`; no token contains a space.
std::vector<std::string> lines_of_length(const std::vector<std::string>& lines, const Tokenizer& tokenizer,
                                         Index length) {
  std::vector<std::string> made(lines.size());
  std::size_t at = 0;
  for (std::string& line : made) {
    for (Index left = length; left > 0; ++at) {
      std::istringstream words(lines[at % lines.size()]);
      for (std::string word; left > 0 && words >> word;) {
        const Index tokens = std::ssize(tokenizer.encode(word).ids);
        if (tokens > left) continue;
        line += (line.empty() ? "" : " ") + word;
        left -= tokens;
      }
    }
    const Index tokens = std::ssize(tokenizer.encode(line).ids);
    if (tokens != length) throw DataError(cat("a line made to have ", length, " tokens has ", tokens));
  }
  return made;
}

void run(const Settings& settings) {
  std::unique_ptr<const Translator> translator;
  const TranslatorLimits limits{.batch = {.max_tokens = 1 << 20, .max_sentences = settings.batch},
                                .precision = settings.amx > 0 ? Precision::kSplitBfloat16 : Precision::kFull};
  const double loading = seconds_of([&] { translator = std::make_unique<Translator>(settings.model, limits); });
  std::vector<std::string> lines = read_lines(settings);
  if (settings.source_length > 0) {
    lines = lines_of_length(lines, *translator->tokenizers().source, settings.source_length);
  }
  SearchOptions search{.beam_size = settings.beam,
                       .scored = settings.beam > 1};  // like `dhyan translate` without scores
  if (settings.length > 0) {                          // the last token may be </s>
    search.min_length = settings.length - 1;
    search.max_length = settings.length;
  }

  ThreadPool pool = kernels::make_thread_pool(settings.threads);
  const auto translate = [&](std::span<const std::string> some) {
    return translator->translate(some, search, {.pool = &pool});
  };
  const auto warming = static_cast<std::size_t>(std::max(kWarmingSentences, settings.batch * settings.threads));
  translate(std::span(lines).first(std::min(lines.size(), warming)));
  std::vector<double> seconds, cpu_seconds;
  std::vector<std::vector<Translation>> translations;
  for (int round = 0; round < settings.rounds; ++round) {
    const std::clock_t before = std::clock();  // of all threads
    seconds.push_back(seconds_of([&] { translations = translate(lines); }));
    cpu_seconds.push_back(static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC);
  }
  std::size_t source_tokens = 0, tokens = 0;
  for (const std::vector<Translation>& best : translations) {
    source_tokens += best.front().source_tokens.size();
    tokens += best.front().hypothesis.tokens.size();
  }
  const Json report{
      {"threads", settings.threads},    {"sentences", lines.size()},
      {"source_tokens", source_tokens}, {"tokens", tokens},
      {"load_seconds", loading},        {"seconds", seconds},
      {"cpu_seconds", cpu_seconds},     {"tokens_per_second", static_cast<double>(tokens) / median(seconds)}};
  std::cout << report.dump(2) << '\n';
}

}  // namespace
}  // namespace dhyan::bench

int main(int argc, char** argv) {
  dhyan::bench::Settings s;
  return dhyan::bench::run_program(
      argc, argv,
      {.title = "Decoding benchmark: tokens per second of a model",
       .options = {{"--threads", s.threads, "Threads", 1, 256},
                   {"--beam", s.beam, "Hypotheses kept; 1 is greedy", 1, 1000},
                   {"--batch", s.batch, "Sentences per batch", 1, 1 << 20},
                   {"--length", s.length, "Tokens of every translation; 0: the model decides", 0, 1 << 20},
                   {"--source-length", s.source_length,
                    "Tokens of every source, made of its words; 0: the lines as they are", 0, 1 << 20},
                   {"--sentences", s.sentences, "Translate the first n lines; 0: all", 0, 1 << 30},
                   {"--rounds", s.rounds, "Measured rounds; the median is reported", 1, 1000},
                   {"--amx", s.amx, "1: use AMX if there is any, as translate --amx does", 0, 1}},
       .arguments = {{"model", s.model, "Folder of the model"},
                     {"sources", s.sources, "Text with one sentence per line"}}},
      [&] { dhyan::bench::run(s); });
}

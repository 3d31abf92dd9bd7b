#include <cmath>
#include <gtest/gtest.h>
#include <set>

#include "core/error.h"
#include "core/file.h"
#include "core/testing/temporary_folder.h"
#include "core/testing/thrown.h"
#include "lab/experiment.h"
#include "lab/lab_report.h"
#include "runs/testing/tiny_run.h"

namespace dhyan::lab {
namespace {

// An experiment whose findings a test chooses.
Findings found_in_tests(LabRun& run) {
  Findings findings;
  const std::vector<double> values = run.measured("a-number", [] { return std::vector<double>{1, std::nan("")}; });
  add_plot(
      findings,
      {"BLEU <by> length", "words", {{"with", {{10, 90}, {20, values[0]}}, {2, 0}}, {"without", {{10, values[1]}}}}},
      "bleu");
  findings.tables.push_back(
      {"kept", "What was kept, \"and\" what not", {"name", "value"}, {{std::string("a, b"), values[1]}}});
  findings.measured = "BLEU falls from 90 to 1";
  findings.holds = true;
  return findings;
}

constexpr Experiment kMadeUp{"made-up", "It <holds>", "bahdanau2015", "none", 1, 1, {}, found_in_tests};

class Lab : public FolderTest {
 protected:
  LabOptions options(std::string_view folder = "results/made-up") const {
    LabOptions options;
    options.folder = folder_ / folder;
    options.seeds = 1;
    options.command = "dhyan lab run made-up";
    return options;
  }

  LabResult run(const LabOptions& options) {
    RunObserver observer;
    return run_experiment(kMadeUp, options, observer);
  }
};

TEST_F(Lab, TheTableHasClaimsPapersAndMinutes) {
  std::set<std::string_view> names;
  for (const Experiment& one : experiments()) {
    EXPECT_TRUE(names.insert(one.name).second) << one.name;
    EXPECT_FALSE(one.claim.empty() || one.claim.ends_with('.')) << one.name;
    EXPECT_FALSE(one.paper.empty() || one.data.empty()) << one.name;
    EXPECT_GT(one.minutes, 0) << one.name;
    EXPECT_LE(one.minutes, 10) << one.name;
    EXPECT_EQ(&experiment_named(one.name), &one);
  }
}

TEST_F(Lab, SuggestsTheNameOfAnExperiment) {
  EXPECT_NE(thrown<UsageError>([] { experiment_named("gradient"); }).find("did you mean 'gradients'?"),
            std::string::npos);
}

TEST_F(Lab, WritesNumbersPicturesAndASentence) {
  const LabResult result = run(options());
  EXPECT_EQ(sentence_of(result), "It <holds>: BLEU falls from 90 to 1: holds.");
  EXPECT_EQ(read("results/made-up/bleu.csv"),
            "line,words,BLEU <by> length,spread\r\nwith,10,90,2\r\nwith,20,1,0\r\nwithout,10,,0\r\n");
  EXPECT_EQ(read("results/made-up/kept.csv"), "name,value\r\n\"a, b\",\r\n");
  const std::string svg = read("results/made-up/bleu.svg");
  EXPECT_NE(svg.find("<title id=\"bleu-title\">BLEU &lt;by&gt; length</title>"), std::string::npos);
  EXPECT_NE(svg.find("<desc"), std::string::npos);
  EXPECT_NE(svg.find(".line-1"), std::string::npos) << "the style is inside";
}

TEST_F(Lab, ReadsItsResultBack) {
  const LabResult written = run(options()), back = read_result(folder_ / "results/made-up");
  EXPECT_EQ(to_json(back), to_json(written));
  EXPECT_TRUE(back.holds);
  ASSERT_EQ(back.tables.size(), 2u);
  EXPECT_TRUE(std::isnan(std::get<double>(back.tables[1].rows[0][1])));
  ASSERT_EQ(back.figures.size(), 1u);
  EXPECT_EQ(back.figures[0].table, "bleu");
}

TEST_F(Lab, RefusesAMalformedResult) {
  const std::string good = to_json(run(options()));
  const auto refusal = [&](std::string_view part, std::string_view by) {
    std::string text = good;
    text.replace(text.find(part), part.size(), by);
    return thrown<DataError>([&] { parse_result(text, "result.json"); });
  };
  EXPECT_EQ(refusal("\"holds\": true", "\"holds\": 1"), "result.json: 'holds' is neither true nor false");
  EXPECT_EQ(refusal("\"claim\"", "\"claims\""), "result.json: 'claim' is missing");
  EXPECT_EQ(refusal("\"name\": \"bleu\"", "\"name\": \"../bleu\""),
            "result.json: 'name' is not a name of letters, digits and hyphens");
  EXPECT_EQ(refusal("{", "["), "result.json: is not JSON");
  EXPECT_EQ(refusal("\"with\",", ""), "result.json: a row has not one cell for each column");
}

TEST_F(Lab, MeasuresOnceAndContinuesARunThatWasStopped) {
  RunObserver observer;
  const LabOptions of_run = options();
  LabRun first("made-up", of_run, observer);
  int calls = 0;
  const auto measure = [&] {
    ++calls;
    return std::vector<double>{3, 4};
  };
  first.measured("numbers", measure);
  EXPECT_THROW(first.measured("stopped", []() -> std::vector<double> { throw Error("stopped"); }), Error);
  LabRun second("made-up", of_run, observer);
  EXPECT_EQ(second.measured("numbers", measure), (std::vector<double>{3, 4}));
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(second.measured("stopped", measure), (std::vector<double>{3, 4}));
  EXPECT_EQ(calls, 2);
  write("results/made-up/measured/numbers.json", "[1");
  EXPECT_NE(thrown<DataError>([&] { second.measured("numbers", measure); }).find("remove it to measure again"),
            std::string::npos);
}

TEST_F(Lab, TrainsAModelFurtherThatWasStopped) {
  const TinyCorpus corpus;
  const auto train = [&](const std::string& folder, Index stop_after) {
    RunObserver observer;
    LabOptions of_run = options(folder);
    Index asked = 0;
    of_run.stop = [&] { return ++asked == stop_after; };
    of_run.poll = [&] {
      if (stop_after > 0 && asked >= stop_after) throw Error("stopped");
    };
    LabRun run("made-up", of_run, observer);
    return run.trained("model", corpus.config());
  };
  train("whole", 0);
  EXPECT_EQ(thrown<Error>([&] { train("halves", 3); }), "stopped");
  train("halves", 0);
  EXPECT_EQ(read("halves/models/model/model.safetensors"), read("whole/models/model/model.safetensors"));
}

TEST_F(Lab, RefusesAFolderWithResultsOfOtherOptions) {
  run(options());
  LabOptions other = options();
  other.seed = 2;
  EXPECT_NE(thrown<UsageError>([&] { run(other); }).find("--overwrite"), std::string::npos);
  other.overwrite = true;
  run(other);
  EXPECT_EQ(read_result(folder_ / "results/made-up").seeds, "2");
  std::filesystem::create_directory(folder_ / "other");
  write("other/notes.txt", "mine");
  EXPECT_NE(thrown<UsageError>([&] { run(options("other")); }).find("is neither empty nor"), std::string::npos);
}

TEST_F(Lab, TakesOtherOptionsWhereNothingHasBeenMeasured) {
  RunObserver observer;
  LabOptions of_run = options();
  LabRun("made-up", of_run, observer);
  of_run.seed = 2;
  LabRun("made-up", of_run, observer).measured("numbers", [] { return std::vector<double>{1}; });
  of_run.seed = 3;
  EXPECT_NE(thrown<UsageError>([&] { LabRun("made-up", of_run, observer); }).find("--overwrite"), std::string::npos);
}

TEST_F(Lab, RefusesOptionsThatAnExperimentDoesNotTake) {
  LabOptions of_run = options();
  of_run.model = "luong";
  EXPECT_NE(thrown<UsageError>([&] { run(of_run); }).find("made-up takes no --model"), std::string::npos);
  of_run = options();
  of_run.data = {"train.hi", "train.en"};
  EXPECT_NE(thrown<UsageError>([&] { run(of_run); }).find("made-up takes no --data"), std::string::npos);
}

TEST_F(Lab, TheReportIsOnePageWithPicturesNumbersCommandsAndSeeds) {
  run(options());
  const std::string page = lab_report(folder_ / "results");
  for (const char* part : {"It &lt;holds&gt;", "The claim holds.", "src=\"data:image/svg+xml;base64,",
                           "alt=\"BLEU &lt;by&gt; length. ", "<td>90</td>", "<code>dhyan lab run made-up</code>",
                           "<dt>seeds</dt><dd>1</dd>", "What was kept, &quot;and&quot; what not"}) {
    EXPECT_NE(page.find(part), std::string::npos) << part;
  }
  EXPECT_EQ(page, lab_report(folder_ / "results/made-up")) << "of one experiment alone";
  EXPECT_EQ(page.find("http"), page.find("http-equiv")) << "nothing is loaded from elsewhere";
}

TEST_F(Lab, TheReportRefusesAFolderWithoutResults) {
  EXPECT_NE(thrown<DataError>([&] { lab_report(folder_); }).find("has no results of experiments"), std::string::npos);
  EXPECT_NE(thrown<DataError>([&] { lab_report(folder_ / "none"); }).find("is not a folder"), std::string::npos);
}

TEST(Spreads, AreMeanAndDeviationOfASample) {
  EXPECT_EQ(spread_of({3}).deviation, 0);
  EXPECT_DOUBLE_EQ(spread_of({1, 3}).mean, 2);
  EXPECT_DOUBLE_EQ(spread_of({1, 3}).deviation, std::sqrt(2));
  EXPECT_TRUE(std::isnan(spread_of({}).mean));
}

}  // namespace
}  // namespace dhyan::lab

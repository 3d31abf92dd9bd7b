// `dhyan report` as a shell sees it.

#include <filesystem>
#include <gtest/gtest.h>

#include "binary.h"
#include "core/testing/temporary_folder.h"
#include "process.h"
#include "translator/model_folder.h"

namespace dhyan {
namespace {

Finished report(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {kBinary, "report"});
  return run(arguments);
}

TEST(ReportCommand, WritesAPageIntoTheFolderOrElsewhere) {
  const TemporaryFolder folder;
  save_config(folder.path(), Config());
  folder.write("train.jsonl", "{\"event\":\"interval\",\"step\":50,\"loss\":3.5}\n");
  const Finished inside = report({folder.path().string()});
  EXPECT_EQ(inside.code, 0) << inside.error;
  EXPECT_EQ(inside.out, folder.path("report.html") + "\n");
  const std::string page = folder.read("report.html");
  EXPECT_TRUE(has(page, "<!DOCTYPE html>"));
  EXPECT_EQ(report({folder.path().string(), "-o", "-"}).out, page);
  EXPECT_EQ(report({folder.path().string(), "-o", folder.path("other.html")}).code, 0);
  EXPECT_EQ(folder.read("other.html"), page);
}

TEST(ReportCommand, NamesTheMissingFileAndWritesNothing) {
  const TemporaryFolder folder;
  const Finished none = report({folder.path("none")});
  EXPECT_EQ(none.code, 3);
  EXPECT_EQ(none.error, "dhyan: error: " + folder.path("none") + ": there is no such folder\n");
  save_config(folder.path(), Config());
  folder.write("train.jsonl", "[]\n");
  const Finished bad = report({folder.path().string()});
  EXPECT_EQ(bad.code, 3);
  EXPECT_EQ(bad.error, "dhyan: error: " + folder.path("train.jsonl") + ":1: expected a JSON object\n");
  EXPECT_FALSE(std::filesystem::exists(folder.path("report.html")));
}

}  // namespace
}  // namespace dhyan

// Holds web/dist, which the binary embeds, to web/src.

#include <gtest/gtest.h>
#include <set>
#include <sstream>

#include "process.h"
#include "source_tree.h"

namespace dhyan {
namespace {

namespace fs = std::filesystem;

fs::path web() { return source_folder() / "web"; }

TEST(PageSources, AreWhatThePageWasMadeOf) {
  const Finished checked =
      run({"/bin/sh", "-c", "cd \"$1\" && exec sha256sum --check --quiet --strict dist/sources.txt", "sh", web()});
  EXPECT_EQ(checked.code, 0) << checked.out << checked.error << "script/web makes web/dist again";
}

TEST(PageSources, AreAllListed) {
  std::set<std::string> listed, there;
  std::istringstream lines(text_of(web() / "dist/sources.txt"));
  for (std::string hash, path; lines >> hash >> path;) listed.insert(path);
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(web() / "src")) {
    if (entry.is_regular_file()) there.insert(fs::relative(entry.path(), web()));
  }
  EXPECT_GT(there.size(), 20u);
  for (const std::string& path : there) EXPECT_TRUE(listed.contains(path)) << path << " is new";
}

TEST(PageSources, LockFileNamesNoHost) {
  EXPECT_EQ(text_of(web() / "package-lock.json").find("://"), std::string::npos);
}

}  // namespace
}  // namespace dhyan

// Holds the rooms of src/ to the arrows of docs/DESIGN.md.

#include <gtest/gtest.h>
#include <map>
#include <regex>
#include <set>

#include "core/error.h"
#include "source_tree.h"

namespace dhyan {
namespace {

namespace fs = std::filesystem;
using Rooms = std::set<std::string>;

// The rooms that a room may include; it may also include theirs.
const std::map<std::string, Rooms>& arrows() {
  static const std::map<std::string, Rooms> table{
      {"core", {}},
      {"distributed", {"core"}},
      {"kernels", {"core"}},
      {"autograd", {"core"}},
      {"ops", {"autograd", "kernels"}},
      {"nn", {"ops"}},
      {"backbones", {"nn", "interop"}},
      {"attention", {"nn", "ops"}},
      {"vision", {"core"}},
      {"text", {"core"}},
      {"phrasebook", {"text"}},
      {"data", {"text"}},
      {"metrics", {"text"}},
      {"markup", {"text"}},
      {"models", {"attention", "backbones", "nn", "data"}},
      {"decoding", {"models"}},
      {"interop", {"ops", "data"}},
      {"training", {"distributed", "models", "interop"}},
      {"explain", {"decoding", "vision"}},
      {"config", {"training", "phrasebook"}},
      {"translator", {"config", "explain", "metrics"}},
      {"runs", {"translator"}},
      {"api", {"runs"}},
      {"lab", {"runs"}},
      {"importing", {"runs"}},
  };
  return table;
}

// Libraries that only kernels/ may know.
bool is_numeric_library(const std::string& header) {
  static const std::regex pattern("^hwy/.*$");
  return std::regex_match(header, pattern);
}

Rooms visible_from(const std::string& room) {
  Rooms visible;
  for (const std::string& named : arrows().at(room)) {
    visible.insert(named);
    visible.merge(visible_from(named));
  }
  return visible;
}

Rooms rooms_included_by(const std::string& text) {
  static const std::regex include(R"re((?:^|\n)[ \t]*#[ \t]*include[ \t]*"([^/"]+)/)re");
  Rooms rooms;
  for (std::sregex_iterator found(text.begin(), text.end(), include), end; found != end; ++found)
    rooms.insert((*found)[1]);
  return rooms;
}

// Forbidden includes of a file of `room`, as messages. `room` is "apps" for apps/.
std::vector<std::string> violations(const std::string& room, const std::string& text) {
  static const std::regex include(R"re((?:^|\n)[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"])re");
  const bool is_app = room == "apps";
  const Rooms visible = is_app ? Rooms() : visible_from(room);
  std::vector<std::string> wrong;
  for (std::sregex_iterator found(text.begin(), text.end(), include), end; found != end; ++found) {
    const std::string header = (*found)[2];
    if (room != "kernels" && is_numeric_library(header)) wrong.push_back(header + " is for kernels alone");
    if ((*found)[1] == "<" || is_app) continue;
    const std::string target = header.substr(0, header.find('/'));
    if (!arrows().contains(target)) {
      wrong.push_back(header + " does not start with the name of a room");
    } else if (target != room && !visible.contains(target)) {
      wrong.push_back(cat(header, " is above or beside ", room));
    }
  }
  return wrong;
}

TEST(Layers, HoldInEveryFileOfTheLibrary) {
  int files = 0;
  for (const fs::path& file : sources_below("src")) {
    const std::string room = *fs::relative(file, source_folder() / "src").begin();
    ASSERT_TRUE(arrows().contains(room)) << file << ": the room is not in the table of this test";
    for (const std::string& wrong : violations(room, text_of(file))) ADD_FAILURE() << file << ": " << wrong;
    ++files;
  }
  EXPECT_GT(files, 30) << "the source tree was not found";
}

TEST(Layers, EveryArrowIsUsed) {
  std::map<std::string, Rooms> used;
  for (const fs::path& file : sources_below("src")) {
    const std::string room = *fs::relative(file, source_folder() / "src").begin();
    used[room].merge(rooms_included_by(text_of(file)));
  }
  for (const auto& [room, named] : arrows()) {
    for (const std::string& other : named)
      EXPECT_TRUE(used[room].contains(other)) << room << " never includes " << other;
  }
}

// Headers of the C++ standard library in a public header, or other public headers: programs must need nothing else.
std::vector<std::string> foreign_includes(const std::string& text) {
  static const std::regex include(R"re((?:^|\n)[ \t]*#[ \t]*include[ \t]*([<"][^>"]+[>"]))re");
  static const std::regex allowed(R"re(<(dhyan/\w+\.h|[a-z_0-9]+)>)re");
  std::vector<std::string> foreign;
  for (std::sregex_iterator found(text.begin(), text.end(), include), end; found != end; ++found) {
    if (!std::regex_match((*found)[1].str(), allowed)) foreign.push_back((*found)[1]);
  }
  return foreign;
}

TEST(Layers, ThePublicHeadersNeedTheStandardLibraryAlone) {
  int files = 0;
  for (const fs::path& file : sources_below("include")) {
    for (const std::string& foreign : foreign_includes(text_of(file))) ADD_FAILURE() << file << ": " << foreign;
    ++files;
  }
  EXPECT_GT(files, 10);
  EXPECT_EQ(foreign_includes("#include <vector>\n#include <hwy/base.h>\n#include \"core/real.h\"\n").size(), 2u);
}

TEST(Layers, TheUmbrellaHeaderHasEveryPublicHeader) {
  const std::string umbrella = text_of(source_folder() / "include/dhyan/dhyan.h");
  for (const fs::path& file : sources_below("include")) {
    const std::string name = file.filename();
    if (name == "dhyan.h" || name == "export.h") continue;
    EXPECT_NE(umbrella.find("#include <dhyan/" + name + ">"), std::string::npos) << name;
  }
}

TEST(Layers, HoldInTheApps) {
  for (const fs::path& file : sources_below("apps")) {
    for (const std::string& wrong : violations("apps", text_of(file))) ADD_FAILURE() << file << ": " << wrong;
  }
}

TEST(Layers, TheServerDoesNotKnowTheCommandLine) {
  for (const fs::path& file : sources_below("apps/server")) {
    EXPECT_FALSE(rooms_included_by(text_of(file)).contains("cli")) << file;
  }
}

// Names of rooms that autograd must not know, also in a comment or a forward declaration.
std::vector<std::string> rooms_named_in_autograd(const std::string& text) {
  static const std::regex room(R"re(\b(kernels|ops/|ops::|namespace ops)\b)re");
  std::vector<std::string> named;
  for (std::sregex_iterator found(text.begin(), text.end(), room), end; found != end; ++found)
    named.push_back((*found)[1]);
  return named;
}

TEST(Layers, AutogradNamesNothingOfKernelsOrOps) {
  int files = 0;
  for (const fs::path& file : sources_below("src/autograd")) {
    for (const std::string& named : rooms_named_in_autograd(text_of(file))) ADD_FAILURE() << file << ": " << named;
    ++files;
  }
  EXPECT_GT(files, 5);
  EXPECT_EQ(rooms_named_in_autograd("namespace kernels {\nclass PackedWeight;\n}  // see ops/linear.cpp").size(), 2u);
  EXPECT_TRUE(rooms_named_in_autograd("struct OpCache;  // ops define it").empty());
}

TEST(Layers, EverySourceIncludesItsHeaderFirst) {  // so that the compiler sees each header alone
  int sources = 0;
  for (const fs::path& file : sources_below("src")) {
    const fs::path header = fs::path(file).replace_extension(".h");
    if (file.extension() != ".cpp" || !fs::exists(header)) continue;
    const std::string text = text_of(file);
    const std::string first = cat("#include \"", fs::relative(header, source_folder() / "src").string(), "\"");
    EXPECT_EQ(text.find(first), text.find("#include")) << file << ": its first line of code must be " << first;
    ++sources;
  }
  EXPECT_GT(sources, 30);
}

TEST(Layers, EveryRoomIsInTheTable) {
  for (const fs::directory_entry& entry : fs::directory_iterator(source_folder() / "src")) {
    EXPECT_TRUE(!entry.is_directory() || arrows().contains(entry.path().filename())) << entry.path();
  }
}

// "| ops | one family of ops per file | autograd, kernels |"
TEST(Layers, TheTableIsThatOfTheDesign) {
  static const std::regex row(R"re(\n\| (\w+) \| [^|\n]+ \| ([a-z, ]+|–) \|)re");
  static const std::regex word("[a-z]+");
  const std::string text = text_of(source_folder() / "docs/DESIGN.md");
  std::map<std::string, Rooms> documented;
  for (std::sregex_iterator found(text.begin(), text.end(), row), end; found != end; ++found) {
    const std::string named = (*found)[2];
    if (!arrows().contains((*found)[1])) continue;
    documented[(*found)[1]] = Rooms(std::sregex_token_iterator(named.begin(), named.end(), word), {});
  }
  EXPECT_EQ(documented, arrows());
}

TEST(Layers, TheTableHasNoCircle) {
  for (const auto& [room, named] : arrows()) EXPECT_FALSE(visible_from(room).contains(room)) << room;
}

TEST(Layers, TheLinkedRoomsAreVisibleRooms) {
  static const std::regex call(R"re(dhyan_room\(NAME (\w+)(?: DEPENDS ((?: ?[a-z]+)+))?)re");
  int rooms = 0;
  for (const auto& [room, named] : arrows()) {
    const fs::path file = source_folder() / "src" / room / "CMakeLists.txt";
    if (!fs::exists(file)) continue;
    const std::string text = text_of(file);
    std::smatch found;
    ASSERT_TRUE(std::regex_search(text, found, call)) << file;
    EXPECT_EQ(found[1], room) << file;
    std::istringstream depends(found[2]);
    for (std::string linked; depends >> linked;) {
      EXPECT_TRUE(visible_from(room).contains(linked)) << room << " links " << linked << ", which it may not see";
    }
    ++rooms;
  }
  EXPECT_GE(rooms, 5);
}

TEST(Layers, AnIncludeThatGoesUpIsCaught) {
  EXPECT_EQ(violations("ops", "#include \"nn/linear.h\"\n").size(), 1u);
  EXPECT_EQ(violations("kernels", "\n  #  include \"autograd/tape.h\"\n").size(), 1u) << "beside, not below";
  EXPECT_EQ(violations("core", "#include \"core/shape.h\"\n#include \"ops/add.h\"\n#include \"text/x.h\"").size(), 2u);
  EXPECT_EQ(violations("decoding", "#include \"training/trainer.h\"").size(), 1u);
}

TEST(Layers, AnIncludeOutsideTheRoomsIsCaught) {
  EXPECT_EQ(violations("ops", "#include \"intra_op.h\"").size(), 1u);
  EXPECT_EQ(violations("ops", "#include \"../nn/linear.h\"").size(), 1u);
  EXPECT_EQ(violations("translator", "#include \"cli/command.h\"").size(), 1u) << "nothing includes apps";
}

TEST(Layers, ANumericLibraryOutsideKernelsIsCaught) {
  for (const char* header : {"hwy/highway.h", "hwy/contrib/math/math-inl.h"}) {
    const std::string line = cat("#include <", header, ">\n");
    EXPECT_EQ(violations("ops", line).size(), 1u) << header;
    EXPECT_EQ(violations("apps", line).size(), 1u) << header;
    EXPECT_TRUE(violations("kernels", line).empty()) << header;
  }
}

TEST(Layers, AnIncludeThatGoesDownIsFine) {
  EXPECT_TRUE(violations("ops", "#include <vector>\n#include \"core/shape.h\"\n#include \"ops/add.h\"").empty());
  EXPECT_TRUE(violations("training", "#include \"interop/safetensors.h\"").empty());
  EXPECT_TRUE(violations("apps", "#include \"translator/translator.h\"\n#include \"cli/command.h\"").empty());
  EXPECT_TRUE(violations("core", "// see #include \"ops/add.h\"").empty()) << "a comment is no include";
}

}  // namespace
}  // namespace dhyan

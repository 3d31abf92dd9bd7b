#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>

#include "cli/choice_option.h"
#include "cli/data.h"
#include "cli/interrupt.h"
#include "cli/progress_bar.h"
#include "core/error.h"
#include "core/file.h"
#include "core/pluralize.h"
#include "phrasebook/picturebook.h"
#include "phrasebook/scene_order.h"
#include "phrasebook/scene_regions.h"
#include "vision/write_picture.h"

namespace dhyan::cli {

namespace {

namespace fs = std::filesystem;

constexpr std::array kBookParts{Choice{"train", Part::kTrain}, Choice{"dev", Part::kDev}, Choice{"test", Part::kTest}};
constexpr Index kGrid = 8;  // rows and columns of the cells in regions.jsonl

struct PicturebookOptions {
  Part part = Part::kTrain;
  picturebook::Language language = picturebook::Language::kEnglish;
  std::uint64_t count = 100;
  std::uint64_t seed = 0;
  std::optional<std::string> scene;
  std::string output;
};

// A line of regions.jsonl for each caption: what each of its words is about, as boxes of pixels and as cells of a grid.
std::string regions_lines(const std::string& image, const picturebook::Scene& scene,
                          const std::vector<picturebook::Caption>& captions) {
  using Json = nlohmann::ordered_json;
  std::vector<Json> box_of_object;
  for (const picturebook::Object& object : scene.objects) {
    const picturebook::PixelBox box = picturebook::box_around(object);
    box_of_object.push_back({box.left, box.top, box.right, box.bottom});
  }
  std::string lines;
  for (const picturebook::Caption& caption : captions) {
    Json boxes = Json::array();
    for (const picturebook::ObjectSet objects : caption.objects) {
      Json& of_word = boxes.emplace_back(Json::array());
      for (std::size_t i = 0; i < box_of_object.size(); ++i) {
        if ((objects >> i & 1) != 0) of_word.push_back(box_of_object[i]);
      }
    }
    const auto cells = picturebook::word_cells(scene, caption.objects, kGrid, kGrid);
    const Json line{
        {"image", image}, {"caption", caption.text}, {"boxes", boxes}, {"grid", {kGrid, kGrid}}, {"cells", cells}};
    lines += line.dump() + '\n';
  }
  return lines;
}

// Creates the folders; UsageError if there are files in the way.
void make_folders(const fs::path& folder) {
  std::error_code failed;
  if (fs::exists(folder, failed) && !fs::is_empty(folder, failed) && !failed) {
    throw UsageError(cat(folder.string(), ": holds files; name another folder with -o"));
  }
  fs::create_directories(folder / "images", failed);
  if (failed) throw WriteError(cat(folder.string(), ": cannot create the folder: ", failed.message()));
}

// "000001.png": pictures count from 1, with as many digits as the last one has, at least six.
std::string image_name(std::uint64_t number, std::uint64_t count) {
  const std::string digits = std::to_string(number);
  const std::size_t width = std::max<std::size_t>(6, std::to_string(count).size());
  return std::string(width - digits.size(), '0') + digits + ".png";
}

// Pictures are new files, and captions.tsv appears after the last of them: no fsync for each, which takes most of the
// time.
void write_picture(const fs::path& path, const std::string& bytes) {
  std::ofstream file(path, std::ios::binary);
  if (!file.write(bytes.data(), static_cast<std::streamsize>(bytes.size())).flush()) {
    throw WriteError(cat(path.string(), ": cannot write: ", std::generic_category().message(errno)));
  }
}

void write_book(const PicturebookOptions& options, Output& output) {
  const fs::path folder = options.output;
  make_folders(folder);
  AtomicFile captions(folder / "captions.tsv"), regions(folder / "regions.jsonl");
  std::uint64_t written = 0;
  ProgressBar bar("drawing");
  for (std::uint64_t number = 0; number < options.count; ++number) {
    throw_if_interrupted();
    const picturebook::Scene scene = picturebook::scene(number, options.part, options.seed);
    const std::string image = image_name(number + 1, options.count);
    write_picture(folder / "images" / image, to_png_bytes(picturebook::draw(scene)));
    const std::vector<picturebook::Caption> references = picturebook::references(scene, options.language);
    for (const picturebook::Caption& caption : references) captions.write(cat(image, '\t', caption.text, '\n'));
    regions.write(regions_lines(image, scene, references));
    written += references.size();
    bar.update(number + 1, options.count, "pictures");
  }
  captions.commit();
  regions.commit();
  output.write(
      cat(folder.string(), ": ", pluralize(options.count, "picture"), ", ", pluralize(written, "caption"), '\n'));
}

void draw_to_order(const PicturebookOptions& options, Output& output) {
  const picturebook::Scene scene = picturebook::scene_to_order(*options.scene, options.seed);
  write_file(options.output, to_png_bytes(picturebook::draw(scene)));
  output.write(picturebook::caption(scene, options.language).text + '\n');
}

Runner add_picturebook_options(CLI::App& command) {
  const auto options = std::make_shared<PicturebookOptions>();
  command
      .add_option("-o,--output", options->output,
                  "New folder for images/, captions.tsv (image, caption; several lines are references of one picture) "
                  "and regions.jsonl (what each word is about, in pixels and in cells of a grid of 8 x 8); with "
                  "--scene, a PNG file")
      ->type_name("PATH")
      ->required();
  CLI::Option* split = add_choice(command, "--split", kBookParts, options->part, "Part of the book to draw");
  split->default_str("train");
  CLI::Option* count = command.add_option("--count", options->count, "Number of pictures")
                           ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{10'000'000}))
                           ->capture_default_str();
  add_choice(command, "--language", picturebook::kLanguages, options->language, "Language of the captions")
      ->default_str("en");
  command.add_option("--seed", options->seed, "Random seed of the book")->capture_default_str();
  command
      .add_option("--scene", options->scene,
                  "Draw this one scene, and print its caption: 1 to 3 objects, each with its colour and figure, and "
                  "the relations of the first one to the others")
      ->type_name("TEXT")
      ->excludes(split)
      ->excludes(count);
  return [options](Output& output) { options->scene ? draw_to_order(*options, output) : write_book(*options, output); };
}

}  // namespace

Command data_picturebook_command() {
  return {"picturebook",
          "Draw the built-in picture book: scenes with captions and the regions of their words",
          {"dhyan data picturebook --split test --count 1000 -o book",
           "dhyan data picturebook --split dev --language hi -o book-hi",
           "dhyan data picturebook --scene \"small red circle above large blue square\" -o scene.png"},
          add_picturebook_options};
}

}  // namespace dhyan::cli

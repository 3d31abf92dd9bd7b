#include "runs/training_pictures.h"

#include <algorithm>
#include <unordered_set>

#include "backbones/backbones.h"
#include "core/error.h"
#include "core/pluralize.h"
#include "core/table.h"
#include "data/content_hash.h"
#include "interop/parameter_file.h"
#include "interop/safetensors.h"
#include "kernels/bfloat16/bfloat16.h"
#include "ops/pixels.h"
#include "ops/prepack.h"
#include "runs/picture_cache.h"
#include "training/checkpoints.h"
#include "training/training_state.h"
#include "translator/model_folder.h"
#include "translator/scene_pictures.h"
#include "vision/read_picture.h"

namespace dhyan {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kNamed = 5;  // unreadable pictures named in a message

const BackboneEntry& backbone_of(const Config& config) {
  return entry_named("encoder", backbones(), config.common.encoder);
}

bool is_frozen(const Config& config) {
  return has_pretrained_backbone(config) && config.common.backbone.tuned_blocks == 0;
}

bool is_of_backbone(const Parameter& weight) { return weight.name.starts_with(cat(kBackboneParameters, ".")); }

// Whether a file has all weights of a backbone.
bool has_backbone(const SafetensorsFile& file, const ParameterSet& parameters) {
  return std::ranges::all_of(parameters, [&](const Parameter& weight) {
    const TensorEntry* entry = is_of_backbone(weight) ? file.find(weight.name) : nullptr;
    return !is_of_backbone(weight) || (entry != nullptr && entry->shape == weight.value.shape());
  });
}

// A separate copy of the backbone; a frozen one has the weights of the model's.
struct LoneBackbone {
  ParameterSet parameters;
  std::unique_ptr<Backbone> network;

  LoneBackbone(const Config& config, const fs::path& resumed) {
    const std::string name = cat(resumed.empty() ? "" : kStateWeights, kBackboneParameters);
    network = backbone_of(config).make(parameters, name, config.common.backbone, Rng::unused());
    if (!is_frozen(config)) return;
    if (resumed.empty()) {
      load_backbone(config, parameters);
    } else if (!load_matching_parameters(state_file(resumed), parameters).other_parameters.empty()) {
      throw ModelFileError(cat(state_file(resumed).string(), ": lacks weights of encoder ", config.common.encoder));
    }
    prepack(parameters);
  }

  std::uint64_t hash() const {
    ContentHash hash;
    for (const Parameter& weight : parameters) hash.add(std::as_bytes(weight.value.span()));
    return hash.value();
  }
};

// The distinct names of pictures, in order.
std::vector<std::string> names_in(std::span<const CorpusInput> corpora) {
  std::vector<std::string> names;
  std::unordered_set<std::string> seen;
  for (const CorpusInput& corpus : corpora) {
    const std::unique_ptr<PairSource> pairs = corpus.open();
    for (SentencePair pair; pairs->next(pair);) {
      if (seen.insert(pair.source).second) names.push_back(pair.source);
    }
  }
  return names;
}

Picture decoded(const fs::path& file, std::span<const std::byte> bytes, GridShape size) {
  return decode_picture(bytes, file.string(), {.wanted_height = size.height, .wanted_width = size.width});
}

PictureCacheRecipe pixel_recipe(GridShape size) {
  const PictureFormat format{.size = size};
  return {format, 0, [format](const fs::path& file, std::span<const std::byte> bytes, std::span<std::byte> record) {
            copy_pixels(decoded(file, bytes, format.size), format, record);
          }};
}

// `backbone` must outlive the recipe.
PictureCacheRecipe feature_recipe(const LoneBackbone& backbone) {
  const Backbone& network = *backbone.network;
  const PictureFormat pixel_format{.size = network.picture()};
  const PictureFormat format{.content = PictureContent::kFeatures, .size = network.grid(), .channels = network.width()};
  return {
      format, backbone.hash(),
      [&network, pixel_format](const fs::path& file, std::span<const std::byte> bytes, std::span<std::byte> record) {
        std::vector<std::uint8_t> rgb(pixel_format.bytes());
        copy_pixels(decoded(file, bytes, pixel_format.size), pixel_format, std::as_writable_bytes(std::span(rgb)));
        Arena arena;
        Scope scope(arena);
        const Var features = network(pixels(scope, rgb));  // [h*w,C]
        auto* to = reinterpret_cast<Bfloat16*>(record.data());
        for (const Real x : features.value().span()) {
          *to++ = {static_cast<std::uint16_t>(kernels::bfloat16_bits(static_cast<float>(x)))};
        }
      }};
}

void tell_unreadable(const PreparedPictures& prepared, std::size_t pictures, RunObserver& observer) {
  const std::vector<std::string>& bad = prepared.unreadable;
  if (bad.empty()) return;
  std::string named;
  for (std::size_t i = 0; i < std::min(bad.size(), kNamed); ++i) named += cat(i == 0 ? "" : "; ", bad[i]);
  if (bad.size() > kNamed) named += cat("; and ", bad.size() - kNamed, " more");
  if (bad.size() == pictures) throw DataError(cat("no picture can be read: ", named));
  observer.on_note(cat("warning: ", pluralize(bad.size(), "picture"), " of ", grouped(pictures),
                       " cannot be read; their captions are left out: ", named));
}

}  // namespace

bool has_pretrained_backbone(const Config& config) {
  return reads_pictures(config) && backbone_of(config).pretrained();
}

fs::path load_backbone(const Config& config, ParameterSet& parameters) {
  if (!config.init_from.empty()) {
    const fs::path path = fs::path(config.init_from) / kWeightsFile;
    if (has_backbone(SafetensorsFile(path), parameters)) {
      load_matching_parameters(path, parameters);
      return path;
    }
    if (config.encoder_weights.empty()) {
      throw ConfigError(cat(path.string(), ": lacks weights of encoder ", config.common.encoder,
                            "; encoder-weights names the file of its weights"));
    }
  }
  backbone_of(config).load(config.encoder_weights, parameters, kBackboneParameters);
  return config.encoder_weights;
}

TrainingPictures training_pictures(const Config& config, std::span<const CorpusInput> corpora,
                                   const PictureSettings& settings, RunObserver& observer) {
  const LoneBackbone backbone(config, settings.resumed);
  const GridShape grid = backbone.network->grid(), size = backbone.network->picture();
  if (!corpora.empty() && corpora.front().scenes) {
    return {std::make_shared<ScenePictures>(corpora.front().scenes->part, size), nullptr, grid};
  }
  const bool frozen = is_frozen(config);
  const PictureCacheRecipe recipe = frozen ? feature_recipe(backbone) : pixel_recipe(size);
  const fs::path folder = config.data.picture_cache.empty() ? settings.caches : fs::path(config.data.picture_cache);
  create_folder(folder);
  const std::string name =
      frozen ? cat("features-", std::hex, recipe.key) : cat("pixels-", size.height, "x", size.width);
  const std::vector<std::string> names = names_in(corpora);
  const std::unique_ptr<ProgressSink> progress = observer.progress(frozen ? "computing features" : "decoding pictures");
  PreparedPictures prepared =
      prepare_pictures(folder / (name + ".pictures"), names, config.data.images, recipe,
                       {.pool = settings.pool, .progress = progress.get(), .poll = settings.poll});
  tell_unreadable(prepared, names.size(), observer);
  observer.on_note(cat("pictures: ", pluralize(static_cast<std::uint64_t>(prepared.names->size()), "picture"), ", ",
                       frozen ? "features of " : "", recipe.format.size, frozen ? " cells" : " pixels", "; ",
                       grouped(prepared.made), " not in the cache"));
  return {prepared.pictures, prepared.names, grid};
}

}  // namespace dhyan

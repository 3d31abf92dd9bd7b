#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <optional>

#include "cli/caption_text.h"
#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/line_warnings.h"
#include "cli/overlay_files.h"
#include "cli/picture_list.h"
#include "cli/progress_bar.h"
#include "cli/search_options.h"
#include "cli/translation_text.h"
#include "core/error.h"
#include "core/pluralize.h"
#include "data/text_writer.h"
#include "kernels/simd/runtime.h"
#include "translator/search_option_table.h"

namespace dhyan::cli {

namespace {

constexpr Index kPicturesAtOnce = 16;  // in a batch: a window has work for several threads

struct CaptionArguments {
  std::vector<std::string> models;
  std::vector<double> weights;  // of models
  PictureArguments input;
  std::string output = "-";
  SearchRequest search;
  CaptionFormat format;
  std::string overlay, overlay_format;
  TranslatorLimits limits = {.batch = {.max_tokens = 2048, .max_sentences = kPicturesAtOnce}};
  int threads = 1;
};

class CaptionWriter {
 public:
  CaptionWriter(const CaptionArguments& options, const PictureList& pictures, const Translator& translator,
                Output& output)
      : format_(options.format), translator_(translator), output_(output) {
    if (options.output != "-") file_ = open_text_file(options.output);
    format_.names = pictures.several();
    if (options.output != "-" || !output.is_terminal()) bar_.emplace("captioning");
    total_ = pictures.count();
    if (!options.overlay.empty()) overlays_.emplace(options.overlay, options.overlay_format, pictures.several());
  }

  void write(const std::vector<CaptionedResult>& window) {
    std::string text;
    for (const CaptionedResult& result : window) {
      if (result.failure.empty()) {
        if (!result.n_best.front().finished()) ++unfinished_;
        if (overlays_) overlays_->write(result.picture, result.n_best.front(), translator_);
      } else {
        std::cerr << cat("dhyan: warning: ", result.failure, '\n');
        ++failed_;
      }
      text += caption_text(result, number_++, translator_.tokenizers(), format_);
    }
    file_ == nullptr ? output_.write(text) : file_->write(text);
    if (bar_) bar_->update(number_, total_, "pictures");
  }

  // At the end. DataError if there are pictures without a caption.
  void finish() {
    if (file_ != nullptr) file_->commit();
    bar_.reset();
    warn_of_lines({"captions", unfinished_, number_}, "caption",
                  cat("did not end within the length limit and ", unfinished_ == 1 ? "was" : "were", " cut"),
                  "--max-length, --max-length-factor");
    if (failed_ == 0) return;
    throw DataError(cat("caption: ", grouped(failed_), " of ", pluralize(number_, "picture"), " could not be read"));
  }

 private:
  CaptionFormat format_;
  const Translator& translator_;
  Output& output_;
  std::unique_ptr<TextSink> file_;
  std::optional<ProgressBar> bar_;
  std::optional<std::uint64_t> total_;
  std::optional<OverlayFiles> overlays_;
  std::uint64_t number_ = 0, failed_ = 0, unfinished_ = 0;
};

SearchOptions caption_search(const CaptionArguments& options, const TranslationModel& model) {
  SearchOptions search = search_options(options.search);
  const std::string& name = options.models.front();
  for (const SearchOption& option : search_option_table()) {
    if (!option.needs_cross_attention || !is_set(option, options.search)) continue;
    expect_cross_attention("caption", name, model, "--" + option.name);
  }
  if (!options.overlay.empty()) {
    expect_cross_attention("caption", name, model, "--overlay");
    search.keep = RecordedAttention::kWeights;
  }
  search.scored = search.beam_size > 1 || options.format.json || options.format.n_best || options.search.sampling;
  check(search);
  return search;
}

void caption(const CaptionArguments& options, Output& output) {
  PictureList pictures(options.input);
  const std::vector<std::filesystem::path> folders(options.models.begin(), options.models.end());
  const Translator translator(load_ensemble(folders, options.weights), options.limits);
  expect_picture_model("caption", options.models.front(), translator.model());
  const OpenedRequest request =
      open_request(options.search, caption_search(options, translator.model()), translator.tokenizers());
  ThreadPool pool(options.threads, kernels::prepare_thread);
  CaptionWriter writer(options, pictures, translator, output);
  caption_stream(
      translator, [&](Index most) { return pictures.take(most); },
      {.translation = request.translation, .workers = {.pool = &pool, .poll = throw_if_interrupted}},
      [&](const std::vector<CaptionedResult>& window) { writer.write(window); });
  writer.finish();
}

void add_caption_inputs(CLI::App& command, CaptionArguments& options) {
  command
      .add_option(
          "pictures", options.input.pictures,
          "Pictures to describe, JPEG, PNG or WebP; a folder stands for all .jpg, .jpeg, .png and .webp files in "
          "it, in the order of their names; - is a list of files on standard input, one per line, which is also "
          "read if no picture is named")
      ->type_name("PICTURE");
  command
      .add_option("--scene", options.input.scenes,
                  "Draw this scene of the picture book and describe it: small red circle above large blue square; can "
                  "be given several times")
      ->type_name("TEXT")
      ->allow_extra_args(false);
  command
      .add_option("-m,--model", options.models,
                  "Folder of the model. If given several times, the models, which need the same vocabularies, describe "
                  "as an ensemble; attention is that of the first")
      ->type_name("DIR")
      ->allow_extra_args(false)
      ->required();
  command.add_option("--weights", options.weights, "Weight of each model of the ensemble (default: all equal)")
      ->type_name("X,...")
      ->delimiter(',');
}

void add_caption_outputs(CLI::App& command, CaptionArguments& options) {
  command.add_option("-o,--output", options.output, "Output file; .gz and .zst are compressed, - is standard output")
      ->type_name("FILE")
      ->capture_default_str();
  add_search_option(command, "n-best", options.search)
      ->description(
          "Write the N best captions of each picture, without N or with 0 the whole beam, as: number of the "
          "picture from 0 ||| caption ||| score");
  command.add_flag(
      "--json", options.format.json,
      "Write one JSON object per line: picture (number from 0), name, caption, score, log_probability, finished (false "
      "if the caption was cut at the maximum length), words, word_scores; or error, for a picture that cannot be read");
  CLI::Option* overlay =
      command
          .add_option(
              "--overlay", options.overlay,
              "File that shows where the model looks while it writes each word, .svg, .png or .html; for several "
              "pictures a folder with a file for each")
          ->type_name("PATH");
  command
      .add_option("--overlay-format", options.overlay_format,
                  "Format of overlays (default: by the extension of --overlay, svg in a folder): text, svg, html, png "
                  "or json")
      ->type_name("NAME")
      ->needs(overlay);
}

Runner add_caption_options(CLI::App& command) {
  const auto options = std::make_shared<CaptionArguments>();
  add_caption_inputs(command, *options);
  add_caption_outputs(command, *options);
  for (const char* name : {"forbid", "sampling", "temperature", "top-k", "top-p", "seed"}) {
    add_search_option(command, name, options->search)->group("Words and sampling");
  }
  add_search_options(command, "Search", options->search);
  add_precision_option(command, options->limits.precision);
  add_threads_option(command, options->threads);
  return [options](Output& output) {
    options->format.n_best = options->search.n_best.has_value();
    caption(*options, output);
  };
}

}  // namespace

Command caption_command() {
  return {"caption",
          "Describe pictures in words",
          {"dhyan caption -m model/ photo.jpg", "dhyan caption -m model/ holiday/ more.png --beam-size 3",
           "dhyan caption -m model/ photo.jpg --overlay photo.svg",
           "dhyan caption -m model/ --scene \"small red circle above large blue square\" --n-best 3",
           "find . -name '*.jpg' | dhyan caption -m model/ - --json -o captions.jsonl"},
          add_caption_options,
          {"--model", "--scene", "--output", "--beam-size", "--n-best", "--json", "--overlay", "--length-penalty",
           "--sampling", "--threads", "--help", "--help-all"}};
}

}  // namespace dhyan::cli

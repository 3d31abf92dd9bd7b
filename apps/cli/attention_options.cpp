#include "cli/attention_options.h"

#include "cli/choice_option.h"

namespace dhyan::cli {

void add_attention_options(CLI::App& command, AttentionOptions& options, CLI::Option* model) {
  std::vector<std::string> places = names_of(kAttentionPlaces);
  places.emplace_back(kAllPlaces);
  command
      .add_option("--attention", options.place,
                  "Attention to show: cross, from the translation to the source; decoder, within the translation; "
                  "encoder, within the source (default: cross, or decoder if the model has no cross-attention)")
      ->check(CLI::IsMember(places))
      ->needs(model);
  add_number_or_all(command, "--layer", options.layer, "Layer to show, from 1 (default: all)")->needs(model);
  add_number_or_all(command, "--head", options.head, "Head to show, from 1 (default: all)", &options.heads_apart)
      ->needs(model);
  add_choice(command, "--summary", kSummaries, options.summary,
             cat("How to combine layers and heads (default: mean in a terminal and for pharaoh, otherwise and with "
                 "--head none):",
                 described(kSummaries)))
      ->needs(model);
}

}  // namespace dhyan::cli

#include "lab/order.h"

#include <algorithm>
#include <cmath>

#include "config/model_kinds.h"
#include "core/error.h"
#include "core/number_text.h"
#include "explain/explanation.h"
#include "text/word_tokenizer.h"
#include "translator/translator.h"

namespace dhyan::lab {

namespace {

// Sentences of the phrasebook's test part to draw. Hindi has the verb at its end, French the adjective after the noun.
constexpr std::string_view kToDraw[] = {"मैं खाना खा रहा हूँ", "टहलने से पहले वे आराम करते हैं", "zone économique européenne",
                                        "elles vont jouer dans le jardin"};
constexpr std::size_t kDrawnOfUsers = 2;  // sentences of a user's test set

// Sums over the sentences of a test set.
struct OrderSums {
  LinkCounts links;
  double off = 0;  // mean of off_diagonal() over sentences
};

struct ModelOrder {
  std::string name, corpus;
  std::vector<OrderSums> layers;    // the mean of all layers, then each layer
  std::vector<AttentionMap> drawn;  // of the mean of all layers
};

std::size_t words_in(std::string_view line) { return word_ranges(line).size(); }

// The attention of given translations: the mean of the heads of one layer, or of all layers.
AttentionMap map_of(const Translation& forced, const TokenizerPair& tokenizers, std::optional<Index> layer) {
  const Translated translated{forced.source, forced.text, forced.source_tokens, forced.hypothesis};
  return explain(translated, tokenizers,
                 {.units = Units::kWords, .attention = {.layer = layer, .summary = Summary::kMean}})
      .maps.front();
}

Index layers_of(const Translation& forced) {
  Index layers = 0;
  for (const AttentionRecord& record : forced.hypothesis.attention) layers = std::max(layers, record.layer + 1);
  return layers;
}

bool is_drawn(const TestSet& set, std::size_t sentence, bool of_user) {
  if (of_user) return sentence < kDrawnOfUsers;
  return std::ranges::find(kToDraw, std::string_view(set.sources[sentence])) != std::end(kToDraw);
}

// Forces the references of a test set, and adds up what the attention of each layer says.
ModelOrder measure_order(LabRun& run, const Translator& translator, const TestSet& set) {
  if (!translator.model().has_cross_attention()) {
    throw UsageError("lab run: order needs a model whose decoder attends to the source; this preset has none");
  }
  std::vector<std::string> references;
  for (const std::vector<std::string>& of_sentence : set.references) references.push_back(of_sentence.front());
  SearchOptions search;
  search.keep = RecordedAttention::kWeights;
  const std::vector<Translation> forced =
      translator.force(set.inputs(), references, search, {.pool = &run.pool(), .poll = run.options().poll});
  ModelOrder order;
  for (std::size_t i = 0; i < forced.size(); ++i) {
    if (forced[i].hypothesis.attention.empty()) continue;  // too long for the model
    order.layers.resize(static_cast<std::size_t>(layers_of(forced[i])) + 1);
    for (std::size_t layer = 0; layer < order.layers.size(); ++layer) {
      const AttentionMap map = map_of(forced[i], translator.tokenizers(),
                                      layer == 0 ? std::nullopt : std::optional(static_cast<Index>(layer)));
      order.layers[layer].links += count_links(hard_alignment(map), set.alignments[i]);
      order.layers[layer].off += off_diagonal(map.weights) / static_cast<double>(forced.size());
      if (layer == 0 && is_drawn(set, i, !run.options().test.empty())) order.drawn.push_back(map);
    }
  }
  return order;
}

// The measures of the gold links and of the diagonal, for comparison.
ModelOrder measure_gold(const TestSet& set) {
  ModelOrder gold{"gold", "", {{}, {}}, {}};
  for (std::size_t i = 0; i < set.sources.size(); ++i) {
    const std::size_t source = words_in(set.sources[i]), target = words_in(set.references[i].front());
    gold.layers[0].off +=
        off_diagonal(weights_of(set.alignments[i], source + 1, target + 1)) / static_cast<double>(set.sources.size());
    gold.layers[1].links += count_links(diagonal_links(source, target), set.alignments[i]);
  }
  return gold;
}

double best_error(const ModelOrder& order) {
  double best = 1;
  for (const OrderSums& layer : order.layers) best = std::min(best, alignment_score(layer.links).error_rate);
  return best;
}

TestSet set_of(const LabRun& run, const std::string& corpus) {
  TestSet set = run.test_set(corpus);
  if (set.alignments.empty())
    throw UsageError("lab run: order compares with gold links: --alignments FILE names those of --test");
  return set;
}

// Means over seeds.
void add_rows(ResultTable& table, const std::vector<ModelOrder>& seeds, double gold_off) {
  const ModelOrder& first = seeds.front();
  for (std::size_t layer = 0; layer < first.layers.size(); ++layer) {
    if (first.layers.size() == 2 && layer == 1) continue;  // a single layer is the mean of all
    std::vector<double> errors, precisions, recalls, offs;
    for (const ModelOrder& order : seeds) {
      const AlignmentScore score = alignment_score(order.layers[layer].links);
      errors.push_back(score.error_rate);
      precisions.push_back(score.precision);
      recalls.push_back(score.recall);
      offs.push_back(order.layers[layer].off);
    }
    table.rows.push_back({first.name, first.corpus, layer == 0 ? std::string("all") : std::to_string(layer),
                          spread_of(errors).mean, spread_of(errors).deviation, spread_of(precisions).mean,
                          spread_of(recalls).mean, spread_of(offs).mean, gold_off});
  }
}

std::vector<ModelOrder> measure_seeds(LabRun& run, const std::string& preset, const std::string& corpus,
                                      const std::vector<std::string>& settings, const TestSet& set) {
  std::vector<ModelOrder> seeds;
  for (const std::uint64_t seed : run.seeds()) {
    Config config = run.config(preset, seed, settings);
    if (const Index steps = config.training.schedule_settings.total_steps; steps > 0) {  // on a corpus of any size
      config.training.max_steps = steps;
      config.training.max_epochs = 0;
    }
    const Translator translator(run.trained(cat(preset, '-', corpus, "-seed-", seed), config));
    seeds.push_back(measure_order(run, translator, set));
    seeds.back().name = preset;
    seeds.back().corpus = corpus;
  }
  return seeds;
}

void add_drawings(Findings& findings, const ModelOrder& order) {
  for (std::size_t i = 0; i < order.drawn.size(); ++i) {
    Drawing drawing = draw_map(order.drawn[i]);
    drawing.title = cat("Attention of ", order.name, ", ", order.corpus, ": ", drawing.title);
    findings.figures.push_back({cat("attention-", order.name, "-", order.corpus, "-", i + 1), std::move(drawing), ""});
  }
}

// Collects the findings, corpus by corpus and model by model.
class OrderReport {
 public:
  OrderReport() { findings_.holds = true; }

  void begin(const std::string& corpus, const ModelOrder& gold) {
    diagonal_ = alignment_score(gold.layers[1].links).error_rate;
    plot_.rows.push_back({cat(corpus, ", the diagonal"), diagonal_});
    findings_.measured += cat(findings_.measured.empty() ? "" : "; ", corpus, ": alignment error rate of the diagonal ",
                              fixed(diagonal_, 3));
  }

  void add(const std::vector<ModelOrder>& seeds, const ModelOrder& gold) {
    add_rows(table_, seeds, gold.layers[0].off);
    add_drawings(findings_, seeds.front());
    std::vector<double> errors;
    for (const ModelOrder& order : seeds) errors.push_back(best_error(order));
    const Spread error = spread_of(errors);
    plot_.rows.push_back({cat(seeds.front().corpus, ", ", seeds.front().name), error.mean, error.deviation});
    findings_.measured += cat(", of ", seeds.front().name, ' ', fixed(error.mean, 3));
    findings_.holds = findings_.holds && error.mean < diagonal_ / 2;
  }

  Findings findings() {
    findings_.figures.insert(findings_.figures.begin(), {"alignment-error", draw_dot_plot(plot_), table_.name});
    findings_.tables.push_back(table_);
    return findings_;
  }

 private:
  Findings findings_;
  ResultTable table_{"alignment",
                     "Alignment of attention, by layer; 'all' is the mean of all layers",
                     {"model", "corpus", "layer", "alignment error rate", "spread", "precision", "recall",
                      "weight off the diagonal", "gold links off the diagonal"},
                     {}};
  DotPlot plot_{"Alignment error rate, best layer", "alignment error rate", {}, "Lower is better."};
  double diagonal_ = 0;  // of the corpus
};

}  // namespace

double off_diagonal(const std::vector<std::vector<double>>& weights) {
  if (weights.size() < 2 || weights.front().size() < 2) return 0;
  const double rows = static_cast<double>(weights.size() - 1),
               columns = static_cast<double>(weights.front().size() - 1);
  double off = 0, all = 0;
  for (std::size_t i = 0; i + 1 < weights.size(); ++i) {
    const double middle = (static_cast<double>(i) + 0.5) / rows * columns - 0.5;
    for (std::size_t j = 0; j + 1 < weights[i].size(); ++j) {
      all += weights[i][j];
      if (std::abs(static_cast<double>(j) - middle) > 1) off += weights[i][j];
    }
  }
  return all > 0 ? off / all : 0;
}

std::vector<std::vector<double>> weights_of(const GoldLinks& gold, std::size_t source_words, std::size_t target_words) {
  std::vector<std::vector<double>> weights(target_words, std::vector<double>(source_words));
  for (const auto& [source, target] : gold.sure) {
    const auto of_word = std::ranges::count(gold.sure, target, &Link::second);
    weights.at(static_cast<std::size_t>(target)).at(static_cast<std::size_t>(source)) =
        1.0 / static_cast<double>(of_word);
  }
  return weights;
}

Links diagonal_links(std::size_t source_words, std::size_t target_words) {
  Links links;
  for (std::size_t i = 0; i < target_words && source_words > 0; ++i) {
    links.emplace_back(static_cast<Index>((2 * i + 1) * source_words / (2 * target_words)), static_cast<Index>(i));
  }
  return links;
}

Findings run_order(LabRun& run, const OrderSize& size) {
  OrderReport report;
  const std::string& of_user = run.options().model;
  const std::vector<std::string> presets = of_user.empty() ? size.presets : std::vector<std::string>{of_user};
  const bool own_data = !run.options().data.empty();
  for (const std::string& corpus : own_data ? std::vector<std::string>{"user"} : size.corpora) {
    const TestSet set = set_of(run, corpus);
    const ModelOrder gold = measure_gold(set);
    report.begin(corpus, gold);
    for (const std::string& preset : presets) {
      std::vector<std::string> settings = size.settings;
      if (!own_data) settings.push_back(cat("phrasebook: ", corpus, '\n'));
      report.add(measure_seeds(run, preset, corpus, settings, set), gold);
    }
  }
  return report.findings();
}

}  // namespace dhyan::lab

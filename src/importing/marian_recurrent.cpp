#include <algorithm>

#include "core/error.h"
#include "importing/marian_networks.h"

namespace dhyan {

namespace {

ForeignMatrix below_each_other(std::initializer_list<ForeignMatrix> parts) {
  ForeignMatrix all{0, parts.begin()->cols, {}};
  for (const ForeignMatrix& part : parts) {
    if (part.cols != all.cols) {
      throw ModelFileError(
          cat("marian: matrices of ", all.cols, " and ", part.cols, " columns, expected equally many"));
    }
    all.rows += part.rows;
    all.values.insert(all.values.end(), part.values.begin(), part.values.end());
  }
  return all;
}

ForeignMatrix beside(const ForeignMatrix& left, const ForeignMatrix& right) {
  return below_each_other({left.transposed(), right.transposed()}).transposed();
}

ForeignMatrix sum_of(ForeignMatrix sum, std::initializer_list<ForeignMatrix> others) {
  for (const ForeignMatrix& other : others) {
    std::ranges::transform(sum.values, other.values, sum.values.begin(), std::plus<>());
  }
  return sum;
}

// Marian's cells: how their gates lie, and the order in which ours do.
struct MarianCell {
  std::string_view theirs, ours;
  bool split;                // the last gate has tensors of its own, Wx, Ux and bx
  std::vector<Index> order;  // of gates
};

const MarianCell& marian_cell(const MarianSettings& settings) {
  static const std::vector<MarianCell> cells{
      {"gru", "gru", true, {0, 1, 2}}, {"lstm", "lstm", false, {1, 0, 2, 3}}, {"tanh", "rnn", false, {0}}};
  const std::string name = settings.text("dec-cell", "gru");
  settings.expect("enc-cell", "gru", name);
  const auto found = std::ranges::find(cells, name, &MarianCell::theirs);
  if (found == cells.end()) settings.expect("dec-cell", "gru", "gru, lstm or tanh");
  return *found;
}

// What a cell reads, and where its bias is added: in a GRU, the candidate's to its input or to what the reset gate
// meets.
enum class CellInput { kWord, kNothing };
enum class CandidateBias { kOfInput, kOfState };

class MarianRecurrentReader {
 public:
  MarianRecurrentReader(ForeignTensors& tensors, ImportedModel& model, const MarianCell& cell)
      : tensors_(tensors),
        model_(model),
        cell_(cell),
        H_(model.config.common.hidden),
        G_(std::ssize(cell.order)),
        norm_(model.config.recurrent.inner_norm) {}

  void encoder() {
    const RecurrentSettings& recurrent = model_.config.recurrent;
    for (Index layer = 0; layer < model_.config.common.encoder_layers; ++layer) {
      for (const bool back : {false, true}) {
        const std::string to = cat("encoder.", layer, back ? ".backward" : ".forward");
        const std::string from = cat("encoder_bi", back ? "_r" : "", layer == 0 ? "" : cat("_l", layer + 1));
        cell(to, layer == 0 ? from : from + "_cell1", CellInput::kWord, CandidateBias::kOfInput);
        transitions(to, from, 2, recurrent.encoder_transitions, CandidateBias::kOfInput);
      }
    }
  }

  void decoder() {
    const RecurrentSettings& recurrent = model_.config.recurrent;
    cell("decoder.0", "decoder_cell1", CellInput::kWord, CandidateBias::kOfInput);
    cell("decoder.0.second", "decoder_cell2", CellInput::kWord, CandidateBias::kOfState);
    transitions("decoder.0.second", "decoder", 3, recurrent.decoder_transitions, CandidateBias::kOfState);
    for (Index layer = 1; layer < model_.config.common.decoder_layers; ++layer) {
      const std::string to = cat("decoder.", layer), from = cat("decoder_l", layer + 1);
      cell(to, from + "_cell1", CellInput::kWord, CandidateBias::kOfInput);
      transitions(to, from, 2, recurrent.higher_transitions, CandidateBias::kOfInput);
    }
  }

  void attention() {
    const Index A = model_.config.common.attention.hidden;
    set("attention.score.W", tensors_.matrix("decoder_W_comb_att"));
    set("attention.score.U", tensors_.matrix("decoder_Wc_att"));
    set("attention.score.b", tensors_.vector("decoder_b_att", A));
    set("attention.score.v", tensors_.vector("decoder_U_att", A));
    if (!norm_) return;
    set("attention.score.U.gain", tensors_.vector("decoder_att_gamma1", A));
    set("attention.score.W.gain", tensors_.vector("decoder_att_gamma2", A));
  }

  void first_state() { dense("bridge", "decoder_ff_state", "", H_); }

  // Marian's inputs are y, s and c, ours s, y and c.
  void readout() {
    const std::string from = "decoder_ff_logit_l1";
    const Index O = model_.config.recurrent.output_hidden;
    if (norm_) {
      dense("readout.y", from, "0", O);
      dense("readout.s", from, "1", O);
      dense("readout.c", from, "2", O);
      return;
    }
    set("readout.weight", below_each_other({tensors_.matrix(from + "_W1"), tensors_.matrix(from + "_W0"),
                                            tensors_.matrix(from + "_W2")}));
    set("readout.bias",
        sum_of(tensors_.vector(from + "_b0", O), {tensors_.vector(from + "_b1", O), tensors_.vector(from + "_b2", O)}));
  }

 private:
  void set(const std::string& name, ForeignMatrix weight) { model_.weights[name] = std::move(weight); }

  void dense(const std::string& to, const std::string& from, const std::string& number, Index out) {
    set(to + ".weight", tensors_.matrix(from + "_W" + number));
    set(norm_ ? to + ".norm.bias" : to + ".bias", tensors_.vector(from + "_b" + number, out));
    if (norm_) set(to + ".norm.gain", tensors_.vector(from + "_gamma" + number, out));
  }

  // Cells first, first + 1, ... of a layer.
  void transitions(const std::string& to, const std::string& from, Index first, Index count, CandidateBias bias) {
    for (Index i = 0; i < count; ++i) {
      cell(cat(to, ".transition.", i), cat(from, "_cell", first + i), CellInput::kNothing, bias);
    }
  }

  void cell(const std::string& to, const std::string& from, CellInput input, CandidateBias bias) {
    const bool reads = input == CellInput::kWord;
    if (reads) set(to + ".W", gates(from + "_W"));
    set(to + ".U", gates(from + "_U"));
    const ForeignMatrix b = gates(from + "_b");
    if (b.rows != 1) tensors_.fail(from + "_b", cat("has ", b.rows, " rows, expected 1"));
    const bool of_state = cell_.split && bias == CandidateBias::kOfState;
    set(to + ".b", of_state ? only(b, 0, G_ - 1) : b);
    set(to + ".c", of_state ? only(b, G_ - 1, G_) : zeros(1, G_ * H_));
    if (norm_ && reads) set(to + ".W.gain", ordered(tensors_.vector(from + "_gamma1", G_ * H_)));
    if (norm_) set(to + ".U.gain", ordered(tensors_.vector(from + "_gamma2", G_ * H_)));
  }

  ForeignMatrix gates(const std::string& name) {
    ForeignMatrix all = tensors_.matrix(name);
    if (cell_.split) all = beside(all, tensors_.matrix(name + "x"));
    if (all.cols != G_ * H_) tensors_.fail(name, cat("has ", all.cols, " columns of all gates, expected ", G_ * H_));
    return ordered(all);
  }

  // Blocks of columns in our order.
  ForeignMatrix ordered(const ForeignMatrix& weight) const {
    std::vector<Index> places;
    for (const Index gate : cell_.order) {
      for (Index i = 0; i < H_; ++i) places.push_back(gate * H_ + i);
    }
    return weight.transposed().gathered(places).transposed();
  }

  // A bias of gates [begin,end), zero for others.
  ForeignMatrix only(const ForeignMatrix& bias, Index begin, Index end) const {
    ForeignMatrix part = zeros(1, G_ * H_);
    std::copy(bias.values.begin() + begin * H_, bias.values.begin() + end * H_, part.values.begin() + begin * H_);
    return part;
  }

  ForeignTensors& tensors_;
  ImportedModel& model_;
  const MarianCell& cell_;
  Index H_, G_;
  bool norm_;
};

// How many cells of a step follow the `least` that every layer has.
Index more_cells(const MarianSettings& settings, const std::string& name, Index otherwise, Index least) {
  const Index cells = settings.number(name, otherwise);
  if (cells < least) settings.expect(name, cat(otherwise), cat(least, " or more"));
  return cells - least;
}

void read_recurrent_settings(const MarianSettings& settings, const MarianCell& cell, Config& config) {
  settings.expect("original-type", "", "");
  config.model = "recurrent";
  ModelConfig& common = config.common;
  common.encoder_layers = settings.number("enc-depth", 1);
  common.decoder_layers = settings.number("dec-depth", 1);
  if (common.encoder_layers > 1 || settings.text("enc-type", "bidirectional") != "alternating") {
    settings.expect("enc-type", "bidirectional", "bidirectional");
  }
  common.hidden = settings.number("dim-rnn", 1024);
  common.attention.score = "additive";
  common.attention.hidden = 2 * common.hidden;
  RecurrentSettings& recurrent = config.recurrent;
  recurrent.cell = cell.ours;
  recurrent.embedding = recurrent.output_hidden = settings.number("dim-emb", 512);
  recurrent.stacks = Stacks::kSeparate;
  recurrent.encoder_transitions = more_cells(settings, "enc-cell-depth", 1, 1);
  recurrent.decoder_transitions = more_cells(settings, "dec-cell-base-depth", 2, 2);
  recurrent.higher_transitions = more_cells(settings, "dec-cell-high-depth", 1, 1);
  recurrent.first_state = FirstState::kMean;
  recurrent.timing = Timing::kBetween;
  recurrent.output = OutputKind::kDeepTanh;
  recurrent.inner_norm = settings.flag("layer-normalization");
  recurrent.residual = settings.flag("skip");
}

}  // namespace

void read_marian_recurrent(const MarianSettings& settings, ForeignTensors& tensors, ImportedModel& model) {
  const MarianCell& cell = marian_cell(settings);
  read_recurrent_settings(settings, cell, model.config);
  MarianRecurrentReader reader(tensors, model, cell);
  reader.encoder();
  reader.decoder();
  reader.attention();
  reader.first_state();
  reader.readout();
}

}  // namespace dhyan

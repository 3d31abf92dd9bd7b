// Ops that read floats alone name themselves and the dtype that they are given.

#include <functional>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing/thrown.h"
#include "ops/activations.h"
#include "ops/additive_energies.h"
#include "ops/alignment_loss.h"
#include "ops/arithmetic.h"
#include "ops/attention_products.h"
#include "ops/convolution.h"
#include "ops/dropout.h"
#include "ops/embedding.h"
#include "ops/gates.h"
#include "ops/hard_attention.h"
#include "ops/latent_alignment.h"
#include "ops/linear.h"
#include "ops/matmul.h"
#include "ops/norm.h"
#include "ops/output_layer.h"
#include "ops/output_loss.h"
#include "ops/pooling.h"
#include "ops/position_energies.h"
#include "ops/rdrop_output_loss.h"
#include "ops/reductions.h"
#include "ops/rows.h"
#include "ops/scan.h"
#include "ops/softmax.h"
#include "ops/testing/int8_parameter.h"

namespace dhyan {
namespace {

constexpr Index kN = 4;
const RowId kIds[] = {0, 1, 2, 3};

// One sentence of four queries and four keys; one of two and two, which has as many pairs as a vector has elements.
AttentionLayout square_layout() { return {Segments::one(kN), Segments::one(kN), 1}; }
AttentionLayout vector_layout() { return {Segments::one(2), Segments::one(2), 1}; }

// Floats of every shape that the ops below take beside x.
struct Floats {
  Var matrix, wide, widest, vector, one;  // [4,4] [4,12] [4,16] [4] [1]
};

struct Reader {
  const char* name;
  Shape shape;  // of x
  std::function<void(const Var& x, const Floats& f)> call;
};

const Shape kMatrix{kN, kN}, kVector{kN};
const ConvOptions kCells{{.kernel = 1}};

std::vector<Reader> elementwise_readers() {
  return {
      {"tanh", kMatrix, [](const Var& x, const Floats&) { tanh(x); }},
      {"sigmoid", kMatrix, [](const Var& x, const Floats&) { sigmoid(x); }},
      {"relu", kMatrix, [](const Var& x, const Floats&) { relu(x); }},
      {"relu6", kMatrix, [](const Var& x, const Floats&) { relu6(x); }},
      {"gelu", kMatrix, [](const Var& x, const Floats&) { gelu(x); }},
      {"gelu_erf", kMatrix, [](const Var& x, const Floats&) { gelu_erf(x); }},
      {"swish", kMatrix, [](const Var& x, const Floats&) { swish(x); }},
      {"maxout", kMatrix, [](const Var& x, const Floats&) { maxout(x, 2); }},
      {"add", kMatrix, [](const Var& x, const Floats& f) { add(x, f.matrix); }},
      {"add", kMatrix, [](const Var& x, const Floats& f) { add(f.matrix, x); }},
      {"multiply", kMatrix, [](const Var& x, const Floats& f) { multiply(x, f.matrix); }},
      {"multiply", kMatrix, [](const Var& x, const Floats& f) { multiply(f.matrix, x); }},
      {"scale", kMatrix, [](const Var& x, const Floats&) { scale(x, 2); }},
      {"add_bias", kMatrix, [](const Var& x, const Floats& f) { add_bias(x, f.vector); }},
      {"add_bias", kVector, [](const Var& x, const Floats& f) { add_bias(f.matrix, x); }},
      {"dropout", kMatrix, [](const Var& x, const Floats&) { dropout(x, 0.5); }},
      {"add_dropped", kMatrix, [](const Var& x, const Floats& f) { add_dropped(f.matrix, x, 0.5); }},
      {"variational_dropout", kMatrix,
       [](const Var& x, const Floats&) { variational_dropout(x, Segments::one(kN), 0.5); }},
      {"word_dropout", kMatrix, [](const Var& x, const Floats&) { word_dropout(x, 0.5); }},
      {"rnn_gates", kMatrix, [](const Var& x, const Floats& f) { rnn_gates(f.matrix, x); }},
      {"gru_gates", kMatrix, [](const Var& x, const Floats& f) { gru_gates(f.wide, f.wide, x); }},
      {"lstm_state", kMatrix, [](const Var& x, const Floats& f) { lstm_state(f.widest, f.widest, x); }},
      {"lstm_output", kMatrix, [](const Var& x, const Floats& f) { lstm_output(f.widest, f.widest, x); }},
  };
}

std::vector<Reader> row_readers() {
  return {
      {"softmax", kMatrix, [](const Var& x, const Floats&) { softmax(x); }},
      {"log_softmax", kMatrix, [](const Var& x, const Floats&) { log_softmax(x); }},
      {"layer_norm", kMatrix, [](const Var& x, const Floats& f) { layer_norm(x, f.vector, f.vector); }},
      {"layer_norm", kVector, [](const Var& x, const Floats& f) { layer_norm(f.matrix, x, f.vector); }},
      {"add_layer_norm", kMatrix,
       [](const Var& x, const Floats& f) { add_layer_norm(f.matrix, x, f.vector, f.vector); }},
      {"group_norm", kMatrix, [](const Var& x, const Floats& f) { group_norm(x, f.vector, f.vector, {}); }},
      {"rms_norm", kMatrix, [](const Var& x, const Floats& f) { rms_norm(x, f.vector); }},
      {"unit_norm", kMatrix, [](const Var& x, const Floats& f) { unit_norm(x, f.one); }},
      {"sum", kMatrix, [](const Var& x, const Floats&) { sum(x); }},
      {"mean", kMatrix, [](const Var& x, const Floats&) { mean(x); }},
      {"row_sums", kMatrix, [](const Var& x, const Floats&) { row_sums(x); }},
      {"segment_sum", kMatrix, [](const Var& x, const Floats&) { segment_sum(x, Segments::one(kN)); }},
      {"segment_mean", kMatrix, [](const Var& x, const Floats&) { segment_mean(x, Segments::one(kN)); }},
      {"slice_rows", kMatrix, [](const Var& x, const Floats&) { slice_rows(x, 1, 2); }},
      {"reshape", kMatrix,
       [](const Var& x, const Floats&) {
         reshape(x, {2, 8});
       }},
      {"slice_cols", kMatrix, [](const Var& x, const Floats&) { slice_cols(x, 1, 2); }},
      {"concat_cols", kMatrix,
       [](const Var& x, const Floats& f) {
         concat_cols({f.matrix, x});
       }},
      {"concat_rows", kMatrix,
       [](const Var& x, const Floats& f) {
         concat_rows({f.matrix, x});
       }},
      {"gather_rows", kMatrix, [](const Var& x, const Floats&) { gather_rows(x, kIds); }},
      {"scatter_rows", kMatrix, [](const Var& x, const Floats&) { scatter_rows(x, kIds, kN); }},
      {"first_rows", kMatrix, [](const Var& x, const Floats&) { first_rows(x, Segments::one(kN)); }},
      {"last_rows", kMatrix, [](const Var& x, const Floats&) { last_rows(x, Segments::one(kN)); }},
      {"repeat_rows", kMatrix, [](const Var& x, const Floats&) { repeat_rows(x, Segments::singles(kN)); }},
  };
}

std::vector<Reader> weight_readers() {
  return {
      {"matmul", kMatrix, [](const Var& x, const Floats& f) { matmul(x, f.matrix); }},
      {"matmul", kMatrix, [](const Var& x, const Floats& f) { matmul(f.matrix, x); }},
      {"linear", kMatrix, [](const Var& x, const Floats& f) { linear(x, f.matrix); }},
      {"linear", kMatrix, [](const Var& x, const Floats& f) { linear(f.matrix, x); }},
      {"linear_relu", kMatrix, [](const Var& x, const Floats& f) { linear_relu(f.matrix, x, f.vector); }},
      {"linear_relu", kVector, [](const Var& x, const Floats& f) { linear_relu(f.matrix, f.matrix, x); }},
      {"conv2d", kMatrix,
       [](const Var& x, const Floats& f) {
         conv2d(x, {2, 2}, f.matrix, {}, kCells);
       }},
      {"conv2d", kMatrix,
       [](const Var& x, const Floats& f) {
         conv2d(f.matrix, {2, 2}, x, {}, kCells);
       }},
      {"depthwise_conv2d",
       {1, kN},
       [](const Var& x, const Floats& f) {
         depthwise_conv2d(f.matrix, {2, 2}, x, {}, kCells);
       }},
      {"max_pool2d", kMatrix,
       [](const Var& x, const Floats&) {
         max_pool2d(x, {2, 2}, {});
       }},
      {"mean_pool2d", kMatrix,
       [](const Var& x, const Floats&) {
         mean_pool2d(x, {2, 2}, {});
       }},
      {"embedding", kMatrix, [](const Var& x, const Floats&) { embedding(x.scope(), x, kIds); }},
      {"placed_embedding", kMatrix,
       [](const Var& x, const Floats& f) {
         placed_embedding(x.scope(), {f.matrix, kIds}, 1, {x, kIds});
       }},
      {"output_logits", kMatrix,
       [](const Var& x, const Floats& f) {
         output_logits(x, {f.matrix, {}});
       }},
      {"output_logits", kMatrix,
       [](const Var& x, const Floats& f) {
         output_logits(f.matrix, {x, {}});
       }},
      {"best_outputs", kMatrix,
       [](const Var& x, const Floats& f) {
         best_outputs(x, {f.matrix, {}}, 2);
       }},
      {"ranked_outputs", kMatrix,
       [](const Var& x, const Floats& f) {
         ranked_outputs(f.matrix, {x, {}}, 2);
       }},
      {"output_loss", kMatrix,
       [](const Var& x, const Floats& f) {
         output_loss(x, {f.matrix, {}}, kIds, {});
       }},
      {"rdrop_output_loss", kMatrix,
       [](const Var& x, const Floats& f) {
         rdrop_output_loss(f.matrix, x, {f.matrix, {}}, kIds, {});
       }},
  };
}

std::vector<Reader> attention_readers() {
  return {
      {"energies", kMatrix, [](const Var& x, const Floats& f) { energies(x, f.matrix, square_layout()); }},
      {"gated_scan", kMatrix, [](const Var& x, const Floats& f) { gated_scan(x, f.matrix, Segments::one(kN)); }},
      {"gated_scan", kMatrix, [](const Var& x, const Floats& f) { gated_scan(f.matrix, x, Segments::one(kN)); }},
      {"segment_softmax", kVector, [](const Var& x, const Floats&) { segment_softmax(x, vector_layout()); }},
      {"contexts", kVector,
       [](const Var& x, const Floats& f) { contexts(x, slice_rows(f.matrix, 0, 2), vector_layout()); }},
      {"additive_energies", kMatrix,
       [](const Var& x, const Floats& f) { additive_energies(f.matrix, x, f.vector, square_layout()); }},
      {"position_energies", kMatrix, [](const Var& x, const Floats&) { position_energies(x, square_layout()); }},
      {"log_gaussians", {kN, 1}, [](const Var& x, const Floats&) { log_gaussians(x, 1, square_layout()); }},
      {"hard_attention", kVector, [](const Var& x, const Floats&) { hard_attention(x, vector_layout()); }},
      {"pair_energies", kMatrix,
       [](const Var& x, const Floats&) {
         pair_energies(x, {kIds, kIds}, square_layout());
       }},
      {"latent_alignment", kVector,
       [](const Var& x, const Floats& f) { latent_alignment(x, f.one, 0.2, vector_layout()); }},
      {"alignment_loss", kVector, [](const Var& x, const Floats&) { alignment_loss(x, {}, 1); }},
  };
}

class Dtypes : public testing::Test {
 protected:
  Var floats(const Shape& shape) { return scope_.constant(Tensor::zeros_in(arena_, shape)); }
  Var of(Dtype dtype, const Shape& shape) { return scope_.constant(Tensor::in(arena_, shape, dtype)); }

  void expect_refusals(const std::vector<Reader>& readers) {
    const Floats beside{floats(kMatrix), floats({kN, 3 * kN}), floats({kN, 4 * kN}), floats(kVector), floats({1})};
    for (const Reader& reader : readers) {
      for (const Dtype dtype : {Dtype::kBfloat16, Dtype::kInt8}) {
        EXPECT_EQ(thrown<DtypeError>([&] { reader.call(of(dtype, reader.shape), beside); }),
                  cat(reader.name, ": cannot read ", name_of(dtype), " values"));
      }
      EXPECT_NO_THROW(reader.call(floats(reader.shape), beside)) << reader.name;
    }
  }

  Arena arena_;
  Scope scope_{arena_};
};

TEST_F(Dtypes, ThatAnElementwiseOpCannotReadAreNamed) { expect_refusals(elementwise_readers()); }
TEST_F(Dtypes, ThatAnOpOnRowsCannotReadAreNamed) { expect_refusals(row_readers()); }
TEST_F(Dtypes, ThatAProductOrTableCannotReadAreNamed) { expect_refusals(weight_readers()); }
TEST_F(Dtypes, ThatAttentionCannotReadAreNamed) { expect_refusals(attention_readers()); }

TEST_F(Dtypes, OfAKvCacheAreFloatAndBfloat16) {
  const Var int8 = of(Dtype::kInt8, kMatrix);
  EXPECT_EQ(thrown<DtypeError>([&] { energies(floats(kMatrix), int8, square_layout()); }),
            "energies: cannot read int8 values");
  EXPECT_EQ(thrown<DtypeError>([&] { contexts(floats({kN * kN}), int8, square_layout()); }),
            "contexts: cannot read int8 values");
}

TEST_F(Dtypes, OfAPrepackedWeightMayBeInt8) {
  Parameter parameter{.name = "w", .value = Tensor::zeros(kMatrix)};
  make_int8(parameter);
  const Var weight = scope_.parameter(parameter);
  EXPECT_EQ(weight.value().dtype(), Dtype::kInt8);
  EXPECT_NO_THROW(linear(floats(kMatrix), weight));
  EXPECT_EQ(thrown<DtypeError>([&] { matmul(floats(kMatrix), weight); }), "matmul: cannot read int8 values");
}

}  // namespace
}  // namespace dhyan

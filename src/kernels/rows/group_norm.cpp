#include "kernels/rows/group_norm.h"

#include <algorithm>
#include <cmath>

#include "kernels/gemm/scratch_buffer.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/rows/group_norm.cpp"
#include <hwy/foreach_target.h>

#include "kernels/simd/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dhyan::kernels::HWY_NAMESPACE {
namespace {

// Rows of C values in a buffer: what a group shares is repeated for each of its channels.
struct ChannelBuffer {
  Real* values;
  Index C;
  Real* operator[](Index i) const { return values + i * C; }
};

// Replaces the values of each group by f(their sum), and calls keep(group, that).
template <class F, class Keep>
void share_in_groups(Real* values, Index C, Index groups, const F& f, const Keep& keep) {
  const Index width = C / groups;
  for (Index g = 0; g < groups; ++g) {
    Real sum = 0;
    for (Index c = g * width; c < (g + 1) * width; ++c) sum += values[c];
    const Real shared = f(sum);
    std::fill_n(values + g * width, width, shared);
    keep(g, shared);
  }
}

// sums_c = sum over the rows of f(x_rc), f(c, row, part) being a vector from c on
template <class F>
void channel_sums(Index rows, Index C, const F& f, Real* sums) {
  each_vector(C, [&](Index c, auto part) {
    V sum = hn::Zero(D());
    for (Index r = 0; r < rows; ++r) sum = hn::Add(sum, f(c, r, part));
    part.store(sum, sums + c);
  });
}

void group_norm_picture(ConstMatrix x, Index groups, const NormWeights& weights, Matrix y, NormRows statistics,
                        const ChannelBuffer& buffer) {
  const Index C = x.cols;
  const Real count = static_cast<Real>(x.rows * (C / groups));
  const auto keep_in = [](std::span<Real> all_groups) {
    return [=](Index g, Real value) {
      if (!all_groups.empty()) all_groups[static_cast<std::size_t>(g)] = value;
    };
  };
  Real *mean = buffer[0], *inverse = buffer[1];
  channel_sums(
      x.rows, C, [&](Index c, Index r, auto part) { return part.load(x.row(r) + c); }, mean);
  share_in_groups(
      mean, C, groups, [&](Real sum) { return sum / count; }, keep_in(statistics.mean));
  channel_sums(
      x.rows, C,
      [&](Index c, Index r, auto part) {
        const V centred = hn::Sub(part.load(x.row(r) + c), part.load(mean + c));
        return hn::Mul(centred, centred);
      },
      inverse);
  share_in_groups(
      inverse, C, groups, [&](Real sum) { return 1 / std::sqrt(sum / count + weights.epsilon); },
      keep_in(statistics.inverse));
  for (Index r = 0; r < x.rows; ++r) {
    each_vector(C, [&](Index c, auto part) {
      const V n = hn::Mul(hn::Sub(part.load(x.row(r) + c), part.load(mean + c)), part.load(inverse + c));
      part.store(hn::MulAdd(n, part.load(weights.gain.data() + c), part.load(weights.bias.data() + c)), y.row(r) + c);
    });
  }
}

// Row r of one picture in the backward pass.
struct GroupNormPicture {
  ConstMatrix x, dy;
  const Real *mean, *inverse;  // [C]

  template <class Part>
  HWY_INLINE V normalised(Index c, Index r, Part part) const {
    return hn::Mul(hn::Sub(part.load(x.row(r) + c), part.load(mean + c)), part.load(inverse + c));
  }
};

void group_norm_picture_backward(const GroupNormPicture& of, Index groups, const Real* gain,
                                 const ChannelBuffer& buffer, const NormGradients& into, Matrix dx) {
  const Index C = of.x.cols;
  const Real count = static_cast<Real>(of.x.rows * (C / groups));
  Real *g = buffer[2], *gn = buffer[3];
  channel_sums(
      of.x.rows, C, [&](Index c, Index r, auto part) { return part.load(of.dy.row(r) + c); }, g);
  channel_sums(
      of.x.rows, C,
      [&](Index c, Index r, auto part) { return hn::Mul(part.load(of.dy.row(r) + c), of.normalised(c, r, part)); }, gn);
  const auto add_to = [&](const Matrix& gradient, const Real* sums) {
    if (gradient.data != nullptr)
      accumulate(
          C, gradient.data, [](V v) { return v; }, sums);
  };
  add_to(into.bias, g);
  add_to(into.gain, gn);
  if (dx.data == nullptr) return;
  const auto times = [](V a, V b) { return hn::Mul(a, b); };
  for (Real* sums : {g, gn}) {
    transform(C, sums, times, sums, gain);
    share_in_groups(
        sums, C, groups, [&](Real sum) { return sum / count; }, [](Index, Real) {});
  }
  for (Index r = 0; r < of.x.rows; ++r) {
    each_vector(C, [&](Index c, auto part) {
      const V centred = hn::MulSub(part.load(of.dy.row(r) + c), part.load(gain + c), part.load(g + c));
      const V change = hn::NegMulAdd(of.normalised(c, r, part), part.load(gn + c), centred);
      part.add(hn::Mul(change, part.load(of.inverse + c)), dx.row(r) + c);
    });
  }
}

template <class M>
M picture_of(M x, Index picture, Index cells) {
  return x.data == nullptr ? M{} : M{x.row(picture * cells), cells, x.cols, x.stride};
}

std::span<Real> groups_of(std::span<Real> statistics, Index picture, Index groups) {
  if (statistics.empty()) return statistics;
  return statistics.subspan(static_cast<std::size_t>(picture * groups), static_cast<std::size_t>(groups));
}

void group_norm_pictures(ConstMatrix x, const Groups& of, const NormWeights& weights, Matrix y, NormRows statistics,
                         Real* buffer) {
  for (Index p = 0; p < x.rows / of.cells; ++p) {
    group_norm_picture(picture_of(x, p, of.cells), of.groups, weights, picture_of(y, p, of.cells),
                       {groups_of(statistics.mean, p, of.groups), groups_of(statistics.inverse, p, of.groups)},
                       {buffer, x.cols});
  }
}

void group_norm_pictures_backward(ConstMatrix x, const Groups& of, NormRows statistics, const Real* gain,
                                  ConstMatrix dy, const NormGradients& into, Real* memory) {
  const ChannelBuffer buffer{memory, x.cols};
  const Index width = x.cols / of.groups;
  for (Index p = 0; p < x.rows / of.cells; ++p) {
    for (Index c = 0; c < x.cols; ++c) {
      const auto group = static_cast<std::size_t>(p * of.groups + c / width);
      buffer[0][c] = statistics.mean[group];
      buffer[1][c] = statistics.inverse[group];
    }
    group_norm_picture_backward({picture_of(x, p, of.cells), picture_of(dy, p, of.cells), buffer[0], buffer[1]},
                                of.groups, gain, buffer, into, picture_of(into.x, p, of.cells));
  }
}

}  // namespace
}  // namespace dhyan::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dhyan::kernels {

HWY_EXPORT(group_norm_pictures);
HWY_EXPORT(group_norm_pictures_backward);

namespace {

Real* channel_buffer(Index C) {
  thread_local ScratchBuffer buffer;
  return buffer.reserve(4 * C);
}

}  // namespace

void group_norm_rows(ConstMatrix x, const Groups& groups, const NormWeights& weights, Matrix y, NormRows statistics) {
  HWY_DYNAMIC_DISPATCH(group_norm_pictures)(x, groups, weights, y, statistics, channel_buffer(x.cols));
}

void group_norm_rows_backward(ConstMatrix x, const Groups& groups, NormRows statistics, std::span<const Real> gain,
                              ConstMatrix dy, const NormGradients& into) {
  HWY_DYNAMIC_DISPATCH(group_norm_pictures_backward)
  (x, groups, statistics, gain.data(), dy, into, channel_buffer(x.cols));
}

}  // namespace dhyan::kernels
#endif  // HWY_ONCE

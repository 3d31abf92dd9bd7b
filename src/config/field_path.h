#pragma once

#include <tuple>
#include <type_traits>

namespace dhyan::option_kinds {

// Leads from a struct to one of its fields, for reading and for writing.
template <class Struct, class... Members>
struct Path {
  using Target = Struct;
  std::tuple<Members...> members;

  constexpr auto& operator()(auto& target) const {
    return std::apply(
        [&](auto... member) -> auto& { return (target.*....*member); }, members);
  }

  template <class Member>
  constexpr auto then(Member member) const {
    return Path<Struct, Members..., Member>{std::tuple_cat(members, std::tuple(member))};
  }
};

// path(&Config::common, &ModelConfig::hidden)
template <class Struct, class Field, class... Members>
constexpr auto path(Field Struct::*first, Members... rest) {
  return Path<Struct, Field Struct::*, Members...>{{first, rest...}};
}

template <class Path>
using FieldOf = std::remove_cvref_t<std::invoke_result_t<Path, typename Path::Target&>>;

}  // namespace dhyan::option_kinds

#pragma once

#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

namespace dhyan {

template <class Signature>
class FunctionRef;

// A reference to a callable object of any type: two words, trivially copied, never allocates. It owns nothing: the
// object must outlive the last call. As a parameter it takes a lambda directly:
//
//   void run(Index tasks, FunctionRef<void(Index task)> f);
//   run(8, [&](Index task) { ... });
template <class Result, class... Arguments>
class FunctionRef<Result(Arguments...)> {
 public:
  FunctionRef() = default;  // refers to nothing and must not be called

  // Implicit, so that a lambda can be passed as an argument.
  template <class F>
  requires(!std::is_same_v<std::remove_cvref_t<F>, FunctionRef> && std::is_object_v<std::remove_reference_t<F>> &&
           std::is_invocable_r_v<Result, F&, Arguments...>) FunctionRef(F&& f)
      : object_(const_cast<void*>(static_cast<const void*>(std::addressof(f)))),
        call_(&call_object<std::remove_reference_t<F>>) {}

  explicit operator bool() const { return call_ != nullptr; }

  Result operator()(Arguments... arguments) const { return call_(object_, std::forward<Arguments>(arguments)...); }

 private:
  template <class F>
  static Result call_object(void* object, Arguments... arguments) {
    if constexpr (std::is_void_v<Result>) {
      std::invoke(*static_cast<F*>(object), std::forward<Arguments>(arguments)...);
    } else {
      return std::invoke(*static_cast<F*>(object), std::forward<Arguments>(arguments)...);
    }
  }

  void* object_ = nullptr;
  Result (*call_)(void* object, Arguments... arguments) = nullptr;
};

}  // namespace dhyan

#pragma once

#include "autograd/tape.h"

namespace dhyan {

Var add(const Var& a, const Var& b);       // same shapes -> same shape
Var multiply(const Var& a, const Var& b);  // same shapes -> same shape, element by element
Var scale(const Var& x, Real factor);      // any shape -> same shape
Var add_bias(const Var& x, const Var& b);  // [..,H], [H] -> [..,H]: b is added to every row

}  // namespace dhyan

#pragma once

#include <functional>

#include "regard/autograd/var.h"

namespace regard {

/// f(x), without keeping what f made on the way: backward runs f again to find it. Memory for time,
/// same bits. REQUIRES that f is a pure function of x and of `parameters` (dropout by a fixed key
/// is), and that these are leaves; another result that f reads must come in through x.
Var checkpoint(const std::function<Var(const Var& x)>& f, const Var& x,
               const std::vector<Var>& parameters);

}  // namespace regard

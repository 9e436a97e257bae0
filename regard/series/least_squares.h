#pragma once

#include <vector>

#include "regard/series/windows.h"

namespace regard {

/// A ridge for values of about the deviation 1, so that it means the same for any series. On the
/// valid part of ETTh1 (contexts of 96, 336 and 512, horizons of 96 to 720) it is within 0.5 % of
/// the best of 0.000001 to 0.3; series that follow a rule without noise lose by more.
inline constexpr double kUsualRidge = 0.03;

/// The linear map that all series share from a past to its future, both less the last value of the
/// past:   y - last = (x - last) W,   W [context, horizon] row by row, which minimises
///   sum |y - last - (x - last) W|^2 / examples + ridge |W|^2.
/// In closed form, f64; takes time context (context + horizon) (values of a series + context) / 2
/// about, and 8 context (context + horizon) bytes.   REQUIRES ridge > 0
std::vector<double> least_squares(const Windows& windows, double ridge);

}  // namespace regard

#pragma once

namespace regard::elementary {

// Elementary functions of our own. Those of the standard library differ in their last bits from one
// machine to the next, and results must not. Computed to 62 bits or more and rounded once: the
// nearest number but for one time in some ten thousand, and always within 0.51 units of the last
// place; within 0.76 where the result is subnormal, which is rounded twice. Infinities, NaN and
// signed zeros give what IEEE 754 recommends, but for pow, which takes -0 for 0.

double exp(double x);
double exp2(double x);
double expm1(double x);  ///< e^x - 1, also where that is near 0
double log(double x);    ///< natural
double log2(double x);
double pow(double x, double y);  ///< x^y; NaN for every x below 0, also where y is whole
double tanh(double x);

/// Any finite argument, however large, is reduced by pi/2 without loss (Payne and Hanek 1983).
struct SineCosine {
  double sine, cosine;
};
SineCosine sine_and_cosine(double x);
double sin(double x);
double cos(double x);

}  // namespace regard::elementary

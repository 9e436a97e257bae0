#pragma once

#include "regard/attention/mechanism.h"
#include "regard/autograd/var.h"

namespace regard {

/// Rows brought to mean 0 and variance 1, then stretched and shifted as learned.
struct LayerNorm {
  Var gain, shift;  ///< of the trailing axes they normalise
  double epsilon;

  explicit LayerNorm(Shape trailing, double epsilon = 1e-5, Dtype dtype = Dtype::f32);

  Var operator()(const Var& x) const;

  void each(auto&& visit) {
    visit("gain", gain);
    visit("shift", shift);
  }
};

/// A sub-layer with a way around it:
///   post-norm  norm(x + dropout(sub(x)))     (Vaswani et al. 2017)
///   pre-norm   x + dropout(sub(norm(x)))     (Xiong et al. 2020, arXiv:2002.04745)
struct AddNorm {
  struct Spec {
    Shape trailing;      ///< the axes to normalise; {D} for rows
    bool pre = false;    ///< normalise what goes in, not what comes out
    double dropout = 0;  ///< of the sub-layer's output, when training
    double epsilon = 1e-5;
    Dtype dtype = Dtype::f32;
  };

  LayerNorm norm;
  bool pre;
  double dropout;

  explicit AddNorm(const Spec& spec)
      : norm(spec.trailing, spec.epsilon, spec.dtype), pre(spec.pre), dropout(spec.dropout) {}

  /// `sub` maps rows to rows of the same shape.
  template <class Sub>
  Var operator()(const Var& x, const Pass& pass, const Sub& sub) const {
    return join(x, sub(pre ? norm(x) : x), pass);
  }

  void each(auto&& visit) { visit("norm", norm); }

 private:
  Var join(const Var& x, Var change, const Pass& pass) const;
};

}  // namespace regard

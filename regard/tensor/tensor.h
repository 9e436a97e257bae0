#pragma once

#include <initializer_list>
#include <memory>
#include <span>
#include <vector>

#include "regard/base/rng.h"
#include "regard/tensor/device.h"
#include "regard/tensor/dtype.h"
#include "regard/tensor/shape.h"

namespace regard {

/// Numbers in a row-major box. A handle: copies share the elements, clone() makes new ones.
class Tensor {
 public:
  Tensor() = default;                                      ///< no elements, shape [0]
  explicit Tensor(Shape shape, Dtype dtype = Dtype::f32);  ///< zeros

  static Tensor empty(Shape shape, Dtype dtype = Dtype::f32);  ///< not initialised
  static Tensor like(const Tensor& other) { return empty(other.shape(), other.dtype()); }
  static Tensor full(Shape shape, double value, Dtype dtype = Dtype::f32);
  static Tensor of(Shape shape, std::span<const double> values, Dtype dtype = Dtype::f32);
  static Tensor of(Shape shape, std::initializer_list<double> values, Dtype dtype = Dtype::f32) {
    return of(shape, std::span(values.begin(), values.size()), dtype);
  }
  static Tensor arange(Shape shape, Dtype dtype = Dtype::f32);  ///< 0, 1, 2, ...
  static Tensor uniform(Shape shape, Rng rng, Dtype dtype = Dtype::f32, double low = -1,
                        double high = 1);
  static Tensor normal(Shape shape, Rng rng, Dtype dtype = Dtype::f32, double deviation = 1);

  const Shape& shape() const { return shape_; }
  Index size(int axis) const { return shape_[axis]; }
  int rank() const { return shape_.rank(); }
  Index count() const { return shape_.count(); }
  Dtype dtype() const { return dtype_; }
  Device device() const { return {}; }

  /// The elements in order. REQUIRES T is the tensor's dtype.
  template <Element T>
  std::span<T> span() & {
    check_dtype(dtype_of<T>);
    return {static_cast<T*>(data_.get()), static_cast<std::size_t>(count())};
  }
  template <Element T>
  std::span<const T> span() const& {
    check_dtype(dtype_of<T>);
    return {static_cast<const T*>(data_.get()), static_cast<std::size_t>(count())};
  }
  template <Element T>
  void span() && = delete;  // a view of a temporary would dangle

  void* data() & { return data_.get(); }
  const void* data() const& { return data_.get(); }
  void data() && = delete;

  double at(std::initializer_list<Index> indices) const;  ///< one element; slow, for looking
  double item() const;                                    ///< the only element
  std::vector<double> values() const;                     ///< all elements, copied

  void fill(double value);
  Tensor clone() const;
  Tensor lasting() const;              ///< a clone that outlives the step under way
  Tensor to(Dtype dtype) const;        ///< itself if the dtype is the same
  Tensor reshaped(Shape shape) const;  ///< the same elements in another box
  bool shared() const { return data_.use_count() > 1; }  ///< another handle sees the elements

 private:
  void check_dtype(Dtype asked) const;

  Shape shape_{0};
  Dtype dtype_ = Dtype::f32;
  std::shared_ptr<void> data_;
};

/// While one lives, tensors made on this thread have a shape and a type but no elements, and take
/// no memory: what is made of them can be asked for its size before there is room for it. Reading
/// an element of one is an Error.
class Outline {
 public:
  Outline();
  ~Outline();
  Outline(const Outline&) = delete;
  Outline& operator=(const Outline&) = delete;

 private:
  bool outer_;
};

}  // namespace regard

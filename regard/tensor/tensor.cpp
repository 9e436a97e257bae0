#include "regard/tensor/tensor.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "regard/base/check.h"
#include "regard/tensor/memory.h"

namespace regard {
namespace {

thread_local bool outlining = false;

}  // namespace

Outline::Outline() : outer_(std::exchange(outlining, true)) {}

Outline::~Outline() {
  outlining = outer_;
}

Tensor Tensor::empty(Shape shape, Dtype dtype) {
  Tensor tensor;
  tensor.shape_ = shape;
  tensor.dtype_ = dtype;
  if (outlining) return tensor;
  const auto bytes = static_cast<std::size_t>(shape.count()) * byte_size(dtype);
  Memory& memory = current_memory();
  tensor.data_ = std::shared_ptr<void>(
      memory.allocate(bytes), [&memory, bytes](void* block) { memory.release(block, bytes); });
  return tensor;
}

Tensor::Tensor(Shape shape, Dtype dtype) : Tensor(empty(shape, dtype)) {
  if (!data_) return;
  std::memset(data_.get(), 0, static_cast<std::size_t>(count()) * byte_size(dtype));
}

Tensor Tensor::full(Shape shape, double value, Dtype dtype) {
  Tensor tensor = empty(shape, dtype);
  if (tensor.data_) tensor.fill(value);
  return tensor;
}

Tensor Tensor::of(Shape shape, std::span<const double> values, Dtype dtype) {
  check(static_cast<Index>(values.size()) == shape.count(), "a tensor of shape ", shape, " takes ",
        shape.count(), " values, got ", values.size());
  Tensor tensor = empty(shape, dtype);
  if (!tensor.data_) return tensor;
  visit(dtype, [&]<class T>(T) {
    std::ranges::transform(values, tensor.span<T>().begin(),
                           [](double v) { return static_cast<T>(v); });
  });
  return tensor;
}

namespace {

/// Element i is f(i), for makers that are a pure function of the index.
template <class F>
Tensor generated(Shape shape, Dtype dtype, const F& f) {
  Tensor tensor = Tensor::empty(shape, dtype);
  if (!tensor.data()) return tensor;
  visit(dtype, [&]<class T>(T) {
    const std::span<T> out = tensor.span<T>();
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<T>(f(i));
  });
  return tensor;
}

}  // namespace

Tensor Tensor::arange(Shape shape, Dtype dtype) {
  return generated(shape, dtype, [](std::size_t i) { return static_cast<double>(i); });
}

Tensor Tensor::uniform(Shape shape, Rng rng, Dtype dtype, double low, double high) {
  return generated(shape, dtype,
                   [=](std::size_t i) { return low + (high - low) * rng.uniform(i); });
}

Tensor Tensor::normal(Shape shape, Rng rng, Dtype dtype, double deviation) {
  return generated(shape, dtype, [=](std::size_t i) { return deviation * rng.normal(i); });
}

double Tensor::at(std::initializer_list<Index> indices) const {
  check(static_cast<int>(indices.size()) == rank(), "a tensor of shape ", shape_, " takes ", rank(),
        " indices, got ", indices.size());
  Index offset = 0;
  int axis = 0;
  for (const Index i : indices) {
    check(i >= 0 && i < shape_[axis], "index ", i, " is outside axis ", axis, " of shape ", shape_);
    offset = offset * shape_[axis++] + i;
  }
  return visit_element(
      dtype_, [&]<class T>(T) -> double { return span<T>()[static_cast<std::size_t>(offset)]; });
}

double Tensor::item() const {
  check(count() == 1, "expected a tensor with one element, got shape ", shape_);
  return values()[0];
}

std::vector<double> Tensor::values() const {
  return visit_element(dtype_, [&]<class T>(T) {
    const std::span<const T> all = span<T>();
    return std::vector<double>(all.begin(), all.end());
  });
}

void Tensor::fill(double value) {
  visit(dtype_, [&]<class T>(T) { std::ranges::fill(span<T>(), static_cast<T>(value)); });
}

Tensor Tensor::clone() const {
  Tensor copy = like(*this);
  if (count() > 0)
    std::memcpy(copy.data_.get(), data_.get(),
                static_cast<std::size_t>(count()) * byte_size(dtype_));
  return copy;
}

Tensor Tensor::lasting() const {
  const LastingScope beyond;
  return clone();
}

Tensor Tensor::to(Dtype dtype) const {
  return dtype == dtype_ ? *this : of(shape_, values(), dtype);
}

Tensor Tensor::reshaped(Shape shape) const {
  Tensor view = *this;
  view.shape_ = shape;
  check(shape.count() == count(), "a tensor of shape ", shape_, " cannot be read as ", shape);
  return view;
}

void Tensor::check_dtype(Dtype asked) const {
  check(asked == dtype_, "a tensor of ", name(dtype_), " was read as ", name(asked));
  check(data_ || count() == 0, "a tensor of shape ", shape_, " is an outline without elements");
}

}  // namespace regard

#include "regard/ops/attention.h"

#include <array>

#include "regard/backend/launch.h"

namespace regard {
namespace {

bool same_variable(const Var& a, const Var& b) {
  return &a.value() == &b.value();
}

bool overlap(const HeadColumns& a, const HeadColumns& b) {
  return a.start < b.start + b.heads * b.width && b.start < a.start + a.heads * a.width;
}

/// The gradients of q, k and v. Parts of one variable that lie side by side share one tensor; parts
/// that overlap (q = k = v, without projections) cannot, and add up in the variable.
class PartGradients {
 public:
  explicit PartGradients(const AttentionInputs& inputs)
      : columns_{&inputs.q, &inputs.k, &inputs.v} {
    for (std::size_t part = 0; part < columns_.size(); ++part) {
      tensor_of_[part] = part;
      for (std::size_t earlier = part; earlier-- > 0;)
        if (fits(part, earlier)) tensor_of_[part] = earlier;
    }
    for (std::size_t part = 0; part < columns_.size(); ++part)
      if (wanted(part) && tensor_of_[part] == part) tensors_[part] = fresh(part);
  }

  /// Without data where no gradient is wanted.
  template <class T>
  Heads<T> heads(std::size_t part) {
    if (!wanted(part)) return {};
    return heads_at(tensors_[tensor_of_[part]].span<T>().data(), *columns_[part]);
  }

  void accumulate() const {
    for (std::size_t part = 0; part < columns_.size(); ++part)
      if (wanted(part) && tensor_of_[part] == part) columns_[part]->rows.accumulate(tensors_[part]);
  }

 private:
  bool wanted(std::size_t part) const { return columns_[part]->rows.needs_grad(); }

  /// May `part` be written into the tensor of `owner`, beside what is there?
  bool fits(std::size_t part, std::size_t owner) const {
    if (tensor_of_[owner] != owner || !same_variable(columns_[part]->rows, columns_[owner]->rows))
      return false;
    for (std::size_t other = owner; other < part; ++other)
      if (tensor_of_[other] == owner && overlap(*columns_[part], *columns_[other])) return false;
    return true;
  }

  /// Zeros where some columns belong to no part.
  Tensor fresh(std::size_t owner) const {
    const Tensor& value = columns_[owner]->rows.value();
    Index covered = 0;
    for (std::size_t part = owner; part < columns_.size(); ++part)
      if (tensor_of_[part] == owner) covered += columns_[part]->heads * columns_[part]->width;
    return covered == value.size(1) ? Tensor::like(value) : Tensor(value.shape(), value.dtype());
  }

  std::array<const HeadColumns*, 3> columns_;
  std::array<std::size_t, 3> tensor_of_{};
  std::array<Tensor, 3> tensors_;
};

/// Heads of the output [N, H dv] in a tensor.
template <class T>
Heads<T> output_heads(T* data, const AttentionInputs& inputs) {
  const Index width = inputs.v.width, columns = inputs.q.heads * width;
  return {data, inputs.q.rows.size(0), inputs.q.heads, width, columns, width};
}

}  // namespace

Attended attention(const AttentionInputs& inputs, const AttentionSpec& spec) {
  if (spec.mask.bias() && spec.mask.bias().needs_grad()) return composed_attention(inputs, spec);
  check_attention(inputs, spec);
  const Index rows = inputs.q.rows.size(0), heads = inputs.q.heads;
  const Dtype dtype = inputs.q.rows.dtype();
  Tensor y = Tensor::empty({rows, heads * inputs.v.width}, dtype);
  Tensor norms = Tensor::empty({rows, heads, 2}, dtype);
  visit(dtype, [&]<class T>(T) {
    Tensor keeper;
    launch(y.device(), kernel::attention, attention_problem<T>(inputs, spec, keeper),
           output_heads(y.span<T>().data(), inputs), norm_rows(norms.span<T>().data(), norms));
  });

  // The derivation stands beside the kernel.
  Var output = record(
      y, {inputs.q.rows, inputs.k.rows, inputs.v.rows}, [inputs, spec, y, norms](const Tensor& dy) {
        PartGradients parts(inputs);
        visit(y.dtype(), [&]<class T>(T) {
          Tensor keeper;
          const AttentionGradients<T> gradients{.y = output_heads(y.span<T>().data(), inputs),
                                                .dy = output_heads(dy.span<T>().data(), inputs),
                                                .norms = norm_rows(norms.span<T>().data(), norms),
                                                .dq = parts.heads<T>(0),
                                                .dk = parts.heads<T>(1),
                                                .dv = parts.heads<T>(2)};
          launch(y.device(), kernel::attention_backward, attention_problem<T>(inputs, spec, keeper),
                 gradients);
        });
        parts.accumulate();
      });
  return {output, AttentionReader(inputs, spec, norms)};
}

}  // namespace regard

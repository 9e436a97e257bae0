#include "regard/backend/gru_cell.h"

#include <vector>

#include "regard/backend/cpu/gru_rows.h"

namespace regard::kernel {
namespace {

Index grain(Index width) {
  return std::max<Index>(1, 2048 / std::max<Index>(1, width));
}

template <Real T>
GruRow<T> row_of(const GruInput<T>& in, Index r) {
  return {in.gx[r].data(), in.gh[r].data(), in.h[r].data(), in.h.width};
}

template <Real T>
void forward(Cpu& cpu, const GruInput<T>& in, Rows<T> y) {
  cpu.parallel_ranges(y.count, grain(y.width), [&](Index begin, Index end) {
    std::vector<T> gates(static_cast<std::size_t>(4 * y.width));
    for (Index r = begin; r < end; ++r) gru_row(row_of(in, r), y[r].data(), gates.data());
  });
}

template <Real T>
void backward(Cpu& cpu, const GruInput<T>& in, Rows<const T> dy, const GruGradient<T>& out) {
  cpu.parallel_ranges(dy.count, grain(dy.width), [&](Index begin, Index end) {
    std::vector<T> gates(static_cast<std::size_t>(4 * dy.width));
    for (Index r = begin; r < end; ++r) {
      gru_row(row_of(in, r), out.dh[r].data(), gates.data());
      gru_row_backward(gates.data(), in.h[r].data(), dy.width,
                       {dy[r].data(), out.dgx[r].data(), out.dgh[r].data(), out.dh[r].data()});
    }
  });
}

}  // namespace

void GruCell::operator()(Cpu& cpu, const GruInput<f32>& in, Rows<f32> y) const {
  forward(cpu, in, y);
}
void GruCell::operator()(Cpu& cpu, const GruInput<f64>& in, Rows<f64> y) const {
  forward(cpu, in, y);
}

void GruCellBackward::operator()(Cpu& cpu, const GruInput<f32>& in, Rows<const f32> dy,
                                 const GruGradient<f32>& out) const {
  backward(cpu, in, dy, out);
}
void GruCellBackward::operator()(Cpu& cpu, const GruInput<f64>& in, Rows<const f64> dy,
                                 const GruGradient<f64>& out) const {
  backward(cpu, in, dy, out);
}

}  // namespace regard::kernel

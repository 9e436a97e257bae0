#include "regard/backend/pad.h"

#include <algorithm>

namespace regard::kernel {
namespace {

template <Real T>
void pad_rows(Cpu& cpu, Ragged ragged, Rows<const T> x, Rows<T> padded) {
  cpu.parallel(ragged.segments(), [&](Index b) {
    const Index begin = ragged.offsets[b], end = ragged.offsets[b + 1];
    T* to = padded.data + b * ragged.length * padded.width;
    to = std::copy(x.data + begin * x.width, x.data + end * x.width, to);
    std::fill_n(to, (ragged.length - (end - begin)) * padded.width, T(0));
  });
}

template <Real T>
void unpad_rows(Cpu& cpu, Ragged ragged, Rows<const T> padded, Rows<T> x) {
  cpu.parallel(ragged.segments(), [&](Index b) {
    const Index begin = ragged.offsets[b], end = ragged.offsets[b + 1];
    std::copy_n(padded.data + b * ragged.length * x.width, (end - begin) * x.width,
                x.data + begin * x.width);
  });
}

}  // namespace

void Pad::operator()(Cpu& cpu, Ragged ragged, Rows<const f32> x, Rows<f32> padded) const {
  pad_rows(cpu, ragged, x, padded);
}
void Pad::operator()(Cpu& cpu, Ragged ragged, Rows<const f64> x, Rows<f64> padded) const {
  pad_rows(cpu, ragged, x, padded);
}

void Unpad::operator()(Cpu& cpu, Ragged ragged, Rows<const f32> padded, Rows<f32> x) const {
  unpad_rows(cpu, ragged, padded, x);
}
void Unpad::operator()(Cpu& cpu, Ragged ragged, Rows<const f64> padded, Rows<f64> x) const {
  unpad_rows(cpu, ragged, padded, x);
}

}  // namespace regard::kernel

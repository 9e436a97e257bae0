#include "regard/tensor/npy.h"

#include <cstring>

#include "fuzz/target.h"

namespace regard::targets {
namespace {

/// The tensor as NumPy writes it, format 1.
std::string as_npy(const Tensor& tensor) {
  std::string header = std::string("{'descr': '") + (tensor.dtype() == Dtype::f32 ? "<f4" : "<f8") +
                       "', 'fortran_order': False, 'shape': (";
  for (int axis = 0; axis < tensor.rank(); ++axis)
    header += std::to_string(tensor.size(axis)) + ",";
  header += "), }\n";
  std::string bytes("\x93NUMPY\x01\x00", 8);
  bytes.push_back(static_cast<char>(header.size() & 255));
  bytes.push_back(static_cast<char>(header.size() >> 8));
  bytes += header;
  return bytes.append(static_cast<const char*>(tensor.data()),
                      static_cast<std::size_t>(tensor.count()) * byte_size(tensor.dtype()));
}

/// What is accepted comes out the same when it is written and read again.
void try_npy(std::string_view bytes) {
  const Tensor tensor = parse_npy(bytes, "m.npy");
  const std::string written = as_npy(tensor);
  const Tensor again = parse_npy(written, "again.npy");
  law(again.shape() == tensor.shape() && again.dtype() == tensor.dtype(), "the shape is another");
  law(as_npy(again) == written, "the numbers are others");
}

}  // namespace

extern const FuzzTarget npy{
    .name = "npy", .about = "matrices of NumPy", .max_bytes = 512, .attempt = try_npy};

}  // namespace regard::targets

#include "regard/ops/gru_cell.h"

#include "regard/backend/gru_cell.h"
#include "regard/backend/launch.h"
#include "regard/base/check.h"

namespace regard {
namespace {

template <Real T>
GruInput<T> input(const Var& gx, const Var& gh, const Var& h) {
  return {detail::typed<T>(rows(gx.value())), detail::typed<T>(rows(gh.value())),
          detail::typed<T>(rows(h.value()))};
}

}  // namespace

Var gru_cell(const Var& gx, const Var& gh, const Var& h) {
  check(h.rank() == 2, "a GRU's state has shape ", h.shape(), ", expected [N, D]");
  const Shape gates{h.size(0), 3 * h.size(1)};
  check(gx.shape() == gates && gh.shape() == gates, "a GRU with state ", h.shape(),
        " takes gates of shape ", gates, ", got ", gx.shape(), " of the input and ", gh.shape(),
        " of the state");
  check(gx.dtype() == h.dtype() && gh.dtype() == h.dtype(), "a GRU with a state of ",
        name(h.dtype()), " got gates of ", name(gx.dtype()), " and ", name(gh.dtype()));
  Tensor y = Tensor::like(h.value());
  visit(h.dtype(), [&]<class T>(T) {
    launch(h.device(), kernel::gru_cell, input<T>(gx, gh, h), detail::typed<T>(rows(y)));
  });

  // Gates are computed anew from the inputs, which costs less than keeping them. With a_n the
  // argument of the tanh, and likewise a_r and a_z of the sigmoids:
  //   da_n = dy (1 - z) (1 - n^2)          dgx_n = da_n, dgh_n = r da_n
  //   da_r = da_n gh_n r (1 - r)           to both dgx_r and dgh_r
  //   da_z = dy (h - n) z (1 - z)          to both dgx_z and dgh_z
  //   dh = dy z
  return record(y, {gx, gh, h}, [gx, gh, h](const Tensor& dy) {
    Tensor dgx = Tensor::like(gx.value()), dgh = Tensor::like(gh.value()), dh = Tensor::like(dy);
    visit(dy.dtype(), [&]<class T>(T) {
      const GruGradient<T> out{detail::typed<T>(rows(dgx)), detail::typed<T>(rows(dgh)),
                               detail::typed<T>(rows(dh))};
      launch(h.device(), kernel::gru_cell_backward, input<T>(gx, gh, h), detail::typed<T>(rows(dy)),
             out);
    });
    gx.accumulate(dgx);
    gh.accumulate(dgh);
    h.accumulate(dh);
  });
}

}  // namespace regard

#pragma once

#include <string>

#include "regard/trace/trace.h"

namespace regard {

/// The trace as arrays, the bytes of a .npz file; docs/16-trace.md names them. Queries, keys and
/// values are there where the trace has them.
std::string trace_npz(const Trace& trace);

}  // namespace regard

#pragma once

#include <vector>

#include "regard/attention/mechanism.h"
#include "regard/trace/trace.h"

namespace regard {

/// A pass that puts the heads which are asked for into the trace, layer by layer.   REQUIRES that
/// request and trace outlive it
Pass listening(const TraceRequest& request, Trace& trace);

/// Throws Error(usage) for a layer or head that no layer of the model has, and nonsense.
void check_request(const TraceRequest& request, const ModelSpec& spec);

/// Throws Error(input) for a text of more tokens than can be traced; `what` it is called.
void check_length(const TracedText& text, const char* what, const ModelSpec& spec);

/// Throws Error(usage) where nobody waits for the trace any more.
void check_wanted(const TraceRequest& request);

std::vector<float> floats(const Tensor& x);

}  // namespace regard

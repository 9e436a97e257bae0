#pragma once

#include <string_view>

namespace regard {

/// Who looks at whom: an encoder's tokens at each other, a decoder's at those before, a decoder's
/// at the source's.
enum class AttentionKind { encoder, decoder, cross };
inline constexpr AttentionKind kAttentionKinds[] = {AttentionKind::encoder, AttentionKind::decoder,
                                                    AttentionKind::cross};

std::string_view name(AttentionKind kind);

}  // namespace regard

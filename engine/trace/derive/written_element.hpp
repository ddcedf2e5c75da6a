#pragma once

#include "engine/core/shape.hpp"
#include "engine/trace/kernel/kernel_trace.hpp"

#include <optional>
#include <span>
#include <string_view>

namespace gradus {

/// How one thread of a kernel that was run step by step came to what it wrote. Counted: what was recorded of that thread.
struct WrittenElement {
    std::size_t step = 0; ///< of the trace, that wrote it
    int lane = 0;
    /// What the thread had read by then. Where it read from shared memory, that alone: what it brought there is others', too.
    struct Source {
        std::string name; ///< of a buffer, or of a variable in shared memory
        std::vector<std::int64_t> first, last; ///< the least box round its elements, (rank); empty of shared memory
        std::int64_t elements = 0;             ///< that were read; fewer than in the box where this has holes
    };
    std::vector<Source> sources;
    /// The multiply-adds that made the sum, in order: the result of each is what the next one adds to. Empty: none did, or it cannot be told.
    std::vector<KernelLog::Fma> products;
    bool is_sum = false; ///< what was written is their sum bit for bit; else the thread went on with it
};

/// Of the element's last writer. Nothing where no recorded thread wrote it, where several added to it with atomics, where there is no such
/// element, and in traces of more than 250 000 steps, which it would go through for too long.
std::optional<WrittenElement> written_element(const KernelTrace& trace, std::string_view buffer, std::span<const Dim> index);

} // namespace gradus

#pragma once

#include "engine/trace/kernel/kernel_trace.hpp"

namespace gradus {

/// Stands between two steps of a trace and shows memory as it is there; goes forwards and back, a step's work for each step. Only where
/// it comes back into a block, it goes through what that block wrote to shared memory.
class KernelCursor {
public:
    explicit KernelCursor(std::shared_ptr<const KernelTrace> trace);

    const KernelTrace& trace() const { return *trace_; }
    /// Steps done: 0 before the first, trace().steps() after the last.
    std::size_t position() const { return position_; }
    bool forward(); ///< does the next step; false at the end
    bool back();    ///< takes the last one back; false at the beginning
    void go_to(std::size_t position);

    /// Contents of a range that the trace holds, else nothing. Of shared memory: the block's of the last step that was done.
    std::span<const std::byte> memory(std::size_t range) const { return memory_[range]; }

private:
    void write(std::size_t step, bool after);
    void enter_block();
    void reenter_block(std::size_t last_step);

    std::shared_ptr<const KernelTrace> trace_;
    std::size_t position_ = 0;
    std::vector<std::vector<std::byte>> memory_; ///< of each range
};

} // namespace gradus

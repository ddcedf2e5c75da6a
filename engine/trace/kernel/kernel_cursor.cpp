#include "engine/trace/kernel/kernel_cursor.hpp"

#include <algorithm>
#include <cstring>

namespace gradus {

KernelCursor::KernelCursor(std::shared_ptr<const KernelTrace> trace) : trace_(std::move(trace)) {
    for (const KernelTrace::Range& range : trace_->ranges) memory_.push_back(range.start);
}

/// Two lanes of a step may write one place: the last has the last word, and is the first to take it back.
void KernelCursor::write(std::size_t step, bool after) {
    if (!writes_memory(trace_->log.sites[trace_->log.site[step]].op)) return;
    const KernelTrace::Accesses accesses = trace_->accesses(step);
    for (std::size_t i = 0; i < accesses.count; ++i) {
        const KernelTrace::Access& access = accesses.of[after ? i : accesses.count - 1 - i];
        if (memory_[access.range].empty()) continue;
        const auto value = after ? access.after : access.before;
        std::memcpy(memory_[access.range].data() + access.offset, value.data(), value.size());
    }
}

void KernelCursor::enter_block() {
    for (std::size_t i = 0; i < memory_.size(); ++i)
        if (trace_->ranges[i].space == simt::Space::shared) memory_[i] = trace_->ranges[i].start;
}

/// As its block left it.
void KernelCursor::reenter_block(std::size_t last_step) {
    enter_block();
    for (std::size_t step = trace_->steps_of_block(trace_->block_of(last_step)).first; step <= last_step; ++step) {
        const KernelTrace::Accesses touched = trace_->accesses(step);
        for (const KernelTrace::Access& access : touched.all())
            if (trace_->ranges[access.range].space == simt::Space::shared && !access.after.empty() && !memory_[access.range].empty())
                std::memcpy(memory_[access.range].data() + access.offset, access.after.data(), access.after.size());
    }
}

bool KernelCursor::forward() {
    if (position_ == trace_->steps()) return false;
    if (position_ > 0 && trace_->block_of(position_) != trace_->block_of(position_ - 1)) enter_block();
    write(position_++, true);
    return true;
}

bool KernelCursor::back() {
    if (position_ == 0) return false;
    write(--position_, false);
    if (position_ > 0 && trace_->block_of(position_) != trace_->block_of(position_ - 1)) reenter_block(position_ - 1);
    return true;
}

void KernelCursor::go_to(std::size_t position) {
    position = std::min(position, trace_->steps());
    while (position_ < position) forward();
    while (position_ > position) back();
}

} // namespace gradus

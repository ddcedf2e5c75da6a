// What stands in memory before and after a lane's accesses, and in its variables, where that is logged.

#include "engine/simt/runtime/hooked_lane.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace gradus::simt {

void HookedRunner::note_before(Op op, std::uint64_t address, std::uint32_t bytes, std::uint32_t row, bool late) {
    Lane& lane = *running_;
    Word value;
    std::memcpy(&value, reinterpret_cast<const void*>(address), std::min<std::size_t>(bytes, sizeof value));
    if (late) watcher_->late_before(name(lane), value);
    else lane.before[row] = lane.after[row] = value;
    if (op != Op::write && op != Op::atomic) return;
    lane.opens.push_back({address, bytes, row, lane.accesses - 1, late});
    lane.may_copy = op == Op::write;
}

void HookedRunner::note_after() {
    Lane& lane = *running_;
    for (const Lane::Open& open : lane.opens) {
        Word value;
        std::memcpy(&value, reinterpret_cast<const void*>(open.address), std::min<std::size_t>(open.bytes, sizeof value));
        if (open.late) watcher_->late_after(name(lane), value, lane.accesses - lane.accesses_here - 1 - open.number);
        else lane.after[open.row] = value;
    }
    lane.opens.clear();
}

/// Where a struct is copied, the compiler names what is written, then what is read, and copies after both: a write may be done only when the
/// next access but one begins.
void HookedRunner::settle(Op op) {
    Lane& lane = *running_;
    if (lane.more_follow || (op == Op::read && std::exchange(lane.may_copy, false))) return;
    note_after();
}

} // namespace gradus::simt

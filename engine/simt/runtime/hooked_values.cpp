// What stands in memory before and after a lane's accesses, and in its variables, where that is logged.

#include "engine/simt/runtime/hooked_lane.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace gradus::simt {

void HookedRunner::note_after() {
    Lane& lane = *running_;
    for (const Lane::Open& open : lane.opens) {
        Word value;
        std::memcpy(&value, reinterpret_cast<const void*>(open.address), std::min<std::size_t>(open.bytes, sizeof value));
        if (open.late) watcher_->late_after(name(lane), value, lane.accesses - lane.accesses_here - 1 - open.number);
        else lane.after[open.row] = value, lane.copied[open.row] = open.copies;
    }
    lane.opens.clear();
}

/// Where a struct is copied, the compiler names what is written, then what is read, and copies after both: a write may be done only when the
/// next access but one begins. Where it has been done already, what is read is no part of it.
void HookedRunner::settle(Op op) {
    Lane& lane = *running_;
    if (lane.more_follow) return;
    if (op == Op::read && std::exchange(lane.may_copy, false)) {
        const bool ahead = std::none_of(lane.opens.begin(), lane.opens.end(), [](const Lane::Open& open) { return open.late; });
        const bool done = ahead && std::any_of(lane.opens.begin(), lane.opens.end(), [&](const Lane::Open& open) {
            return std::memcmp(reinterpret_cast<const void*>(open.address), &lane.before[open.row], open.bytes) != 0;
        });
        if (!done) {
            for (Lane::Open& open : lane.opens) open.copies = ahead;
            return;
        }
    }
    note_after();
}

/// So many rows of the log, which what is done together needs and one more, are there without a stop in its midst: values that are read
/// after it still find their rows. Not where the log is shorter than that.
void HookedRunner::make_room(std::uint32_t rows) {
    const Lane& lane = *running_;
    if (rows <= log_length_ && lane.count + rows > log_length_ && lane.opens.empty()) stop(false, Op::none);
}

} // namespace gradus::simt

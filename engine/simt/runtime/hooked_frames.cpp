// The functions that a lane is in: by which calls, and with which frames, where its variables lie.
#include "engine/simt/runtime/hooked_lane.hpp"

namespace gradus::simt {

void HookedRunner::enter(std::uint64_t call, std::uint64_t frame, std::uint64_t at) {
    Lane& lane = *running_;
    if (frames_) frames_->enters(name(lane), static_cast<std::uint32_t>(at - text_), frame);
    if (lane.depth == Lane::most_depth)
        end_lane({.kind = Finding::Kind::trap, .site = {lane.path | static_cast<std::uint32_t>(call - text_)}, .thread = name(lane), .words = "calls nest too deep"});
    lane.frames[lane.depth] = frame;
    lane.calls[lane.depth++] = {lane.path, every_branch_ ? lane.true_last : lane.last_block};
    if (lane.depth == 1) return is_in(lane, 0, frame, 0); // the kernel itself
    const std::uint32_t path = paths_.enter(lane.path >> Site::offset_bits, static_cast<std::uint32_t>(call - text_));
    if (path == CallPaths::most)
        end_lane({.kind = Finding::Kind::trap, .site = {lane.path | static_cast<std::uint32_t>(call - text_)}, .thread = name(lane), .words = "too many ways of calls"});
    is_in(lane, path << Site::offset_bits, frame, 0);
}

void HookedRunner::is_in(Lane& lane, std::uint32_t path, std::uint64_t frame, std::uint64_t last_block) const {
    lane.path = path;
    lane.from = path - static_cast<std::uint32_t>(text_);
    lane.frame = frame;
    lane.true_last = last_block;
    lane.last_block = every_branch_ ? each_block : last_block;
}

void HookedRunner::leave() {
    Lane& lane = *running_;
    if (!lane.depth) return;
    if (options_->values) note_after(); // as long as what it wrote into its frame stands there
    const Lane::Call& call = lane.calls[--lane.depth];
    is_in(lane, call.path, lane.depth ? lane.frames[lane.depth - 1] : 0, call.last_block);
}

} // namespace gradus::simt

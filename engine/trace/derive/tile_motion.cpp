#include "engine/trace/derive/tile_motion.hpp"

#include "engine/trace/kernel/step_finder.hpp"

#include <algorithm>
#include <bit>
#include <tuple>

namespace gradus {

namespace {

constexpr std::size_t phases_kept = 4;

TileArray array_of(const KernelTrace& trace, std::uint8_t number) {
    const KernelTrace::Range& range = trace.ranges[number];
    TileArray out{range.name, range.space, number, 0, size_of(range.type), 1, 1};
    for (const std::int64_t size : range.sizes) out.rows *= out.columns, out.columns = size;
    return out;
}

/// Of a variable in shared memory; what the launch gives it reaches to the next, or to the end.
TileArray array_of(const KernelTrace& trace, std::uint8_t number, const KernelTrace::Variable& variable) {
    std::uint64_t bytes = trace.ranges[number].bytes - variable.offset;
    if (variable.bytes) bytes = std::min(bytes, variable.bytes); // whoever wrote the file may be anybody
    else
        for (const KernelTrace::Variable& other : trace.variables)
            if (other.offset > variable.offset) bytes = std::min(bytes, other.offset - variable.offset);
    const std::size_t size = size_of(variable.kind);
    TileArray out{variable.name, simt::Space::shared, number, variable.offset, size ? size : 4, 1, 1};
    const auto elements = static_cast<std::int64_t>(std::max<std::uint64_t>(bytes / out.element, 1));
    std::int64_t outer = 1; // of all axes but the last; an element may be of several numbers, which are columns
    for (std::size_t axis = 0; axis + 1 < variable.sizes.size() && outer <= elements; ++axis) outer *= variable.sizes[axis];
    if (outer < 1 || elements % outer != 0) outer = 1;
    out.rows = outer, out.columns = elements / outer;
    return out;
}

} // namespace

TileMotion::TileMotion(std::shared_ptr<const KernelBlock> block) : block_(std::move(block)) {
    const KernelTrace& trace = block_->trace();
    lands_.resize(trace.sites.size());
    for (std::size_t site = 0; site < lands_.size(); ++site) {
        const KernelPlace& place = trace.sites[site].place;
        lands_[site] = trace.log.sites[site].op == simt::Op::write && source_line(trace, place.file, place.line).find("__pipeline_wait") != std::string_view::npos;
    }
    std::array<std::uint32_t, 32> arrived{}; // lanes of each warp that wait at the barrier, as far as one knows
    begins_.push_back(block_->begin());
    for (std::size_t step = block_->begin(); step < block_->end(); ++step) {
        const std::size_t warp = trace.log.warp[step];
        if (arrived[warp] & trace.log.mask[step]) begins_.push_back(step), arrived = {}; // it goes on, so that all have come
        if (trace.log.sites[trace.log.site[step]].op == simt::Op::barrier) arrived[warp] |= trace.log.mask[step];
        const auto first = first_of(step);
        if (!first || array_at(first->range, first->offset)) continue;
        const simt::Space space = trace.ranges[first->range].space;
        if (space == simt::Space::global && !trace.ranges[first->range].sizes.empty()) arrays_.push_back(array_of(trace, first->range));
        else if (const auto* variable = space == simt::Space::shared ? trace.variable_at(first->offset) : nullptr) arrays_.push_back(array_of(trace, first->range, *variable));
    }
    std::sort(arrays_.begin(), arrays_.end(), [](const TileArray& a, const TileArray& b) { return std::tie(a.space, a.range, a.offset) < std::tie(b.space, b.range, b.offset); });
}

std::optional<TileMotion::First> TileMotion::first_of(std::size_t step) const {
    const KernelTrace& trace = block_->trace();
    const KernelLog::Site& site = trace.log.sites[trace.log.site[step]];
    if (!simt::touches_memory(site.op) || site.bytes == 0 || !trace.is_shown(step)) return std::nullopt;
    const auto first = trace.first_access(step);
    if (!first) return std::nullopt;
    return First{first->first, first->second};
}

std::optional<std::uint32_t> TileMotion::array_at(std::uint8_t range, std::uint64_t offset) const {
    std::optional<std::uint32_t> found;
    for (std::uint32_t i = 0; i < arrays_.size(); ++i) {
        const TileArray& array = arrays_[i];
        if (array.range == range && offset >= array.offset && offset - array.offset < static_cast<std::uint64_t>(array.rows * array.columns) * array.element) found = i;
    }
    return found;
}

std::size_t TileMotion::phase_of(std::size_t step) const {
    const auto after = std::upper_bound(begins_.begin(), begins_.end(), step);
    return after == begins_.begin() ? 0 : static_cast<std::size_t>(after - begins_.begin()) - 1;
}

void TileMotion::add_touches(std::size_t step, std::vector<BlockPhase::Touch>& to) const {
    if (!first_of(step)) return;
    const KernelTrace& trace = block_->trace();
    const std::uint64_t bytes = trace.log.sites[trace.log.site[step]].bytes;
    const KernelTrace::Accesses accesses = trace.accesses(step);
    for (const KernelTrace::Access& access : accesses.all()) {
        const auto array = array_at(access.range, access.offset);
        if (!array) continue;
        const TileArray& of = arrays_[*array];
        const std::uint64_t from = access.offset - of.offset;
        for (std::uint64_t at = from / of.element; at * of.element < from + bytes; ++at) {
            const auto element = static_cast<std::int64_t>(at);
            if (!to.empty() && to.back().array == *array && to.back().element == element && to.back().first == step) continue; // lanes often share one
            to.push_back({*array, element, static_cast<std::uint32_t>(step)});
        }
    }
}

namespace {

/// Each element once, with the step that was first.
void settle(std::vector<BlockPhase::Touch>& touches) {
    std::sort(touches.begin(), touches.end(), [](const auto& a, const auto& b) { return std::tie(a.array, a.element, a.first) < std::tie(b.array, b.element, b.first); });
    touches.erase(std::unique(touches.begin(), touches.end(), [](const auto& a, const auto& b) { return a.array == b.array && a.element == b.element; }), touches.end());
}

} // namespace

const BlockPhase& TileMotion::phase(std::size_t number) const {
    if (const auto known = made_.find(number); known != made_.end()) return known->second;
    if (made_.size() >= phases_kept) { // the one that is furthest away
        const auto far = [&](std::size_t other) { return other > number ? other - number : number - other; };
        made_.erase(far(made_.begin()->first) > far(made_.rbegin()->first) ? made_.begin() : std::prev(made_.end()));
    }
    BlockPhase out{begins_[number], number + 1 < begins_.size() ? begins_[number + 1] : block_->end(), {}};
    for (std::size_t step = out.begin; step < out.end; ++step) add_touches(step, out.touches);
    settle(out.touches);
    return made_.emplace(number, std::move(out)).first->second;
}

std::vector<BlockPhase::Touch> TileMotion::touched_by(std::size_t step) const {
    std::vector<BlockPhase::Touch> out;
    add_touches(step, out);
    settle(out);
    return out;
}

std::optional<TileWay> TileMotion::way_of(std::size_t step) const {
    const auto first = first_of(step);
    if (!first || !array_at(first->range, first->offset)) return std::nullopt;
    const KernelTrace& trace = block_->trace();
    const std::uint32_t site = trace.log.site[step];
    const bool shared = trace.ranges[first->range].space == simt::Space::shared;
    switch (trace.log.sites[site].op) {
    case simt::Op::copy_async: return TileWay::copy;
    case simt::Op::write: return lands_[site] ? TileWay::copy : shared ? TileWay::shared_store : TileWay::store;
    case simt::Op::atomic: return shared ? TileWay::shared_store : TileWay::store;
    default: return shared ? TileWay::shared_load : TileWay::load;
    }
}

TileBytes TileMotion::moved(std::size_t step) const {
    TileBytes out{};
    const KernelTrace& trace = block_->trace();
    for (std::size_t at = begins_[phase_of(step)]; at <= step; ++at) {
        const auto way = way_of(at);
        if (!way) continue;
        const std::uint32_t site = trace.log.site[at];
        if (lands_[site]) continue; // counted where it was asked for
        out[static_cast<std::size_t>(*way)] += std::int64_t{std::popcount(trace.log.mask[at])} * trace.log.sites[site].bytes;
    }
    return out;
}

} // namespace gradus

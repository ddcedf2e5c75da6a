#include "engine/simt/runtime/access_counters.hpp"

#include <bit>

namespace gradus::simt {

AccessCounters::AccessCounters(const MemoryMap& memory, std::uint64_t shared_begin, std::uint64_t text_bytes)
    : memory_(memory), shared_begin_(shared_begin), by_offset_(text_bytes) {}

AccessCounters::Place& AccessCounters::place_of(const WarpStep& step) {
    std::uint16_t& number = step.site.path() == 0 ? by_offset_[step.site.offset()] : by_site_[step.site.bits];
    if (number) return places_[number - 1u];
    places_.emplace_back();
    number = static_cast<std::uint16_t>(places_.size());
    Place& made = places_.back();
    made.count = {.site = step.site, .op = step.op, .bytes = step.bytes};
    if (touches_memory(step.op)) {
        made.count.range = memory_.find(step.addresses[0], 1);
        if (made.count.range >= 0) {
            const MemoryRange& range = memory_[static_cast<std::size_t>(made.count.range)];
            made.count.space = range.space;
            made.count.offset = static_cast<std::int64_t>(step.addresses[0] - range.begin);
        }
    }
    return made;
}

AccessCounters::Place::Cost AccessCounters::cost(const Place& place, const WarpStep& step) const {
    if (place.count.space == Space::shared) {
        std::array<std::uint64_t, warp_size> offsets;
        for (int lane = 0; lane < warp_size; ++lane) offsets[static_cast<std::size_t>(lane)] = step.addresses[lane] - shared_begin_;
        const Wavefronts found = wavefronts_of(offsets.data(), step.mask, step.bytes);
        return {static_cast<std::int16_t>(found.wavefronts), 0, static_cast<std::int16_t>(found.ideal)};
    }
    const Sectors found = sectors_of(step.addresses, step.mask, step.bytes);
    return {static_cast<std::int16_t>(found.sectors), static_cast<std::int16_t>(found.lines), static_cast<std::int16_t>(found.ideal)};
}

/// Forgets what the pattern before cost if this step's is another one. Lanes that are evenly apart are told by their stride alone.
void AccessCounters::see_pattern(Place& place, const WarpStep& step) {
    if (step.even && place.even && step.stride == place.stride) return;
    place.even = step.even, place.stride = step.stride;
    const std::uint64_t first = step.addresses[0];
    std::uint64_t differ = place.mask ^ step.mask;
    for (std::size_t lane = 0; lane < warp_size; ++lane) differ |= place.apart[lane] ^ (step.addresses[lane] - first);
    if (!differ) return;
    place.mask = step.mask;
    for (std::size_t lane = 0; lane < warp_size; ++lane) place.apart[lane] = step.addresses[lane] - first;
    place.costs.fill({});
}

void AccessCounters::step(const WarpStep& step) {
    Place& place = place_of(step);
    ++place.count.steps;
    place.count.lanes += std::popcount(step.mask);
    if (!touches_memory(step.op)) return;
    see_pattern(place, step);
    Place::Cost& known = place.costs[step.addresses[0] % line_bytes];
    if (known.transfers < 0) known = cost(place, step);
    place.count.transfers += known.transfers;
    place.count.lines += known.lines;
    place.count.ideal += known.ideal;
}

std::vector<PlaceCount> AccessCounters::counts() const {
    std::vector<PlaceCount> out;
    for (const Place& place : places_) out.push_back(place.count);
    return out;
}

} // namespace gradus::simt

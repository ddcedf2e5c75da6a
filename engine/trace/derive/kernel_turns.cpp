#include "engine/trace/derive/kernel_turns.hpp"

#include <algorithm>
#include <bit>

namespace gradus {

namespace {

std::string_view line_of(std::string_view text, std::int32_t number) {
    for (; number > 1 && !text.empty(); --number) {
        const std::size_t end = text.find('\n');
        text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    }
    return text.substr(0, text.find('\n'));
}

/// All steps of a warp, in their order.
template <class Use> void each_step(const KernelTrace& trace, std::size_t block, int warp, Use use) {
    if (block >= trace.log.blocks.size()) return;
    const auto [first, end] = trace.steps_of_block(block);
    for (std::size_t step = first; step < end; ++step)
        if (trace.log.warp[step] == warp) use(step);
}

} // namespace

std::optional<KernelPlace> counted_line(const KernelTrace& trace, std::string_view words) {
    std::optional<KernelPlace> out;
    for (const KernelTrace::Line& line : trace.lines) {
        const auto file = static_cast<std::size_t>(line.place.file);
        if (line.place.file < 0 || file >= trace.sources.size() || (out && out->line <= line.place.line)) continue;
        if (line_of(trace.sources[file], line.place.line).find(words) != std::string_view::npos) out = line.place;
    }
    return out;
}

std::int64_t TurnsAtLine::longest() const { return *std::max_element(of_lane.begin(), of_lane.end()); }

TurnsAtLine turns_at_line(const KernelTrace& trace, std::size_t block, int warp, const KernelPlace& line, std::optional<simt::Op> op) {
    TurnsAtLine out;
    each_step(trace, block, warp, [&](std::size_t step) {
        const KernelPlace& place = trace.sites[trace.log.site[step]].place;
        if (place.file != line.file || place.line != line.line || (op && trace.log.sites[trace.log.site[step]].op != *op)) return;
        const std::uint32_t mask = trace.log.mask[step];
        ++out.turns, out.lanes += std::popcount(mask);
        for (std::size_t lane = 0; lane < 32; ++lane) out.of_lane[lane] += mask >> lane & 1;
    });
    return out;
}

std::uint32_t first_mask(const KernelTrace& trace, std::size_t block, int warp) {
    std::uint32_t mask = 0;
    each_step(trace, block, warp, [&](std::size_t step) { mask = mask ? mask : trace.log.mask[step]; });
    return mask;
}

std::optional<std::size_t> meeting_step(const KernelTrace& trace, std::size_t block, int warp) {
    const std::uint32_t all = first_mask(trace, block, warp);
    bool parted = false;
    std::optional<std::size_t> out;
    each_step(trace, block, warp, [&](std::size_t step) {
        if (trace.log.mask[step] != all) parted = true, out.reset(); // the last time counts
        else if (parted && !out) out = step;
    });
    return out;
}

std::vector<std::int64_t> elements_of_warp(const KernelTrace& trace, std::size_t block, int warp, std::size_t range) {
    std::vector<std::int64_t> out;
    each_step(trace, block, warp, [&](std::size_t step) {
        const KernelLog::Site& site = trace.log.sites[trace.log.site[step]];
        if (!writes_memory(site.op)) return;
        const std::size_t size = size_of(trace.ranges[range].type);
        const KernelTrace::Accesses accesses = trace.accesses(step);
        for (const KernelTrace::Access& access : accesses.all())
            for (std::uint64_t at = access.offset; access.range == range && at < access.offset + site.bytes; at += size) out.push_back(static_cast<std::int64_t>(at / size));
    });
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

std::int64_t accesses_of_block(const KernelTrace& trace, std::size_t block, std::size_t range, simt::Op op) {
    if (block >= trace.log.blocks.size()) return 0;
    const auto [first, end] = trace.steps_of_block(block);
    std::int64_t count = 0;
    for (std::size_t step = first; step < end; ++step) {
        if (trace.log.sites[trace.log.site[step]].op != op) continue;
        const KernelTrace::Accesses accesses = trace.accesses(step);
        for (const KernelTrace::Access& access : accesses.all()) count += access.range == range ? 1 : 0;
    }
    return count;
}

} // namespace gradus

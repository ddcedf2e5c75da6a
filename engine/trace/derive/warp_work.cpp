#include "engine/trace/derive/warp_work.hpp"

#include "engine/simt/runtime/transfers.hpp"

#include <algorithm>

namespace gradus {

std::size_t WarpWork::number_at(std::size_t step) const {
    const auto after = std::upper_bound(steps.begin(), steps.end(), static_cast<std::uint32_t>(step));
    return after == steps.begin() ? 0 : static_cast<std::size_t>(after - steps.begin()) - 1;
}

WarpWork work_of(const KernelBlock& block, int warp) {
    const KernelTrace& trace = block.trace();
    WarpWork out;
    std::int64_t multiply_adds = 0, bytes = 0, sectors = 0, wavefronts = 0;
    for (const std::uint32_t step : block.of_warp(warp)) {
        if (!trace.is_shown(step)) continue;
        multiply_adds += static_cast<std::int64_t>(trace.first_fma[step + 1] - trace.first_fma[step]);
        const KernelLog::Site& site = trace.log.sites[trace.log.site[step]];
        const KernelTrace::Accesses touched = simt::touches_memory(site.op) && site.bytes ? trace.accesses(step) : KernelTrace::Accesses();
        if (touched.count) {
            const simt::Space space = trace.ranges[touched.of[0].range].space;
            const int transfers = trace.transfers(step);
            if (space == simt::Space::global) {
                sectors += transfers;
                bytes += static_cast<std::int64_t>(touched.count) * site.bytes;
                out.loads += static_cast<std::int64_t>(touched.count);
            } else if (space == simt::Space::shared) {
                wavefronts += transfers;
            }
        }
        out.steps.push_back(step);
        const std::int64_t count = static_cast<std::int64_t>(out.steps.size());
        for (const auto& [work, so_far] : {std::pair{Work::multiply_adds, multiply_adds}, {Work::bytes, bytes}, {Work::steps, count}}) out.done[static_cast<std::size_t>(work)].push_back(so_far);
        out.sectors.push_back(sectors), out.wavefronts.push_back(wavefronts);
    }
    return out;
}

Work common_work(const WarpWork& a, const WarpWork& b) {
    const auto multiplies = [](const WarpWork& each) { return each.total(Work::multiply_adds) > 0 && 4 * each.total(Work::multiply_adds) >= each.loads; };
    if (multiplies(a) && multiplies(b)) return Work::multiply_adds;
    if (a.total(Work::bytes) > 0 && b.total(Work::bytes) > 0) return Work::bytes;
    return Work::steps;
}

std::size_t same_share(const WarpWork& from, std::size_t number, const WarpWork& to, Work work) {
    if (from.steps.empty() || to.steps.empty()) return 0;
    if (number == 0) return 0;
    if (number + 1 >= from.steps.size()) return to.steps.size() - 1;
    const std::vector<std::int64_t>&here = from.of(work), &there = to.of(work);
    // Of each there are fewer than 2^28 in a trace (KernelTrace::most_bytes): the products stay below 2^63.
    const std::int64_t done = here[number] * there.back(), all = here.back();
    const auto first = std::partition_point(there.begin(), there.end(), [&](std::int64_t each) { return each * all < done; });
    if (first == there.end()) return there.size() - 1;
    const auto at = static_cast<std::size_t>(first - there.begin());
    if (*first * all != done) return at;
    const auto [begin, end] = std::equal_range(here.begin(), here.end(), here[number]);
    const auto rest = static_cast<std::size_t>(std::upper_bound(first, there.end(), *first) - first);
    const auto through = static_cast<std::size_t>(here.begin() + static_cast<std::ptrdiff_t>(number) - begin);
    return at + through * rest / static_cast<std::size_t>(end - begin);
}

} // namespace gradus

#include "engine/simt/index_checks.hpp"

#include "engine/trace/kernel/local_changes.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <unordered_set>

namespace gradus::simt {

namespace {

bool same_read(const PlaceCount& a, const PlaceCount& b) {
    return a.op == Op::read && b.op == Op::read && a.site.path() == b.site.path() && a.bytes == b.bytes && a.range == b.range &&
           a.offset == b.offset && a.steps == b.steps && a.lanes == b.lanes && a.transfers == b.transfers && a.lines == b.lines;
}

/// Takes steps at these places out of the log, but for those on whose way there were multiply-adds.
void drop(KernelLog& log, KernelLog::Locals* locals, const std::unordered_set<std::uint32_t>& sites) {
    std::vector<DroppedStep> dropped;
    std::array<std::uint64_t, 1024> numbers{}; // of each thread's steps in the block
    std::size_t to = 0, block = 0, fma = 0, from_byte = 0, to_byte = 0;
    for (std::size_t from = 0; from < log.site.size(); ++from) {
        for (; block < log.blocks.size() && log.blocks[block].first == from; ++block) log.blocks[block].first = to, numbers.fill(0);
        const std::uint64_t bytes = KernelLog::part_bytes(static_cast<KernelLog::Form>(log.payload[from_byte]), static_cast<std::uint64_t>(std::popcount(log.mask[from])),
                                                          log.sites[log.site[from]]);
        const std::size_t first_fma = fma;
        for (; fma < log.fmas.size() && log.fma_step[fma] == from; ++fma) log.fma_step[fma] = static_cast<std::uint32_t>(to);
        const bool stays = fma > first_fma || log.sites[log.site[from]].op == Op::fault || !sites.contains(log.sites[log.site[from]].bits);
        for (std::uint32_t lanes = log.mask[from]; lanes; lanes &= lanes - 1) {
            const std::uint32_t rank = log.warp[from] * 32U + static_cast<std::uint32_t>(std::countr_zero(lanes));
            if (!stays) dropped.push_back({static_cast<std::uint32_t>(block - 1), rank, numbers[rank]});
            ++numbers[rank];
        }
        if (stays) {
            std::copy_n(log.payload.begin() + static_cast<std::ptrdiff_t>(from_byte), bytes, log.payload.begin() + static_cast<std::ptrdiff_t>(to_byte));
            log.site[to] = log.site[from], log.mask[to] = log.mask[from], log.warp[to] = log.warp[from];
            ++to, to_byte += bytes;
        }
        from_byte += bytes;
    }
    for (; block < log.blocks.size(); ++block) log.blocks[block].first = to;
    log.site.resize(to), log.mask.resize(to), log.warp.resize(to);
    log.payload.resize(to_byte);
    std::sort(dropped.begin(), dropped.end());
    if (locals) drop_steps(*locals, dropped);
}

} // namespace

void drop_index_checks(LaunchAnswer& answer, const SourcePlaces& places) {
    std::vector<Site> dropped;
    const auto place = [&](const PlaceCount& count) -> decltype(auto) { return places.at(count.site.offset() + answer.text_offset); };
    for (LaunchAnswer::Step& step : answer.steps)
        for (std::size_t i = 0; i < step.counts.size(); ++i)
            for (std::size_t j = step.counts.size() - 1; j > i; --j) {
                if (!same_read(step.counts[i], step.counts[j]) || place(step.counts[i]) != place(step.counts[j])) continue;
                dropped.push_back(step.counts[j].site);
                step.lane_steps -= step.counts[j].steps * warp_size;
                step.counts.erase(step.counts.begin() + static_cast<std::ptrdiff_t>(j));
            }
    if (answer.record)
        std::erase_if(answer.record->steps, [&](const StepRecord::Step& step) {
            return std::find(dropped.begin(), dropped.end(), step.site) != dropped.end();
        });
    if (!answer.log || dropped.empty()) return;
    std::unordered_set<std::uint32_t> sites;
    for (const Site site : dropped) sites.insert(site.bits);
    drop(answer.log->log, answer.locals ? &answer.locals->log : nullptr, sites);
}

} // namespace gradus::simt

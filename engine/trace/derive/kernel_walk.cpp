#include "engine/trace/derive/kernel_walk.hpp"

#include <algorithm>

namespace gradus {

namespace {

const KernelPlace& place_of(const KernelTrace& trace, std::size_t step) { return trace.sites[trace.log.site[step]].place; }
bool same_line(const KernelPlace& a, const KernelPlace& b) { return a.file == b.file && a.line == b.line; }

/// The warp's steps that come after `step` or before it, nearest first, until one is wanted.
template <class Wanted>
std::optional<std::size_t> along(const KernelBlock& block, std::size_t step, int by, Wanted wanted) {
    if (step < block.begin() || step >= block.end()) return std::nullopt;
    const auto steps = block.of_warp(block.trace().log.warp[step]);
    auto at = std::lower_bound(steps.begin(), steps.end(), static_cast<std::uint32_t>(step));
    if (by > 0) {
        for (++at; at < steps.end(); ++at)
            if (wanted(std::size_t{*at})) return *at;
        return std::nullopt;
    }
    while (at != steps.begin())
        if (wanted(std::size_t{*--at})) return *at;
    return std::nullopt;
}

} // namespace

std::optional<std::size_t> next_of_warp(const KernelBlock& block, std::size_t step, int by) {
    return along(block, step, by, [](std::size_t) { return true; });
}

std::optional<std::size_t> next_line(const KernelBlock& block, std::size_t step, int by) {
    const KernelTrace& trace = block.trace();
    const auto other = along(block, step, by, [&](std::size_t at) { return !same_line(place_of(trace, at), place_of(trace, step)); });
    if (!other || by > 0) return other;
    std::size_t first = *other;
    while (const auto before = next_of_warp(block, first, -1)) {
        if (!same_line(place_of(trace, *before), place_of(trace, *other))) break;
        first = *before;
    }
    return first;
}

std::optional<std::size_t> next_barrier(const KernelBlock& block, std::size_t step, int by) {
    const KernelLog& log = block.trace().log;
    return along(block, step, by, [&](std::size_t at) { return log.sites[log.site[at]].op == simt::Op::barrier; });
}

std::optional<std::size_t> next_in_line(const KernelBlock& block, std::size_t step, const KernelPlace& line, int by) {
    return along(block, step, by, [&](std::size_t at) { return same_line(place_of(block.trace(), at), line); });
}

std::optional<std::size_t> next_that(const KernelBlock& block, std::size_t step, int by, const std::function<bool(std::size_t)>& wanted) {
    if (by > 0) {
        for (std::size_t at = step + 1; at < block.end(); ++at)
            if (wanted(at)) return at;
        return std::nullopt;
    }
    for (std::size_t at = std::min(step, block.end()); at > block.begin();)
        if (wanted(--at)) return at;
    return std::nullopt;
}

std::optional<std::size_t> costliest_in_line(const KernelBlock& block, std::size_t step, const KernelPlace& line, simt::Space space) {
    const KernelTrace& trace = block.trace();
    int most = 0;
    std::optional<std::size_t> first, next;
    for (std::size_t at = block.begin(); at < block.end(); ++at) {
        if (!trace.is_shown(at) || !same_line(place_of(trace, at), line)) continue;
        const KernelTrace::Accesses touched = trace.accesses(at);
        if (!touched.count || trace.ranges[touched.of[0].range].space != space) continue;
        const int moved = trace.transfers(at);
        if (moved > most) most = moved, first = at, next.reset();
        if (moved == most && !next && at > step) next = at;
    }
    return next ? next : first;
}

std::optional<std::size_t> step_of_finding(const KernelTrace& trace, const KernelTrace::Finding& finding) {
    if (finding.threads.empty()) return std::nullopt;
    const KernelTrace::Thread thread = finding.threads.front();
    const bool goes_on = finding.kind == "race" || finding.kind == "uninitialised" || finding.kind == "mismatched-barrier";
    for (std::size_t block = 0; block < trace.log.blocks.size(); ++block) {
        if (trace.log.blocks[block].launch != finding.launch || trace.log.blocks[block].number != thread.block) continue;
        const auto [begin, end] = trace.steps_of_block(block);
        std::optional<std::size_t> last; // where what ended the launch is not recorded: the log was full, or is of an older lab
        for (std::size_t step = begin; step < end; ++step) {
            if (!trace.is_shown(step) || trace.log.warp[step] != thread.rank / 32 || !(trace.log.mask[step] >> thread.rank % 32 & 1)) continue;
            const bool fault = trace.log.sites[trace.log.site[step]].op == simt::Op::fault;
            if (place_of(trace, step) == finding.place && fault != goes_on) return step;
            last = step;
        }
        return last;
    }
    return std::nullopt;
}

std::vector<std::uint32_t> steps_touching(const KernelTrace& trace, std::size_t range, std::uint64_t offset, std::uint64_t bytes) {
    std::vector<std::uint32_t> out;
    for (std::size_t step = 0; step < trace.steps(); ++step) {
        const KernelTrace::Accesses touched = trace.accesses(step);
        const auto all = touched.all();
        if (std::any_of(all.begin(), all.end(), [&](const KernelTrace::Access& access) {
                return access.range == range && access.offset < offset + bytes && offset < access.offset + access.before.size();
            }))
            out.push_back(static_cast<std::uint32_t>(step));
    }
    return out;
}

} // namespace gradus

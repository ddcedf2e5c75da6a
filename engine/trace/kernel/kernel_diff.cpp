#include "engine/trace/kernel/kernel_diff.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace gradus {

namespace {

std::string place_words(const KernelTrace& trace, std::size_t step) {
    const KernelTrace::Launch& launch = trace.launches[trace.log.blocks[trace.block_of(step)].launch];
    return fmt::format("{}, step {} of block {}, line {}", launch.kernel, step - trace.steps_of_block(trace.block_of(step)).first, trace.log.blocks[trace.block_of(step)].number,
                       trace.sites[trace.log.site[step]].place.line);
}

bool same_access(const KernelTrace& trace, const KernelTrace::Access& a, const KernelTrace::Access& b) {
    if (a.lane != b.lane || a.range != b.range || a.offset != b.offset || !std::ranges::equal(a.after, b.after)) return false;
    const simt::Space space = trace.ranges[a.range].space;
    const bool nobodys = !a.after.empty() && space != simt::Space::global && space != simt::Space::shared;
    return nobodys || std::ranges::equal(a.before, b.before);
}

bool same_step(const KernelTrace& a, const KernelTrace& b, std::size_t step) {
    const KernelLog &x = a.log, &y = b.log;
    if (!(x.sites[x.site[step]] == y.sites[y.site[step]]) || x.mask[step] != y.mask[step] || x.warp[step] != y.warp[step]) return false;
    const KernelTrace::Accesses ours = a.accesses(step), theirs = b.accesses(step);
    if (ours.count != theirs.count) return false;
    for (std::size_t i = 0; i < ours.count; ++i)
        if (!same_access(a, ours.of[i], theirs.of[i])) return false;
    const KernelTrace::Collective met = a.collective(step), theirs_met = b.collective(step);
    const bool told = !met.name.empty() && !theirs_met.name.empty(); // a file of an older version does not say
    if (told && (met.name != theirs_met.name || met.given != theirs_met.given || met.got != theirs_met.got || met.count != theirs_met.count)) return false;
    for (std::size_t i = 0; told && i < met.count; ++i)
        if (met.of[i].given != theirs_met.of[i].given || met.of[i].got != theirs_met.of[i].got || met.of[i].asks != theirs_met.of[i].asks) return false;
    const std::uint64_t count = a.first_fma[step + 1] - a.first_fma[step];
    if (count != b.first_fma[step + 1] - b.first_fma[step]) return false;
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::uint64_t f = a.first_fma[step] + i, g = b.first_fma[step] + i;
        const KernelLog::Fma &p = x.fmas[f], &q = y.fmas[g];
        if (x.fma_lane[f] != y.fma_lane[g] || p.a != q.a || p.b != q.b || p.c != q.c || p.result != q.result) return false;
    }
    return true;
}

/// In words where some thread keeps something else in its variables; nothing where one of the records has none.
std::optional<std::string> local_difference(const KernelTrace& a, const KernelTrace& b) {
    const KernelLog::Locals &x = a.log.locals, &y = b.log.locals;
    if (x.threads.empty() || y.threads.empty()) return std::nullopt;
    if (a.locals != b.locals) return "they have other variables";
    for (std::size_t i = 0; i < std::min(x.threads.size(), y.threads.size()); ++i) {
        const auto &p = x.threads[i], &q = y.threads[i];
        const auto end = [i](const KernelLog::Locals& of) { return i + 1 < of.threads.size() ? of.threads[i + 1].first : of.changes.size(); };
        const auto part = [&](const KernelLog::Locals& of) { return std::span(of.changes).subspan(of.threads[i].first, end(of) - of.threads[i].first); };
        if (p.block != q.block || p.rank != q.rank || p.events != q.events || !std::ranges::equal(part(x), part(y)))
            return fmt::format("thread {} of block {} keeps something else in its variables", p.rank, a.log.blocks[p.block].number);
    }
    return x.threads.size() == y.threads.size() ? std::nullopt : std::optional<std::string>("they have the variables of other threads");
}

bool same_lines(const KernelTrace& a, const KernelTrace& b) {
    return std::ranges::equal(a.lines, b.lines, [](const KernelTrace::Line& x, const KernelTrace::Line& y) {
        return x.launch == y.launch && x.place == y.place && x.op == y.op && x.buffer == y.buffer && x.bytes == y.bytes && x.steps == y.steps && x.lanes == y.lanes &&
               x.transfers == y.transfers && x.ideal == y.ideal && x.lines == y.lines;
    });
}

} // namespace

std::optional<std::string> first_difference(const KernelTrace& a, const KernelTrace& b) {
    if (a.ladder != b.ladder || a.rung != b.rung) return fmt::format("one is of {}/{}, the other of {}/{}", a.ladder, a.rung, b.ladder, b.rung);
    if (a.ranges.size() != b.ranges.size() || a.launches.size() != b.launches.size()) return "they have other memory or other launches";
    for (std::size_t i = 0; i < a.ranges.size(); ++i)
        if (a.ranges[i].bytes != b.ranges[i].bytes || a.ranges[i].start != b.ranges[i].start) return fmt::format("{} holds something else at the beginning", a.ranges[i].name);
    for (std::size_t step = 0; step < std::min(a.steps(), b.steps()); ++step)
        if (!same_step(a, b, step)) return place_words(a, step);
    if (a.steps() != b.steps()) return fmt::format("one has {} steps, the other {}", a.steps(), b.steps());
    if (auto found = local_difference(a, b)) return found;
    if (!same_lines(a, b)) return "other numbers are counted for a line";
    return std::nullopt;
}

} // namespace gradus

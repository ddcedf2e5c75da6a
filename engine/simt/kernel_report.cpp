#include "engine/simt/kernel_report.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <tuple>

namespace gradus::simt {

namespace {

/// The innermost place in the kernel's own file: what was inlined from a header counts where the kernel calls it.
SourcePlace own_place(const std::vector<SourcePlace>& chain) {
    for (const SourcePlace& place : chain)
        if (place.file.ends_with(".cu") || place.file.ends_with(".cuh")) return place;
    return chain.empty() ? SourcePlace{} : chain.back();
}

/// The __shared__, __device__ or __constant__ variable at an offset in its range; null where there is none, as in a buffer.
const NamedVariable* variable_at(const SourcePlaces& places, const LaunchAnswer::Range& range, std::int64_t offset) {
    if (range.space != Space::shared && range.space != Space::module) return nullptr;
    const bool shared = range.space == Space::shared;
    const auto wanted = static_cast<std::int64_t>(range.at) + offset;
    const NamedVariable* at = nullptr;
    for (const NamedVariable& variable : shared ? places.shared() : places.module())
        if (variable.offset >= range.at && static_cast<std::int64_t>(variable.offset) <= wanted) at = &variable;
    if (!shared && at && wanted >= static_cast<std::int64_t>(at->offset + at->bytes)) return nullptr; // a message's text
    return at;
}

std::string buffer_name(const SourcePlaces& places, const LaunchAnswer::Range& range, std::int64_t offset) {
    if (const NamedVariable* variable = variable_at(places, range, offset)) return variable->name;
    return range.space == Space::shared ? "shared memory" : range.name;
}

std::string thread_words(ThreadName thread, const Dim3& grid, const Dim3& block) {
    const int rank = static_cast<int>(thread.rank), of = static_cast<int>(thread.block);
    return fmt::format("thread ({}, {}, {}) of block ({}, {}, {})", rank % block.x, rank / block.x % block.y, rank / block.x / block.y, of % grid.x, of / grid.x % grid.y,
                       of / grid.x / grid.y);
}

std::string bytes_words(std::int64_t bytes) { return fmt::format("{} {}", bytes, bytes == 1 ? "byte" : "bytes"); }

std::string short_file(const std::string& file) { return file.substr(file.rfind('/') + 1); }

std::string place_words(const SourcePlace& place) { return place.line ? fmt::format("{}, line {}", short_file(place.file), place.line) : "an unknown place"; }

std::string sentence_of(const KernelFinding& finding, const Finding& from, const KernelStep& launch, std::int64_t range_bytes, int element) {
    const std::string who = thread_words(from.thread, launch.grid, launch.block), at = place_words(finding.place);
    const std::string does = from.writes ? "writes" : "reads";
    const std::int64_t index = element ? from.offset / element : from.offset;
    switch (from.kind) {
    case Finding::Kind::race:
        return fmt::format("{}: {} {} {}[{}], which {} {} at {}, and nothing orders the two", at, who, does, finding.buffer, index,
                           thread_words(from.second, launch.grid, launch.block), from.other_writes ? "writes" : "reads", place_words(finding.other));
    case Finding::Kind::uninitialised: return fmt::format("{}: {} reads {}[{}], which no thread of the block has written", at, who, finding.buffer, index);
    case Finding::Kind::out_of_bounds:
        if (!from.words.empty()) return fmt::format("{}: {} uses {}", at, who, from.words);
        if (from.range < 0) { // an address of this process is another one in every run, unless it is next to nothing
            const auto address = static_cast<std::uint64_t>(from.offset);
            return fmt::format("{}: {} {} {} {}, where no buffer is", at, who, does, bytes_words(from.bytes), address < 1 << 20 ? fmt::format("at address {:#x}", address) : "far outside");
        }
        return fmt::format("{}: {} {} {} at byte {} of {}, which has {}", at, who, does, bytes_words(from.bytes), from.offset, finding.buffer, range_bytes);
    case Finding::Kind::misaligned: return fmt::format("{}: {} {} {} bytes at byte {} of {}, which is no multiple of {}", at, who, does, from.bytes, from.offset, finding.buffer, from.bytes);
    case Finding::Kind::mismatched_barrier:
        if (from.words == "returned")
            return fmt::format("{}: {} waits at this barrier, and {} has gone by it and returned; it was last at {}", at, who, thread_words(from.second, launch.grid, launch.block),
                               place_words(finding.other));
        return fmt::format("{}: {} waits at this barrier, and {} at that of {}", at, who, thread_words(from.second, launch.grid, launch.block), place_words(finding.other));
    case Finding::Kind::never_meets:
        return fmt::format("{}: {} waits in {} for {}, which never comes there", at, who, from.words.empty() ? "a meeting" : from.words, thread_words(from.second, launch.grid, launch.block));
    case Finding::Kind::endless: return fmt::format("{}: {} is still at work after {}", at, who, from.words);
    case Finding::Kind::trap: return fmt::format("{}: {}: {}", at, who, from.words);
    }
    return {};
}

} // namespace

SourcePlace place_of(const LaunchAnswer& answer, const SourcePlaces& places, Site site) {
    const SourcePlace here = own_place(places.at(site.offset() + answer.text_offset));
    if (here.file.ends_with(".cu") || site.path() >= answer.paths.size()) return here;
    const auto& calls = answer.paths[site.path()];
    for (auto call = calls.rbegin(); call != calls.rend(); ++call) {
        const SourcePlace place = own_place(places.at(*call + answer.text_offset));
        if (place.file.ends_with(".cu")) return place;
    }
    return here;
}

std::string_view name_of(Finding::Kind kind) {
    switch (kind) {
    case Finding::Kind::race: return "race";
    case Finding::Kind::uninitialised: return "uninitialised";
    case Finding::Kind::out_of_bounds: return "out-of-bounds";
    case Finding::Kind::misaligned: return "misaligned";
    case Finding::Kind::mismatched_barrier: return "mismatched-barrier";
    case Finding::Kind::never_meets: return "never-meets";
    case Finding::Kind::endless: return "endless";
    case Finding::Kind::trap: return "trap";
    }
    return "?";
}

std::vector<StepReport> step_reports(const PreparedRun& run, const LaunchAnswer& answer, const SourcePlaces& places) {
    std::vector<StepReport> out;
    for (std::size_t i = 0; i < answer.steps.size() && i < run.plan.steps.size(); ++i) {
        StepReport step{run.plan.steps[i], {}, answer.steps[i].lane_steps, answer.steps[i].multiply_adds, answer.steps[i].seconds, answer.steps[i].sectors_read,
                        answer.steps[i].sectors_written};
        for (const PlaceCount& count : answer.steps[i].counts) {
            LineCount line{place_of(answer, places, count.site), count.op, {}, count.space, count.bytes, count.steps, count.lanes, count.transfers, count.ideal, count.lines};
            if (touches_memory(count.op) && count.range >= 0 && static_cast<std::size_t>(count.range) < answer.ranges.size())
                line.buffer = buffer_name(places, answer.ranges[static_cast<std::size_t>(count.range)], count.offset);
            const auto same = std::find_if(step.lines.begin(), step.lines.end(), [&](const LineCount& known) {
                return known.place == line.place && known.op == line.op && known.buffer == line.buffer && known.bytes == line.bytes && known.space == line.space;
            });
            if (same == step.lines.end()) {
                step.lines.push_back(std::move(line));
                continue;
            }
            same->steps += line.steps, same->lanes += line.lanes, same->transfers += line.transfers, same->ideal += line.ideal, same->lines += line.lines;
        }
        std::stable_sort(step.lines.begin(), step.lines.end(), [](const LineCount& a, const LineCount& b) {
            return std::tie(a.place.file, a.place.line, a.place.column) < std::tie(b.place.file, b.place.line, b.place.column);
        });
        out.push_back(std::move(step));
    }
    return out;
}

namespace {

/// Those that had a part in what was found, but for the two that are named.
std::vector<ThreadName> others_of(const LaunchAnswer::Found& found) {
    const Finding& first = found.finding;
    const bool race = first.kind == Finding::Kind::race, apart = first.thread.block != first.second.block;
    std::vector<ThreadName> out;
    const auto add = [&](std::uint32_t block, const Findings::Ranks& ranks) {
        for (std::uint32_t rank = 0; rank < 32 * ranks.size(); ++rank)
            if (const ThreadName one{block, rank}; ranks[rank / 32] >> rank % 32 & 1 && one != first.thread && !(race && one == first.second)) out.push_back(one);
    };
    Findings::Ranks threads = found.threads;
    for (std::size_t i = 0; race && !apart && i < threads.size(); ++i) threads[i] |= found.seconds[i];
    add(first.thread.block, threads);
    if (race && apart) add(first.second.block, found.seconds);
    return out;
}

} // namespace

std::vector<KernelFinding> kernel_findings(const PreparedRun& run, const LaunchAnswer& answer, const SourcePlaces& places) {
    std::vector<KernelFinding> out;
    for (const LaunchAnswer::Found& found : answer.findings) {
        if (found.step < 0 || static_cast<std::size_t>(found.step) >= run.plan.steps.size()) continue;
        Finding from = found.finding;
        KernelFinding finding{from.kind, {}, place_of(answer, places, from.site), {}, {}, from.thread, from.second, found.times, found.step};
        if (from.kind == Finding::Kind::race || from.kind == Finding::Kind::mismatched_barrier) finding.other = place_of(answer, places, from.other);
        std::int64_t bytes = 0;
        int element = 4;
        if (from.range >= 0 && static_cast<std::size_t>(from.range) < answer.ranges.size()) {
            const auto range = static_cast<std::size_t>(from.range);
            const LaunchAnswer::Range& in = answer.ranges[range];
            finding.buffer = buffer_name(places, in, from.offset);
            if (range < run.buffers.size()) {
                element = static_cast<int>(size_of(run.buffers[range].type));
                bytes = run.buffers[range].count() * element;
            } else if (const NamedVariable* variable = variable_at(places, in, from.offset)) {
                from.offset -= static_cast<std::int64_t>(variable->offset - in.at);
                bytes = static_cast<std::int64_t>(variable->bytes) + (variable->bytes ? 0 : run.plan.steps[static_cast<std::size_t>(found.step)].shared_bytes);
            }
        }
        if (from.kind == Finding::Kind::race || from.kind == Finding::Kind::uninitialised) finding.others = others_of(found);
        finding.sentence = sentence_of(finding, from, run.plan.steps[static_cast<std::size_t>(found.step)], bytes, element);
        out.push_back(std::move(finding));
    }
    return out;
}

std::string left_out_words(const PrintedText& printed) {
    if (!printed.left_out) return {};
    return fmt::format("of what the kernel printed, the first {} KiB are kept and {} bytes after them are left out", PrintedText::most >> 10, printed.left_out);
}

LineCount total(const StepReport& step, Expected::Access access, const std::string& buffer) {
    LineCount sum;
    for (const LineCount& line : step.lines) {
        const bool matches = access == Expected::Access::load    ? line.op == Op::read || line.op == Op::copy_async
                             : access == Expected::Access::store ? line.op == Op::write
                                                                  : line.op == Op::atomic;
        if (!matches || line.buffer != buffer) continue;
        sum.steps += line.steps, sum.lanes += line.lanes, sum.transfers += line.transfers, sum.ideal += line.ideal, sum.lines += line.lines;
        sum.bytes = line.bytes, sum.op = line.op, sum.space = line.space, sum.buffer = buffer;
    }
    return sum;
}

} // namespace gradus::simt

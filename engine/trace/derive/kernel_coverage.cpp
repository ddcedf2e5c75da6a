#include "engine/trace/derive/kernel_coverage.hpp"

#include "engine/core/error.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace gradus {

KernelCoverage kernel_coverage(const KernelTrace& trace, std::string_view buffer) {
    const auto range = std::find_if(trace.ranges.begin(), trace.ranges.end(), [&](const KernelTrace::Range& each) {
        return each.space == simt::Space::global && (buffer.empty() ? each.output : each.name == buffer);
    });
    if (range == trace.ranges.end()) throw ArgumentError(fmt::format("there is no {} '{}' there", buffer.empty() ? "output" : "buffer", buffer));
    const std::size_t size = size_of(range->type);
    KernelCoverage out{static_cast<std::size_t>(range - trace.ranges.begin()), std::vector<std::int64_t>(range->bytes / size)};
    for (std::size_t step = 0; step < trace.steps(); ++step) {
        const KernelLog::Site& site = trace.log.sites[trace.log.site[step]];
        if (!writes_memory(site.op)) continue;
        const KernelTrace::Accesses accesses = trace.accesses(step);
        for (const KernelTrace::Access& access : accesses.all())
            for (std::uint64_t at = access.offset; access.range == out.range && at < access.offset + site.bytes; at += size) ++out.writes[at / size];
    }
    out.untouched = std::count(out.writes.begin(), out.writes.end(), 0);
    out.written = static_cast<std::int64_t>(out.writes.size()) - out.untouched;
    out.most = out.writes.empty() ? 0 : *std::max_element(out.writes.begin(), out.writes.end());
    return out;
}

bool knows_all_writes(const KernelTrace& trace) {
    return trace.finished && !trace.cut() && std::all_of(trace.launches.begin(), trace.launches.end(), [](const KernelTrace::Launch& launch) { return launch.whole; });
}

std::vector<std::int64_t> elements_of_step(const KernelTrace& trace, std::size_t step, std::string_view buffer, int lane) {
    std::vector<std::int64_t> out;
    if (step >= trace.steps()) return out;
    const KernelLog::Site& site = trace.log.sites[trace.log.site[step]];
    const KernelTrace::Accesses accesses = trace.accesses(step);
    for (const KernelTrace::Access& access : accesses.all()) {
        const KernelTrace::Range& range = trace.ranges[access.range];
        if (range.name != buffer || range.sizes.empty() || (lane >= 0 && access.lane != lane)) continue;
        const std::size_t size = size_of(range.type);
        for (std::uint64_t at = access.offset; at < access.offset + site.bytes; at += size) out.push_back(static_cast<std::int64_t>(at / size));
    }
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

std::string element_name(const KernelTrace::Range& range, std::int64_t element) {
    std::string at;
    for (std::size_t axis = range.sizes.size(); axis-- > 0;) {
        const std::int64_t size = std::max<std::int64_t>(range.sizes[axis], 1);
        at = std::to_string(axis > 0 ? element % size : element) + (at.empty() ? "" : ",") + at;
        element /= size;
    }
    return fmt::format("{}[{}]", range.name, at);
}

std::string rectangle_name(const KernelTrace::Range& range, const std::vector<std::int64_t>& elements) {
    if (elements.empty() || range.sizes.empty() || range.sizes.size() > 2) return {};
    const std::int64_t width = range.sizes.back();
    const std::int64_t top = elements.front() / width, bottom = elements.back() / width + 1; // of a vector, a single row
    const std::int64_t left = elements.front() % width, right = elements.back() % width + 1;
    if (right <= left || (bottom - top) * (right - left) != static_cast<std::int64_t>(elements.size())) return {};
    for (const std::int64_t element : elements)
        if (element % width < left || element % width >= right) return {};
    if (range.sizes.size() == 1) return fmt::format("{}[{}:{}]", range.name, left, right);
    return fmt::format("{}[{}:{},{}:{}]", range.name, top, bottom, left, right);
}

} // namespace gradus

#include "engine/trace/derive/written_element.hpp"

#include "engine/trace/kernel/step_finder.hpp"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <set>
#include <utility>

namespace gradus {

namespace {

constexpr std::size_t most_steps = 250'000;

struct Element {
    std::uint8_t range = 0;
    std::uint64_t offset = 0; ///< bytes
};

std::optional<Element> element_of(const KernelTrace& trace, std::string_view buffer, std::span<const Dim> index) {
    for (std::size_t i = 0; i < trace.ranges.size(); ++i) {
        const KernelTrace::Range& range = trace.ranges[i];
        if (range.space != simt::Space::global || range.name != buffer || range.sizes.size() != index.size()) continue;
        std::uint64_t at = 0;
        for (std::size_t axis = 0; axis < index.size(); ++axis) {
            if (index[axis] < 0 || index[axis] >= range.sizes[axis]) return std::nullopt;
            at = at * static_cast<std::uint64_t>(range.sizes[axis]) + static_cast<std::uint64_t>(index[axis]);
        }
        return Element{static_cast<std::uint8_t>(i), at * size_of(range.type)};
    }
    return std::nullopt;
}

const KernelLog::Site& site_of(const KernelTrace& trace, std::size_t step) { return trace.log.sites[trace.log.site[step]]; }

struct Writer {
    std::size_t step = 0;
    int lane = 0;
    std::uint32_t bits = 0; ///< that it wrote, of a number of four bytes
};

std::optional<Writer> last_writer(const KernelTrace& trace, const Element& element) {
    for (std::size_t step = trace.steps(); step-- > 0;) {
        const KernelLog::Site& site = site_of(trace, step);
        if (!writes_memory(site.op)) continue;
        if (const auto first = trace.first_access(step); !first || first->first != element.range) continue;
        const KernelTrace::Accesses accesses = trace.accesses(step);
        for (const KernelTrace::Access& access : accesses.all()) {
            if (access.range != element.range || element.offset < access.offset || element.offset >= access.offset + site.bytes) continue;
            if (site.op == simt::Op::atomic) return std::nullopt;
            Writer out{step, access.lane, 0};
            if (const std::uint64_t at = element.offset - access.offset; at + sizeof out.bits <= access.after.size()) std::memcpy(&out.bits, access.after.data() + at, sizeof out.bits);
            return out;
        }
    }
    return std::nullopt;
}

struct Read {
    std::uint8_t range = 0;
    std::uint64_t offset = 0, bytes = 0;
    KernelPlace place; ///< in the source
};

/// What a thread did in its block until it wrote.
struct ThreadWork {
    std::vector<Read> reads;
    std::size_t reads_before = 0; ///< until it wrote to the buffer the time before
    bool wrote_before = false;
    std::vector<KernelLog::Fma> fmas;
};

ThreadWork work_of(const KernelTrace& trace, const Writer& writer, std::uint8_t buffer) {
    ThreadWork out;
    for (std::size_t step = trace.steps_of_block(trace.block_of(writer.step)).first; step <= writer.step; ++step) {
        if (trace.log.warp[step] != trace.log.warp[writer.step] || !(trace.log.mask[step] >> writer.lane & 1)) continue;
        for (std::uint64_t fma = trace.first_fma[step]; fma < trace.first_fma[step + 1]; ++fma)
            if (trace.log.fma_lane[fma] == writer.lane) out.fmas.push_back(trace.log.fmas[fma]);
        const KernelLog::Site& site = site_of(trace, step);
        const bool reads = site.op == simt::Op::read || site.op == simt::Op::copy_async;
        if (step == writer.step || (!reads && !writes_memory(site.op))) continue;
        const KernelTrace::Accesses accesses = trace.accesses(step);
        for (const KernelTrace::Access& access : accesses.all()) {
            if (access.lane != writer.lane) continue;
            if (reads) out.reads.push_back({access.range, access.offset, site.bytes, trace.sites[trace.log.site[step]].place});
            else if (access.range == buffer) out.wrote_before = true, out.reads_before = out.reads.size();
        }
    }
    return out;
}

/// The box round elements of a buffer.
WrittenElement::Source box_of(const KernelTrace::Range& range, const std::set<std::int64_t>& elements) {
    WrittenElement::Source out{range.name, {}, {}, static_cast<std::int64_t>(elements.size())};
    for (std::int64_t element : elements) {
        std::vector<std::int64_t> index(range.sizes.size());
        for (std::size_t axis = range.sizes.size(); axis-- > 0; element /= std::max<std::int64_t>(range.sizes[axis], 1)) index[axis] = element % std::max<std::int64_t>(range.sizes[axis], 1);
        if (out.first.empty()) out.first = out.last = index;
        for (std::size_t axis = 0; axis < index.size(); ++axis) out.first[axis] = std::min(out.first[axis], index[axis]), out.last[axis] = std::max(out.last[axis], index[axis]);
    }
    return out;
}

bool has_holes(const WrittenElement::Source& source) {
    std::int64_t all = 1;
    for (std::size_t axis = 0; axis < source.first.size(); ++axis) all *= source.last[axis] - source.first[axis] + 1;
    return !source.first.empty() && all != source.elements;
}

/// At which column of its line a name stands first.
std::size_t column_of(const KernelTrace& trace, const KernelPlace& place, std::string_view name) {
    const std::string_view line = source_line(trace, place.file, place.line);
    const auto in_name = [&](std::size_t at) { return at < line.size() && (std::isalnum(static_cast<unsigned char>(line[at])) || line[at] == '_'); };
    std::size_t at = line.find(name);
    while (at != std::string_view::npos && ((at > 0 && in_name(at - 1)) || in_name(at + name.size()))) at = line.find(name, at + 1);
    return at;
}

/// In the order of the source: operands of one line may be read in any, and have one place.
std::vector<WrittenElement::Source> sources_of(const KernelTrace& trace, std::span<const Read> reads) {
    struct Found {
        std::pair<std::int32_t, std::size_t> first; ///< line and column
        std::uint8_t range = 0;
        std::string variable; ///< in shared memory
        std::set<std::int64_t> elements;
    };
    std::vector<Found> found;
    bool shared = false;
    for (const Read& read : reads) {
        const KernelTrace::Range& range = trace.ranges[read.range];
        const bool in_shared = range.space == simt::Space::shared;
        if (!in_shared && (range.space != simt::Space::global || range.sizes.empty())) continue;
        shared |= in_shared;
        const std::string variable = in_shared ? trace.name_at(read.range, read.offset) : std::string();
        auto at = std::find_if(found.begin(), found.end(), [&](const Found& each) { return each.range == read.range && each.variable == variable; });
        if (at == found.end()) at = found.insert(found.end(), {{read.place.line, column_of(trace, read.place, in_shared ? variable : range.name)}, read.range, variable, {}});
        const std::size_t size = in_shared ? read.bytes : size_of(range.type);
        for (std::uint64_t byte = read.offset; byte < read.offset + read.bytes; byte += size) at->elements.insert(static_cast<std::int64_t>(byte / size));
    }
    if (shared) std::erase_if(found, [](const Found& each) { return each.variable.empty(); });
    std::stable_sort(found.begin(), found.end(), [](const Found& a, const Found& b) { return a.first < b.first; });
    std::vector<WrittenElement::Source> out;
    for (const Found& each : found) out.push_back(shared ? WrittenElement::Source{each.variable, {}, {}, static_cast<std::int64_t>(each.elements.size())} : box_of(trace.ranges[each.range], each.elements));
    return out;
}

/// The multiply-adds that end in the sum, back from the last: each result is bit for bit what the one after it added to.
std::vector<KernelLog::Fma> chain_of(const std::vector<KernelLog::Fma>& fmas, std::size_t last) {
    std::vector<KernelLog::Fma> out{fmas[last]};
    for (std::size_t i = last; i-- > 0 && out.back().c << 1 != 0;) // ±0: the sum begins there
        if (fmas[i].result == out.back().c) out.push_back(fmas[i]);
    std::reverse(out.begin(), out.end());
    return out;
}

} // namespace

std::optional<WrittenElement> written_element(const KernelTrace& trace, std::string_view buffer, std::span<const Dim> index) {
    if (trace.steps() > most_steps) return std::nullopt;
    const auto element = element_of(trace, buffer, index);
    const auto writer = element ? last_writer(trace, *element) : std::nullopt;
    if (!writer) return std::nullopt;
    const ThreadWork work = work_of(trace, *writer, element->range);
    WrittenElement out{.step = writer->step, .lane = writer->lane, .sources = sources_of(trace, work.reads), .products = {}, .is_sum = false};
    // A thread that goes on to further elements read what it needed for this one since the one before.
    if (work.wrote_before && work.reads_before < work.reads.size() && std::any_of(out.sources.begin(), out.sources.end(), has_holes)) out.sources = sources_of(trace, std::span(work.reads).subspan(work.reads_before));
    std::size_t last = work.fmas.size();
    while (last > 0 && work.fmas[last - 1].result != writer->bits) --last;
    out.is_sum = last > 0;
    if (!out.is_sum && !work.wrote_before) last = work.fmas.size(); // scaled, say, before it was written
    if (last > 0) out.products = chain_of(work.fmas, last - 1);
    return out;
}

} // namespace gradus

// What the events below a kernel say of themselves.
#include "engine/trace/kernel/kernel_events.hpp"

#include "engine/core/text.hpp"
#include "engine/trace/kernel/fma_bits.hpp"

#include <bit>
#include <fmt/format.h>

namespace gradus {

namespace {

EventAttribute counted(std::string name, std::int64_t value, std::string unit = {}) { return {std::move(name), std::to_string(value), std::move(unit), Provenance::counted}; }
EventAttribute computed(std::string name, std::string value) { return {std::move(name), std::move(value), "", Provenance::computed}; }

std::string block_name(const Dim3& grid, std::uint32_t number) {
    const auto n = static_cast<std::int64_t>(number);
    return fmt::format("block ({}, {}, {})", n % grid.x, n / grid.x % grid.y, n / grid.x / grid.y);
}

/// "-1.0010…b × 2^3"
std::string exact_text(const ExactNumber& number) {
    if (number.digits.empty()) return "0";
    return fmt::format("{}{}{}{}b × 2^{}", number.negative ? "-" : "", number.digits[0], number.digits.size() > 1 ? "." : "", number.digits.substr(1), number.highest);
}

/// "1.5 = 3fc00000": in words and in bits.
std::string handed_text(ValueKind kind, std::uint64_t value) {
    const std::size_t size = size_of(kind) ? size_of(kind) : sizeof value;
    const std::span<const std::byte> bytes{reinterpret_cast<const std::byte*>(&value), size};
    return kind == ValueKind::bits ? value_text(kind, bytes) : fmt::format("{} = {}", value_text(kind, bytes), value_bits(bytes));
}

std::string fp32_text(std::uint32_t bits) {
    return fmt::format("{} = {:d} {:08b} {:023b}", number_text(static_cast<double>(std::bit_cast<float>(bits))), bits >> 31, bits >> 23 & 0xff, bits & 0x7fffff);
}

} // namespace

std::string KernelEvents::place_text(const KernelPlace& place) const {
    if (place.file < 0) return "an unknown place";
    const std::string& file = trace_->files[static_cast<std::size_t>(place.file)];
    return fmt::format("{}:{}:{}", file.substr(file.rfind('/') + 1), place.line, place.column);
}

EventSite KernelEvents::make(std::int32_t ordinal, const Place& place) const {
    const KernelLog::Block& block = trace_->log.blocks[place.block];
    const KernelTrace::Launch& launch = trace_->launches[block.launch];
    EventSite site;
    site.level = place.level;
    site.ordinal = ordinal;
    site.module = launch.kernel;
    site.implementation = "simt";
    site.provenance = Provenance::counted;
    site.path = fmt::format("{}/{} {}/block {}", path_, block.launch, launch.kernel, block.number);
    const auto [begin, end] = trace_->steps_of_block(place.block);
    if (place.level == Level::block) {
        site.name = block_name(launch.grid, block.number);
        site.parent = kernel_of(block.launch);
        site.attributes = {counted("block", block.number), counted("steps", static_cast<std::int64_t>(end - begin))};
        for (std::size_t step = begin; step < end; ++step) {
            const KernelLog::Site& at = trace_->log.sites[trace_->log.site[step]];
            const double bytes = simt::touches_memory(at.op) ? static_cast<double>(std::popcount(trace_->log.mask[step])) * at.bytes : 0;
            (writes_memory(at.op) ? site.cost.bytes_written : site.cost.bytes_read) += bytes;
        }
        site.cost.flops = 2 * static_cast<double>(trace_->first_fma[end] - trace_->first_fma[begin]);
        return site;
    }
    site.path += fmt::format("/step {}", place.step - begin);
    if (place.level == Level::warp_instruction) {
        site.parent = blocks_[place.block];
        describe_step(site, place.step);
        return site;
    }
    site.path += fmt::format("/lane {}", place.lane);
    if (place.level == Level::lane) {
        site.parent = steps_[place.step];
        describe_lane(site, place.step, place.lane);
        return site;
    }
    const std::int32_t lane = of_lane(place.step, place.lane);
    site.path += fmt::format("/fma {}", ordinal - lane - 1);
    site.parent = lane;
    describe_fma(site, static_cast<std::size_t>(place.fma));
    return site;
}

void KernelEvents::describe_step(EventSite& site, std::size_t step) const {
    const KernelLog& log = trace_->log;
    const KernelLog::Site& at = log.sites[log.site[step]];
    const KernelTrace::Site& where = trace_->sites[log.site[step]];
    const KernelTrace::Accesses accesses = trace_->accesses(step);
    const int active = std::popcount(log.mask[step]);
    site.lane = log.warp[step];
    site.formula = place_text(where.place);
    site.name = std::string(simt::name_of(at.op));
    site.attributes = {counted("line", where.place.line), counted("column", where.place.column),
                       {"mask", fmt::format("{:08x}", log.mask[step]), "", Provenance::counted},
                       counted("active_lanes", active, "lanes"), counted("warp", log.warp[step])};
    if (!where.calls.empty()) {
        std::string calls;
        for (const KernelPlace& call : where.calls) calls += (calls.empty() ? "" : " > ") + place_text(call);
        site.attributes.push_back({"calls", calls, "", Provenance::counted});
    }
    site.cost.flops = 2 * static_cast<double>(trace_->first_fma[step + 1] - trace_->first_fma[step]);
    if (const KernelTrace::Collective met = trace_->collective(step); !met.name.empty()) site.name += " " + std::string(met.name);
    if (!accesses.count) return;
    const simt::Space space = trace_->ranges[accesses.of[0].range].space;
    const std::string buffer = trace_->name_at(accesses.of[0].range, accesses.of[0].offset);
    site.name += " " + buffer;
    site.attributes.push_back({"buffer", buffer, "", Provenance::counted});
    site.attributes.push_back({"space", std::string(simt::name_of(space)), "", Provenance::counted});
    site.attributes.push_back(counted("bytes_per_lane", at.bytes, "bytes"));
    if (space == simt::Space::global) site.attributes.push_back(counted("sectors", trace_->transfers(step), "sectors"));
    if (space == simt::Space::shared) site.attributes.push_back(counted("wavefronts", trace_->transfers(step), "wavefronts"));
    (writes_memory(at.op) ? site.cost.bytes_written : site.cost.bytes_read) = static_cast<double>(active) * at.bytes;
}

void KernelEvents::describe_lane(EventSite& site, std::size_t step, int lane) const {
    const KernelLog& log = trace_->log;
    const KernelLog::Site& at = log.sites[log.site[step]];
    site.lane = lane;
    site.name = fmt::format("lane {}", lane);
    site.formula = place_text(trace_->sites[log.site[step]].place);
    std::int64_t fmas = 0;
    for (std::uint64_t fma = trace_->first_fma[step]; fma < trace_->first_fma[step + 1]; ++fma) fmas += log.fma_lane[fma] == lane;
    site.cost.flops = 2 * static_cast<double>(fmas);
    site.attributes = {counted("thread", std::int64_t{log.warp[step]} * 32 + lane), counted("multiply_adds", fmas)};
    const KernelTrace::Collective met = trace_->collective(step);
    for (const KernelTrace::Handed& handed : met.all()) {
        if (handed.lane != lane) continue;
        site.attributes.push_back(computed("handed_in", handed_text(met.given, handed.given)));
        if (handed.asks >= 0) site.attributes.push_back(counted("from_lane", handed.asks));
        site.attributes.push_back(computed("got", handed_text(met.got, handed.got)));
    }
    const KernelTrace::Accesses touched = trace_->accesses(step);
    for (const KernelTrace::Access& access : touched.all()) {
        if (access.lane != lane) continue;
        const KernelTrace::Range& range = trace_->ranges[access.range];
        site.attributes.push_back({"buffer", trace_->name_at(access.range, access.offset), "", Provenance::counted});
        site.attributes.push_back(counted("offset", static_cast<std::int64_t>(access.offset), "bytes"));
        if (!range.sizes.empty()) site.attributes.push_back(counted("index", static_cast<std::int64_t>(access.offset / size_of(range.type))));
        const auto words = [&](std::span<const std::byte> bytes) { return trace_->text_at(access.range, access.offset, bytes); };
        if (access.after.empty()) site.attributes.push_back(computed("value", words(access.before)));
        else {
            site.attributes.push_back(computed("old", words(access.before)));
            site.attributes.push_back(computed("new", words(access.after)));
        }
        (writes_memory(at.op) ? site.cost.bytes_written : site.cost.bytes_read) = at.bytes;
    }
    describe_locals(site, step, lane);
}

/// As the lane comes to the step: what this one does to them is seen at its next.
void KernelEvents::describe_locals(EventSite& site, std::size_t step, int lane) const {
    if (trace_->locals.empty()) return;
    locals_.go_to(step);
    const LocalsCursor::Lane found = locals_.lane(trace_->log.warp[step] * 32U + static_cast<std::uint32_t>(lane));
    if (!found.why.empty()) site.attributes.push_back(computed("locals", found.why));
    for (const LocalsCursor::Value& value : found.values) {
        const LocalVariable& variable = *value.variable;
        std::string words = value.why.empty() ? local_text(*trace_, variable, value.bytes) : value.why;
        if (value.why.empty() && value.changed) words += fmt::format(" (was {})", local_text(*trace_, variable, value.before));
        site.attributes.push_back(computed("local " + variable.name, words));
    }
}

void KernelEvents::describe_fma(EventSite& site, std::size_t number) const {
    const KernelLog::Fma& fma = trace_->log.fmas[number];
    const FmaBits bits = fma_bits(fma.a, fma.b, fma.c);
    site.lane = trace_->log.fma_lane[number];
    site.name = "fmaf";
    site.formula = place_text(trace_->sites[trace_->log.fma_site[number]].place);
    site.provenance = Provenance::computed;
    site.cost.flops = 2;
    site.attributes = {computed("a", fp32_text(fma.a)),
                       computed("b", fp32_text(fma.b)),
                       computed("c", fp32_text(fma.c)),
                       computed("result", fp32_text(fma.result)),
                       computed("product", exact_text(bits.product)),
                       computed("sum", exact_text(bits.sum)),
                       computed("rounding", std::string(name_of(bits.step)))};
}

} // namespace gradus

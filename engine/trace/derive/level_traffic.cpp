#include "engine/trace/derive/level_traffic.hpp"

#include "engine/core/text.hpp"
#include "engine/simt/runtime/transfers.hpp"

#include <algorithm>
#include <bit>

namespace gradus {

namespace {

constexpr int range_shift = 40; // ranges begin at whole lines, so that no sector lies in two

bool loads(simt::Op op) { return op != simt::Op::write; }

void count(SpaceTraffic& to, simt::Op op, std::int64_t lanes, std::int64_t bytes) {
    if (loads(op)) to.loads += lanes, to.loaded += lanes * bytes;
    if (writes_memory(op)) to.stores += lanes, to.stored += lanes * bytes;
}

/// Distinct sectors of steps, read and written.
struct Distinct {
    std::vector<std::uint64_t> read, written;
    void add(const KernelTrace& trace, std::size_t step) {
        const KernelLog::Site& site = trace.log.sites[trace.log.site[step]];
        if (!simt::touches_memory(site.op) || site.bytes == 0) return;
        const KernelTrace::Accesses found = trace.accesses(step);
        for (const KernelTrace::Access& access : found.all()) {
            if (trace.ranges[access.range].space != simt::Space::global) continue;
            const std::uint64_t begin = access.offset / simt::sector_bytes, end = (access.offset + site.bytes - 1) / simt::sector_bytes;
            for (std::uint64_t sector = begin; sector <= end; ++sector) {
                const std::uint64_t key = sector + (std::uint64_t{access.range} << range_shift);
                if (loads(site.op)) read.push_back(key);
                if (writes_memory(site.op)) written.push_back(key);
            }
        }
        for (auto* each : {&read, &written})
            if (each->size() > std::size_t{1} << 22) settle(*each);
    }
    static std::int64_t settle(std::vector<std::uint64_t>& sectors) {
        std::sort(sectors.begin(), sectors.end());
        sectors.erase(std::unique(sectors.begin(), sectors.end()), sectors.end());
        return static_cast<std::int64_t>(sectors.size());
    }
    void put_into(LevelTraffic& out) { out.sectors_read = settle(read), out.sectors_written = settle(written); }
};

void count_step(LevelTraffic& out, const KernelTrace& trace, std::size_t step) {
    out.multiply_adds += static_cast<std::int64_t>(trace.first_fma[step + 1] - trace.first_fma[step]);
    const KernelLog::Site& site = trace.log.sites[trace.log.site[step]];
    if (!simt::touches_memory(site.op) || site.bytes == 0) return;
    const KernelTrace::Accesses found = trace.accesses(step);
    if (!found.count) return;
    std::array<std::uint64_t, simt::lanes_of_warp> addresses{};
    for (const KernelTrace::Access& access : found.all()) addresses[access.lane] = access.offset + (std::uint64_t{access.range} << range_shift);
    const std::uint32_t mask = trace.log.mask[step];
    const simt::Space space = trace.ranges[found.of[0].range].space; // as the interpreter takes it: a request is of one kind of memory
    if (space != simt::Space::global && space != simt::Space::shared) return; // a lane's own stack stands for registers
    SpaceTraffic& to = space == simt::Space::shared ? out.shared : out.global;
    count(to, site.op, static_cast<std::int64_t>(found.count), site.bytes);
    ++to.requests;
    if (space == simt::Space::shared) {
        const simt::Wavefronts turns = simt::wavefronts_of(addresses.data(), mask, site.bytes);
        to.transfers += turns.wavefronts, to.ideal += turns.ideal;
    } else {
        const simt::Sectors sectors = simt::sectors_of(addresses.data(), mask, site.bytes);
        to.transfers += sectors.sectors, to.ideal += sectors.ideal;
    }
}

std::optional<std::int64_t> attribute(const EventSite& event, std::string_view name) {
    for (const EventAttribute& each : event.attributes)
        if (each.name == name) return parse_integer(each.value);
    return std::nullopt;
}

} // namespace

std::string_view name_of(MemoryLevel level) {
    switch (level) {
    case MemoryLevel::registers: return "registers";
    case MemoryLevel::shared: return "shared";
    case MemoryLevel::l1: return "l1";
    case MemoryLevel::l2: return "l2";
    case MemoryLevel::memory: return "memory";
    }
    return "";
}

SpaceTraffic& SpaceTraffic::operator+=(const SpaceTraffic& other) {
    loads += other.loads, stores += other.stores, loaded += other.loaded, stored += other.stored;
    requests += other.requests, transfers += other.transfers, ideal += other.ideal;
    return *this;
}

LevelTraffic& LevelTraffic::operator+=(const LevelTraffic& other) {
    shared += other.shared, global += other.global;
    multiply_adds += other.multiply_adds;
    const auto add = [](std::optional<std::int64_t>& to, const std::optional<std::int64_t>& more) { to = to && more ? std::optional(*to + *more) : std::nullopt; };
    add(sectors_read, other.sectors_read), add(sectors_written, other.sectors_written);
    return *this;
}

std::optional<std::int64_t> LevelTraffic::memory_least() const {
    if (!sectors_read || !sectors_written) return std::nullopt;
    return (*sectors_read + *sectors_written) * static_cast<std::int64_t>(simt::sector_bytes);
}

std::optional<std::int64_t> bytes_at(const LevelTraffic& traffic, MemoryLevel level) {
    switch (level) {
    case MemoryLevel::registers: return traffic.registers();
    case MemoryLevel::shared: return traffic.shared_moved();
    case MemoryLevel::l1:
    case MemoryLevel::l2: return traffic.sectors_asked();
    case MemoryLevel::memory: return traffic.memory_least();
    }
    return std::nullopt;
}

std::optional<std::int64_t> ideal_at(const LevelTraffic& traffic, MemoryLevel level) {
    switch (level) {
    case MemoryLevel::shared: return traffic.shared.ideal * 128;
    case MemoryLevel::l1: return traffic.global.ideal * 32;
    case MemoryLevel::l2: return traffic.memory_least();
    case MemoryLevel::registers:
    case MemoryLevel::memory: return std::nullopt;
    }
    return std::nullopt;
}

LevelTraffic launch_traffic(const KernelTrace& trace, std::size_t launch, const EventSite* event) {
    LevelTraffic out;
    for (const KernelTrace::Line& line : trace.lines) {
        if (line.launch != launch || !simt::touches_memory(line.op) || line.space > simt::Space::shared) continue;
        SpaceTraffic& to = line.space == simt::Space::shared ? out.shared : out.global;
        count(to, line.op, line.lanes, line.bytes);
        to.requests += line.steps, to.transfers += line.transfers, to.ideal += line.ideal;
    }
    if (event) {
        if (const auto count = attribute(*event, "multiply_adds")) out.multiply_adds = *count;
        out.sectors_read = attribute(*event, "sectors_read"), out.sectors_written = attribute(*event, "sectors_written");
        if (out.sectors_read && out.sectors_written) return out;
    }
    const bool whole = launch < trace.launches.size() && trace.launches[launch].whole && trace.warps == ~0u;
    if (whole) out.multiply_adds = 0;
    Distinct distinct;
    for (std::size_t block = 0; whole && block < trace.log.blocks.size(); ++block) {
        if (trace.log.blocks[block].launch != launch) continue;
        const auto [begin, end] = trace.steps_of_block(block);
        out.multiply_adds += static_cast<std::int64_t>(trace.first_fma[end] - trace.first_fma[begin]);
        for (std::size_t step = begin; step < end; ++step) distinct.add(trace, step);
    }
    if (whole) distinct.put_into(out);
    return out;
}

LevelTraffic block_traffic(const KernelTrace& trace, std::size_t block) {
    LevelTraffic out;
    Distinct distinct;
    const auto [begin, end] = trace.steps_of_block(block);
    for (std::size_t step = begin; step < end; ++step) {
        if (!trace.is_shown(step)) continue;
        count_step(out, trace, step);
        distinct.add(trace, step);
    }
    distinct.put_into(out);
    return out;
}

LevelTraffic step_traffic(const KernelTrace& trace, std::size_t step) {
    LevelTraffic out;
    Distinct distinct;
    count_step(out, trace, step);
    distinct.add(trace, step);
    distinct.put_into(out);
    return out;
}

TrafficAt traffic_at(const KernelEvents& kernels, std::int32_t ordinal, std::span<const EventSite* const> launches) {
    const KernelTrace& trace = kernels.trace();
    const auto event_of = [&](std::size_t launch) { return launch < launches.size() ? launches[launch] : nullptr; };
    TrafficAt out;
    if (const std::size_t step = kernels.step_of(ordinal); step < trace.steps()) {
        out = {TrafficAt::Of::step, step, step_traffic(trace, step)};
        return out;
    }
    for (std::size_t block = 0; block < trace.log.blocks.size(); ++block)
        if (kernels.of_block(block) == ordinal) return {TrafficAt::Of::block, block, block_traffic(trace, block)};
    for (std::size_t launch = 0; launch < trace.launches.size(); ++launch)
        if (const EventSite* event = event_of(launch); event && event->ordinal == ordinal) return {TrafficAt::Of::launch, launch, launch_traffic(trace, launch, event)};
    out.traffic.sectors_read = out.traffic.sectors_written = 0;
    for (std::size_t launch = 0; launch < trace.launches.size(); ++launch) out.traffic += launch_traffic(trace, launch, event_of(launch));
    return out;
}

} // namespace gradus

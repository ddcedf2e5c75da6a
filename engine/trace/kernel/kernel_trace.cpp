#include "engine/trace/kernel/kernel_trace.hpp"

#include "engine/core/error.hpp"
#include "engine/simt/runtime/transfers.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <fmt/format.h>

namespace gradus {

namespace {

template <class T> T load(const std::byte* at) {
    T value;
    std::memcpy(&value, at, sizeof value);
    return value;
}

} // namespace

std::size_t KernelTrace::bytes() const {
    std::size_t sum = log.bytes() + steps() * 16 + log.locals.changes.size() + log.locals.threads.size() * sizeof(KernelLog::Locals::Thread);
    for (const Range& range : ranges) sum += range.start.size();
    return sum;
}

std::size_t KernelTrace::block_of(std::size_t step) const {
    const auto after = std::upper_bound(log.blocks.begin(), log.blocks.end(), step, [](std::uint64_t wanted, const KernelLog::Block& block) { return wanted < block.first; });
    return static_cast<std::size_t>(after - log.blocks.begin()) - 1;
}

std::pair<std::size_t, std::size_t> KernelTrace::steps_of_block(std::size_t block) const {
    const bool last = block + 1 == log.blocks.size();
    return {log.blocks[block].first, last ? steps() : log.blocks[block + 1].first};
}

KernelTrace::Accesses KernelTrace::accesses(std::size_t step) const {
    Accesses out;
    const std::byte* at = log.payload.data() + payload_at[step];
    const auto form = static_cast<KernelLog::Form>(*at++);
    if (form == KernelLog::Form::none || form >= KernelLog::Form::named) return out;
    const KernelLog::Site& site = log.sites[log.site[step]];
    std::uint8_t range = 0;
    std::int64_t first = 0, stride = 0;
    if (form != KernelLog::Form::mixed) range = load<std::uint8_t>(at++);
    if (form == KernelLog::Form::even) first = load<std::int64_t>(at), stride = load<std::int32_t>(at + 8), at += 12;
    const int lowest = std::countr_zero(log.mask[step]);
    for (std::uint32_t lanes = log.mask[step]; lanes; lanes &= lanes - 1) {
        Access& access = out.of[out.count++];
        const int lane = std::countr_zero(lanes);
        access.lane = static_cast<std::uint8_t>(lane);
        if (form == KernelLog::Form::mixed) range = load<std::uint8_t>(at++);
        access.range = range;
        if (form == KernelLog::Form::even) access.offset = static_cast<std::uint64_t>(first + stride * (lane - lowest));
        else access.offset = load<std::uint64_t>(at), at += 8;
    }
    for (std::size_t i = 0; i < out.count; ++i) {
        out.of[i].before = {at, site.bytes}, at += site.bytes;
        if (writes_memory(site.op)) out.of[i].after = {at, site.bytes}, at += site.bytes;
    }
    return out;
}

std::optional<std::pair<std::uint8_t, std::uint64_t>> KernelTrace::first_access(std::size_t step) const {
    const std::byte* at = log.payload.data() + payload_at[step];
    const auto form = static_cast<KernelLog::Form>(*at);
    if (form == KernelLog::Form::none || form >= KernelLog::Form::named) return std::nullopt;
    return std::pair{load<std::uint8_t>(at + 1), load<std::uint64_t>(at + 2)}; // all three forms begin with them
}

KernelTrace::Collective KernelTrace::collective(std::size_t step) const {
    Collective out;
    const std::byte* at = log.payload.data() + payload_at[step];
    const auto form = static_cast<KernelLog::Form>(*at++);
    if (form != KernelLog::Form::named && form != KernelLog::Form::handed) return out;
    out.name = log.collectives[load<std::uint8_t>(at++)];
    if (form == KernelLog::Form::named) return out;
    out.given = static_cast<ValueKind>(*at++), out.got = static_cast<ValueKind>(*at++);
    for (std::uint32_t lanes = log.mask[step]; lanes; lanes &= lanes - 1, at += 17) {
        const auto asks = load<std::uint8_t>(at + 16);
        out.of[out.count++] = {static_cast<std::uint8_t>(std::countr_zero(lanes)), asks < 32 ? asks : -1, load<std::uint64_t>(at), load<std::uint64_t>(at + 8)};
    }
    return out;
}

int KernelTrace::transfers(std::size_t step) const {
    const Accesses found = accesses(step);
    if (!found.count) return 0;
    const simt::Space space = ranges[found.of[0].range].space;
    std::array<std::uint64_t, 32> addresses{};
    for (const Access& access : found.all()) addresses[access.lane] = access.offset + (std::uint64_t{access.range} << 40); // ranges begin at whole lines
    const int bytes = log.sites[log.site[step]].bytes;
    if (space == simt::Space::global) return simt::sectors_of(addresses.data(), log.mask[step], bytes).sectors;
    if (space == simt::Space::shared) return simt::wavefronts_of(addresses.data(), log.mask[step], bytes).wavefronts;
    return 0;
}

std::string KernelTrace::name_at(std::uint8_t range, std::uint64_t offset) const {
    const Variable* variable = ranges[range].space == simt::Space::shared ? variable_at(offset) : nullptr;
    return variable ? variable->name : ranges[range].name;
}

const KernelTrace::Variable* KernelTrace::variable_at(std::uint64_t offset) const {
    const Variable* found = nullptr;
    for (const Variable& variable : variables)
        if (variable.offset <= offset) found = &variable;
    return found;
}

ValueKind KernelTrace::kind_at(std::uint8_t range, std::uint64_t offset) const {
    if (!ranges[range].sizes.empty()) return kind_of(ranges[range].type);
    const Variable* variable = ranges[range].space == simt::Space::shared ? variable_at(offset) : nullptr;
    return variable ? variable->kind : ValueKind::bits;
}

std::string KernelTrace::text_at(std::uint8_t range, std::uint64_t offset, std::span<const std::byte> bytes) const {
    const ValueKind kind = kind_at(range, offset);
    const std::size_t size = size_of(kind);
    if (!size) return value_text(bytes.size() == 4 ? ValueKind::f32 : ValueKind::bits, bytes);
    if (bytes.empty() || bytes.size() % size != 0) return value_text(kind, bytes);
    std::string out;
    for (; !bytes.empty(); bytes = bytes.subspan(size)) out += (out.empty() ? "" : ", ") + value_text(kind, bytes.first(size));
    return out;
}

void KernelTrace::index(const std::string& where) {
    const auto refuse = [&](const std::string& what) { throw FileError(fmt::format("{}: {}", where, what)); };
    const auto check_place = [&](const KernelPlace& place) {
        if (place.file < -1 || place.file >= static_cast<std::int32_t>(files.size())) refuse("a place names a file that is not there");
    };
    if (log.mask.size() != steps() || log.warp.size() != steps()) refuse("columns of steps differ in length");
    if (steps() > std::uint64_t{1} << 31) refuse("there are more steps than can be followed");
    if (sites.size() != log.sites.size()) refuse("places of the code differ in number");
    if (ranges.size() > 256) refuse("there are more ranges of memory than can be named");
    for (const Range& range : ranges) {
        if (range.held ? range.start.size() != range.bytes : !range.start.empty()) refuse(fmt::format("{} does not hold as many bytes as it says", range.name));
        if (range.bytes > std::uint64_t{1} << 40) refuse("a range of memory is too large");
        std::uint64_t elements = 1;
        for (const std::int64_t size : range.sizes) {
            if (size < 0 || (size > 0 && elements > (std::uint64_t{1} << 40) / static_cast<std::uint64_t>(size))) refuse("a buffer's shape cannot be");
            elements *= static_cast<std::uint64_t>(size);
        }
        if (static_cast<unsigned>(range.type) > static_cast<unsigned>(ElementType::u8) || static_cast<unsigned>(range.space) > 3) refuse("a type is not known");
        if (!range.sizes.empty() && elements * size_of(range.type) != range.bytes) refuse(fmt::format("{} has another size than its shape", range.name));
    }
    for (const Variable& variable : variables)
        if (variable.kind > last_value_kind) refuse(fmt::format("the type of {} is not known", variable.name));
    if (!sources.empty() && sources.size() != files.size()) refuse("its files and their texts differ in number");
    for (const Launch& launch : launches) {
        const Dim3 &g = launch.grid, &b = launch.block;
        if (g.x < 1 || g.y < 1 || g.z < 1 || g.y > 65535 || g.z > 65535 || b.x < 1 || b.y < 1 || b.z < 1 || b.x > 1024 || b.y > 1024 || b.z > 64 || b.count() > 1024)
            refuse("a launch cannot be");
    }
    for (const Site& site : sites) {
        check_place(site.place), check_place(site.inner);
        for (const KernelPlace& call : site.calls) check_place(call);
    }
    for (const KernelLog::Site& site : log.sites)
        if (static_cast<unsigned>(site.op) > static_cast<unsigned>(simt::Op::fault) || site.fma > 1) refuse("what is done at a place is not known");
    for (const Line& line : lines) {
        check_place(line.place);
        if (line.launch >= launches.size() || static_cast<unsigned>(line.op) > static_cast<unsigned>(simt::Op::branch) || static_cast<unsigned>(line.space) > 3 || line.steps < 0 ||
            line.lanes < 0 || line.transfers < 0)
            refuse("a count cannot be");
    }
    for (const Finding& finding : findings) {
        check_place(finding.place), check_place(finding.other);
        if (finding.launch >= launches.size()) refuse("a finding's launch is not there");
        for (const Thread& thread : finding.threads)
            if (thread.block >= launches[finding.launch].grid.count() || thread.rank >= launches[finding.launch].block.count()) refuse("a finding's thread is not one of its launch");
    }
    std::uint64_t before = 0;
    for (std::size_t i = 0; i < log.blocks.size(); ++i) {
        const KernelLog::Block& block = log.blocks[i];
        if (block.launch >= launches.size() || block.number >= static_cast<std::uint64_t>(launches[block.launch].grid.count())) refuse("a block is not one of its launch");
        if (block.first < before || block.first > steps() || (i == 0 && block.first != 0)) refuse("a block's steps are not where it says");
        if (i > 0 && block.launch < log.blocks[i - 1].launch) refuse("the launches of its blocks are out of order");
        before = block.first;
    }
    if (steps() > 0 && log.blocks.empty()) refuse("there are steps of no block");

    payload_at.clear(), first_fma.clear();
    payload_at.reserve(steps() + 1), first_fma.reserve(steps() + 1);
    std::uint64_t at = 0, fma = 0;
    if (log.fma_step.size() != log.fmas.size() || log.fma_site.size() != log.fmas.size() || log.fma_lane.size() != log.fmas.size()) refuse("columns of multiply-adds differ in length");
    for (std::size_t i = 0; i < steps(); ++i) {
        payload_at.push_back(at);
        if (log.site[i] >= log.sites.size() || log.mask[i] == 0 || log.warp[i] >= 32) refuse(fmt::format("step {} cannot be", i));
        const KernelLog::Site& site = log.sites[log.site[i]];
        const auto lanes = static_cast<std::uint64_t>(std::popcount(log.mask[i]));
        const auto need = [&](std::uint64_t bytes) {
            if (bytes > log.payload.size() - at) refuse(fmt::format("step {} ends too early", i));
        };
        need(1);
        const auto form = static_cast<KernelLog::Form>(log.payload[at]);
        const bool memory = simt::touches_memory(site.op) && site.bytes > 0;
        const bool collective = form == KernelLog::Form::named || form == KernelLog::Form::handed;
        if (form > KernelLog::Form::handed || (form != KernelLog::Form::none && !collective) != memory) refuse(fmt::format("step {} has addresses that it cannot have", i));
        if (collective && site.op != simt::Op::meet) refuse(fmt::format("step {} hands on values that it cannot", i));
        const std::uint64_t size = KernelLog::part_bytes(form, lanes, site);
        need(size);
        if (collective && static_cast<std::size_t>(log.payload[at + 1]) >= log.collectives.size()) refuse(fmt::format("step {} names a collective that is not there", i));
        if (form == KernelLog::Form::handed && (static_cast<ValueKind>(log.payload[at + 2]) > last_value_kind || static_cast<ValueKind>(log.payload[at + 3]) > last_value_kind))
            refuse(fmt::format("step {} hands on values of a kind that is not known", i));
        const Accesses touched = accesses(i); // of what was just found to be there
        for (const Access& access : touched.all())
            if (access.range >= ranges.size() || access.offset > ranges[access.range].bytes || site.bytes > ranges[access.range].bytes - access.offset)
                refuse(fmt::format("step {} touches memory that is not there", i));
        at += size;
        first_fma.push_back(fma);
        for (int lane = -1; fma < log.fmas.size() && log.fma_step[fma] == i; ++fma) {
            if (log.fma_lane[fma] >= 32 || log.fma_lane[fma] < lane || !(log.mask[i] >> log.fma_lane[fma] & 1) || log.fma_site[fma] >= log.sites.size())
                refuse(fmt::format("a multiply-add of step {} cannot be", i));
            lane = log.fma_lane[fma];
        }
    }
    payload_at.push_back(at), first_fma.push_back(fma);
    std::vector<std::uint64_t> events(launches.size()); // that a view may number
    for (std::size_t i = 0; i < log.blocks.size(); ++i) {
        const auto [begin, end] = steps_of_block(i);
        events[log.blocks[i].launch] += 2 + first_fma[end] - first_fma[begin];
        for (std::size_t step = begin; step < end; ++step) events[log.blocks[i].launch] += 1 + static_cast<std::uint64_t>(std::popcount(log.mask[step]));
    }
    for (const std::uint64_t count : events)
        if (count >= static_cast<std::uint64_t>(ordinals_of_launch())) refuse("there are more events than can be numbered");
    index_locals(where);
    if (at != log.payload.size() || fma != log.fmas.size()) refuse("there is more than its steps say");
}

ValueKind kind_of(ElementType type) {
    switch (type) {
    case ElementType::f32: return ValueKind::f32;
    case ElementType::f16: return ValueKind::f16;
    case ElementType::bf16: return ValueKind::bf16;
    case ElementType::f64: return ValueKind::f64;
    case ElementType::i32: return ValueKind::i32;
    case ElementType::u32: return ValueKind::u32;
    case ElementType::i64: return ValueKind::i64;
    case ElementType::i8: return ValueKind::i8;
    case ElementType::u8: return ValueKind::u8;
    }
    return ValueKind::bits;
}

} // namespace gradus

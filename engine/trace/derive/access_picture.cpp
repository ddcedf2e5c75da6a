#include "engine/trace/derive/access_picture.hpp"

#include "engine/simt/runtime/transfers.hpp"

#include <algorithm>
#include <map>

namespace gradus {

std::uint32_t SectorPicture::Line::lanes_of(int sector) const {
    std::uint32_t out = 0;
    for (std::size_t word = 0; word < 8; ++word) out |= lanes[static_cast<std::size_t>(sector) * 8 + word];
    return out;
}

SectorPicture sectors_of_step(const KernelTrace& trace, std::size_t step) {
    SectorPicture out;
    const KernelTrace::Accesses touched = trace.accesses(step);
    if (!touched.count || trace.ranges[touched.of[0].range].space != simt::Space::global) return out;
    std::map<std::pair<std::uint8_t, std::uint64_t>, SectorPicture::Line> lines;
    std::array<std::uint64_t, 32> addresses{};
    for (const KernelTrace::Access& access : touched.all()) {
        addresses[access.lane] = access.offset + (std::uint64_t{access.range} << 40); // ranges begin at whole lines
        const std::uint64_t last = access.offset + access.before.size() - 1;
        for (std::uint64_t word = access.offset / simt::bank_bytes; word <= last / simt::bank_bytes; ++word) {
            const std::uint64_t byte = word * simt::bank_bytes, first = byte / simt::line_bytes * simt::line_bytes;
            SectorPicture::Line& line = lines[{access.range, first}];
            line.range = access.range, line.first = first;
            line.lanes[(byte - first) / simt::bank_bytes] |= 1u << access.lane;
        }
        out.bytes_asked += static_cast<std::int64_t>(access.before.size());
    }
    const simt::Sectors counted = simt::sectors_of(addresses.data(), trace.log.mask[step], trace.log.sites[trace.log.site[step]].bytes);
    out.sectors = counted.sectors, out.ideal = counted.ideal;
    out.bytes_moved = std::int64_t{counted.sectors} * static_cast<std::int64_t>(simt::sector_bytes);
    for (auto& [key, line] : lines) out.lines.push_back(line);
    return out;
}

BankPicture banks_of_step(const KernelTrace& trace, std::size_t step) {
    BankPicture out;
    const KernelTrace::Accesses touched = trace.accesses(step);
    if (!touched.count || trace.ranges[touched.of[0].range].space != simt::Space::shared) return out;
    const int bytes = trace.log.sites[trace.log.site[step]].bytes;
    const std::size_t group = bytes <= 4 ? 32 : bytes <= 8 ? 16 : 8;
    std::array<std::uint64_t, 32> offsets{};
    for (std::size_t first = 0; first < 32; first += group) {
        std::array<std::vector<BankPicture::Word>, simt::banks> wanted; // by bank, in the order of the lanes that want them
        for (const KernelTrace::Access& access : touched.all()) {
            if (access.lane < first || access.lane >= first + group) continue;
            offsets[access.lane] = access.offset;
            const std::uint64_t last = access.offset + access.before.size() - 1;
            for (std::uint64_t word = access.offset / simt::bank_bytes; word <= last / simt::bank_bytes; ++word) {
                auto& words = wanted[word % simt::banks];
                auto at = std::find_if(words.begin(), words.end(), [&](const BankPicture::Word& each) { return each.offset == word * simt::bank_bytes; });
                if (at == words.end()) at = words.insert(at, {word * simt::bank_bytes, 0});
                at->lanes |= 1u << access.lane;
            }
        }
        const std::size_t before = out.turns.size();
        for (std::size_t bank = 0; bank < simt::banks; ++bank)
            for (std::size_t turn = 0; turn < wanted[bank].size(); ++turn) {
                if (out.turns.size() <= before + turn) out.turns.emplace_back();
                out.turns[before + turn][bank] = wanted[bank][turn];
            }
    }
    out.ideal = simt::wavefronts_of(offsets.data(), trace.log.mask[step], bytes).ideal;
    return out;
}

int BankPicture::busiest() const {
    int best = -1, most = 0;
    for (std::size_t bank = 0; bank < 32; ++bank) {
        int turns_of = 0;
        for (const Turn& turn : turns) turns_of += turn[bank].lanes != 0;
        if (turns_of > most) most = turns_of, best = static_cast<int>(bank);
    }
    return best;
}

} // namespace gradus

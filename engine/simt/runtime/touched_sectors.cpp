#include "engine/simt/runtime/touched_sectors.hpp"

#include "engine/simt/runtime/transfers.hpp"

#include <bit>
#include <limits>

namespace gradus::simt {

TouchedSectors::TouchedSectors(const MemoryMap& memory) {
    std::uint64_t first = std::numeric_limits<std::uint64_t>::max(), last = 0;
    for (const MemoryRange& range : memory.ranges()) {
        if (range.space != Space::global || range.size == 0) continue;
        first = std::min(first, range.begin / sector_bytes);
        last = std::max(last, (range.begin + range.size - 1) / sector_bytes);
    }
    if (first > last) return;
    begin_ = first, end_ = last + 1;
    read_.resize((end_ - begin_ + 63) / 64), written_.resize(read_.size());
}

void TouchedSectors::touch(Bits& bits, std::uint64_t address, std::uint16_t bytes) const {
    for (std::uint64_t sector = address / sector_bytes; sector <= (address + bytes - 1) / sector_bytes; ++sector) {
        if (sector < begin_ || sector >= end_) return; // shared memory, a stack, or nowhere
        bits[(sector - begin_) / 64] |= std::uint64_t{1} << ((sector - begin_) % 64);
    }
}

void TouchedSectors::step(const WarpStep& step) {
    if (!touches_memory(step.op) || step.bytes == 0) return;
    for (std::uint32_t lanes = step.mask; lanes; lanes &= lanes - 1) {
        const std::uint64_t address = step.addresses[std::countr_zero(lanes)];
        if (step.op != Op::write) touch(read_, address, step.bytes);
        if (step.op == Op::write || step.op == Op::atomic) touch(written_, address, step.bytes);
    }
}

std::int64_t TouchedSectors::count(const Bits& bits) {
    std::int64_t out = 0;
    for (const std::uint64_t word : bits) out += std::popcount(word);
    return out;
}

} // namespace gradus::simt

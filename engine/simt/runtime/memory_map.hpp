#pragma once

#include "engine/simt/runtime/instruction.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace gradus::simt {

/// What a kernel may touch: buffers in global memory, its block's shared memory, stacks, its library's own variables.
struct MemoryRange {
    std::uint64_t begin = 0, size = 0; ///< bytes
    Space space = Space::global;
    int unit = 4;     ///< bytes: the finest grain at which accesses of two threads are told apart
    std::string name;
    bool holds(std::uint64_t address, std::uint64_t bytes) const { return address - begin < size && bytes <= size - (address - begin); }
};

class MemoryMap {
public:
    static constexpr int nowhere = -1;
    void add(MemoryRange range) {
        bounds_.push_back({range.begin, range.size});
        ranges_.push_back(std::move(range));
    }
    void resize(std::size_t i, std::uint64_t size) { bounds_[i].size = ranges_[i].size = size; }
    struct Bounds {
        std::uint64_t begin = 0, size = 0;
        bool holds(std::uint64_t address, std::uint64_t bytes) const { return address - begin < size && bytes <= size - (address - begin); }
        bool operator==(const Bounds&) const = default;
    };
    /// Of the i-th range, for what is asked at each access.
    const Bounds& bounds(std::size_t i) const { return bounds_[i]; }
    const std::vector<MemoryRange>& ranges() const { return ranges_; }
    const MemoryRange& operator[](std::size_t i) const { return ranges_[i]; }

    int find(std::uint64_t address, std::uint64_t bytes) const {
        for (std::size_t i = 0; i < bounds_.size(); ++i)
            if (bounds_[i].holds(address, bytes)) return static_cast<int>(i);
        return nowhere;
    }
    /// The one that the address misses by least. None where it misses all by 16 MiB or more: that is no slip of an index.
    int nearest(std::uint64_t address) const {
        int best = nowhere;
        std::uint64_t least = std::uint64_t{1} << 24; // bytes
        for (std::size_t i = 0; i < ranges_.size(); ++i) {
            const MemoryRange& range = ranges_[i];
            const std::uint64_t off = address < range.begin ? range.begin - address : address - std::min(address, range.begin + range.size - 1);
            if (range.space != Space::module && off < least) least = off, best = static_cast<int>(i);
        }
        return best;
    }

private:
    std::vector<MemoryRange> ranges_;
    std::vector<Bounds> bounds_;
};

} // namespace gradus::simt

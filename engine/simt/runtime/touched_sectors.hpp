#pragma once

#include "engine/simt/runtime/hooked_runner.hpp"

#include <vector>

namespace gradus::simt {

/// Which sectors of 32 bytes of the buffers a launch touches at all: what must come from memory, or go there, however large a cache is.
/// Counted.
class TouchedSectors : public StepWatcher {
public:
    explicit TouchedSectors(const MemoryMap& memory);
    void step(const WarpStep& step) override;
    std::int64_t read() const { return count(read_); }
    std::int64_t written() const { return count(written_); }

private:
    using Bits = std::vector<std::uint64_t>;
    void touch(Bits& bits, std::uint64_t address, std::uint16_t bytes) const;
    static std::int64_t count(const Bits& bits);

    std::uint64_t begin_ = 0, end_ = 0; ///< sectors, from the first of all buffers to the last
    Bits read_, written_;
};

} // namespace gradus::simt

#pragma once

#include "engine/simt/runtime/blob.hpp"
#include "engine/simt/runtime/hooked_runner.hpp"

#include <array>

namespace gradus::simt {

/// Warp steps one after another, with what each lane's access found and left: to be gone through forwards and backwards.
struct StepRecord {
    struct Step {
        Site site;
        std::uint32_t mask = 0, block = 0;
        std::uint64_t first = 0; ///< of its lanes, in the lists below
        std::uint16_t bytes = 0, warp = 0;
        Op op = Op::none;
        bool operator==(const Step&) const = default;
    };
    std::vector<Step> steps;
    std::vector<std::uint64_t> addresses; ///< of each lane that takes part, lowest first
    std::vector<Word> before, after;
    bool cut = false; ///< more was done than may be kept

    void write(BlobWriter& to) const;
    static StepRecord read(BlobReader& from);
};

/// Keeps the steps of the block that runs.
class StepRecorder : public StepWatcher {
public:
    /// `warps`: of a block, those that are kept; bit w for warp w.
    explicit StepRecorder(std::uint32_t warps = ~0u, std::size_t most_lanes = 64 << 20) : warps_(warps), most_(most_lanes) {}
    void step(const WarpStep& step) override;
    void late_before(ThreadName thread, Word value) override;
    void late_after(ThreadName thread, Word value, std::size_t back) override;
    StepRecord take() { return std::move(record_); }

private:
    StepRecord record_;
    std::uint32_t warps_;
    std::size_t most_;
    static constexpr std::size_t kept = 64; ///< of a thread's last steps: as many pieces of a wide access as are told late
    struct Late {
        std::array<std::uint64_t, kept> at{}; ///< where their values stand
        std::size_t count = 0;
    };
    std::array<Late, 1024> late_{}; ///< by rank
};

} // namespace gradus::simt

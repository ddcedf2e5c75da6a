#pragma once

#include "engine/simt/runtime/blob.hpp"
#include "engine/simt/runtime/hooked_runner.hpp"
#include "engine/trace/kernel/kernel_log.hpp"

#include <array>
#include <optional>
#include <unordered_map>

namespace gradus::simt {

/// Which of a launch's steps are kept.
struct Recording {
    bool wanted = false;
    bool alone = false;         ///< other blocks of that launch are not run at all
    static constexpr std::int32_t no_launch = -2;
    std::int32_t launch = -1;   ///< -1: all; no_launch: none, so that nothing but what is counted is told
    std::int64_t block = -1;    ///< -1: all; else one, of one launch
    std::uint32_t warps = ~0u;  ///< of a block, bit w for warp w. Of the others only what they write is kept, without which memory would not be whole
    std::uint64_t most_bytes = std::uint64_t{64} << 20; ///< of the log
    std::uint64_t most_locals = std::uint64_t{32} << 20; ///< of what has changed in variables, bytes; 0: these are not looked at
    std::uint64_t most_memory = std::uint64_t{64} << 20; ///< of buffers, of which what they held at first is kept

    bool wants(std::int32_t of_launch, std::int64_t of_block) const {
        return wanted && (launch == -1 || launch == of_launch) && (block < 0 || block == of_block);
    }
};

/// The log of what was recorded, with the memory that it began with.
struct LaunchRecord {
    struct Memory {
        std::uint8_t range = 0; ///< of the answer's
        std::vector<std::byte> start; ///< empty where it is what was handed over
        std::uint64_t end_hash = 0; ///< of what it held at last; 0 where the log was full before
    };
    KernelLog log;
    std::vector<Memory> memory;
    std::uint32_t warps = ~0u;

    void write(BlobWriter& to) const;
    static LaunchRecord read(BlobReader& from);
};

/// Writes the log while blocks run with values (RunOptions::values).
///
/// Where lanes run ahead of their warp, what a step found and left comes with it. The log has steps in the order in which they are told;
/// where no two threads race, and no value is lost (HookedRunner::lost_values), that is as good as the order in which they were done.
///
/// In lockstep (logs of one access) a lane does each access after it is told and before its warp's next, so that the log has them in the
/// order in which they were done, whatever the schedule: for what races. Two kinds are done later than that: the pieces of a wide access,
/// together after the last of them, and what a copy from memory to memory writes, with the read that is told after it. Lanes copy one after
/// another: where one reads what another of its warp has just copied there, which is a race, the copy is logged in as many steps as it takes.
class LaunchRecorder : public StepWatcher {
public:
    /// `to_given`: how far from a buffer lies what was handed over of it.
    LaunchRecorder(const MemoryMap& memory, const Recording& wanted, std::ptrdiff_t to_given);

    /// `untouched`: no block has run before, so that memory is what was handed over.
    void launch_begins(std::uint32_t launch, bool untouched) { launch_ = launch, untouched_ = untouched; }
    void block_begins(std::uint32_t block) override;
    void step(const WarpStep& step) override;
    void met(std::uint32_t warp, std::uint32_t mask, const Meeting& meeting) override;
    void late_before(ThreadName thread, Word value) override;
    void late_after(ThreadName thread, Word value, std::size_t back) override;
    void multiply_add(ThreadName thread, std::uint32_t ahead, Site site, float a, float b, float c, float result) override;
    /// What is left is done: of a block that ended early, too. Call it after each block.
    void block_ends();
    /// Lanes ran ahead, and what some have done is not known: all has to begin again in lockstep.
    bool lost() const { return lost_; }
    /// The launch has ended there, in the block that has: a step of that lane alone, which it did not do.
    void fault(ThreadName thread, Site site);
    LaunchRecord take();

private:
    struct LaneFma {
        std::uint64_t step = 0; ///< of its lane, on the way to which it is done
        Site site;
        KernelLog::Fma fma;
    };
    struct LaneFmas {
        std::vector<LaneFma> all;
        std::size_t taken = 0; ///< the first so many stand in the log
    };
    struct Due {
        std::uint8_t lane = 0;
        std::uint32_t site = 0; ///< its number
        KernelLog::Fma fma;
    };
    struct Pending { ///< a step that was told and that not all its lanes have done
        using Values = std::array<Word, warp_size>;
        std::uint32_t site = 0, mask = 0;
        std::uint32_t todo = 0;  ///< lanes that may not have done it
        std::uint32_t begun = 0; ///< lanes that have run since the warp's last step was told
        std::uint16_t bytes = 0;
        Op op = Op::none;
        std::array<std::uint64_t, warp_size> addresses{};
        std::array<std::uint64_t, warp_size> numbers{}; ///< of each lane's access among its own in the block
        Values before{}, after{};
        std::vector<Due> fmas; ///< by lane
    };
    static constexpr std::uint32_t nobody = ~0u;
    static constexpr bool is_held(Space space) { return space == Space::global || space == Space::shared; }
    bool kept(std::uint32_t warp) const { return wanted_.warps >> warp & 1; }
    std::uint32_t number_of(Site site, Op op, std::uint16_t bytes, bool fma);
    void snapshot();
    std::span<const std::byte> contents(std::size_t range) const;

    void end_turn();
    void end_pass();
    void rule_out_copies(const WarpStep& next);
    bool reads_what_was_copied(std::uint32_t warp, std::uint32_t lane) const;
    void keep_begun(std::uint32_t warp);
    static void wrote(Pending& step, std::uint32_t lane);
    void keep_done(std::uint32_t warp);

    void take_due(std::uint32_t warp, std::uint32_t mask);
    struct Done { ///< what a step that was done found and left
        std::uint32_t mask = 0;
        std::uint16_t bytes = 0;
        Op op = Op::none;
        const std::uint64_t* addresses = nullptr; ///< [32]
        const Word *before = nullptr, *after = nullptr; ///< [32]
    };
    void keep_copies(std::uint32_t warp);
    void keep(std::uint32_t warp, const Pending& step, const Meeting* meeting = nullptr);
    bool begin_step(std::uint32_t warp, std::uint32_t site, std::uint32_t mask, std::uint16_t bytes, std::span<const Due> fmas);
    void write_meeting(std::uint32_t mask, const Meeting& meeting);
    void write_accesses(const Done& step);
    std::size_t range_of(const Done& step);
    std::uint64_t everywhere_the_same(std::uint64_t word) const;

    const MemoryMap& memory_;
    std::vector<std::uint64_t> sizes_; ///< of each range, whatever part of shared memory a launch may touch
    Recording wanted_;
    std::ptrdiff_t to_given_;
    LaunchRecord record_;
    std::uint32_t launch_ = 0;
    bool full_ = false, lost_ = false, untouched_ = false;
    std::size_t range_ = 0; ///< into which the last access fell
    std::uint32_t running_ = nobody; ///< the thread that ran last, as long as it is not known what it did
    std::array<std::vector<Pending>, warp_size> pending_; ///< by warp, in the order in which they were told
    std::array<std::uint64_t, 1024> told_{};              ///< by rank: accesses
    std::array<std::uint64_t, 1024> steps_{};             ///< by rank: told
    std::array<LaneFmas, 1024> fmas_;                     ///< by rank: since its last step, or ahead of it
    std::array<std::uint64_t, warp_size> furthest_{};     ///< by warp: the most steps that a lane of it was told
    std::array<std::uint64_t, warp_size> next_fma_{};     ///< by warp: no lane's next multiply-add is on the way to an earlier step
    std::vector<Due> due_;                                ///< with the step that is told
    std::unordered_map<std::uint64_t, std::uint32_t> numbers_;
    struct Recent {
        std::uint64_t key = ~std::uint64_t{0};
        std::uint32_t number = 0;
    };
    std::array<Recent, 1024> recent_{}; ///< of numbers_, by the lowest bits of their sites
    /// Writes that were done after reads that were told behind them, as many.
    struct Copies {
        std::vector<Pending> writes;
        std::size_t reads = 0; ///< of those
    };
    std::array<Copies, warp_size> copies_; ///< by warp
    std::optional<Pending> meets_; ///< a collective that was told, until it is known what its lanes get
};

} // namespace gradus::simt

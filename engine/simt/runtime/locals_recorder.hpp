#pragma once

#include "engine/simt/runtime/blob.hpp"
#include "engine/simt/runtime/frame_layout.hpp"
#include "engine/simt/runtime/hooked_runner.hpp"
#include "engine/trace/kernel/kernel_log.hpp"

#include <array>
#include <list>
#include <memory>
#include <unordered_map>

namespace gradus::simt {

/// What lanes kept in their variables.
struct LocalsRecord {
    struct Frames { ///< of the functions that a lane is in at a place
        std::uint32_t site = 0;
        std::vector<std::int32_t> at; ///< where each begins, bytes from where the kernel's does; outermost first
    };
    KernelLog::Locals log;
    std::vector<Frames> frames;

    void write(BlobWriter& to) const;
    static LocalsRecord read(BlobReader& from);
};

/// Looks at a lane's frames each time the lane comes to something that is logged, and keeps what has changed since its last time. That is
/// what the lane itself has done by then, so it does not depend on how far lanes run ahead of their warp. (GCC does not mark accesses to
/// variables whose address nobody takes, so that the log of accesses does not have them.)
class LocalsRecorder : public FrameWatcher {
public:
    /// `to_text`: what is taken off an address in the library's file for an offset in its code, `text` where that is in memory.
    /// `warps`: those that are kept, bit w for warp w.
    LocalsRecorder(const MemoryMap& memory, const std::vector<FrameLayout>& layouts, std::uint64_t to_text,
                   std::uint32_t warps, std::uint64_t most_bytes);

    void block_begins();
    void enters(ThreadName thread, std::uint32_t offset, std::uint64_t frame) override;
    void comes_to(ThreadName thread, Site site, const CallPaths& paths, std::span<const std::uint64_t> frames) override;
    void block_ends();
    LocalsRecord take() { return std::move(record_); }

private:
    struct Word { ///< of a lane's frames, and which of its bytes are a variable's
        std::uint32_t number = 0;
        bool pointer = false;
        std::uint64_t mask = 0;
        bool operator<(const Word& other) const { return number < other.number; }
        bool operator==(const Word&) const = default;
    };
    /// What is looked at where a lane stands.
    struct Words {
        static constexpr std::uint32_t most = 16; ///< of a run
        /// Words that lie side by side, the last one lowest, with what there may be of others between them.
        struct Run {
            std::uint32_t first = 0, count = 0; ///< numbers
            std::uint32_t seen = 0;             ///< in what was seen: its lowest
            std::uint32_t halves = 0;           ///< that belong to a variable: bits 2i and 2i + 1 are the i-th word's from the lowest, low and high
            std::array<Word, most> words{};     ///< from the lowest
        };
        std::vector<Word> all;
        std::vector<Run> runs;
        std::uint32_t seen = 0; ///< words of all runs
    };
    /// A lane's, one step's after another's.
    class Changes {
    public:
        /// Where the next step's go, for which there is then room in one piece: so many bytes at most.
        std::byte* room(std::size_t most) {
            if (static_cast<std::size_t>(end_ - at_) < most) begin_piece(most);
            return at_;
        }
        void end_at(std::byte* at) { at_ = at; }
        void clear() { pieces_.clear(), at_ = end_ = nullptr; }
        void append_to(std::vector<std::byte>& all);

    private:
        void begin_piece(std::size_t least);
        struct Piece {
            std::unique_ptr<std::byte[]> bytes;
            std::size_t used = 0; ///< of all but the last, which at_ ends
        };
        std::vector<Piece> pieces_;
        std::byte *at_ = nullptr, *end_ = nullptr;
    };
    struct Thread {
        std::vector<std::uint64_t> words; ///< as they were last
        /// What stood there when its variables were last looked at, in the order in which it lies there, run after run: where nothing has
        /// changed since, no word is looked at.
        std::vector<std::uint64_t> seen;
        const Words* seen_as = nullptr;
        std::uint64_t seen_below = 0;
        Changes changes;
        std::uint64_t events = 0;
    };
    const FrameLayout* layout_of(std::uint32_t offset) const;
    const Words& words_at(Site site, std::span<const std::uint32_t> calls, std::span<const std::uint64_t> frames);
    static std::vector<Words::Run> runs_of(const std::vector<Word>& words);
    template <class Difference> void come_to(ThreadName thread, Site site, const CallPaths& paths, std::span<const std::uint64_t> frames, const Difference& difference);
    void come_to_wide(ThreadName thread, Site site, const CallPaths& paths, std::span<const std::uint64_t> frames);
    std::uint64_t look_at(Thread& lane, const Words::Run& run, std::uint64_t below, std::uint32_t halves, std::byte*& to) const;
    std::uint64_t everywhere_the_same(std::uint64_t pointer) const;

    const MemoryMap& memory_;
    std::vector<FrameLayout> layouts_; ///< by their beginnings, which are offsets in the code
    std::uint32_t warps_;
    std::uint64_t most_bytes_, bytes_ = 0;
    std::uint32_t block_ = ~0u; ///< number among those recorded
    std::array<Thread, 1024> threads_;
    std::list<Words> words_; ///< each that there is, once
    std::unordered_map<std::uint32_t, const Words*> by_site_;
    struct Recent {
        std::uint32_t site = 0;
        const Words* words = nullptr;
    };
    std::array<Recent, 1024> recent_{}; ///< of by_site_, by the lowest bits of the site
    LocalsRecord record_;
    bool wide_; ///< the processor compares eight words at once
};

} // namespace gradus::simt

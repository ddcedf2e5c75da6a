#pragma once

#include "engine/kernels/ladder.hpp"
#include "engine/trace/kernel/kernel_log.hpp"
#include "engine/trace/kernel/local_variable.hpp"

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gradus {

/// A place in a kernel's source; file: its number among the trace's, -1 where it is not known.
struct KernelPlace {
    std::int32_t file = -1, line = 0, column = 0;
    bool operator==(const KernelPlace&) const = default;
};

/// What the interpreter recorded of a kernel's launches (or of one block, or one warp): each warp step with its place in the source,
/// lanes, addresses, and values before and after; the memory that it began with; what was counted and found. Never changes once made.
/// Counted.
struct KernelTrace {
    static constexpr std::uint64_t most_bytes = std::uint64_t{192} << 20; ///< of all of it; see simt::Recording

    /// Memory that a kernel may touch.
    struct Range {
        std::string name; ///< of a buffer, as in the source
        simt::Space space = simt::Space::global;
        std::uint64_t bytes = 0;
        ElementType type = ElementType::f32; ///< of a buffer
        std::vector<std::int64_t> sizes;     ///< of a buffer; empty of other memory
        bool output = false;
        bool held = false;               ///< start is there, so that a cursor can show its contents
        std::vector<std::byte> start;    ///< before the first step; of shared memory, before each block
        std::uint64_t end_hash = 0;      ///< hash_bytes of its contents after the last step; 0: not known
    };
    struct Variable { ///< in shared memory
        std::string name;
        std::uint64_t offset = 0, bytes = 0; ///< 0 bytes: as many as the launch gives it
        ValueKind kind = ValueKind::bits;    ///< of each of its numbers; bits: of several kinds, or not known
        std::vector<std::uint32_t> sizes = {}; ///< of an array; of one whose size the launch gives, 0; empty in an older file
        bool operator==(const Variable&) const = default;
    };
    struct Launch {
        std::string kernel;
        Dim3 grid, block;
        std::int64_t shared_bytes = 0; ///< dynamic
        std::int64_t lane_steps = 0;   ///< of all its blocks, recorded or not
        bool whole = false;            ///< all its blocks are recorded
    };
    struct SiteLocal {
        std::uint32_t local = 0; ///< its number among `locals`
        bool later = false;      ///< declared further on: what stands there is not its value yet
    };
    /// A place of the code: where it stands in the kernel's own file, where it really stands, and by which calls one came there.
    struct Site {
        KernelPlace place, inner;
        std::vector<KernelPlace> calls; ///< outermost first
        std::vector<SiteLocal> locals;  ///< that it lies in the scope of, innermost first
    };
    /// What one place of the source asked of one buffer in a whole launch: simt::LineCount.
    struct Line {
        std::uint32_t launch = 0;
        KernelPlace place;
        simt::Op op = simt::Op::none;
        simt::Space space = simt::Space::global;
        std::string buffer;
        std::int32_t bytes = 0;
        std::int64_t steps = 0, lanes = 0, transfers = 0, ideal = 0, lines = 0;
    };
    struct Thread { ///< of a launch
        std::uint32_t block = 0, rank = 0;
        bool operator==(const Thread&) const = default;
    };
    struct Finding {
        std::string kind, sentence, buffer;
        KernelPlace place, other;
        std::int64_t times = 0;
        std::uint32_t launch = 0;
        std::vector<Thread> threads = {}; ///< whose it is: of a race two, the later first, then all others of their blocks that race there; empty in an older file
    };

    std::string ladder, rung, printed;
    std::vector<std::string> files;
    std::vector<std::string> sources; ///< the text of each of `files` that belongs to the kernel, as it ran; empty of others
    std::vector<Range> ranges;
    std::vector<Variable> variables;
    std::vector<LocalVariable> locals; ///< a lane's own; their values are in log.locals
    std::vector<Launch> launches;
    std::vector<Site> sites; ///< of log.sites, one for one
    std::vector<Line> lines;
    std::vector<Finding> findings;
    std::uint32_t warps = ~0u; ///< of a block, those that were to be recorded; of the others there is what they wrote
    bool finished = false;     ///< all launches came to their end
    KernelLog log;

    std::vector<std::uint64_t> payload_at, first_fma; ///< of each step, and of the end; made by index()

    /// So many ordinals each of so many launches has in an iteration, its own event's with them: the same whatever is recorded of it.
    static std::int32_t ordinals_of(std::size_t launches) { return static_cast<std::int32_t>((std::int64_t{1} << 30) / static_cast<std::int64_t>(launches ? launches : 1)); }
    std::int32_t ordinals_of_launch() const { return ordinals_of(launches.size()); }

    /// What a thread kept in its variables in a block, by its number in log.blocks; null where nothing was kept.
    const KernelLog::Locals::Thread* locals_of(std::size_t block, std::uint32_t rank) const;

    std::size_t steps() const { return log.site.size(); }
    bool cut() const { return log.missed > 0; }
    std::size_t bytes() const;

    /// The number in log.blocks of the block that a step belongs to.
    std::size_t block_of(std::size_t step) const;
    std::pair<std::size_t, std::size_t> steps_of_block(std::size_t block) const; ///< first and one past the last
    /// Whether the step is of a warp that was to be recorded; others are there for what they write.
    bool is_shown(std::size_t step) const { return warps >> log.warp[step] & 1; }

    struct Access {
        std::uint8_t lane = 0, range = 0;
        std::uint64_t offset = 0;                    ///< bytes from the range's beginning
        std::span<const std::byte> before, after;    ///< after: empty where nothing is written
    };
    struct Accesses {
        std::array<Access, 32> of{};
        std::size_t count = 0;
        std::span<const Access> all() const& { return {of.data(), count}; }
        std::span<const Access> all() && = delete; // it looks into this
    };
    /// What each lane of a step does to memory, lowest lane first.
    Accesses accesses(std::size_t step) const;
    /// Of a step's lowest lane, the range and the offset in it: much less work than all of them.
    std::optional<std::pair<std::uint8_t, std::uint64_t>> first_access(std::size_t step) const;
    /// What a lane hands in to a collective and what it gets, in the low bytes.
    struct Handed {
        std::uint8_t lane = 0;
        int asks = -1; ///< of a shuffle, the lane whose value it wants
        std::uint64_t given = 0, got = 0;
    };
    struct Collective {
        std::string_view name; ///< CUDA's; empty where it is not known
        ValueKind given = ValueKind::none, got = ValueKind::none;
        std::array<Handed, 32> of{};
        std::size_t count = 0; ///< 0: it hands no values on
        std::span<const Handed> all() const& { return {of.data(), count}; }
        std::span<const Handed> all() && = delete;
    };
    /// Lowest lane first. Of a step that is none: nothing.
    Collective collective(std::size_t step) const;
    /// Sectors of 32 bytes of a step in global memory, wavefronts of one in shared; 0 for others.
    int transfers(std::size_t step) const;
    /// The name in the source of what stands there: a buffer's, a __shared__ variable's.
    std::string name_at(std::uint8_t range, std::uint64_t offset) const;
    /// The __shared__ variable at a byte of shared memory; null where none begins before it.
    const Variable* variable_at(std::uint64_t offset) const;
    /// Which kind of number stands there; bits where nothing says so.
    ValueKind kind_at(std::uint8_t range, std::uint64_t offset) const;
    /// The numbers that stand there, in words: "1.5", "1, 2, 3, 4". Where nothing says what they are, four bytes are most often an fp32.
    std::string text_at(std::uint8_t range, std::uint64_t offset, std::span<const std::byte> bytes) const;

    /// Makes what is found by looking at all of it, and checks that every number in it can be followed. Throws FileError naming
    /// `where` and what is wrong. Whoever made it may be anybody.
    void index(const std::string& where);

private:
    void index_locals(const std::string& where) const;
};

ValueKind kind_of(ElementType type);

} // namespace gradus

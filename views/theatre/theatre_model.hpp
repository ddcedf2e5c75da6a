#pragma once

#include "engine/trace/derive/access_picture.hpp"
#include "engine/trace/derive/kernel_block.hpp"
#include "engine/trace/derive/line_counters.hpp"
#include "engine/trace/derive/warp_turns.hpp"
#include "engine/trace/kernel/fma_bits.hpp"
#include "engine/trace/kernel/kernel_events.hpp"
#include "views/state/look.hpp"

#include <QString>
#include <QStringList>
#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <vector>

namespace gradus {

/// A line of the kernel's source, and what it costs in the whole launch.
struct TheatreLine {
    QString text;
    std::vector<LineAccess> sectors, wavefronts;
    std::int32_t finding = -1; ///< its number among the findings; -1: none is here
};

struct TheatreLocal {
    QString name, value, before; ///< before: where it has changed since the lane's step before
    bool changed = false;
    std::int32_t line = 0; ///< where it is declared
};

struct TheatreFinding {
    QString kind, sentence;
    std::int32_t line = 0;
    std::int32_t ordinal = -1;   ///< of the step that it was found at; -1: that was not recorded
    std::uint32_t launch = 0;
    std::int64_t block = -1;     ///< in which it was found; -1: the file does not say
    std::uint32_t lanes = 0;     ///< of the warp that one looks at
    bool here = false;           ///< found at this step
    QString about;               ///< "blocks 1 and 0", whose threads met, or the buffer that was missed; may be empty
};

/// A step that touches the word that one looks at.
struct TheatreTouch {
    std::int32_t ordinal = -1;
    QString words;
    bool here = false;
};

/// What is kept from step to step: it depends on less than the step, and takes longer to make.
struct TheatreKept {
    std::shared_ptr<const KernelBlock> block;
    std::shared_ptr<const WarpTurns> turns;
    int turns_of = -1; ///< warp
    std::size_t launch = ~std::size_t{0};
    std::int32_t file = -1;
    std::vector<TheatreLine> code; ///< of `file`, with the counts of `launch`
    std::shared_ptr<LocalsCursor> locals;
    void forget() { *this = {}; }
};

/// What the theatre shows at the cursor.
struct TheatreModel {
    std::shared_ptr<const KernelEvents> events; ///< null: there is nothing to show
    std::shared_ptr<const KernelBlock> block;   ///< null: no step was recorded
    std::shared_ptr<const WarpTurns> turns;
    Level level = Level::run;
    std::size_t launch = 0, step = 0;
    bool at_step = false; ///< the cursor stands on a step or below; else it is the block's first
    int warp = 0, lane = -1;
    int shown_lane = -1; ///< whose variables are shown: the cursor's lane, else the first that touches the word singled out, else the first that takes part
    QString title;       ///< "transpose/2_tiled"

    std::vector<TheatreLine> code;
    std::int32_t line = 0, first_line = 1, last_line = 0; ///< the step's; its function's first and last
    std::int32_t column = 0; ///< at which that line names what the step touches, from 1; 0: nowhere

    simt::Op op = simt::Op::none;
    simt::Space space = simt::Space::global;
    bool touches = false;
    QString buffer, collective;
    WarpStand stand;
    BarrierStand barrier;
    std::array<QString, 32> cells;          ///< the same as `values` in as few letters as a cell has room for
    std::array<QString, 32> values, before; ///< of each lane: what it reads, writes or gets; before: what a store overwrites
    SectorPicture sectors;
    BankPicture banks;
    std::array<int, 32> asks{};        ///< of a shuffle: the lane whose value each gets; -1: none
    bool shuffles = false;
    std::vector<WarpStand> all_warps;  ///< of a step that moves no memory: how the whole block stands
    std::vector<TheatreLocal> locals;
    QString locals_why;
    std::optional<FmaBits> bits;
    int fma = -1, fmas = 0; ///< which of the lane's multiply-adds on its way to this step

    std::vector<TheatreFinding> findings;
    std::optional<double> max_error; ///< against the reference; nothing where it was not compared
    double tolerance = 0;
    bool editable = false; ///< the run takes another text in its place
    bool edited = false; ///< a text that somebody wrote stands in for the rung's
    bool right() const { return max_error && *max_error <= tolerance && findings.empty(); }
    QString word; ///< that one looks at: "out[0, 5]"; empty: none
    std::vector<TheatreTouch> touching;
    bool seeking = false; ///< touching is still being looked for
    std::uint32_t word_lanes = 0; ///< lanes that touch it at this step

    bool there() const { return events != nullptr; }
    /// Of the launch's block of that number; -1: it was not recorded.
    std::int32_t of_block(std::int64_t number) const;
    /// The first that lanes of this warp have their part in; null: none.
    const TheatreFinding* found_here() const {
        const auto found = std::find_if(findings.begin(), findings.end(), [](const TheatreFinding& one) { return one.lanes != 0; });
        return found == findings.end() ? nullptr : &*found;
    }
    int transfers() const { return space == simt::Space::shared ? static_cast<int>(banks.turns.size()) : sectors.sectors; }
    int ideal() const { return space == simt::Space::shared ? banks.ideal : sectors.ideal; }
};

/// At the look's cursor. `touching`: the steps that touch the selected word, null while they are not known.
TheatreModel make_theatre(const Look& look, TheatreKept& kept, const std::vector<std::uint32_t>* touching);

/// The range of memory and the bytes of it that a selection names; nothing where it names no word of a buffer.
struct WordAt {
    std::size_t range = 0;
    std::uint64_t offset = 0, bytes = 0;
    bool operator==(const WordAt&) const = default;
};
std::optional<WordAt> word_of(const KernelTrace& trace, const Selection& selection);
/// The other way: the element of the buffer that a byte belongs to.
Selection selection_of(const KernelTrace& trace, std::uint8_t range, std::uint64_t offset);

} // namespace gradus

#pragma once

#include "engine/trace/derive/attention_tiles.hpp"
#include "engine/trace/kernel/kernel_cursor.hpp"
#include "views/state/look.hpp"

#include <optional>

namespace gradus {

/// Attention in a block at the cursor, as it is shown.
struct AttentionModel {
    enum class Kind : std::uint8_t {
        none,   ///< nothing of attention was recorded
        tiles,  ///< rungs 3_online and 4_flash: a block goes over the scores tile by tile
        passes, ///< the others: launches that write all scores to global memory
    };
    Kind kind = Kind::none;
    AttentionShape shape;       ///< of `passes`: heads, length, head_size and causal alone
    std::size_t step = 0;       ///< of the trace, that one stands at
    int lane = -1;              ///< -1: above a lane
    std::int64_t head = 0, block = 0;
    std::vector<AttentionTouch> touches; ///< of the step, or of the lane

    // Of `tiles`
    std::int64_t row_tile = 0, first_query = 0, tiles_read = 0, tiles_seen = 0; ///< seen: in the launch, by the formula
    AttentionTiles::Mark place;
    std::size_t mark = 0;       ///< its number among the block's marks
    std::vector<AttentionTiles::Mark> marks;
    std::vector<AttentionCursor::Row> rows;
    std::vector<AttentionTiles::Held> held;
    std::int64_t shared_bytes = 0, capacity = 0; ///< capacity: of an SM of the run's architecture; 0: not known
    std::string architecture;
    AttentionTraffic so_far, counted, formula, three_launches;
    bool as_formula = false;    ///< the launch read just what the formula says: so all its blocks skip what the mask hides
    std::size_t focus = 0;      ///< the row that is told of alone
    bool chosen = false; ///< somebody has singled it out

    // Of `passes`
    std::string kernel;
    std::size_t launch = 0;
    std::vector<AttentionTraffic> passes; ///< of each launch, counted
    std::string matrix;                   ///< whose elements `cells` are: "S" or "P"

    /// (length, length), queries down; empty: not known. Of `tiles`, what each key counts for each query now, in blocks that were done before
    /// at their end; of `passes`, the matrix in global memory. NaN: not there yet, or never.
    std::vector<double> cells;
    double cell_end = 1; ///< the end of their map of colours; with sign: from -cell_end
    bool cells_signed = false;
    bool cells_beyond = false; ///< some are more than that

    /// A row of tiles of this head: which block it is, as far as it was recorded, and when it begins with each of its tiles.
    struct RowOfTiles {
        bool recorded = false, done = false; ///< done: before the step
        std::int64_t read = 0;
        std::vector<std::size_t> begins;     ///< steps
    };
    std::vector<RowOfTiles> row_tiles;

    bool skipped(std::int64_t of_row_tile, std::int64_t tile) const;
    double cell(std::int64_t query, std::int64_t key) const { return cells[static_cast<std::size_t>(query * shape.length + key)]; }
};

/// Makes models of one trace, and keeps what was read from it.
class AttentionReader {
public:
    /// As the look has it; `known` where it is the trace of before.
    AttentionModel read(const Look& look);
    const std::shared_ptr<const AttentionTiles>& tiles() const { return tiles_; }
    /// The score of a query of the block and a key, as a lane had it.
    std::optional<float> score(std::int64_t row, std::int64_t key) { return cursor_ ? cursor_->score(row, key) : std::nullopt; }

private:
    struct Block {
        std::shared_ptr<const AttentionTiles> tiles; ///< null: none
        bool read = false;
        std::vector<double> at_end; ///< (queries, length): weights after its last step; made when it is needed
    };
    Block& block_of(std::size_t block);
    void take(const std::shared_ptr<const KernelTrace>& trace, std::size_t block);
    void read_tiles(AttentionModel& model, const Look& look);
    void read_rows(AttentionModel& model);
    static std::vector<double> weights(const AttentionTiles& tiles, AttentionCursor& cursor, const std::vector<AttentionCursor::Row>& rows);
    void read_passes(AttentionModel& model);

    std::shared_ptr<const KernelTrace> trace_;
    std::size_t block_ = 0;
    std::vector<Block> blocks_; ///< as the trace numbers them
    std::shared_ptr<const AttentionTiles> tiles_;
    std::optional<AttentionCursor> cursor_;
    std::optional<KernelCursor> memory_;
    std::size_t focus_ = 0;
    bool causal_ = false; ///< of `passes`
};

} // namespace gradus

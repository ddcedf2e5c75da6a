#pragma once

#include "engine/trace/derive/attention_shape.hpp"
#include "engine/trace/kernel/locals_cursor.hpp"

#include <map>
#include <string_view>

namespace gradus {

/// What a warp does with a tile of keys, in this order.
enum class TilePhase : std::uint8_t { queries, load, scores, add, write };

/// How attention's scores were gone over by a recorded block, tile by tile: the record of its steps read as queries, keys and tiles.
/// Rungs 3_online and 4_flash. Nothing in it is computed anew but what says so.
class AttentionTiles {
public:
    /// Where a warp comes to another part of its work; a tile of -1: before the first, or after the last.
    struct Mark {
        std::size_t step = 0;
        std::uint8_t warp = 0;
        std::int32_t tile = -1;
        TilePhase phase = TilePhase::queries;
        bool operator==(const Mark&) const = default;
    };
    /// A query meets a tile: its maximum and sum with the tile in them, as its lanes kept them.
    struct Meeting {
        static constexpr std::size_t never = ~std::size_t{0};
        std::size_t step = never; ///< from which on its probabilities are there
        float max = 0, sum = 0;
    };

    /// Null where the block's launch is no such rung, or was not recorded with its lanes' variables.
    static std::shared_ptr<const AttentionTiles> of(std::shared_ptr<const KernelTrace> trace, std::size_t block);

    const std::shared_ptr<const KernelTrace>& trace() const { return trace_; }
    const AttentionShape& shape() const { return shape_; }
    std::size_t block() const { return block_; }
    std::int64_t head() const { return head_; }
    std::int64_t row_tile() const { return row_tile_; }         ///< of the block's queries
    std::int64_t first_query() const { return row_tile_ * shape_.rows; }
    std::int64_t queries() const;                               ///< of the block, that are there
    std::size_t first_step() const { return first_step_; }
    std::size_t end_step() const { return end_step_; }

    /// The parts of the block's work by the first warp that comes to each, in the order of their steps.
    const std::vector<Mark>& marks() const { return marks_; }
    /// What the step belongs to.
    Mark place_of(std::size_t step) const;
    /// Tiles that were read, in the order of the keys; the others were skipped: no query of the block sees a key of them.
    std::int64_t tiles_read() const { return tiles_read_; }
    const Meeting& meeting(std::int64_t row, std::int64_t tile) const { return meetings_[index(row, tile)]; }
    /// e^(score - maximum of then), as the kernel wrote it; not a number where the query never met the key.
    float probability(std::int64_t row, std::int64_t key) const;
    /// Bytes that the block asked for before that step.
    AttentionTraffic traffic(std::size_t step) const;

    /// A tile in shared memory before a step: what was written to it last.
    struct Held {
        std::string name;          ///< "k_tile"
        std::int64_t bytes = 0;    ///< that it takes
        std::int32_t tile = -1;    ///< that the last write belongs to; -1: of queries, or nothing yet
        double filled = 0;         ///< share of it that holds this one: 0 to 1
    };
    std::vector<Held> held(std::size_t step) const;
    std::int64_t shared_bytes() const; ///< that the block takes

private:
    friend class AttentionCursor;
    std::size_t index(std::int64_t row, std::int64_t tile) const { return static_cast<std::size_t>(row * shape_.key_tiles() + tile); }
    void read_block();
    void read_step(std::size_t step, const std::vector<AttentionTouch>& touches, LocalsCursor& locals);
    void come_to(std::size_t step, std::int32_t tile, TilePhase phase);
    void meet(std::size_t step, std::int64_t row, std::int64_t tile, std::uint32_t rank, LocalsCursor& locals);

    struct Moved {
        std::size_t step = 0;
        AttentionTraffic sum; ///< with this step's
    };
    struct Written { ///< to shared memory
        std::size_t step = 0, memory = 0;
        std::int32_t tile = -1;
        std::int64_t elements = 0; ///< of this tile, with this step's
    };
    std::shared_ptr<const KernelTrace> trace_;
    AttentionShape shape_;
    std::size_t block_ = 0, first_step_ = 0, end_step_ = 0;
    std::int64_t head_ = 0, row_tile_ = 0, tiles_read_ = 0;
    std::vector<Mark> marks_;
    std::vector<std::vector<Mark>> by_warp_;
    std::vector<Meeting> meetings_;
    std::vector<float> probabilities_; ///< (rows, key_tiles() · keys)
    std::vector<Moved> moved_;
    std::vector<KernelTrace::Variable> memory_;
    std::vector<Written> written_;
    std::vector<std::size_t> last_step_; ///< of each thread
};

/// What the block keeps for each of its queries, as one comes to a step: read from its lanes' variables.
class AttentionCursor {
public:
    explicit AttentionCursor(std::shared_ptr<const AttentionTiles> tiles);

    struct Row {
        std::int64_t query = 0;   ///< in its head
        std::string why;          ///< where its numbers are not known: in one sentence
        std::int32_t tile = -1;   ///< the last that it met
        bool here = false;        ///< the step's warp works on it
        float max = 0, sum = 0;   ///< m and l
        std::vector<float> output; ///< o, before it is divided by l; (head_size)
        float old_max = 0, old_sum = 0; ///< before that tile
        /// By which the tile rescaled what was there, e^(old_max - max): 1 where it brought no larger maximum, 0 at the first. Computed.
        double factor = 1;
    };
    /// All of the block's queries.
    std::vector<Row> rows(std::size_t step);
    /// What a key counts for the query now, e^(score - max): its probability times what its tile was rescaled by since. They add up
    /// to `sum`. Not a number where the query has not met the key. Computed.
    double weight(const Row& row, std::int64_t key) const;
    /// The score of a query and a key as the lane that made it kept it; nothing where it never was.
    std::optional<float> score(std::int64_t row, std::int64_t key);

private:
    std::optional<std::vector<float>> floats(std::uint32_t rank, std::size_t step, std::string_view name, std::string* why = nullptr);

    std::shared_ptr<const AttentionTiles> tiles_;
    LocalsCursor locals_;
};

/// A variable of floats as a lane has it when it comes to the step, or to its last before; its array's elements in order, NaN where they are not yet set.
std::optional<std::vector<float>> floats_of(const LocalsCursor::Lane& lane, std::string_view name);

} // namespace gradus

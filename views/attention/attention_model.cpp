#include "views/attention/attention_model.hpp"

#include "engine/core/error.hpp"
#include "engine/hardware/architectures.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace gradus {

namespace {

constexpr std::size_t most_steps = 250'000; ///< of a trace, for blocks beside the one that one stands in to be read

/// The row that a tile rescales most: there the rescaling is best seen.
std::size_t most_rescaled(const AttentionTiles& tiles) {
    std::size_t best = 0;
    double least = 1;
    for (std::int64_t row = 0; row < tiles.queries(); ++row)
        for (std::int64_t tile = 1; tile < tiles.tiles_read(); ++tile) {
            const AttentionTiles::Meeting &before = tiles.meeting(row, tile - 1), &met = tiles.meeting(row, tile);
            if (met.step == AttentionTiles::Meeting::never) break;
            const double factor = std::exp(static_cast<double>(before.max) - static_cast<double>(met.max));
            if (factor < least) least = factor, best = static_cast<std::size_t>(row);
        }
    return best;
}

std::size_t range_of(const KernelTrace& trace, const std::string& name) {
    for (std::size_t i = 0; i < trace.ranges.size(); ++i)
        if (trace.ranges[i].space == simt::Space::global && trace.ranges[i].name == name) return i;
    return trace.ranges.size();
}

} // namespace

bool AttentionModel::skipped(std::int64_t of_row_tile, std::int64_t tile) const {
    if (kind != Kind::tiles || !shape.causal) return false;
    const auto number = static_cast<std::size_t>(of_row_tile);
    if (number < row_tiles.size() && row_tiles[number].recorded) return tile >= row_tiles[number].read;
    return as_formula && tile * shape.keys >= (of_row_tile + 1) * shape.rows;
}

AttentionReader::Block& AttentionReader::block_of(std::size_t block) {
    Block& out = blocks_[block];
    if (!out.read) out.tiles = AttentionTiles::of(trace_, block);
    out.read = true;
    return out;
}

void AttentionReader::take(const std::shared_ptr<const KernelTrace>& trace, std::size_t block) {
    if (trace == trace_ && block == block_) return;
    if (trace != trace_) {
        memory_.reset();
        blocks_.assign(trace->log.blocks.size(), {});
        causal_ = false;
        for (std::size_t i = 0; i < blocks_.size() && !causal_; ++i) // of each launch one that was recorded
            if (i == 0 || trace->log.blocks[i].launch != trace->log.blocks[i - 1].launch) causal_ = attention_is_causal(trace, i).value_or(false);
    }
    trace_ = trace, block_ = block;
    tiles_ = block_of(block).tiles;
    cursor_.reset();
    if (!tiles_) return;
    cursor_.emplace(tiles_);
    focus_ = most_rescaled(*tiles_);
}

AttentionModel AttentionReader::read(const Look& look) {
    AttentionModel model;
    if (!look.kernels || look.kernels->trace().ladder != "attention" || look.kernels->trace().steps() == 0) return model;
    const std::shared_ptr<const KernelTrace> trace(look.kernels, &look.kernels->trace()); // lives as long as the events do
    const std::int32_t ordinal = look.state.cursor.ordinal;
    model.step = ordinal >= 0 ? look.kernels->step_of(ordinal) : trace->steps();
    std::size_t block = 0;
    if (model.step < trace->steps()) block = trace->block_of(model.step);
    else if (const std::size_t own = ordinal >= 0 ? look.kernels->block_of(ordinal) : trace->log.blocks.size(); own < trace->log.blocks.size())
        block = own;
    else // something above: where it begins
        for (std::size_t i = 0; i < trace->log.blocks.size(); ++i)
            if (ordinal >= 0 && look.kernels->of_block(i) <= ordinal) block = i;
    const bool above = model.step >= trace->steps();
    if (above) model.step = trace->steps_of_block(block).first;
    if (model.step >= trace->steps()) return model;
    model.lane = above ? -1 : look.kernels->lane_of(ordinal);
    take(trace, block);
    model.touches = attention_touches(*trace_, model.step);
    if (model.lane >= 0) std::erase_if(model.touches, [&](const AttentionTouch& touch) { return touch.lane != model.lane; });
    model.launch = trace_->log.blocks[block].launch;
    model.block = trace_->log.blocks[block].number;
    model.kernel = trace_->launches[model.launch].kernel;
    if (tiles_) read_tiles(model, look);
    else read_passes(model);
    return model;
}

void AttentionReader::read_tiles(AttentionModel& model, const Look& look) {
    model.kind = AttentionModel::Kind::tiles;
    model.shape = tiles_->shape();
    model.head = tiles_->head(), model.row_tile = tiles_->row_tile(), model.first_query = tiles_->first_query();
    model.tiles_read = tiles_->tiles_read();
    model.tiles_seen = seen_tiles(model.shape) * model.shape.heads;
    model.place = tiles_->place_of(model.step);
    model.marks = tiles_->marks();
    for (std::size_t i = 0; i < model.marks.size(); ++i)
        if (model.marks[i].tile == model.place.tile && model.marks[i].phase == model.place.phase) model.mark = i;
    model.rows = cursor_->rows(model.step);
    model.held = tiles_->held(model.step);
    model.shared_bytes = tiles_->shared_bytes();
    const auto& parameters = look.run()->manifest().parameters;
    if (const auto name = parameters.find("architecture"); name != parameters.end()) try {
            const Architecture& chip = architecture(name->second);
            model.capacity = chip.shared_per_sm, model.architecture = chip.name();
        } catch (const ArgumentError&) { // another experiment's word: no capacity is told
        }
    model.so_far = tiles_->traffic(model.step);
    model.counted = counted_traffic(*trace_, static_cast<std::uint32_t>(model.launch));
    model.formula = formula_traffic(model.shape);
    model.three_launches = three_launch_traffic(model.shape);
    model.as_formula = model.counted == model.formula;
    model.focus = std::min(focus_, model.rows.empty() ? 0 : model.rows.size() - 1);
    const auto& chosen = look.state.selection;
    if (chosen.tensor == "O" && chosen.element.size() == 3 && chosen.element[0] == model.head && chosen.element[1] >= model.first_query &&
        chosen.element[1] < model.first_query + static_cast<std::int64_t>(model.rows.size()))
        model.focus = static_cast<std::size_t>(chosen.element[1] - model.first_query), model.chosen = true;
    read_rows(model);
}

std::vector<double> AttentionReader::weights(const AttentionTiles& tiles, AttentionCursor& cursor, const std::vector<AttentionCursor::Row>& rows) {
    const AttentionShape& shape = tiles.shape();
    std::vector<double> out(rows.size() * static_cast<std::size_t>(shape.length), std::numeric_limits<double>::quiet_NaN());
    for (std::size_t row = 0; row < rows.size(); ++row) {
        if (!rows[row].why.empty()) continue;
        const std::int64_t seen = shape.causal ? rows[row].query + 1 : shape.length;
        for (std::int64_t key = 0; key < seen; ++key) out[row * static_cast<std::size_t>(shape.length) + static_cast<std::size_t>(key)] = cursor.weight(rows[row], key);
    }
    return out;
}

/// The block's own row of tiles, and those of the blocks that were recorded beside it.
void AttentionReader::read_rows(AttentionModel& model) {
    const std::int64_t length = model.shape.length;
    model.cells.assign(static_cast<std::size_t>(length * length), std::numeric_limits<double>::quiet_NaN());
    model.row_tiles.resize(static_cast<std::size_t>(model.shape.row_tiles()));
    const auto put = [&](std::int64_t first_query, const std::vector<double>& weights) {
        std::copy(weights.begin(), weights.end(), model.cells.begin() + first_query * length);
    };
    const bool few = trace_->steps() <= most_steps;
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
        const KernelLog::Block& where = trace_->log.blocks[i];
        if (where.launch != model.launch || (i != block_ && (!few || where.number / model.shape.row_tiles() != model.head))) continue;
        Block& block = block_of(i);
        if (!block.tiles) continue;
        AttentionModel::RowOfTiles& row = model.row_tiles[static_cast<std::size_t>(block.tiles->row_tile())];
        row = {.recorded = true, .done = i < block_, .read = block.tiles->tiles_read(), .begins = {}};
        for (const AttentionTiles::Mark& mark : block.tiles->marks())
            if (mark.tile >= 0 && static_cast<std::size_t>(mark.tile) == row.begins.size()) row.begins.push_back(mark.step);
        if (i == block_) put(block.tiles->first_query(), weights(*block.tiles, *cursor_, model.rows));
        if (i >= block_) continue;
        if (block.at_end.empty()) {
            AttentionCursor cursor(block.tiles);
            block.at_end = weights(*block.tiles, cursor, cursor.rows(block.tiles->end_step()));
        }
        put(block.tiles->first_query(), block.at_end);
    }
}

namespace {

/// 1, 2 or 5 times a power of ten, at least the value, at most 1: a weight that is shared among many is small.
double round_up(double value) {
    if (!(value > 0)) return 1;
    const double power = std::pow(10.0, std::floor(std::log10(value)));
    for (const double times : {1.0, 2.0, 5.0})
        if (value <= times * power) return std::min(1.0, times * power);
    return std::min(1.0, 10 * power);
}

/// What all but two in a hundred of the finite ones stay below: where the map of colours ends, since a few large weights would leave the rest
/// in the dark.
double most_are_below(std::vector<double> values) {
    std::erase_if(values, [](double value) { return !std::isfinite(value); });
    if (values.empty()) return 0;
    const auto at = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) * 98 / 100);
    std::nth_element(values.begin(), at, values.end());
    return *at;
}

} // namespace

void AttentionReader::read_passes(AttentionModel& model) {
    const std::size_t q = range_of(*trace_, "Q");
    if (q == trace_->ranges.size() || trace_->ranges[q].sizes.size() != 3) return;
    model.kind = AttentionModel::Kind::passes;
    model.shape.heads = trace_->ranges[q].sizes[0], model.shape.length = trace_->ranges[q].sizes[1], model.shape.head_size = trace_->ranges[q].sizes[2];
    model.shape.causal = causal_;
    for (std::uint32_t launch = 0; launch < trace_->launches.size(); ++launch) model.passes.push_back(counted_traffic(*trace_, launch));
    model.three_launches = three_launch_traffic(model.shape);
    if (!model.touches.empty()) model.head = model.touches.front().head;
    model.matrix = model.launch == 0 ? "S" : "P";
    const std::size_t range = range_of(*trace_, model.matrix);
    if (range == trace_->ranges.size() || !trace_->ranges[range].held) return;
    if (!memory_) memory_.emplace(trace_);
    memory_->go_to(model.step);
    const auto bytes = memory_->memory(range);
    const std::int64_t count = model.shape.length * model.shape.length;
    if (static_cast<std::int64_t>(bytes.size()) < (model.head + 1) * count * 4) return;
    model.cells_signed = model.matrix == "S";
    double largest = 0;
    for (std::int64_t i = 0; i < count; ++i) {
        float value = 0;
        std::memcpy(&value, bytes.data() + (model.head * count + i) * 4, sizeof value);
        model.cells.push_back(value);
        if (std::isfinite(value)) largest = std::max(largest, std::abs(static_cast<double>(value)));
    }
    if (model.cells_signed) model.cell_end = std::max(1.0, std::ceil(largest));
    else {
        model.cell_end = round_up(most_are_below(model.cells));
        model.cells_beyond = largest > model.cell_end;
    }
}

} // namespace gradus

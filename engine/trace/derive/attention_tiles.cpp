#include "engine/trace/derive/attention_tiles.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <tuple>

namespace gradus {

std::optional<std::vector<float>> floats_of(const LocalsCursor::Lane& lane, std::string_view name) {
    for (const LocalsCursor::Value& value : lane.values) {
        if (value.variable->name != name || !value.why.empty() || value.bytes.size() % sizeof(float)) continue;
        std::vector<float> out(value.bytes.size() / sizeof(float));
        std::memcpy(out.data(), value.bytes.data(), value.bytes.size());
        for (std::size_t i = 0; i < out.size(); ++i) // of an array that is being filled
            if (std::all_of(&value.bytes[i * sizeof(float)], &value.bytes[i * sizeof(float)] + sizeof(float), [](std::byte each) { return each == unset_byte; }))
                out[i] = std::numeric_limits<float>::quiet_NaN();
        return out;
    }
    return std::nullopt;
}

std::shared_ptr<const AttentionTiles> AttentionTiles::of(std::shared_ptr<const KernelTrace> trace, std::size_t block) {
    const auto shape = attention_shape(trace, block);
    if (!shape || trace->log.locals.threads.empty()) return nullptr;
    auto out = std::make_shared<AttentionTiles>();
    out->trace_ = std::move(trace);
    out->shape_ = *shape;
    out->block_ = block;
    out->read_block();
    return out;
}

std::int64_t AttentionTiles::queries() const { return std::clamp<std::int64_t>(shape_.length - first_query(), 0, shape_.rows); }

void AttentionTiles::read_block() {
    const KernelLog& log = trace_->log;
    const KernelTrace::Launch& launch = trace_->launches[log.blocks[block_].launch];
    std::tie(first_step_, end_step_) = trace_->steps_of_block(block_);
    head_ = log.blocks[block_].number / launch.grid.x;
    row_tile_ = log.blocks[block_].number % launch.grid.x;
    memory_ = attention_memory(*trace_, block_);
    meetings_.resize(index(shape_.rows, 0));
    probabilities_.assign(static_cast<std::size_t>(shape_.rows * shape_.key_tiles() * shape_.keys), std::numeric_limits<float>::quiet_NaN());
    by_warp_.resize(static_cast<std::size_t>((launch.block.count() + 31) / 32));
    last_step_.assign(by_warp_.size() * 32, Meeting::never);
    LocalsCursor locals(trace_);
    for (std::size_t step = first_step_; step < end_step_; ++step) {
        for (std::uint32_t lanes = log.mask[step]; lanes; lanes &= lanes - 1)
            last_step_[log.warp[step] * 32u + static_cast<std::size_t>(std::countr_zero(lanes))] = step;
        if (by_warp_[log.warp[step]].empty()) come_to(step, -1, TilePhase::queries);
        if (!simt::touches_memory(log.sites[log.site[step]].op)) continue;
        if (const auto touches = attention_touches(*trace_, step); !touches.empty()) read_step(step, touches, locals);
    }
}

void AttentionTiles::come_to(std::size_t step, std::int32_t tile, TilePhase phase) {
    const std::uint8_t warp = trace_->log.warp[step];
    std::vector<Mark>& own = by_warp_[warp];
    if (!own.empty() && own.back().tile == tile && own.back().phase == phase) return;
    const Mark mark{step, warp, tile, phase};
    own.push_back(mark);
    const auto known = [&](const Mark& other) { return other.tile == tile && other.phase == phase; };
    if (std::none_of(marks_.rbegin(), marks_.rend(), known)) marks_.push_back(mark);
}

/// What a touch of one of its tensors or tiles tells of where the warp is.
void AttentionTiles::read_step(std::size_t step, const std::vector<AttentionTouch>& touches, LocalsCursor& locals) {
    const AttentionTouch& first = touches.front();
    const bool global = trace_->ranges[trace_->accesses(step).of[0].range].space == simt::Space::global;
    const std::int32_t now = by_warp_[trace_->log.warp[step]].back().tile;
    if (global) {
        AttentionTraffic sum = moved_.empty() ? AttentionTraffic{} : moved_.back().sum;
        if (std::int64_t* bytes = sum.of(first.name)) *bytes += static_cast<std::int64_t>(touches.size() * sizeof(float));
        moved_.push_back({step, sum});
        if (first.name == "K") {
            const auto tile = static_cast<std::int32_t>(first.row / shape_.keys);
            come_to(step, tile, shape_.tiled() ? TilePhase::load : TilePhase::scores);
            tiles_read_ = std::max<std::int64_t>(tiles_read_, tile + 1);
        }
        if (first.name == "V" && !shape_.tiled()) {
            come_to(step, static_cast<std::int32_t>(first.row), TilePhase::add);
            if (first.column == 0)
                for (const AttentionTouch& touch : touches) {
                    const std::uint32_t rank = trace_->log.warp[step] * 32u + static_cast<std::uint32_t>(touch.lane);
                    meet(step, rank, first.row, rank, locals);
                    locals.go_to(step);
                    if (const auto p = floats_of(locals.lane(rank), "p"); p && p->size() == 1)
                        probabilities_[static_cast<std::size_t>(std::int64_t{rank} * shape_.length + first.row)] = p->front();
                }
        }
        if (first.name == "O" || first.name == "L") come_to(step, -1, TilePhase::write);
        return;
    }
    if (first.name == "k_tile" && !first.write) come_to(step, now, TilePhase::scores);
    if (first.name == "v_tile" && !first.write) come_to(step, now, TilePhase::add);
    if (!first.write) return;
    if (first.name == "p_tile") {
        const std::uint32_t rank = trace_->log.warp[step] * 32u + static_cast<std::uint32_t>(first.lane);
        meet(step, first.row, now, rank, locals);
        for (const AttentionTouch& touch : touches)
            probabilities_[static_cast<std::size_t>(touch.row * shape_.key_tiles() * shape_.keys + now * shape_.keys + touch.column)] = static_cast<float>(touch.value);
    }
    const auto memory = std::find_if(memory_.begin(), memory_.end(), [&](const KernelTrace::Variable& each) { return each.name == first.name; });
    if (memory == memory_.end()) return;
    const auto number = static_cast<std::size_t>(memory - memory_.begin());
    std::int64_t elements = static_cast<std::int64_t>(touches.size());
    for (auto before = written_.rbegin(); before != written_.rend(); ++before)
        if (before->memory == number) {
            if (before->tile == now) elements += before->elements;
            break;
        }
    written_.push_back({step, number, now, elements});
}

void AttentionTiles::meet(std::size_t step, std::int64_t row, std::int64_t tile, std::uint32_t rank, LocalsCursor& locals) {
    if (row >= shape_.rows || tile < 0 || tile >= shape_.key_tiles()) return;
    locals.go_to(step);
    const LocalsCursor::Lane lane = locals.lane(rank);
    const auto max = floats_of(lane, "max"), sum = floats_of(lane, "sum");
    const auto at = static_cast<std::size_t>(shape_.tiled() ? row % shape_.warp_rows : 0);
    if (max && sum && at < max->size() && at < sum->size()) meetings_[index(row, tile)] = {step, (*max)[at], (*sum)[at]};
}

AttentionTiles::Mark AttentionTiles::place_of(std::size_t step) const {
    step = std::clamp(step, first_step_, end_step_ ? end_step_ - 1 : 0);
    const std::vector<Mark>& own = by_warp_[trace_->log.warp[step]];
    const auto after = std::upper_bound(own.begin(), own.end(), step, [](std::size_t at, const Mark& mark) { return at < mark.step; });
    return after == own.begin() ? Mark{step, trace_->log.warp[step]} : *std::prev(after);
}

float AttentionTiles::probability(std::int64_t row, std::int64_t key) const {
    return probabilities_[static_cast<std::size_t>(row * shape_.key_tiles() * shape_.keys + key)];
}

AttentionTraffic AttentionTiles::traffic(std::size_t step) const {
    const auto after = std::lower_bound(moved_.begin(), moved_.end(), step, [](const Moved& moved, std::size_t at) { return moved.step < at; });
    return after == moved_.begin() ? AttentionTraffic{} : std::prev(after)->sum;
}

std::vector<AttentionTiles::Held> AttentionTiles::held(std::size_t step) const {
    std::vector<Held> out;
    for (const KernelTrace::Variable& variable : memory_) out.push_back({variable.name, static_cast<std::int64_t>(variable.bytes), -1, 0});
    for (const Written& written : written_) {
        if (written.step >= step) break;
        Held& held = out[written.memory];
        const std::int64_t all = held.name == "k_tile" || held.name == "v_tile" ? shape_.keys * shape_.head_size
                                 : held.name == "p_tile"                        ? shape_.rows * shape_.keys
                                                                                : shape_.rows * shape_.head_size;
        held.tile = written.tile;
        held.filled = static_cast<double>(written.elements) / static_cast<double>(all);
    }
    return out;
}

std::int64_t AttentionTiles::shared_bytes() const {
    std::int64_t bytes = 0;
    for (const KernelTrace::Variable& variable : memory_) bytes += static_cast<std::int64_t>(variable.bytes);
    return bytes;
}

AttentionCursor::AttentionCursor(std::shared_ptr<const AttentionTiles> tiles) : tiles_(std::move(tiles)), locals_(tiles_->trace()) {}

/// A lane that has come to its end keeps what it had at its last step.
std::optional<std::vector<float>> AttentionCursor::floats(std::uint32_t rank, std::size_t step, std::string_view name, std::string* why) {
    if (rank >= tiles_->last_step_.size() || tiles_->last_step_[rank] == AttentionTiles::Meeting::never) return std::nullopt;
    locals_.go_to(std::clamp(step, tiles_->first_step_, tiles_->last_step_[rank]));
    const LocalsCursor::Lane lane = locals_.lane(rank);
    auto out = floats_of(lane, name);
    if (!out && why) *why = lane.why.empty() ? "not yet set" : lane.why;
    return out;
}

std::vector<AttentionCursor::Row> AttentionCursor::rows(std::size_t step) {
    const AttentionShape& shape = tiles_->shape();
    const std::int64_t D = shape.head_size, parts = D / 32;
    const std::uint8_t warp = tiles_->trace()->log.warp[std::clamp(step, tiles_->first_step_, tiles_->end_step_ - 1)];
    std::vector<Row> out(static_cast<std::size_t>(tiles_->queries()));
    std::vector<std::optional<std::vector<float>>> outputs; // of the warp's lanes
    std::optional<std::vector<float>> max, sum;
    std::string why;
    for (std::size_t i = 0; i < out.size(); ++i) {
        Row& row = out[i];
        const auto number = static_cast<std::int64_t>(i);
        const std::int64_t own = number / shape.warp_rows; // its warp
        row.query = tiles_->first_query() + number;
        row.here = own == warp;
        if (!shape.tiled() || number % shape.warp_rows == 0) {
            const auto rank = static_cast<std::uint32_t>(shape.tiled() ? own * 32 : number);
            why.clear();
            max = floats(rank, step, "max", &why), sum = floats(rank, step, "sum", &why);
            outputs.clear();
            for (std::uint32_t lane = 0; lane < (shape.tiled() ? 32u : 1u); ++lane) outputs.push_back(floats(rank + lane, step, "o", &why));
        }
        const auto at = static_cast<std::size_t>(shape.tiled() ? number % shape.warp_rows : 0);
        if (!max || !sum || max->size() <= at || sum->size() <= at) {
            row.why = why;
            continue;
        }
        row.max = (*max)[at], row.sum = (*sum)[at];
        if (std::isnan(row.max) || std::isnan(row.sum)) {
            row.why = "not yet set";
            continue;
        }
        for (std::int64_t d = 0; d < D; ++d) {
            const auto& lane = outputs[static_cast<std::size_t>(shape.tiled() ? d % 32 : 0)];
            const auto place = static_cast<std::size_t>(shape.tiled() ? number % shape.warp_rows * parts + d / 32 : d);
            row.output.push_back(lane && place < lane->size() ? (*lane)[place] : std::numeric_limits<float>::quiet_NaN());
        }
        row.old_max = -std::numeric_limits<float>::infinity();
        for (std::int64_t tile = 0; tile < shape.key_tiles(); ++tile) {
            const AttentionTiles::Meeting& met = tiles_->meeting(number, tile);
            if (met.step > step) break;
            if (row.tile >= 0) row.old_max = tiles_->meeting(number, tile - 1).max, row.old_sum = tiles_->meeting(number, tile - 1).sum;
            row.tile = static_cast<std::int32_t>(tile);
        }
        if (row.tile >= 0) row.factor = std::exp(static_cast<double>(row.old_max) - static_cast<double>(row.max));
    }
    return out;
}

double AttentionCursor::weight(const Row& row, std::int64_t key) const {
    const std::int64_t number = row.query - tiles_->first_query(), tile = key / tiles_->shape().keys;
    if (tile > row.tile) return std::numeric_limits<double>::quiet_NaN();
    const float then = tiles_->meeting(number, tile).max;
    return static_cast<double>(tiles_->probability(number, key)) * std::exp(static_cast<double>(then) - static_cast<double>(row.max));
}

std::optional<float> AttentionCursor::score(std::int64_t row, std::int64_t key) {
    const AttentionShape& shape = tiles_->shape();
    if (row < 0 || row >= tiles_->queries() || key < 0 || key >= shape.key_tiles() * shape.keys) return std::nullopt;
    const AttentionTiles::Meeting& met = tiles_->meeting(row, key / shape.keys);
    if (met.step == AttentionTiles::Meeting::never) return std::nullopt;
    const std::int64_t rank = shape.tiled() ? row / shape.warp_rows * 32 + key % shape.keys : row;
    const auto found = floats(static_cast<std::uint32_t>(rank), met.step, "s");
    const auto at = static_cast<std::size_t>(shape.tiled() ? row % shape.warp_rows : 0);
    if (!found || at >= found->size()) return std::nullopt;
    return (*found)[at];
}

} // namespace gradus

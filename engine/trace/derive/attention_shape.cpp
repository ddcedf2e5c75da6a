#include "engine/trace/derive/attention_shape.hpp"

#include "engine/trace/kernel/locals_cursor.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace gradus {

namespace {

constexpr std::int64_t element = sizeof(float); // bytes

const KernelTrace::Range* find_buffer(const KernelTrace& trace, const std::string& name) {
    for (const KernelTrace::Range& range : trace.ranges)
        if (range.space == simt::Space::global && range.name == name) return &range;
    return nullptr;
}

/// Keys that a row of tiles reads whose first query has that number.
std::int64_t keys_read(const AttentionShape& shape, std::int64_t first_query) {
    const std::int64_t seen = shape.causal ? std::min(first_query + shape.served, shape.length) : shape.length;
    return std::min((seen + shape.keys - 1) / shape.keys * shape.keys, shape.length);
}

} // namespace

std::optional<bool> attention_is_causal(const std::shared_ptr<const KernelTrace>& trace, std::size_t block) {
    const auto [begin, end] = trace->steps_of_block(block);
    for (std::size_t step = begin; step < end; ++step) {
        if (!trace->is_shown(step)) continue;
        LocalsCursor locals(trace);
        locals.go_to(step);
        const auto rank = static_cast<std::uint32_t>(trace->log.warp[step] * 32 + std::countr_zero(trace->log.mask[step]));
        for (const LocalsCursor::Value& value : locals.lane(rank).values)
            if (value.variable->name == "causal" && value.why.empty() && value.bytes.size() == sizeof(std::int32_t)) {
                std::int32_t causal = 0;
                std::memcpy(&causal, value.bytes.data(), sizeof causal);
                return causal != 0;
            }
        return std::nullopt;
    }
    return std::nullopt;
}

std::optional<AttentionShape> attention_shape(const std::shared_ptr<const KernelTrace>& trace, std::size_t block) {
    if (!trace || trace->ladder != "attention" || block >= trace->log.blocks.size()) return std::nullopt;
    const KernelTrace::Launch& launch = trace->launches[trace->log.blocks[block].launch];
    const bool flash = launch.kernel.starts_with("attention_flash"), online = launch.kernel.starts_with("attention_online");
    const KernelTrace::Range* q = find_buffer(*trace, "Q");
    if ((!flash && !online) || !q || q->sizes.size() != 3 || q->bytes == 0) return std::nullopt;
    AttentionShape shape{.heads = q->sizes[0], .length = q->sizes[1], .head_size = q->sizes[2]};
    if (online) {
        shape.rows = launch.block.x, shape.warp_rows = std::min(launch.block.x, 32);
        shape.keys = shape.served = 1;
    } else {
        std::uint64_t q_tile = 0, v_tile = 0; // bytes
        for (const KernelTrace::Variable& variable : attention_memory(*trace, block)) {
            if (variable.name == "q_tile") q_tile = variable.bytes;
            if (variable.name == "v_tile") v_tile = variable.bytes;
        }
        shape.rows = shape.served = static_cast<std::int64_t>(q_tile) / (element * shape.head_size);
        shape.keys = static_cast<std::int64_t>(v_tile) / (element * shape.head_size);
        shape.warp_rows = shape.rows / std::max(1, launch.block.y);
    }
    if (shape.rows < 1 || shape.keys < 1 || shape.warp_rows < 1) return std::nullopt;
    const auto causal = attention_is_causal(trace, block);
    if (!causal) return std::nullopt;
    shape.causal = *causal;
    return shape;
}

std::vector<KernelTrace::Variable> attention_memory(const KernelTrace& trace, std::size_t block) {
    std::vector<KernelTrace::Variable> out;
    const auto [begin, end] = trace.steps_of_block(block);
    for (std::size_t step = begin; step < end; ++step) {
        const KernelLog::Site& site = trace.log.sites[trace.log.site[step]];
        if (!simt::touches_memory(site.op)) continue;
        const KernelTrace::Accesses accesses = trace.accesses(step);
        if (!accesses.count || trace.ranges[accesses.of[0].range].space != simt::Space::shared) continue;
        const KernelTrace::Variable* variable = trace.variable_at(accesses.of[0].offset);
        const auto same = [&](const KernelTrace::Variable& known) { return known.offset == variable->offset; };
        if (variable && std::none_of(out.begin(), out.end(), same)) out.push_back(*variable);
    }
    return out;
}

std::int64_t* AttentionTraffic::of(const std::string& buffer) {
    if (buffer == "Q") return &q;
    if (buffer == "K") return &k;
    if (buffer == "V") return &v;
    if (buffer == "S") return &s;
    if (buffer == "P") return &p;
    if (buffer == "O") return &o;
    return buffer == "L" ? &l : nullptr;
}

AttentionTraffic formula_traffic(const AttentionShape& shape) {
    AttentionTraffic out;
    const std::int64_t matrix = shape.heads * shape.length * shape.head_size * element;
    out.q = out.o = matrix;
    out.l = shape.heads * shape.length * element;
    std::int64_t keys = 0;
    for (std::int64_t first = 0; first < shape.length; first += shape.served) keys += keys_read(shape, first);
    out.k = out.v = shape.heads * keys * shape.head_size * element;
    return out;
}

AttentionTraffic three_launch_traffic(const AttentionShape& shape) {
    const std::int64_t N = shape.length, scores = shape.causal ? N * (N + 1) / 2 : N * N;
    AttentionTraffic out;
    out.q = out.k = out.v = out.o = shape.heads * N * shape.head_size * element;
    out.s = out.p = 2 * shape.heads * scores * element;
    out.l = shape.heads * N * element;
    return out;
}

AttentionTraffic counted_traffic(const KernelTrace& trace, std::uint32_t launch) {
    AttentionTraffic out;
    for (const KernelTrace::Line& line : trace.lines)
        if (line.launch == launch && line.space == simt::Space::global && simt::touches_memory(line.op))
            if (std::int64_t* bytes = out.of(line.buffer)) *bytes += line.lanes * line.bytes;
    return out;
}

std::int64_t seen_tiles(const AttentionShape& shape) {
    std::int64_t tiles = 0;
    for (std::int64_t first = 0; first < shape.length; first += shape.rows) {
        const std::int64_t seen = shape.causal ? std::min(first + shape.rows, shape.length) : shape.length;
        tiles += (seen + shape.keys - 1) / shape.keys;
    }
    return tiles;
}

std::vector<AttentionTouch> attention_touches(const KernelTrace& trace, std::size_t step) {
    std::vector<AttentionTouch> out;
    const KernelTrace::Accesses accesses = trace.accesses(step);
    const KernelTrace::Launch& launch = trace.launches[trace.log.blocks[trace.block_of(step)].launch];
    const KernelTrace::Range* q = find_buffer(trace, "Q");
    const std::int64_t D = q && q->sizes.size() == 3 ? q->sizes[2] : 0;
    for (const KernelTrace::Access& access : accesses.all()) {
        const KernelTrace::Range& range = trace.ranges[access.range];
        const std::span<const std::byte> bytes = access.after.empty() ? access.before : access.after;
        if (bytes.size() != element || range.space > simt::Space::shared) continue;
        AttentionTouch touch{.name = trace.name_at(access.range, access.offset), .lane = access.lane, .write = !access.after.empty()};
        std::int64_t at = static_cast<std::int64_t>(access.offset) / element;
        if (range.space == simt::Space::global) {
            if (range.sizes.size() < 2 || range.bytes == 0) continue;
            if (range.sizes.size() > 2) touch.column = at % range.sizes.back(), at /= range.sizes.back();
            const std::int64_t rows = range.sizes[1];
            touch.row = at % rows, touch.head = at / rows;
        } else {
            const KernelTrace::Variable* variable = trace.variable_at(access.offset);
            if (!variable) continue;
            at = static_cast<std::int64_t>(access.offset - variable->offset) / element;
            // k_tile's rows are one longer than what they hold, against bank conflicts.
            const bool keys = touch.name == "k_tile", square = launch.kernel.starts_with("attention_tiled");
            const std::int64_t side = square || touch.name == "p_tile" ? launch.block.x : D, pitch = side + (keys ? 1 : 0);
            if (pitch < 1) continue;
            touch.row = at / pitch, touch.column = at % pitch;
        }
        float value = 0;
        std::memcpy(&value, bytes.data(), sizeof value);
        touch.value = value;
        out.push_back(std::move(touch));
    }
    return out;
}

} // namespace gradus

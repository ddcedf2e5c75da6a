#include "engine/backend/cpu/kernel_parts.hpp"
#include "engine/core/portable_math.hpp"

#include <cmath>
#include <memory>
#include <new>

namespace gradus::cpu {

namespace {

// --- rope ----------------------------------------------------------------------------------------------------

/// The sine and the cosine of m·θ_i, for every position m and pair i; the angle and its functions in double precision.
/// Null where there is no memory.
std::unique_ptr<double[]> turns(const GradusCall* call, std::int64_t rows, std::int64_t pairs) {
    const double base = call->attributes[0] == 0 ? 10'000 : call->attributes[0];
    const auto* position = static_cast<const std::int32_t*>(call->inputs[1].data);
    std::unique_ptr<double[]> out(new (std::nothrow) double[static_cast<std::size_t>(2 * rows * pairs)]);
    for (std::int64_t i = 0; out && i < pairs; ++i) {
        const double theta = portable::exp(-static_cast<double>(i) / static_cast<double>(pairs) * portable::log(base));
        for (std::int64_t row = 0; row < rows; ++row) {
            double* at = out.get() + 2 * (row * pairs + i);
            portable::sin_cos(static_cast<double>(position[row]) * theta, at[0], at[1]);
        }
    }
    return out;
}

template <class T, bool Backward> GradusStatus run_rope(const GradusCall* call) {
    const GradusArray& y = call->outputs[0];
    const std::int64_t rows = y.sizes[2], pairs = y.sizes[3] / 2;
    const bool halves = call->attributes[1] != 0;
    const std::int64_t step = halves ? 1 : 2, partner = halves ? pairs : 1;
    const std::unique_ptr<double[]> table = turns(call, rows, pairs);
    if (!table) return GRADUS_FAILED;
    over_pieces(call, y.sizes[0] * y.sizes[1] * rows, 2 * pairs, [&](std::int64_t from, std::int64_t until) {
        for (std::int64_t row = from; row < until; ++row) {
            const double* turn = table.get() + row % rows * 2 * pairs;
            const T* x = in<T>(call, 0) + row * 2 * pairs;
            T* out_row = out<T>(call, 0) + row * 2 * pairs;
            for (std::int64_t i = 0; i < pairs; ++i) {
                const double sine = Backward ? -turn[2 * i] : turn[2 * i], cosine = turn[2 * i + 1];
                const auto a = static_cast<double>(x[i * step]), b = static_cast<double>(x[i * step + partner]);
                out_row[i * step] = static_cast<T>(a * cosine - b * sine);
                out_row[i * step + partner] = static_cast<T>(a * sine + b * cosine);
            }
        }
    });
    return GRADUS_OK;
}

// --- scale and mask ------------------------------------------------------------------------------------------

template <class T> GradusStatus run_scale(const GradusCall* call) {
    const T factor = static_cast<T>(call->attributes[0]);
    over_pieces(call, elements(call->outputs[0]), 1, [&](std::int64_t from, std::int64_t until) {
        for (std::int64_t i = from; i < until; ++i) out<T>(call, 0)[i] = factor * in<T>(call, 0)[i];
    });
    return GRADUS_OK;
}

template <class T, bool Backward> GradusStatus run_causal_mask(const GradusCall* call) {
    const GradusArray& y = call->outputs[0];
    const std::int64_t rows = y.sizes[y.rank - 2], columns = y.sizes[y.rank - 1];
    if (elements(y) == 0) return GRADUS_OK;
    const T masked = Backward ? T(0) : static_cast<T>(-INFINITY);
    over_pieces(call, elements(y) / columns, columns, [&](std::int64_t from, std::int64_t until) {
        for (std::int64_t row = from; row < until; ++row) {
            const T* x = in<T>(call, 0) + row * columns;
            T* to = out<T>(call, 0) + row * columns;
            const std::int64_t seen = std::min(columns, row % rows + 1);
            std::copy_n(x, seen, to);
            std::fill_n(to + seen, columns - seen, masked);
        }
    });
    return GRADUS_OK;
}

// --- flash attention -----------------------------------------------------------------------------------------

/// The shapes of one call: batches, heads, key heads, queries, keys, head size.
struct Heads {
    std::int64_t batches, heads, key_heads, queries, keys, size;
    explicit Heads(const GradusCall* call)
        : batches(call->inputs[0].sizes[0]), heads(call->inputs[0].sizes[1]), key_heads(call->inputs[1].sizes[1]),
          queries(call->inputs[0].sizes[2]), keys(call->inputs[1].sizes[2]), size(call->inputs[0].sizes[3]) {}
    std::int64_t group() const { return heads / key_heads; }
    /// Rows of queries, in elements of q, before head `head` of all batches, and rows of keys before its key head.
    std::int64_t query_offset(std::int64_t head) const { return head * queries * size; }
    std::int64_t key_offset(std::int64_t head) const { return (head / heads * key_heads + head % heads / group()) * keys * size; }
};

template <class T> AttentionTile<T> tile_of(const GradusCall* call, const Heads& h) {
    AttentionTile<T> tile;
    tile.queries = h.queries, tile.keys = h.keys, tile.size = h.size;
    const auto rows_of = [&](int attribute, std::int64_t most) {
        const auto wanted = static_cast<std::int64_t>(call->attributes[attribute]);
        return std::clamp<std::int64_t>(most, 1, wanted > 0 ? wanted : 64);
    };
    tile.tile_rows = rows_of(2, h.queries);
    tile.tile_columns = rows_of(3, h.keys);
    tile.causal = call->attributes[0] != 0;
    tile.scale = static_cast<T>(call->attributes[1] != 0 ? call->attributes[1] : 1 / std::sqrt(static_cast<double>(h.size)));
    return tile;
}

/// Makes `count` tiles, each by make(tile, index), where `tile` has scratch of its own for as many as run at once.
template <class T, class Make>
GradusStatus over_tiles(const GradusCall* call, AttentionTile<T> tile, std::int64_t count, Make&& make) {
    const std::int64_t work = tile.tile_rows * tile.tile_columns * tile.size * count; // of one tile of the other side, at least
    WorkerPool& pool = call->context->pool;
    const std::int64_t lanes = work < 100'000 ? 1 : std::min<std::int64_t>(count, pool.threads());
    const std::int64_t square = tile.tile_rows * tile.tile_columns, each = 2 * square + tile.tile_rows;
    const std::unique_ptr<T[]> numbers(new (std::nothrow) T[static_cast<std::size_t>(lanes * each)]);
    const std::unique_ptr<double[]> sums(new (std::nothrow) double[static_cast<std::size_t>(lanes * tile.tile_rows)]);
    if (!numbers || !sums) return GRADUS_FAILED;
    auto run = [&](int lane) {
        AttentionTile<T> mine = tile;
        mine.scores = numbers.get() + lane * each;
        mine.d_scores = mine.scores + square;
        mine.row = mine.d_scores + square;
        mine.sums = sums.get() + lane * tile.tile_rows;
        for (std::int64_t i = lane; i < count; i += lanes) make(mine, i);
    };
    if (lanes == 1) run(0);
    else if (lanes > 1) pool.parallel_for(static_cast<int>(lanes), run);
    return GRADUS_OK;
}

/// Tiles of queries: those of a head one after the other, and the heads of all batches.
template <class T, class Make>
GradusStatus over_query_tiles(const GradusCall* call, const Heads& h, const AttentionTile<T>& whole, Make&& make) {
    const std::int64_t tiles = (h.queries + whole.tile_rows - 1) / whole.tile_rows;
    return over_tiles(call, whole, h.batches * h.heads * tiles, [&](AttentionTile<T>& tile, std::int64_t i) {
        const std::int64_t head = i / tiles;
        tile.from = i % tiles * tile.tile_rows;
        tile.until = std::min(h.queries, tile.from + tile.tile_rows);
        tile.q = in<T>(call, 0) + h.query_offset(head);
        tile.k = in<T>(call, 1) + h.key_offset(head);
        tile.v = in<T>(call, 2) + h.key_offset(head);
        make(tile, head);
    });
}

template <class T> GradusStatus run_flash_attention(const GradusCall* call) {
    const Heads h(call);
    return over_query_tiles(call, h, tile_of<T>(call, h), [&](AttentionTile<T>& tile, std::int64_t head) {
        tile.out = out<T>(call, 0) + h.query_offset(head);
        tile.out2 = out<T>(call, 1) + head * h.queries;
        path_of<T>(call).attention.forward(tile);
    });
}

/// What the gradient reads besides q, k and v, of one head.
template <class T> void read_head(const GradusCall* call, const Heads& h, std::int64_t head, AttentionTile<T>& tile) {
    tile.o = in<T>(call, 3) + h.query_offset(head);
    tile.lse = in<T>(call, 4) + head * h.queries;
    tile.d_out = in<T>(call, 5) + h.query_offset(head);
    tile.d_lse = call->input_count > 6 ? in<T>(call, 6) + head * h.queries : nullptr;
}

/// Calls make(tile, head) for the heads that share key head `key_head` of all batches: dk and dv sum over them.
template <class T, class Make>
void over_group(const GradusCall* call, const Heads& h, AttentionTile<T>& tile, std::int64_t key_head, Make&& make) {
    const std::int64_t first = key_head / h.key_heads * h.heads + key_head % h.key_heads * h.group();
    for (std::int64_t head = first; head < first + h.group(); ++head) {
        tile.q = in<T>(call, 0) + h.query_offset(head);
        tile.k = in<T>(call, 1) + h.key_offset(head);
        tile.v = in<T>(call, 2) + h.key_offset(head);
        read_head(call, h, head, tile);
        tile.d_query = out<T>(call, 0) + h.query_offset(head);
        tile.out = out<T>(call, 1) + h.key_offset(head);
        tile.out2 = out<T>(call, 2) + h.key_offset(head);
        tile.onto = head > first;
        make(tile);
    }
}

// Where there are heads enough for the threads, each makes all of its gradients; else its tiles are shared out, dq's first, and the
// weights are made twice. No bit depends on which.
template <class T> GradusStatus run_flash_attention_backward(const GradusCall* call) {
    const Heads h(call);
    const AttentionTile<T> whole = tile_of<T>(call, h);
    const auto& loops = path_of<T>(call).attention;
    const std::int64_t key_heads = h.batches * h.key_heads;
    if (h.keys > 0 && key_heads >= call->context->pool.threads())
        return over_tiles(call, whole, key_heads, [&](AttentionTile<T>& tile, std::int64_t key_head) {
            over_group(call, h, tile, key_head, loops.gradients);
        });
    const GradusStatus queries = over_query_tiles(call, h, whole, [&](AttentionTile<T>& tile, std::int64_t head) {
        read_head(call, h, head, tile);
        tile.out = out<T>(call, 0) + h.query_offset(head);
        loops.query_gradient(tile);
    });
    if (queries != GRADUS_OK) return queries;
    const std::int64_t tiles = (h.keys + whole.tile_columns - 1) / whole.tile_columns;
    return over_tiles(call, whole, key_heads * tiles, [&](AttentionTile<T>& tile, std::int64_t i) {
        tile.from = i % tiles * tile.tile_columns;
        tile.until = std::min(h.keys, tile.from + tile.tile_columns);
        over_group(call, h, tile, i / tiles, loops.key_gradient);
    });
}

template <class T> constexpr std::array<Kernel, 7> typed() {
    constexpr DType t = dtype_of<T>;
    return {{
        {"rope", t, run_rope<T, false>},
        {"rope_backward", t, run_rope<T, true>},
        {"scale", t, run_scale<T>},
        {"causal_mask", t, run_causal_mask<T, false>},
        {"causal_mask_backward", t, run_causal_mask<T, true>},
        {"flash_attention", t, run_flash_attention<T>},
        {"flash_attention_backward", t, run_flash_attention_backward<T>},
    }};
}

} // namespace

std::span<const Kernel> attention_kernels() {
    static constexpr auto kernels = both(typed<float>(), typed<double>());
    return kernels;
}

} // namespace gradus::cpu

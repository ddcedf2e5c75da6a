#include "lessons/experiments/run_kernel/attention_answers.hpp"

#include "engine/core/error.hpp"
#include "engine/core/text.hpp"
#include "engine/trace/derive/attention_tiles.hpp"
#include "engine/trace/derive/online_softmax.hpp"
#include "lessons/experiments/run_kernel/process.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>

namespace gradus::kernels {

namespace {

/// With the block recorded that the parameters choose: what the Run has, if it is of these parameters, else of a run of its own.
std::shared_ptr<const KernelTrace> recorded(const Asked& asked) {
    if (asked.run && asked.run->manifest().parameters == asked.setup.parameters && asked.run->manifest().seed == asked.setup.seed)
        if (const auto tensors = asked.run->tensors_of(0); tensors && tensors->kernels && tensors->kernels->steps() > 0 && tensors->kernels->warps == ~0u) return tensors->kernels;
    Setup setup = asked.setup;
    if (setup.parameters["record"] != "block_alone") setup.parameters["record"] = "block";
    return KernelProcess(setup).run(0).trace;
}

std::shared_ptr<const AttentionTiles> tiles_of(const Asked& asked) {
    auto tiles = AttentionTiles::of(recorded(asked), 0);
    if (!tiles) throw ArgumentError(fmt::format("{}: needs a rung of the ladder attention that goes over the scores by tiles: 3_online or 4_flash", asked.question));
    return tiles;
}

/// A run that recorded one block alone has counted none of the others.
std::shared_ptr<const AttentionTiles> whole_launch(const Asked& asked) {
    Asked all{asked.experiment, asked.question, asked.arguments, asked.setup, asked.run};
    if (all.setup.parameters["record"] == "block_alone") all.setup.parameters["record"] = "block", all.run = nullptr;
    return tiles_of(all);
}

struct Tiles {
    double read = 0, all = 0;
};

/// Every tile that is read is stored to k_tile once, whole; in 3_online a tile is a key of a query.
Tiles counted_tiles(const Asked& asked) {
    const auto tiles = whole_launch(asked);
    const AttentionShape& shape = tiles->shape();
    std::int64_t stored = 0, read = 0;
    for (const KernelTrace::Line& line : tiles->trace()->lines) {
        if (line.buffer == "k_tile" && line.op == simt::Op::write) stored += line.lanes;
        if (line.buffer == "K" && line.op == simt::Op::read) read += line.lanes;
    }
    const std::int64_t queries = shape.tiled() ? shape.row_tiles() : shape.length;
    return {static_cast<double>(shape.tiled() ? stored : read) / static_cast<double>(shape.keys * shape.head_size), static_cast<double>(shape.heads * queries * shape.key_tiles())};
}

Answer executed_tiles(const Asked& asked) { return counted(counted_tiles(asked).read, "tiles"); }
Answer skipped_share(const Asked& asked) {
    const Tiles tiles = counted_tiles(asked);
    return counted(100 * (1 - tiles.read / tiles.all), "%");
}

Answer tile_bytes(const Asked& asked) {
    const auto tiles = whole_launch(asked);
    AttentionTraffic bytes = counted_traffic(*tiles->trace(), 0);
    const std::string tensor = asked.argument("tensor", "all");
    if (tensor == "all") return counted(static_cast<double>(bytes.total()), "bytes");
    const std::int64_t* one = bytes.of(tensor);
    if (!one) throw ArgumentError(fmt::format("{}: tensor must be all, Q, K, V, S, P, O or L, not '{}'", asked.question, shortened(tensor)));
    return counted(static_cast<double>(*one), "bytes");
}

/// With fewer and fewer bytes beside N² as N grows: 4 N² elements against 2 N² d / Br.
Answer traffic_ratio(const Asked& asked) {
    const std::int64_t queries = asked.integer("queries", "32"), head_size = asked.integer("head_size", "32");
    if (queries < 1 || head_size < 1) throw ArgumentError(fmt::format("{}: queries and head_size must be at least 1", asked.question));
    return {2.0 * static_cast<double>(queries) / static_cast<double>(head_size), "", Provenance::modelled};
}

Answer score_bytes(const Asked& asked) {
    const std::int64_t queries = asked.integer("queries", "32"), keys = asked.integer("keys", "32");
    if (queries < 1 || keys < 1 || queries > 1'000'000 || keys > 1'000'000) throw ArgumentError(fmt::format("{}: queries and keys must be 1 to 1000000", asked.question));
    return {static_cast<double>(queries * keys * 4) / 1024, "KiB", Provenance::modelled};
}

std::int64_t row_of(const Asked& asked, const AttentionTiles& tiles) {
    const std::int64_t query = asked.integer("query", "0"), row = query - tiles.first_query();
    if (row < 0 || row >= tiles.queries())
        throw ArgumentError(fmt::format("{}: query must be {} to {}, of the block that is recorded, not {}", asked.question, tiles.first_query(), tiles.first_query() + tiles.queries() - 1, query));
    return row;
}

double factor_of(const Asked& asked) {
    const auto tiles = tiles_of(asked);
    const std::int64_t row = row_of(asked, *tiles), tile = asked.integer("tile", "1");
    if (tile < 1 || tile >= tiles->shape().key_tiles() || tiles->meeting(row, tile).step == AttentionTiles::Meeting::never)
        throw ArgumentError(fmt::format("{}: tile must be 1 to {}, one that the query meets, not {}", asked.question, tiles->tiles_read() - 1, tile));
    return std::exp(static_cast<double>(tiles->meeting(row, tile - 1).max) - static_cast<double>(tiles->meeting(row, tile).max));
}

Answer rescaling_factor(const Asked& asked) { return computed(factor_of(asked)); }
Answer rescaling(const Asked& asked) {
    const double factor = factor_of(asked);
    return computed_word(factor == 1 ? "kept" : factor > 1e-6 ? "shrunk" : "thrown_away");
}

/// The tiles of a query by their largest score, and whether the output is right without the factor.
Answer right_without_factor(const Asked& asked) {
    const auto tiles = tiles_of(asked);
    const std::int64_t row = row_of(asked, *tiles), D = tiles->shape().head_size, keys = tiles->shape().keys;
    AttentionCursor cursor(tiles);
    std::vector<double> scores, values;
    const auto& ranges = tiles->trace()->ranges;
    const auto v = std::find_if(ranges.begin(), ranges.end(), [](const KernelTrace::Range& range) { return range.name == "V" && range.held; });
    if (v == ranges.end()) throw UnavailableError(fmt::format("{}: what stood in V was not recorded", asked.question));
    for (std::int64_t key = 0; key < tiles->shape().length; ++key) {
        const auto score = cursor.score(row, key);
        if (!score || !std::isfinite(*score)) break;
        scores.push_back(*score);
        for (std::int64_t d = 0; d < D; ++d) {
            float value = 0;
            std::memcpy(&value, v->start.data() + ((tiles->head() * tiles->shape().length + key) * D + d) * 4, sizeof value);
            values.push_back(value);
        }
    }
    std::vector<std::int64_t> rising;
    for (std::int64_t tile = 0; tile * keys < static_cast<std::int64_t>(scores.size()); ++tile) rising.push_back(tile);
    if (rising.size() < 2) throw ArgumentError(fmt::format("{}: the query meets one tile only", asked.question));
    const auto largest = [&](std::int64_t tile) {
        const auto first = scores.begin() + tile * keys;
        return *std::max_element(first, scores.begin() + std::min<std::ptrdiff_t>((tile + 1) * keys, static_cast<std::ptrdiff_t>(scores.size())));
    };
    std::sort(rising.begin(), rising.end(), [&](std::int64_t a, std::int64_t b) { return largest(a) < largest(b); });
    const std::vector<std::int64_t> falling(rising.rbegin(), rising.rend());
    const auto right = [&](const std::vector<std::int64_t>& order) {
        const std::vector<double> with = online_softmax(scores, values, keys, order), without = online_softmax(scores, values, keys, order, false);
        double off = 0, size = 0;
        for (std::size_t d = 0; d < with.size(); ++d) off = std::max(off, std::abs(with[d] - without[d])), size = std::max(size, std::abs(with[d]));
        return off <= 1e-9 * size;
    };
    const bool rises = right(rising), falls = right(falling);
    return computed_word(rises && falls ? "any" : falls ? "falls" : rises ? "rises" : "none");
}

} // namespace

const std::vector<AnswerEntry>& attention_answers() {
    static const std::vector<AnswerEntry> list{
        {{"executed_tiles", "of attention by tiles: the tiles that the launch reads", false, true}, executed_tiles},
        {{"skipped_share", "the tiles that it does not read, in % of all", false, true}, skipped_share},
        {{"tile_bytes", "bytes of global memory that it asks for, of `tensor` or of all", false, true}, tile_bytes},
        {{"traffic_ratio", "bytes of three launches over those by tiles of so many `queries` and `head_size`, for long sequences", false, true}, traffic_ratio},
        {{"score_bytes", "KiB of the fp32 scores of a tile of `queries` and `keys`", false, true}, score_bytes},
        {{"rescaling_factor", "what `query` multiplies sum and output by when it meets `tile`", false, true}, rescaling_factor},
        {{"rescaling", "`kept`, `shrunk` or `thrown_away`: what was added up before `query` meets `tile`", false, true}, rescaling},
        {{"right_without_factor", "in which order of its tiles' maxima `query` gets its output without the factor: `rises`, `falls`, `any` or `none`", false, true}, right_without_factor},
    };
    return list;
}

} // namespace gradus::kernels

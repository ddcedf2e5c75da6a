// What is read off a record of attention by tiles, beside attention computed in double precision from the same matrices.

#include "engine/simt/kernel_run.hpp"
#include "engine/trace/derive/attention_tiles.hpp"
#include "tests/support/check.hpp"

#include <algorithm>
#include <cmath>
#include <map>

using namespace gradus;
using namespace gradus::simt;
using namespace gradus::test;

namespace {

struct Case {
    const char* rung;
    std::int64_t BH, T, D, causal;
    Dim3 block;
    std::int64_t recorded; ///< block
    std::string name() const { return fmt::format("{} BH {} T {} D {} causal {} block {}x{}, of block {}", rung, BH, T, D, causal, block.x, block.y, recorded); }
};

KernelRun run(const Case& row, const Recording& recording) {
    KernelRequest request;
    std::tie(request.ladder, request.rung) = find_rung(row.rung);
    request.sizes = {{"BH", row.BH}, {"T", row.T}, {"D", row.D}, {"causal", row.causal}};
    request.block = row.block;
    request.recording = recording;
    KernelRun out = run_kernel(request);
    REQUIRE(out.end.done && out.trace, out.end.why);
    return out;
}

KernelRun recorded(const Case& row, bool alone = false) {
    Recording recording{.wanted = true};
    recording.launch = 0, recording.block = row.recorded, recording.alone = alone;
    return run(row, recording);
}

/// Over the first `keys` keys of a query, in double precision; with what fp32 may be off by.
struct Reference {
    double max = -INFINITY, sum = 0;
    std::vector<double> output, magnitude; ///< Σ p v and Σ p |v|
    double score_error = 0;                ///< of any score, absolute
    double spread = 0;                     ///< between scores
};

constexpr double u = 0x1p-24; // half a unit in the last place, relative

struct Heads {
    const Case& row;
    const std::vector<double>&Q, &K, &V;
    double score(std::int64_t head, std::int64_t i, std::int64_t j, double* sum_of_sizes = nullptr) const {
        const double scale = 1 / std::sqrt(static_cast<double>(row.D));
        double s = 0;
        for (std::int64_t d = 0; d < row.D; ++d) {
            const double product = scale * Q[static_cast<std::size_t>((head * row.T + i) * row.D + d)] * K[static_cast<std::size_t>((head * row.T + j) * row.D + d)];
            s += product;
            if (sum_of_sizes) *sum_of_sizes += std::abs(product);
        }
        return s;
    }
    /// A score is a chain of D multiply-adds of a query that was rounded twice: scale, and scale · Q.
    double score_error(double sum_of_sizes) const { return static_cast<double>(row.D + 3) * u * sum_of_sizes; }
    Reference over(std::int64_t head, std::int64_t i, std::int64_t keys) const {
        Reference out;
        out.output.assign(static_cast<std::size_t>(row.D), 0), out.magnitude = out.output;
        keys = std::min(keys, row.causal ? i + 1 : row.T);
        std::vector<double> s;
        double lowest = INFINITY;
        for (std::int64_t j = 0; j < keys; ++j) {
            double sizes = 0;
            s.push_back(score(head, i, j, &sizes));
            out.max = std::max(out.max, s.back()), lowest = std::min(lowest, s.back());
            out.score_error = std::max(out.score_error, score_error(sizes));
        }
        out.spread = keys ? out.max - lowest : 0;
        for (std::int64_t j = 0; j < keys; ++j) {
            const double p = std::exp(s[static_cast<std::size_t>(j)] - out.max);
            out.sum += p;
            for (std::int64_t d = 0; d < row.D; ++d) {
                const double v = V[static_cast<std::size_t>((head * row.T + j) * row.D + d)];
                out.output[static_cast<std::size_t>(d)] += p * v, out.magnitude[static_cast<std::size_t>(d)] += p * std::abs(v);
            }
        }
        return out;
    }
};

/// Relative error of a sum of exponentials after `tiles` tiles. Each is e^(score - maximum), both off by the scores' error, times one factor
/// for each tile since. A difference of two numbers is rounded, by u of it, which the exponential makes a relative error; the exponential
/// itself is off by one unit in the last place, 2 u, and the product by u. Adding positive numbers adds u for each addition on the way: five
/// shuffles and one fmaf for a tile.
double relative_bound(const Reference& reference, std::int64_t tiles) {
    return 2 * reference.score_error + static_cast<double>(tiles + 1) * (reference.spread + 2 * reference.score_error + 3 + 7) * u;
}

void check_row(const AttentionCursor::Row& row, const Reference& reference, std::int64_t tiles, std::int64_t keys, const std::string& what) {
    if (tiles == 0) {
        CHECK(row.tile == -1 && row.sum == 0 && std::isinf(row.max) && row.max < 0, what);
        return;
    }
    CHECK_EQUAL(row.tile, static_cast<std::int32_t>(tiles - 1));
    CHECK(std::abs(row.max - reference.max) <= reference.score_error, what + ": m");
    const double bound = relative_bound(reference, tiles);
    CHECK(std::abs(row.sum - reference.sum) <= bound * reference.sum, what + ": l");
    CHECK_EQUAL(row.output.size(), reference.output.size());
    for (std::size_t d = 0; d < row.output.size(); ++d) // a chain of fmaf, one for each key, and a rounding for each tile
        CHECK(std::abs(row.output[d] - reference.output[d]) <= (bound + static_cast<double>(keys + tiles) * u) * reference.magnitude[d], what + ": o");
}

/// What a row's output is where a tile's maximum is in it and its values are not yet.
void rescale(Reference& now, const Reference& before, bool done) {
    const double factor = done ? std::exp(before.max - now.max) : 1;
    for (std::size_t d = 0; d < now.output.size(); ++d) now.output[d] = factor * before.output[d], now.magnitude[d] = factor * before.magnitude[d];
}

const std::vector<Case> cases{
    {"attention/4_flash", 1, 64, 32, 0, {32, 4, 1}, 1}, {"attention/4_flash", 1, 96, 32, 1, {32, 4, 1}, 2}, {"attention/4_flash", 2, 71, 32, 1, {32, 2, 1}, 5},
    {"attention/4_flash", 1, 50, 64, 0, {32, 8, 1}, 1}, {"attention/4_flash", 1, 96, 64, 1, {32, 2, 1}, 1}, {"attention/4_flash", 1, 7, 32, 1, {32, 4, 1}, 0},
    {"attention/3_online", 1, 33, 32, 0, {32, 1, 1}, 0}, {"attention/3_online", 1, 40, 32, 1, {64, 1, 1}, 0}, {"attention/3_online", 2, 20, 64, 1, {32, 1, 1}, 1},
};

} // namespace

TEST(maximum_sum_and_output_are_those_of_the_tiles_so_far) {
    for (const Case& row : cases) {
        const Row named(row.name());
        const KernelRun run = recorded(row);
        CHECK(run.right());
        const auto tiles = AttentionTiles::of(run.trace, 0);
        REQUIRE(tiles != nullptr);
        const AttentionShape& shape = tiles->shape();
        CHECK(shape.heads == row.BH && shape.length == row.T && shape.head_size == row.D && shape.causal == (row.causal != 0));
        CHECK_EQUAL(tiles->head() * shape.row_tiles() + tiles->row_tile(), row.recorded);
        const KernelValues inputs = run.prepared.initial_numbers();
        const Heads heads{row, inputs.at("Q"), inputs.at("K"), inputs.at("V")};
        AttentionCursor cursor(tiles);
        std::size_t seen = 0, rescaled = 0;
        std::vector<AttentionTiles::Mark> marks = tiles->marks();
        for (std::size_t back = marks.size(); back-- > 0;) marks.push_back(marks[back]); // forwards and back
        for (const AttentionTiles::Mark& mark : marks) {
            CHECK(tiles->place_of(mark.step) == mark);
            for (const AttentionCursor::Row& each : cursor.rows(mark.step)) {
                if (mark.phase == TilePhase::queries || !each.why.empty()) {
                    CHECK(!each.why.empty() && (mark.phase == TilePhase::queries || (!shape.tiled() && !each.here) || (mark.tile == 0 && !each.here)), each.why);
                    continue;
                }
                const bool together = shape.tiled() && (mark.phase == TilePhase::load); // all warps wait for each other
                if (!each.here && !together) continue;
                const std::int64_t last = shape.tiled() || !row.causal ? tiles->tiles_read() : std::min(tiles->tiles_read(), each.query + 1);
                const bool met = mark.phase == TilePhase::add;
                const std::int64_t done = mark.phase == TilePhase::write ? last : std::min<std::int64_t>(mark.tile + (met ? 1 : 0), last);
                Reference reference = heads.over(tiles->head(), each.query, done * shape.keys);
                const bool adding = met && mark.tile < last;
                if (adding) rescale(reference, heads.over(tiles->head(), each.query, (done - 1) * shape.keys), shape.tiled());
                check_row(each, reference, done, done * shape.keys, fmt::format("query {} at step {}, tile {}", each.query, mark.step, mark.tile));
                if (done > 0) { // what the keys count now is the sum
                    double sum = 0;
                    for (std::int64_t key = 0; key < done * shape.keys; ++key) sum += cursor.weight(each, key);
                    CHECK(std::abs(sum - reference.sum) <= 2 * relative_bound(reference, done) * reference.sum, "the keys' weights");
                    rescaled += each.factor < 1 && each.factor > 0;
                    CHECK(std::isnan(cursor.weight(each, done * shape.keys)) || done == shape.key_tiles(), "a key that it has not met");
                }
                ++seen;
            }
        }
        CHECK(seen > static_cast<std::size_t>(2 * tiles->queries()));
        CHECK(rescaled > 0 || shape.key_tiles() == 1, "no tile brought a larger maximum");
        for (std::int64_t i = 0; i < tiles->queries(); i += 5)
            for (std::int64_t j = 0; j < row.T; j += 3) {
                const bool masked = row.causal && j > tiles->first_query() + i;
                const auto score = cursor.score(i, j);
                if (masked) {
                    CHECK(!score || std::isinf(*score), "a key that the mask hides");
                    continue;
                }
                REQUIRE(score.has_value());
                double sizes = 0;
                const double wanted = heads.score(tiles->head(), tiles->first_query() + i, j, &sizes);
                CHECK(std::abs(*score - wanted) <= heads.score_error(sizes));
            }
    }
}

TEST(the_bytes_of_attention_by_tiles_are_the_formulas) {
    for (const char* rung : {"attention/4_flash", "attention/3_online"})
        for (const std::int64_t T : {7, 33, 100})
            for (const std::int64_t D : {32, 64})
                for (const std::int64_t causal : {0, 1}) {
                    const bool flash = std::string_view(rung) == "attention/4_flash";
                    const Case row{rung, T == 33 ? 3 : 1, T, D, causal, flash ? Dim3{32, T == 100 ? 8 : 4, 1} : Dim3{T == 7 ? 64 : 32, 1, 1}, 0};
                    const Row named(row.name());
                    const KernelRun run = recorded(row);
                    const auto shape = attention_shape(run.trace, 0);
                    REQUIRE(shape.has_value());
                    const AttentionTraffic counted = counted_traffic(*run.trace, 0), formula = formula_traffic(*shape);
                    CHECK(counted == formula);
                    // Written out: 2 N d + 2 N d ⌈N / Br⌉ elements, and N.
                    const std::int64_t Br = flash ? 32 : 1;
                    if (!causal) CHECK_EQUAL(counted.total(), 4 * row.BH * (2 * T * D + 2 * T * D * ((T + Br - 1) / Br) + T));
                    if (!flash) continue;
                    std::int64_t stores = 0; // a tile takes a store for each of its rows of 32 elements
                    for (const KernelTrace::Line& line : run.trace->lines)
                        if (line.buffer == "k_tile" && line.op == Op::write) stores += line.steps;
                    CHECK_EQUAL(stores, row.BH * seen_tiles(*shape) * 32 * D / 32);
                }
}

TEST(a_block_tells_tile_by_tile_what_it_read_and_holds) {
    const Case row{"attention/4_flash", 1, 128, 32, 1, {32, 4, 1}, 2};
    const KernelRun run = recorded(row);
    const auto tiles = AttentionTiles::of(run.trace, 0);
    REQUIRE(tiles != nullptr);
    CHECK_EQUAL(tiles->tiles_read(), std::int64_t{3}); // the fourth lies behind the diagonal
    CHECK(tiles->traffic(tiles->first_step()) == AttentionTraffic{});
    std::vector<std::string> order;
    const char* const names[] = {"queries", "load", "scores", "add", "write"};
    for (const AttentionTiles::Mark& mark : tiles->marks()) {
        order.push_back(fmt::format("{} {}", names[static_cast<int>(mark.phase)], mark.tile));
        const AttentionTraffic bytes = tiles->traffic(mark.step);
        const std::int64_t tile = 32 * 32 * 4, done = mark.phase == TilePhase::load ? mark.tile : mark.tile + 1;
        if (mark.phase == TilePhase::queries) continue;
        CHECK_EQUAL(bytes.o, std::int64_t{0});
        if (mark.phase == TilePhase::write) continue;
        if (mark.phase != TilePhase::load || mark.tile > 0) CHECK_EQUAL(bytes.q, tile);
        CHECK_EQUAL(bytes.k, done * tile);
        CHECK_EQUAL(bytes.v, done * tile);
        for (const AttentionTiles::Held& held : tiles->held(mark.step)) {
            const bool old = mark.phase == TilePhase::load || (held.name == "p_tile" && mark.phase == TilePhase::scores);
            if (held.name == "q_tile") CHECK(held.tile == -1 && held.filled == (mark.phase == TilePhase::load && mark.tile == 0 ? 0.25 : 1));
            else CHECK(held.tile == mark.tile - (old ? 1 : 0), held.name);
            if (held.name == "k_tile" || held.name == "v_tile") CHECK_EQUAL(held.filled, mark.tile == 0 && old ? 0.0 : 1.0);
        }
    }
    CHECK_EQUAL(order, (std::vector<std::string>{"queries -1", "load 0", "scores 0", "add 0", "load 1", "scores 1", "add 1", "load 2", "scores 2", "add 2", "write -1"}));
    CHECK_EQUAL(tiles->traffic(tiles->end_step()).o, std::int64_t{32 * 32 * 4});
    CHECK_EQUAL(tiles->traffic(tiles->end_step()).l, std::int64_t{32 * 4});
    CHECK_EQUAL(tiles->shared_bytes(), std::int64_t{4 * (32 * 32 + 32 * 33 + 32 * 32 + 32 * 32)});
    // The same of the block alone, and of none that is attention by tiles.
    const auto alone = AttentionTiles::of(recorded(row, true).trace, 0);
    REQUIRE(alone != nullptr);
    CHECK(alone->marks() == tiles->marks());
    CHECK(!AttentionTiles::of(recorded({"attention/1_naive", 1, 8, 8, 0, {32, 8, 1}, 0}).trace, 0));
    CHECK(!AttentionTiles::of(recorded({"attention/2_tiled", 1, 16, 16, 0, {16, 16, 1}, 0}).trace, 0));
}

TEST(the_elements_that_a_step_of_attention_touches) {
    for (const Case& row : {Case{"attention/1_naive", 2, 9, 8, 1, {32, 8, 1}, 0}, Case{"attention/2_tiled", 1, 20, 16, 0, {16, 16, 1}, 0},
                            Case{"attention/4_flash", 2, 33, 32, 0, {32, 4, 1}, 0}}) {
        const Row named(row.name());
        const KernelRun all = run(row, {.wanted = true});
        const KernelValues inputs = all.prepared.initial_numbers();
        std::map<std::string, std::int64_t> touched;
        std::size_t wrong = 0;
        for (std::size_t step = 0; step < all.trace->steps(); ++step)
            for (const AttentionTouch& touch : attention_touches(*all.trace, step)) {
                ++touched[touch.name];
                const std::int64_t columns = touch.name == "S" || touch.name == "P" ? row.T : touch.name == "L" ? 1 : row.D;
                wrong += touch.column >= columns && touch.name.size() == 1;
                wrong += touch.row >= row.T && touch.name.size() == 1;
                if (touch.name == "Q" && !touch.write) wrong += std::abs(touch.value - inputs.at("Q")[static_cast<std::size_t>((touch.head * row.T + touch.row) * row.D + touch.column)]) > 1e-6;
                if (touch.name == "K" && !touch.write) wrong += std::abs(touch.value - inputs.at("K")[static_cast<std::size_t>((touch.head * row.T + touch.row) * row.D + touch.column)]) > 1e-6;
                if (touch.name.ends_with("_tile")) wrong += touch.row >= 32 || touch.column >= 32; // padding is never touched
            }
        CHECK_EQUAL(wrong, std::size_t{0});
        for (std::uint32_t launch = 0; launch < all.trace->launches.size(); ++launch) {
            AttentionTraffic counted = counted_traffic(*all.trace, launch);
            for (const char* name : {"Q", "K", "V", "S", "P", "O", "L"}) touched[name] -= *counted.of(name) / 4;
        }
        for (const char* name : {"Q", "K", "V", "S", "P", "O", "L"}) CHECK_EQUAL(touched[name], std::int64_t{0});
    }
}

TEST(three_launches_move_the_scores_four_times) {
    AttentionShape shape{.heads = 4, .length = 256, .head_size = 64, .rows = 32, .keys = 32, .served = 32, .warp_rows = 8};
    CHECK_EQUAL(three_launch_traffic(shape).total() - three_launch_traffic(shape).l, std::int64_t{5242880}); // (4 N² + 4 N d) · 4 B · 4 heads
    shape.causal = true;
    CHECK_EQUAL(three_launch_traffic(shape).s, std::int64_t{4 * 2 * 4 * 256 * 257 / 2});
    // Two tensors of N² elements each way against 2 N d for each of N / Br rows of tiles: 2 Br / d where N is large.
    shape = {.heads = 1, .length = 1 << 20, .head_size = 64, .rows = 128, .keys = 128, .served = 128, .warp_rows = 32};
    const double ratio = static_cast<double>(three_launch_traffic(shape).total()) / static_cast<double>(formula_traffic(shape).total());
    CHECK(std::abs(ratio - 4) <= 0.01);
}

#include "app/cli/bench/bench.hpp"
#include "app/cli/bench/race.hpp"
#include "engine/core/error.hpp"
#include "engine/simt/kernel_run.hpp"

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <memory>

namespace gradus::cli {

namespace {

/// One kernel stepped through, and what is to be reached: million lane accesses a second on one core.
struct Stepped {
    const char* rung;
    Problem sizes;
    double bound;
    bool values = false; ///< the old and the new value of every access are logged
};

/// Reads, writes and atomics of lanes.
double accesses_of(const simt::KernelRun& run) {
    std::int64_t lanes = 0;
    for (const simt::StepReport& step : run.steps)
        for (const simt::LineCount& line : step.lines)
            if (simt::touches_memory(line.op)) lanes += line.lanes;
    return static_cast<double>(lanes);
}

double seconds_of(const simt::KernelRun& run) {
    double seconds = 0;
    for (const simt::StepReport& step : run.steps) seconds += step.seconds;
    return seconds;
}

simt::KernelRun stepped(const Stepped& what) {
    const auto [ladder, rung] = simt::find_rung(what.rung);
    simt::KernelRequest request;
    request.ladder = ladder;
    request.rung = rung;
    request.sizes = what.sizes;
    request.options.values = what.values;
    simt::KernelRun run = simt::run_kernel(request);
    if (!run.right()) throw Error(fmt::format("{} is not right, so it is not timed", what.rung));
    return run;
}

BenchRow row_of(const Stepped& what) {
    double best = 0, accesses = 0;
    for (int round = 0; round < 3; ++round) {
        const simt::KernelRun run = stepped(what);
        accesses = accesses_of(run);
        best = std::max(best, accesses / seconds_of(run));
    }
    return {"kernels", fmt::format("{}{}, lane accesses a second", what.rung, what.values ? " with every value" : ""), best * 1e-6, "million",
            what.bound, true, fmt::format("{:.1f} million accesses, counted and checked", accesses * 1e-6)};
}

/// c = a · b by three loops, the innermost over k: what a learner would write first.
void host_product(const std::vector<float>& a, const std::vector<float>& b, std::vector<float>& c, int n) {
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            float sum = 0;
            for (int k = 0; k < n; ++k) sum = std::fma(a[static_cast<std::size_t>(i * n + k)], b[static_cast<std::size_t>(k * n + j)], sum);
            c[static_cast<std::size_t>(i * n + j)] = sum;
        }
}

BenchRow plain_row() {
    constexpr int n = 256;
    const auto [ladder, rung] = simt::find_rung("matmul/3_shared");
    const simt::PreparedRun prepared(*ladder, *rung, simt::usual_problem(*ladder, {{"M", n}, {"N", n}, {"K", n}}), rung->blocks.front(), 1);
    const std::string library = simt::plain_library(prepared);
    const std::unique_ptr<std::byte, decltype(&std::free)> memory(
        static_cast<std::byte*>(std::aligned_alloc(256, (prepared.bytes + 511) / 256 * 256)), &std::free);
    prepared.fill(memory.get());
    std::vector<float> a(n * n, 0.5F), b(n * n, 0.25F), c(n * n);
    std::vector<Contestant> all{{"kernel", [&] { return least_seconds([&] { simt::run_plain(prepared, library, memory.get()); }); }},
                                {"host loop", [&] { return least_seconds([&] { host_product(a, b, c, n); }); }}};
    race(all);
    BenchRow row{"kernels", "matmul/3_shared of 256³ without hooks / a host loop", all[0].seconds / all[1].seconds, "ratio", 10, false, ""};
    for (const Contestant& one : all) row.beside.emplace_back(one.name, one.seconds * 1e3);
    row.beside_unit = "ms";
    return row;
}

/// Whether a block's tile of C has the bits of one chain of multiply-adds in the order of k, for each of its elements.
bool tile_is_right(const simt::KernelRun& run, std::size_t n, std::size_t side) {
    const KernelValues inputs = run.prepared.initial_numbers(), outputs = run.outputs();
    const std::vector<double>&a = inputs.at("A"), &b = inputs.at("B"), &c = outputs.at("C");
    for (std::size_t i = 0; i < side; ++i)
        for (std::size_t j = 0; j < side; ++j) {
            float sum = 0;
            for (std::size_t k = 0; k < n; ++k) sum = std::fma(static_cast<float>(a[i * n + k]), static_cast<float>(b[k * n + j]), sum);
            if (c[i * n + j] != static_cast<double>(sum)) return false;
        }
    return true;
}

/// One block of a product that as a whole would take minutes.
BenchRow block_row() {
    constexpr std::int64_t n = 4096;
    constexpr int side = 16; // of a tile
    const auto [ladder, rung] = simt::find_rung("matmul/3_shared");
    simt::KernelRequest request;
    request.ladder = ladder;
    request.rung = rung;
    request.block = {side, side};
    request.sizes = {{"M", n}, {"N", n}, {"K", n}};
    request.recording.wanted = request.recording.alone = true; // as the theatre opens it
    request.recording.launch = 0, request.recording.block = 0;
    const auto began = std::chrono::steady_clock::now();
    const simt::KernelRun run = simt::run_kernel(request);
    const std::chrono::duration<double> whole = std::chrono::steady_clock::now() - began;
    if (!run.end.done || !run.findings.empty() || !run.trace || run.trace->log.missed || run.trace->log.locals.missed) throw Error("the block of 4096³ did not come to its end");
    if (!tile_is_right(run, n, side)) throw Error("the tile of the block of 4096³ is not right, so it is not timed");
    BenchRow row{"kernels", "one block of matmul/3_shared of 4096³, every step, value and variable kept", seconds_of(run), "s", 0.1, false,
                 fmt::format("{:.1f} million accesses", accesses_of(run) * 1e-6)};
    row.beside = {{"with its 201 MB of buffers made, filled and handed over", whole.count()}};
    row.beside_unit = "s";
    return row;
}

} // namespace

std::vector<BenchRow> bench_kernels() {
    // Bounds: what a trial of this method reached on an AMD Zen 5, and more where it can be seen how.
    const Stepped table[] = {
        {"matmul/1_naive", {{"M", 128}, {"N", 128}, {"K", 128}}, 192},
        {"matmul/3_shared", {{"M", 128}, {"N", 128}, {"K", 128}}, 120},
        {"matmul/5_tile_2d", {{"M", 128}, {"N", 128}, {"K", 128}}, 30},
        {"attention/4_flash", {{"T", 128}, {"D", 32}}, 92},
        {"reduction/7_shuffle", {{"n", 1 << 20}}, 63},
        {"reduction/8_many_each", {{"n", 1 << 22}}, 63},
        {"transpose/2_tiled", {{"rows", 1024}, {"columns", 1024}}, 45},
        {"matmul/1_naive", {{"M", 64}, {"N", 64}, {"K", 64}}, 40, true},
    };
    std::vector<BenchRow> rows;
    for (const Stepped& what : table) rows.push_back(row_of(what));
    rows.push_back(block_row());
    rows.push_back(plain_row());
    return rows;
}

} // namespace gradus::cli

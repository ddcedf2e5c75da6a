#include "engine/core/error.hpp"
#include "engine/kernels/kernel_values.hpp"
#include "engine/simt/kernel_run.hpp"
#include "tests/support/check.hpp"

using namespace gradus;
using namespace gradus::simt;
using namespace gradus::test;

namespace {

/// The usual problem, and for each size its odd values: alone, and all of one rank together.
std::vector<Problem> problems_of(const Ladder& ladder) {
    std::vector<Problem> out{usual_problem(ladder)};
    std::size_t most = 0;
    for (const ProblemSize& size : ladder.sizes) {
        for (const std::int64_t odd : size.odd) out.push_back(usual_problem(ladder, {{size.name, odd}}));
        most = std::max(most, size.odd.size());
    }
    for (std::size_t i = 0; i < most; ++i) {
        Problem all;
        for (const ProblemSize& size : ladder.sizes)
            if (!size.odd.empty()) all[size.name] = size.odd[i % size.odd.size()];
        out.push_back(usual_problem(ladder, all));
    }
    return out;
}

std::string words_of(const Problem& problem, Dim3 block) {
    std::string out = fmt::format("{}x{}x{}", block.x, block.y, block.z);
    for (const auto& [name, value] : problem) out += fmt::format(" {}={}", name, value);
    return out;
}

} // namespace

/// Every rung, at every legal block, on odd and on usual problems, without hooks: the reference's values.
SLOW_TEST(every_rung_is_right) {
    for (const Ladder& ladder : all_ladders())
        for (const Rung& rung : ladder.rungs) {
            const Row named(ladder.id + "/" + rung.id);
            for (const Problem& problem : problems_of(ladder))
                for (const Dim3& block : rung.blocks) {
                    const Row at(words_of(problem, block));
                    try {
                        const PreparedRun run(ladder, rung, problem, block, 1);
                        for (const OutputError& output : compare(run, run_plain(run)))
                            CHECK(output.right, fmt::format("{} is off by {}", output.name, output.error));
                    } catch (const Error& error) {
                        CHECK(false, error.what());
                    }
                }
        }
}

/// Rows of two numbers that are nearly equal lose more to the same roundings, and are allowed that; others are not.
TEST(a_tolerance_grows_with_the_condition_of_the_inputs) {
    const Ladder& ladder = *find_rung("layernorm/1_naive").first;
    double widest = 0;
    for (const Rung& rung : ladder.rungs)
        for (const std::int64_t columns : {1, 2, 512})
            for (std::uint64_t seed = 1; seed <= 8; ++seed) {
                const Row at(fmt::format("{} with {} columns, seed {}", rung.id, columns, seed));
                const PreparedRun run(ladder, rung, usual_problem(ladder, {{"rows", 33}, {"columns", columns}}), rung.blocks.front(), seed);
                for (const OutputError& output : compare(run, run_plain(run))) {
                    CHECK(output.right, fmt::format("{} is off by {}, allowed are {}", output.name, output.error, output.allowed));
                    CHECK(output.allowed >= rung.tolerance && output.allowed <= rung.tolerance * (columns == 2 ? 100 : 1.01), fmt::format("{}", output.allowed));
                    if (columns == 2) widest = std::max(widest, output.error / rung.tolerance);
                }
            }
    CHECK(widest > 1, fmt::format("no row is so nearly equal: {}", widest));
}

/// A template's sizes, pairs of an even width: what the head of a rung says of them holds, in a sentence.
TEST(a_size_that_a_rung_is_not_written_for_is_refused) {
    struct Refused {
        const char *rung, *size, *sentence;
        std::int64_t value;
    };
    const Refused rows[] = {
        {"attention/3_online", "D", "D must be 32 or 64, not 7", 7},          {"attention/4_flash", "D", "D must be 32 or 64, not 200", 200},
        {"attention_backward/2_flash", "D", "D must be 32 or 64, not 5", 5},  {"attention_decode/2_split_k", "D", "D must be 32, 64 or 128, not 5", 5},
        {"attention_decode_paged/2_split_k", "D", "D must be 32 or 64, not 128", 128}, {"rope_half_split/3_vectorised", "D", "D must be even, not 9", 9},
        {"rope_interleaved/1_naive", "D", "D must be even, not 3", 3},
    };
    for (const Refused& row : rows) {
        const auto [ladder, rung] = find_rung(row.rung);
        CHECK_THROWS(PreparedRun(*ladder, *rung, usual_problem(*ladder, {{row.size, row.value}}), rung->blocks.front(), 1), ArgumentError, row.sentence);
    }
}

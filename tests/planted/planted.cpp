#include "tests/planted/corpus.hpp"

#include "engine/core/error.hpp"
#include "engine/trace/derive/kernel_walk.hpp"
#include "tests/support/check.hpp"

using namespace gradus;
using namespace gradus::planted;
using namespace gradus::test;

namespace {

/// Some of each kind, for every day.
const char* const few[] = {"race/counter_cleared_without_barrier", "race/reduction_step_without_barrier", "race/matmul_tile_overwritten_too_early", "race/reduction_plain_sum_of_blocks",
                           "race/reduction_syncwarp_for_half",    "uninitialised/stencil_without_halo",     "bounds/stencil_beyond_dynamic_memory",
                           "bounds/copy_less_or_equal",           "misaligned/histogram_byte_address",      "barrier/reduction_barrier_in_branch",
                           "meeting/shuffle_in_a_branch",         "endless/counter_of_one_byte",            "end/integer_divided_by_zero",
                           "wrong/attention_output_not_rescaled"};

/// Two seeds by which warps take turns, and two different outputs.
void check_schedules(const Planted& planted) {
    constexpr std::uint64_t seeds = 12;
    const KernelValues first = run(planted, 1).outputs();
    bool differ = false;
    for (std::uint64_t seed = 2; seed <= seeds && !differ; ++seed) differ = run(planted, seed).outputs() != first;
    CHECK(!first.empty() && differ, fmt::format("{} seeds give the same outputs", seeds));
}

void check_row(const Planted& planted) {
    const Row named(planted.name);
    try {
        check(planted, run(planted));
        if (planted.schedules_differ) check_schedules(planted);
    } catch (const Error& error) {
        CHECK(false, error.what());
    } catch (const Ended&) { // the next one
    }
}

/// A finding leads to a step in its line, in which the lane that it names takes part: what a window opens. Where it ended the launch, that is the
/// last step there is.
void check_leads(const Planted& planted) {
    const Row named(planted.name);
    const simt::KernelRun run = planted::run(planted, 0, true);
    if (!run.trace || run.trace->cut()) return;
    for (const KernelTrace::Finding& finding : run.trace->findings) {
        REQUIRE(!finding.threads.empty(), finding.sentence);
        const auto step = step_of_finding(*run.trace, finding);
        if (!CHECK(step.has_value(), finding.sentence)) continue;
        CHECK_EQUAL(run.trace->sites[run.trace->log.site[*step]].place.line, finding.place.line);
        const bool ends = finding.kind != "race" && finding.kind != "mismatched-barrier" && finding.kind != "uninitialised";
        CHECK_EQUAL(run.trace->log.sites[run.trace->log.site[*step]].op == simt::Op::fault, ends);
        if (ends) CHECK_EQUAL(*step + 1, run.trace->steps());
        CHECK(run.trace->log.mask[*step] >> finding.threads[0].rank % 32 & 1, finding.sentence);
        CHECK_EQUAL(std::uint32_t{run.trace->log.warp[*step]}, finding.threads[0].rank / 32);
    }
}

/// After all that the lab still computes what is right.
void check_alive() {
    Planted clean{.name = "transpose", .file = {}, .rung = "transpose/2_tiled", .sizes = {{"rows", 64}, {"columns", 64}}};
    CHECK(run(clean).right());
}

} // namespace

TEST(a_fault_of_each_kind_is_found_at_its_line) {
    const std::vector<Planted> all = all_planted();
    for (const char* name : few) {
        const auto found = std::find_if(all.begin(), all.end(), [&](const Planted& planted) { return planted.name == name; });
        if (CHECK(found != all.end(), name)) check_row(*found);
    }
    check_alive();
}

TEST(a_finding_leads_to_its_step) {
    const std::vector<Planted> all = all_planted();
    for (const char* name : few) check_leads(*std::find_if(all.begin(), all.end(), [&](const Planted& planted) { return planted.name == name; }));
}

SLOW_TEST(every_finding_leads_to_its_step) {
    for (const Planted& planted : all_planted()) check_leads(planted);
}

SLOW_TEST(every_planted_fault_is_found_at_its_line) {
    const std::vector<Planted> all = all_planted();
    CHECK(all.size() >= 60, fmt::format("{} kernels", all.size()));
    for (const Planted& planted : all) check_row(planted);
    check_alive();
}

/// A row of the corpus that says too little is refused: it could not fail.
TEST(a_planted_kernel_says_what_is_wrong_with_it) {
    const struct {
        const char *name, *text, *says;
    } rows[] = {
        {"no mark", "// x\n//\n// rung: copy/1_naive\n// expect: race in y\n\ny[0] = 1;\n", "no line is marked"},
        {"another mark", "// rung: copy/1_naive\n// expect: race in y\n\ny[0] = 1; // <- fault: misaligned\n", "no line is marked \"// <- fault: race\""},
        {"one mark too many", "// rung: copy/1_naive\n// expect: race in y\n\ny[0] = 1; // <- fault: race, misaligned\n", "line 4 is marked \"misaligned\""},
        {"no such kind", "// rung: copy/1_naive\n// expect: racing in y\n\ny[0] = 1; // <- fault: race\n", ":2: no such key"},
        {"no such mark", "// rung: copy/1_naive\n// expect: race in y\n\ny[0] = 1; // <- fault: racing\n", ":4: no such kind: racing"},
        {"no such key", "// rung: copy/1_naive\n// expects: race in y\n\ny[0] = 1; // <- fault: race\n", ":2: no such key"},
        {"no rung", "// expect: race in y\n\ny[0] = 1; // <- fault: race\n", "which rung"},
        {"nothing expected", "// rung: copy/1_naive\n\ny[0] = 1; // <- fault: race\n", "neither what is expected"},
    };
    for (const auto& row : rows) {
        const Row named(row.name);
        CHECK_THROWS(read_planted("x", "x.cu", row.text), FileError, row.says);
    }
    const Planted good = read_planted("x", "x.cu", "// rung: copy/1_naive\n// set: n=8\n// block: 32x2\n// expect: race in y, x\n\ny[0] = 1; // a // <- fault: race\n");
    CHECK_EQUAL(good.lines.at("race").size(), 1u);
    CHECK(good.lines.at("race").contains(6) && good.expected.at("race").contains("x") && good.block == (Dim3{32, 2, 1}) && good.sizes.at("n") == 8);
}

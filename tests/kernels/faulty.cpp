// Kernels that are wrong on purpose are wrong, and those beside them that are not are right.
#include "engine/kernels/faulty/faulty_ladders.hpp"
#include "engine/core/error.hpp"
#include "engine/simt/kernel_run.hpp"
#include "tests/support/check.hpp"

#include <set>

using namespace gradus;
using namespace gradus::simt;
using namespace gradus::test;

namespace {

KernelRun run_of(const Ladder& ladder, const Rung& rung, const Problem& sizes = {}) {
    KernelRequest request;
    request.ladder = &ladder, request.rung = &rung, request.sizes = sizes;
    KernelRun run = run_kernel(request);
    REQUIRE(run.end.done, run.end.why);
    return run;
}

} // namespace

TEST(faulty_rungs_are_wrong_and_the_others_right) {
    std::size_t wrong = 0;
    for (const FaultyLadder& faulty : faulty_ladders()) {
        CHECK(faulty.ladder.id.starts_with("faulty/"));
        CHECK_EQUAL(faulty.faults.size(), faulty.ladder.rungs.size());
        for (std::size_t i = 0; i < faulty.faults.size(); ++i) {
            const Row row(faulty.ladder.id + "/" + faulty.ladder.rungs[i].id);
            const KernelFault& fault = faulty.faults[i];
            const bool right = run_of(faulty.ladder, faulty.ladder.rungs[i], fault.sizes).right();
            CHECK_EQUAL(right, fault.sentence.empty());
            if (!fault.sizes.empty()) CHECK(run_of(faulty.ladder, faulty.ladder.rungs[i]).right(), "it shows with the usual sizes, too");
            CHECK_EQUAL(fault_of(faulty.ladder, faulty.ladder.rungs[i]) != nullptr, !fault.sentence.empty());
            wrong += right ? 0 : 1;
        }
    }
    CHECK(wrong >= 8, std::to_string(wrong));
}

TEST(every_ladder_is_found_by_its_name) {
    std::set<std::string> ids;
    for (const Ladder* ladder : known_ladders()) {
        CHECK(ids.insert(ladder->id).second, ladder->id);
        for (const Rung& rung : ladder->rungs) CHECK_EQUAL(find_rung(ladder->id + "/" + rung.id).second, &rung);
        CHECK_EQUAL(find_rung(ladder->id).second, &ladder->rungs.back());
    }
    for (const Ladder& ladder : all_ladders()) {
        CHECK(!ladder.id.starts_with("faulty/"));
        CHECK(fault_of(ladder, ladder.rungs.front()) == nullptr);
    }
    CHECK_THROWS(find_rung("thread_index/1_block_and_thread"), ArgumentError, "no kernel 'thread_index", "faulty/thread_index");
    CHECK_THROWS(find_rung("faulty/thread_index/9"), ArgumentError, "no rung '9'", "5_grid_stride");
}

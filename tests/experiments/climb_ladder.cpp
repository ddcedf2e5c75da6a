// A ladder climbed rung by rung: what is counted is what the interpreter counts of each rung alone; what is measured and modelled says so.
#include "engine/core/error.hpp"
#include "engine/hardware/chips.hpp"
#include "engine/hardware/roofline.hpp"
#include "engine/simt/kernel_run.hpp"
#include "engine/trace/derive/event_tree.hpp"
#include "engine/trace/derive/launch_sites.hpp"
#include "engine/trace/derive/step_plan.hpp"
#include "lessons/runtime/reproduce.hpp"
#include "tests/experiments/support.hpp"
#include "tests/support/check.hpp"

#include <cmath>

using namespace gradus;
using namespace gradus::test;

namespace {

std::shared_ptr<const Run> climbed(const Parameters& parameters, StepIndex steps) {
    RunRequest request;
    request.experiment = "climb_ladder";
    request.parameters = parameters;
    request.steps = steps;
    request.observe_every = 1;
    Session session(request);
    session.play();
    settle(session);
    REQUIRE(session.status().failure.empty(), session.status().failure);
    const auto run = session.run(0);
    session.stop();
    return run;
}

const Parameters small{{"ladder", "matmul"}, {"rungs", "1_naive,2_coalesced,3_shared,5_tile_2d"}, {"sizes", "M=64,N=64,K=64"}, {"block", "16x16"}};

double at(const Run& run, const char* series, StepIndex iteration) {
    const auto value = run.value_at(series, iteration);
    REQUIRE(value.has_value(), series);
    return *value;
}

} // namespace

TEST(each_rung_counts_what_it_counts_alone) {
    const auto run = climbed(small, 4);
    const char* names[] = {"1_naive", "2_coalesced", "3_shared", "5_tile_2d"};
    const std::vector<ClimbedRung> rungs = climbed_rungs(*run);
    REQUIRE(rungs.size() == std::size(names));
    const Chip& a100 = chip("a100");
    for (StepIndex i = 0; i < 4; ++i) {
        const Row row(names[i]);
        CHECK_EQUAL(rungs[static_cast<std::size_t>(i)].id, std::string("matmul/") + names[i]);
        const auto [ladder, rung] = simt::find_rung(rungs[static_cast<std::size_t>(i)].id);
        simt::KernelRequest request; // nothing is recorded, and lanes run ahead
        request.ladder = ladder, request.rung = rung;
        request.sizes = {{"M", 64}, {"N", 64}, {"K", 64}};
        request.block = {16, 16};
        const simt::KernelRun alone = run_kernel(request);
        REQUIRE(alone.right());
        double sectors = 0, wavefronts = 0, shared_loads = 0;
        for (const simt::LineCount& line : alone.steps[0].lines) {
            if (!simt::touches_memory(line.op)) continue;
            (line.space == simt::Space::shared ? wavefronts : sectors) += line.space > simt::Space::shared ? 0 : static_cast<double>(line.transfers);
            if (line.space == simt::Space::shared && line.op == simt::Op::read) shared_loads += static_cast<double>(line.lanes);
        }
        const double flops = 2 * static_cast<double>(alone.steps[0].multiply_adds);
        CHECK_EQUAL(at(*run, "sectors", i), sectors);
        CHECK_EQUAL(at(*run, "bytes_l1", i), 32 * sectors);
        CHECK_EQUAL(at(*run, "bytes_shared", i), 128 * wavefronts);
        CHECK_EQUAL(at(*run, "bytes_memory", i), 3.0 * 64 * 64 * 4);
        CHECK_EQUAL(at(*run, "shared_loads", i), shared_loads);
        CHECK_EQUAL(at(*run, "multiply_adds", i), 64.0 * 64 * 64);
        CHECK_EQUAL(at(*run, "flops_per_byte", i), flops / (32 * sectors));
        CHECK_EQUAL(at(*run, "max_error", i), alone.errors[0].error);
        CHECK_EQUAL(at(*run, "modelled_seconds", i), roofline(flops, 32 * sectors, a100.fp32_flops, a100.memory_bandwidth).seconds);
        CHECK(at(*run, "plain_seconds", i) > 0 && at(*run, "plain_seconds", i) <= at(*run, "plain_seconds_median", i));
        for (const char* ceiling : {"peak_flops", "memory_bandwidth", "cache_bandwidth"}) CHECK(at(*run, ceiling, i) > 0 && at(*run, ceiling, i) == at(*run, ceiling, 0)); // measured once
    }
    for (const auto& [name, provenance] : {std::pair{"sectors", Provenance::counted}, {"plain_seconds", Provenance::measured}, {"peak_flops", Provenance::measured},
                                           {"modelled_seconds", Provenance::modelled}, {"flops_per_byte", Provenance::counted}})
        CHECK(run->find_series(name)->info().provenance == provenance, name);
}

TEST(each_iteration_has_the_launches_of_its_rung) {
    const auto run = climbed({{"ladder", "reduction"}, {"rungs", "3_sequential,9_atomic"}, {"sizes", "n=100000"}}, 2);
    std::size_t launches[2] = {};
    for (StepIndex i = 0; i < 2; ++i) {
        const EventTree tree(*run, i);
        const auto& trace = *run->tensors_of(i)->kernels;
        CHECK_EQUAL(trace.rung, i == 0 ? "3_sequential" : "9_atomic");
        const std::vector<const EventSite*> own = launches_of(*run, i);
        CHECK_EQUAL(own.size(), trace.launches.size());
        for (std::size_t launch = 0; launch < own.size(); ++launch) {
            CHECK_EQUAL(own[launch]->name, trace.launches[launch].kernel);
            CHECK_EQUAL(own[launch]->module, "reduction/" + trace.rung);
            CHECK(tree.find(own[launch]->ordinal) == own[launch]);
        }
        for (const EventSite* event : tree.events()) launches[i] += event->level == Level::kernel;
        CHECK_EQUAL(launches[i], trace.launches.size());
        const EventSite* block = tree.step(-1, Level::block, 1);
        REQUIRE(block != nullptr);
        CHECK(tree.enclosing(block->ordinal, Level::kernel) == own.front());
    }
    CHECK(launches[0] != launches[1]);
}

TEST(a_plan_of_an_iteration_names_its_own_kernel) {
    const auto run = climbed(small, 3);
    for (StepIndex i = 0; i < 3; ++i) {
        const StepPlan plan = step_plan(*run, i);
        CHECK_EQUAL(plan.site_of(*run, 1).name, run->tensors_of(i)->kernels->launches[0].kernel);
    }
}

TEST(rungs_are_taken_that_can_have_the_block) {
    const auto run = climbed({{"ladder", "matmul"}, {"rungs", "3_shared,4_tile_1d"}, {"sizes", "M=64,N=64,K=64"}, {"block", "16x16"}, {"record_block", "9"}}, 3);
    CHECK(run->tensors_of(0)->kernels->launches[0].block == (Dim3{16, 16}));
    CHECK(run->tensors_of(1)->kernels->launches[0].block == (Dim3{64, 8}));
    CHECK_EQUAL(run->tensors_of(0)->kernels->log.blocks.at(0).number, 9u);
    CHECK_EQUAL(run->tensors_of(1)->kernels->log.blocks.at(0).number, 0u); // it has one
    CHECK_EQUAL(run->tensors_of(2)->kernels->rung, "3_shared");            // round again
    CHECK_EQUAL(climbed_rungs(*run).size(), std::size_t{2});
    struct {
        Parameters given;
        const char* says;
    } const rows[] = {
        {{{"rungs", "1_naive,9_best"}}, "no rung '9_best'"},
        {{{"rungs", "1_naive,1_naive"}}, "twice"},
        {{{"block", "32x"}}, "32x8"},
        {{{"sizes", "depth=3"}}, "no size \"depth\""},
    };
    for (const auto& row : rows) {
        const Row named(row.says);
        CHECK_THROWS(find_experiment("climb_ladder").start(setup_of("climb_ladder", row.given)), ArgumentError, row.says);
    }
    const Experiment& experiment = find_experiment("climb_ladder");
    const Parameters other = experiment.with(experiment.complete({{"rungs", "3_shared"}, {"block", "16x16"}}), "ladder", "softmax");
    CHECK(other.at("rungs") == "all" && other.at("block") == "usual");
}

/// The numbers that Volkov's square of sums is for: what one load of shared memory feeds.
TEST(a_ladder_is_asked_by_name) {
    const auto asked = [](const char* question, const Arguments& arguments) {
        return ask("climb_ladder", question, {{"rungs", "1_naive,3_shared,5_tile_2d"}, {"sizes", "M=128,N=128,K=128"}, {"block", "16x16"}}, arguments);
    };
    CHECK_EQUAL(asked("multiply_adds_per_load", {{"rung", "3_shared"}}).number(), 0.5);
    CHECK_EQUAL(asked("multiply_adds_per_load", {{"rung", "5_tile_2d"}, {"block", "32x32"}}).number(), 1.0);
    CHECK_EQUAL(asked("multiply_adds_per_load", {{"rung", "5_tile_2d"}}).number(), 2.0);
    CHECK_EQUAL(asked("multiply_adds_per_load", {{"rung", "5_tile_2d"}, {"block", "8x8"}}).number(), 4.0);
    CHECK_EQUAL(asked("count", {{"of", "global_loads"}, {"rung", "first"}}).number(), 4194304.0);
    CHECK_EQUAL(asked("count", {{"of", "global_loads"}, {"rung", "3_shared"}}).number(), 262144.0);
    CHECK_EQUAL(asked("times_fewer", {{"rung", "3_shared"}}).number(), 16.0);
    CHECK_EQUAL(std::get<std::string>(asked("fewest", {}).value), "5_tile_2d");
    CHECK_EQUAL(asked("fewest", {}).found.size(), std::size_t{3});
    CHECK_EQUAL(std::get<std::string>(asked("limit", {{"rung", "3_shared"}}).value), "shared");
    CHECK_EQUAL(std::get<std::string>(asked("limit", {{"rung", "1_naive"}}).value), "global");
    CHECK(asked("limit", {}).provenance == Provenance::modelled && asked("fewest", {}).provenance == Provenance::counted);
    CHECK(std::abs(asked("knee", {}).number() - 9.56) <= 0.01); // of an A100 in fp32
    CHECK_THROWS(asked("count", {{"of", "luck"}}), ArgumentError, "'luck'", "global_loads");
    CHECK_THROWS(asked("multiply_adds_per_load", {{"from", "disk"}}), ArgumentError, "'disk'");
}

TEST(a_climb_answers_from_its_run_and_is_computed_again_to_the_same_bits) {
    const auto run = climbed(small, 4);
    const Setup setup = setup_of("climb_ladder", small, 4);
    for (const char* rung : {"first", "3_shared", "last"}) {
        const Arguments arguments{{"of", "sectors"}, {"rung", rung}};
        CHECK_EQUAL(find_experiment("climb_ladder").answer("count", arguments, setup, run.get()).number(), find_experiment("climb_ladder").answer("count", arguments, setup, nullptr).number());
    }
    const auto again = reproduce({run});
    REQUIRE(again.size() == 1);
    CHECK(!again[0].result.first, again[0].result.first ? again[0].result.first->sentence() : "");
}

// A kernel's run as a Run: what is counted, its events from the launch to the bits, its file, and what is asked of it.
#include "engine/core/error.hpp"
#include "engine/simt/kernel_run.hpp"
#include "engine/trace/derive/diff.hpp"
#include "engine/trace/derive/event_tree.hpp"
#include "engine/trace/kernel/kernel_cursor.hpp"
#include "lessons/runtime/reproduce.hpp"
#include "tests/experiments/support.hpp"
#include "tests/support/check.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <thread>

using namespace gradus;
using namespace gradus::test;

namespace {

std::shared_ptr<const Run> run_of(const Parameters& parameters, StepIndex steps = 1, std::uint64_t seed = 1) {
    RunRequest request;
    request.experiment = "run_kernel";
    request.parameters = parameters;
    request.steps = steps;
    request.seed = seed;
    Session session(request);
    session.play();
    session.wait();
    REQUIRE(session.status().failure.empty(), session.status().failure);
    const auto run = session.run(0);
    session.stop();
    return run;
}

const Parameters small{{"ladder", "transpose"}, {"rung", "1_naive"}, {"sizes", "rows=64,columns=33"}, {"record", "all"}};

std::string attribute(const EventSite& site, const std::string& name) {
    for (const EventAttribute& each : site.attributes)
        if (each.name == name) return each.value;
    return "none";
}

/// A small problem of a ladder, as the parameter `sizes` says it.
std::string small_sizes(const Ladder& ladder) {
    std::string out;
    for (const ProblemSize& size : ladder.sizes) {
        std::int64_t best = size.usual;
        for (const std::int64_t odd : size.odd)
            if (odd > 0 && odd < best) best = odd;
        out += fmt::format("{}{}={}", out.empty() ? "" : ",", size.name, best);
    }
    return out.empty() ? "usual" : out;
}

} // namespace

TEST(a_kernels_run_counts_what_the_interpreter_does) {
    for (const Ladder& ladder : all_ladders()) {
        const Row row(ladder.id);
        const Parameters parameters{{"ladder", ladder.id}, {"sizes", small_sizes(ladder)}};
        const auto run = run_of(parameters);
        simt::KernelRequest request; // nothing is recorded, and lanes run ahead
        request.ladder = &ladder, request.rung = &ladder.rungs.front();
        for (const ProblemSize& size : ladder.sizes) {
            const std::string sizes = "," + parameters.at("sizes"), name = "," + size.name + "=";
            request.sizes[size.name] = std::stoll(sizes.substr(sizes.find(name) + name.size()));
        }
        const simt::KernelRun plain = run_kernel(request);
        REQUIRE(plain.end.done, plain.end.why);
        std::int64_t sectors = 0, wavefronts = 0;
        std::size_t at = 0;
        const auto tensors = run->tensors_of(0);
        REQUIRE(tensors && tensors->kernels);
        const auto& lines = tensors->kernels->lines;
        for (const simt::StepReport& step : plain.steps)
            for (const simt::LineCount& line : step.lines) {
                if (simt::touches_memory(line.op) && line.space == simt::Space::global) sectors += line.transfers;
                if (simt::touches_memory(line.op) && line.space == simt::Space::shared) wavefronts += line.transfers;
                REQUIRE(at < lines.size());
                const KernelTrace::Line& ours = lines[at++];
                CHECK(ours.steps == line.steps && ours.lanes == line.lanes && ours.transfers == line.transfers && ours.ideal == line.ideal && ours.buffer == line.buffer &&
                          ours.place.line == line.place.line,
                      fmt::format("line {}", line.place.line));
            }
        CHECK_EQUAL(at, lines.size());
        CHECK_EQUAL(*run->value_at("sectors", 0), static_cast<double>(sectors));
        CHECK_EQUAL(*run->value_at("wavefronts", 0), static_cast<double>(wavefronts));
        CHECK_EQUAL(*run->value_at("findings", 0), static_cast<double>(plain.findings.size()));
        double worst = 0;
        for (const simt::OutputError& error : plain.errors) worst = std::max(worst, error.error);
        CHECK_EQUAL(*run->value_at("max_error", 0), worst);
        for (const auto& [name, values] : plain.outputs()) {
            const RecordedTensor* tensor = tensors->find(name);
            REQUIRE(tensor && tensor->tensor.elements() == static_cast<Dim>(values.size()));
            bool same = true;
            for (std::size_t i = 0; i < values.size(); ++i) same &= tensor->tensor.at(static_cast<Dim>(i)) == values[i];
            CHECK(same, name);
        }
    }
}

TEST(one_walks_from_the_launch_to_the_bits) {
    const auto run = run_of({{"ladder", "matmul"}, {"rung", "1_naive"}, {"sizes", "M=33,N=20,K=6"}, {"record", "all"}});
    const EventTree tree(*run, 0);
    const EventSite* kernel = tree.step(-1, Level::kernel, 1);
    REQUIRE(kernel && tree.kernels());
    const KernelTrace& trace = tree.kernels()->trace();
    CHECK_EQUAL(kernel->cost.flops, 2.0 * 33 * 20 * 6);
    CHECK(kernel->inputs.size() == 2 && kernel->outputs.size() == 1);
    const EventSite* bits = tree.first_inside(kernel->ordinal, Level::bits);
    REQUIRE(bits != nullptr);
    const Level levels[] = {Level::iteration, Level::kernel, Level::block, Level::warp_instruction, Level::lane};
    const auto path = tree.path(tree.first_inside(kernel->ordinal, Level::lane)->ordinal);
    REQUIRE(path.size() == std::size(levels));
    for (std::size_t i = 0; i < path.size(); ++i) CHECK(path[i]->level == levels[i], path[i]->path);
    CHECK(path.back() == tree.find(path.back()->path));
    std::size_t count[5] = {};
    for (int level = static_cast<int>(Level::block); level <= static_cast<int>(Level::bits); ++level) {
        std::int32_t at = kernel->ordinal, before = -1;
        for (const EventSite* site; (site = tree.step(at, static_cast<Level>(level), 1)); at = site->ordinal) {
            CHECK(static_cast<int>(site->level) == level && site->ordinal > at);
            if (count[level - static_cast<int>(Level::block)] % 97 == 0) {
                CHECK(tree.find(site->path) == site, site->path);
                CHECK(static_cast<int>(tree.find(site->parent)->level) == level - 1);
                const EventSite* back = tree.step(site->ordinal, static_cast<Level>(level), -1);
                CHECK(before < 0 ? back == nullptr : back && back->ordinal == before);
            }
            before = site->ordinal;
            ++count[level - static_cast<int>(Level::block)];
        }
        CHECK(tree.last(static_cast<Level>(level))->ordinal == before);
    }
    std::size_t lanes = 0;
    for (const std::uint32_t mask : trace.log.mask) lanes += static_cast<std::size_t>(std::popcount(mask));
    CHECK_EQUAL(count[0], trace.log.blocks.size());
    CHECK_EQUAL(count[1], trace.steps());
    CHECK_EQUAL(count[2], lanes);
    CHECK_EQUAL(count[3], std::size_t{33 * 20 * 6});
    const EventSite* fma = tree.last(Level::bits);
    CHECK(fma->name == "fmaf" && attribute(*fma, "rounding") != "none" && attribute(*fma, "a").find(" = ") != std::string::npos, attribute(*fma, "a"));
    // A step's attributes, a lane's values, beside the cursor's memory.
    KernelCursor cursor(tree.kernels() ? run->tensors_of(0)->kernels : nullptr);
    const EventSite* load = tree.first_inside(kernel->ordinal, Level::warp_instruction);
    while (load && !load->name.starts_with("load")) load = tree.step(load->ordinal, Level::warp_instruction, 1);
    REQUIRE(load != nullptr);
    CHECK(attribute(*load, "sectors") != "none" && attribute(*load, "line") == "19" && attribute(*load, "space") == "global");
    const EventSite* lane = tree.first_inside(load->ordinal, Level::lane);
    CHECK(attribute(*lane, "local K").starts_with("6") && attribute(*lane, "local sum").starts_with("0") && attribute(*lane, "local A").starts_with("&A[0]"), attribute(*lane, "local sum"));
    cursor.go_to(tree.kernels()->step_of(load->ordinal));
    const auto index = static_cast<std::size_t>(std::stoll(attribute(*lane, "index")));
    for (std::size_t i = 0; i < trace.ranges.size(); ++i)
        if (trace.ranges[i].name == attribute(*lane, "buffer")) CHECK_EQUAL(value_text(ValueKind::f32, cursor.memory(i).subspan(4 * index, 4)), attribute(*lane, "value"));
}

TEST(what_is_selected_is_recorded) {
    struct {
        Parameters more;
        std::size_t blocks, warps;
    } const rows[] = {{{{"record", "none"}}, 0, 0}, {{{"record", "block"}, {"record_block", "1"}}, 1, 8}, {{{"record", "warp"}, {"record_warp", "3"}}, 1, 1}, {{{"record", "all"}}, 4, 8}};
    for (const auto& row : rows) {
        const Row named(row.more.at("record"));
        Parameters parameters{{"ladder", "transpose"}, {"rung", "2_tiled"}, {"sizes", "rows=64,columns=64"}};
        for (const auto& [name, value] : row.more) parameters[name] = value;
        const auto run = run_of(parameters);
        const KernelTrace& trace = *run->tensors_of(0)->kernels;
        CHECK_EQUAL(trace.log.blocks.size(), row.blocks);
        std::uint32_t warps = 0;
        for (std::size_t i = 0; i < trace.steps(); ++i)
            if (trace.is_shown(i)) warps |= 1u << trace.log.warp[i];
        CHECK_EQUAL(static_cast<std::size_t>(std::popcount(warps)), row.warps);
        CHECK(!trace.lines.empty());
        const EventTree tree(*run, 0);
        CHECK_EQUAL(tree.step(-1, Level::block, 1) != nullptr, row.blocks > 0);
    }
}

TEST(a_block_is_recorded_alone) {
    Parameters parameters{{"ladder", "matmul"}, {"rung", "3_shared"}, {"sizes", "M=80,N=80,K=33"}, {"block", "16x16"}, {"record", "block"}, {"record_block", "7"}};
    const auto among = run_of(parameters);
    parameters["record"] = "block_alone";
    const auto alone = run_of(parameters);
    CHECK_EQUAL(alone->value_at("steps_recorded", 0).value(), among->value_at("steps_recorded", 0).value());
    CHECK_EQUAL(alone->value_at("findings", 0).value(), 0.0);
    CHECK(std::isnan(alone->value_at("max_error", 0).value())); // the rest of the product is not there
    CHECK(among->value_at("max_error", 0).value() <= 1e-6);
    CHECK_EQUAL(alone->value_at("warp_instructions", 0).value() * 25, among->value_at("warp_instructions", 0).value()); // of 5 × 5 blocks
}

TEST(kernels_are_asked_by_name) {
    const auto asked = [](const char* question, const Arguments& arguments = {}, const char* rung = "1_naive") {
        return ask("run_kernel", question, {{"ladder", "transpose"}, {"rung", rung}, {"sizes", "rows=64,columns=64"}}, arguments);
    };
    CHECK_EQUAL(asked("sectors_per_request", {{"buffer", "x"}, {"access", "load"}}).number(), 4.0);
    CHECK_EQUAL(asked("sectors_per_request", {{"buffer", "y"}, {"access", "store"}}).number(), 32.0);
    CHECK_EQUAL(asked("sectors_per_request", {{"buffer", "y"}}, "2_tiled").number(), 4.0);
    CHECK_EQUAL(asked("bytes").number(), 2.0 * 64 * 64 * 4);
    CHECK_EQUAL(asked("requests", {{"buffer", "x"}}).number(), 64.0 * 64 / 32);
    CHECK_EQUAL(asked("max_error").number(), 0.0);
    CHECK_EQUAL(asked("findings").number(), 0.0);
    CHECK_EQUAL(asked("bank_conflicts").number(), 0.0);
    CHECK(asked("bank_conflicts", {}, "2_tiled").number() > 0);
    CHECK(asked("sectors").provenance == Provenance::counted && asked("max_error").provenance == Provenance::computed);
    CHECK(asked("occupancy").provenance == Provenance::modelled);
    CHECK_EQUAL(ask("run_kernel", "active_lanes", {{"ladder", "transpose"}, {"sizes", "rows=8,columns=16"}}).number() < 32, true);
    CHECK_THROWS(asked("sectors", {{"buffer", "z"}}), ArgumentError, "'z'", "y, x");
    CHECK_THROWS(asked("sectors", {{"access", "peek"}}), ArgumentError, "'peek'");
}

TEST(parameters_of_a_kernel_that_do_not_fit_are_refused) {
    struct {
        Parameters given;
        const char* says;
    } const rows[] = {
        {{{"rung", "9_best"}}, "no rung '9_best'"},
        {{{"sizes", "rows"}}, "rows=64"},
        {{{"sizes", "depth=3"}}, "no size \"depth\""},
        {{{"sizes", "rows=0"}}, "at least 1"},
        {{{"block", "32x"}}, "32x8"},
        {{{"block", "7"}}, "cannot have blocks"},
        {{{"record_block", "99999"}}, "record_block must be"},
        {{{"record_launch", "3"}}, "record_launch must be"},
        {{{"record", "warp"}, {"record_warp", "31"}}, "record_warp must be"},
    };
    for (const auto& row : rows) {
        const Row named(row.says);
        CHECK_THROWS(find_experiment("run_kernel").start(setup_of("run_kernel", row.given)), ArgumentError, row.says);
    }
    const Experiment& experiment = find_experiment("run_kernel");
    const Parameters other = experiment.with(experiment.complete({{"rung", "2_tiled"}, {"sizes", "rows=5"}}), "ladder", "softmax");
    CHECK(other.at("rung") == "first" && other.at("sizes") == "usual");
}

TEST(a_kernels_run_is_computed_again_to_the_same_bits) {
    const auto run = run_of(small, 2);
    const auto again = reproduce({run});
    REQUIRE(again.size() == 1);
    CHECK(!again[0].result.first, again[0].result.first ? again[0].result.first->sentence() : "");
    CHECK(again[0].result.tensors > 2);
    const auto other = run_of(small, 2, 9);
    CHECK(diff_runs(*run, *other).first.has_value());
    // One bit of one lane's value, and nothing else, is found, too.
    const auto changed = std::make_shared<Run>(run->manifest(), std::vector<SeriesInfo>{}, nullptr);
    const auto same = std::make_shared<Run>(run->manifest(), std::vector<SeriesInfo>{}, nullptr);
    for (const auto& [to, flip] : {std::pair(changed, true), std::pair(same, false)}) {
        RunWriter writer(to);
        writer.begin_iteration(0, true);
        auto tensors = std::make_shared<IterationTensors>(*run->tensors_of(0));
        auto trace = std::make_shared<KernelTrace>(*tensors->kernels);
        if (flip) trace->log.payload.back() ^= std::byte{1};
        tensors->kernels = trace;
        writer.keep(tensors);
        writer.end_iteration();
    }
    const DiffResult found = diff_runs(*changed, *same);
    REQUIRE(found.first.has_value());
    CHECK(found.first->what == "kernel" && found.first->sentence().find("transpose/1_naive") != std::string::npos, found.first->sentence());
    CHECK(!diff_runs(*same, *same).first);
}

/// Whoever stops a session need not wait for the kernel that runs in it.
TEST(a_kernel_that_runs_is_stopped_with_its_session) {
    RunRequest request;
    request.experiment = "run_kernel";
    request.parameters = {{"ladder", "matmul"}, {"rung", "1_naive"}, {"sizes", "M=512,N=512,K=512"}, {"record", "none"}};
    request.steps = 1;
    Session session(request);
    session.play();
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    CHECK(session.status().loading); // it has not come to its first iteration
    session.stop();
    CHECK(!session.status().loading, "nobody waits for one that will not come");
    CHECK_EQUAL(session.status().failure, "");
}

// A net whose products are made by a kernel that a learner wrote: from the start, or from the middle of training on.
#include "engine/core/error.hpp"
#include "engine/simt/kernel_run.hpp"
#include "engine/simt/kernel_text.hpp"
#include "engine/trace/derive/event_tree.hpp"
#include "engine/trace/kernel/kernel_events.hpp"
#include "lessons/experiments/train_mlp/process.hpp"
#include "tests/experiments/support.hpp"
#include "tests/support/check.hpp"

#include <cstring>

using namespace gradus;
using namespace gradus::test;

namespace {

const Parameters& net() {
    static const Parameters parameters{{"data", "moons"}, {"layers", "2,64,64,2"}, {"batch", "64"}, {"lr", "0.5"}, {"matmul_rung", "shared"}};
    return parameters;
}

void need_compiler() {
    try {
        const Device simt({"simt", "", 1});
    } catch (const UnavailableError& error) {
        skip(error.what());
    }
}

std::string own_text() {
    const auto [ladder, rung] = simt::find_rung("matmul/3_shared");
    return simt::text_of(simt::file_of(*ladder, *rung));
}

std::string replaced(std::string text, const std::string& what, const std::string& by, int time = 0) {
    std::size_t at = text.find(what);
    for (; time > 0; --time) at = text.find(what, at + 1);
    REQUIRE(at != std::string::npos);
    return text.replace(at, what.size(), by);
}

/// The barrier that keeps a fast thread from overwriting what a slow one still reads is gone. It is needed where a row has more than one tile.
std::string racing() { return replaced(own_text(), "__syncthreads();", "", 1); }

std::string out_of_bounds() { return replaced(own_text(), "C[row * N + column] = sum;", "C[(row * N + column) * 100000000LL] = sum;"); }

Edit edit_to(const std::string& text) { return {.kind = Edit::Kind::setting, .target = "matmul_source", .index = {}, .values = {}, .text_value = text}; }

struct Trained {
    Session session;
    explicit Trained(const Parameters& more, StepIndex steps = 30, StepIndex observe = 10, const std::vector<LoggedEdit>& edits = {}) : session(request(more, steps, observe)) {
        for (const LoggedEdit& edit : edits) session.submit(edit.edit, 0, edit.iteration);
        session.play();
        REQUIRE(settled(session));
    }
    static RunRequest request(const Parameters& more, StepIndex steps, StepIndex observe) {
        need_compiler();
        Parameters parameters = net();
        for (const auto& [name, value] : more) parameters[name] = value;
        RunRequest out = request_of(parameters, steps, 1, observe);
        out.device.device = "simt";
        return out;
    }
    std::shared_ptr<const Run> run() const { return session.run(0); }
};

} // namespace

TEST(the_kernels_own_text_trains_to_the_same_bits) {
    const Trained own({}), text({{"matmul_source", own_text()}});
    CHECK(text.session.status().failure.empty(), text.session.status().failure);
    CHECK(losses(*own.run()) == losses(*text.run()));
    CHECK(final_state(*own.run()) == final_state(*text.run()));
}

TEST(a_kernel_that_is_edited_in_a_run_changes_it_from_there_on_and_again) {
    const Trained own({}), edited({}, 30, 10, {{12, edit_to(racing())}, {20, edit_to("own")}});
    CHECK(edited.session.status().refusal.empty() && edited.session.status().failure.empty(), edited.session.status().refusal);
    const std::vector<std::uint64_t> before = losses(*own.run()), after = losses(*edited.run());
    REQUIRE(before.size() == 30 && after.size() == 30);
    for (std::size_t i = 0; i < 12; ++i) CHECK_EQUAL(before[i], after[i]);
    CHECK(before[12] != after[12]);
    const Recomputed again = recomputed(*edited.run());
    CHECK(again.losses == after && again.state == final_state(*edited.run()));
}

TEST(an_iteration_after_the_edit_is_computed_again_from_a_checkpoint) {
    Trained edited({{"watch", "layer2"}}, 30, 30, {{12, edit_to(racing())}});
    const auto run = detail_of(edited.session, 0, 17);
    REQUIRE(run != nullptr);
    const auto tensors = run->tensors_of(17);
    REQUIRE(tensors && tensors->kernels);
    CHECK_EQUAL(tensors->kernels->sources.at(0), racing());
    // One walks into it, whatever the Run itself has kept.
    CHECK(!EventTree(*edited.run(), 17, nullptr).kernels());
    const EventTree tree(*edited.run(), 17, tensors);
    REQUIRE(tree.kernels() != nullptr);
    CHECK(&tree.kernels()->trace() == tensors->kernels.get());
    CHECK(tree.find("forward/layer2/matmul a1·W2/0/block 0/load at fmaf") != nullptr);
}

TEST(a_text_that_does_not_compile_is_refused_and_the_run_goes_on) {
    const Trained edited({}, 20, 10, {{5, edit_to(replaced(own_text(), "float sum = 0;", "float sum = nothing;"))}});
    CHECK(edited.session.status().refusal.find("nothing") != std::string::npos, edited.session.status().refusal);
    CHECK(edited.session.status().failure.empty());
    CHECK_EQUAL(losses(*edited.run()).size(), 20u);
    CHECK(losses(*edited.run()) == losses(*Trained({}, 20).run()));
}

TEST(a_kernel_that_goes_out_of_bounds_ends_the_run_with_its_name_and_the_steps_before_stay) {
    const Trained edited({}, 20, 10, {{5, edit_to(out_of_bounds())}});
    CHECK(edited.session.status().failure.find("matmul/3_shared, as it was edited, touched memory that is not its own") != std::string::npos, edited.session.status().failure);
    CHECK_EQUAL(edited.run()->head(), 5);
}

TEST(a_branch_whose_kernel_fails_ends_alone) {
    Trained trained({}, 20, 10);
    trained.session.submit_fork(edit_to(out_of_bounds()), 0, 5);
    trained.session.wait();
    trained.session.play();
    REQUIRE(settled(trained.session));
    REQUIRE(trained.session.runs().size() == 2);
    const auto failed = trained.session.run(1);
    CHECK(failed->state() == RunState::failed);
    CHECK(failed->failure().find("matmul/3_shared, as it was edited, touched memory that is not its own") != std::string::npos, failed->failure());
    CHECK(failed->failure().find("3_shared.cu, line 35: ") != std::string::npos, failed->failure()); // where
    CHECK_EQUAL(failed->head(), 5);
    CHECK(trained.session.status().failure.empty(), trained.session.status().failure);
    for (const std::size_t from : {std::size_t{1}, std::size_t{0}}) { // what is mended goes on, from the branch that failed, too
        trained.session.submit_fork(edit_to(own_text()), from, 5);
        trained.session.wait();
        trained.session.play();
        REQUIRE(settled(trained.session));
        CHECK(trained.session.status().refusal.empty(), trained.session.status().refusal);
        const auto again = trained.session.runs().back();
        CHECK(again->state() == RunState::finished);
        CHECK(final_state(*again) == final_state(*trained.run()));
    }
}

TEST(only_simt_takes_a_kernels_text_and_only_of_a_rung_that_is_named) {
    RunRequest cpu = Trained::request({{"matmul_source", own_text()}}, 5, 1);
    cpu.device.device = "cpu";
    cpu.parameters["matmul_rung"] = "auto";
    Session on_cpu(cpu);
    on_cpu.play();
    REQUIRE(settled(on_cpu));
    CHECK(on_cpu.status().failure.find("--device simt runs, not cpu") != std::string::npos, on_cpu.status().failure);
    const Trained any({{"matmul_source", own_text()}, {"matmul_rung", "auto"}}, 5);
    CHECK(any.session.status().failure.find("matmul_rung") != std::string::npos, any.session.status().failure);
    const Trained none({{"watch", "layer4"}}, 5);
    CHECK(none.session.status().failure.find("watch must be none or one of layer1 to layer3, not 'layer4'") != std::string::npos, none.session.status().failure);
}

TEST(a_watched_product_is_recorded_lane_by_lane_with_the_numbers_of_its_step) {
    const Trained watched({{"watch", "layer2"}}, 11, 5), plain({}, 11, 5);
    CHECK(losses(*watched.run()) == losses(*plain.run()));
    for (const StepIndex step : {0, 5, 10}) {
        const Row named(fmt::format("step {}", step));
        const auto tensors = watched.run()->tensors_of(step);
        REQUIRE(tensors && tensors->kernels);
        const KernelTrace& trace = *tensors->kernels;
        CHECK(trace.ladder == "matmul" && trace.rung == "3_shared" && trace.steps() > 0 && trace.findings.empty());
        for (const auto& [buffer, name] : {std::pair{"A", "a1"}, std::pair{"B", "W2"}}) {
            const auto range = std::ranges::find(trace.ranges, buffer, &KernelTrace::Range::name);
            const RecordedTensor* tensor = std::string(buffer) == "B" ? &*std::ranges::find(tensors->tensors, name, &RecordedTensor::name) : tensors->find(name);
            REQUIRE(range != trace.ranges.end() && tensor && tensor->tensor.defined());
            REQUIRE(range->start.size() == static_cast<std::size_t>(tensor->tensor.elements()) * 4);
            for (Dim i = 0; i < tensor->tensor.elements(); ++i) {
                float value = 0;
                std::memcpy(&value, range->start.data() + i * 4, 4);
                CHECK_EQUAL(static_cast<double>(value), tensor->tensor.at(i));
            }
        }
        const auto error = watched.run()->value_at("product_error", step);
        REQUIRE(error.has_value());
        CHECK(*error <= 1e-6);
        const EventTree tree(*watched.run(), step);
        REQUIRE(tree.kernels() != nullptr);
        const EventSite* product = tree.find("forward/layer2/matmul");
        REQUIRE(product);
        const EventSite* launch = tree.first_inside(product->ordinal, Level::kernel);
        REQUIRE(launch && launch->level == Level::kernel && launch->parent == product->ordinal);
        const EventSite* lane = tree.first_inside(launch->ordinal, Level::lane);
        REQUIRE(lane && lane->level == Level::lane);
        CHECK(tree.path(lane->ordinal).front()->level == Level::iteration && tree.path(lane->ordinal).size() == 8);
        CHECK(tree.find(lane->path) == lane);
        CHECK(tree.find("forward/layer2/matmul a1·W2/0/block 0/lane 3 at fmaf") != nullptr);
    }
}

TEST(a_race_in_training_leads_to_its_lanes) {
    const Trained watched({{"watch", "layer2"}}, 20, 1, {{8, edit_to(racing())}});
    CHECK(watched.session.status().failure.empty(), watched.session.status().failure);
    const auto before = watched.run()->tensors_of(7), after = watched.run()->tensors_of(8);
    REQUIRE(before && after && before->kernels && after->kernels);
    CHECK(before->kernels->findings.empty());
    REQUIRE(!after->kernels->findings.empty());
    CHECK(after->kernels->findings.front().kind == "race" && !after->kernels->findings.front().threads.empty());
}

TEST(what_a_missing_barrier_does_is_asked_of_the_training) {
    need_compiler();
    const Experiment& experiment = find_experiment("train_mlp");
    const auto ask = [&](const char* question, const Arguments& arguments, Parameters more) {
        for (const auto& [name, value] : net()) more.insert({name, value});
        Setup setup = setup_of("train_mlp", more, 10);
        setup.device.device = "simt";
        setup.data = std::make_shared<DataStore>();
        return experiment.answer(question, arguments, setup, nullptr);
    };
    const Parameters watched{{"watch", "layer2"}};
    CHECK_EQUAL(ask("racing_threads", {{"barrier", "2"}}, watched).text(), "other_warps, same_warp");
    CHECK_EQUAL(ask("racing_threads", {{"barrier", "2"}}, {{"watch", "layer2"}, {"layers", "2,24,24,2"}}).text(), "none"); // one tile only
    CHECK(ask("without_barrier", {{"barrier", "2"}}, watched).text() != "same");
    CHECK_EQUAL(ask("without_barrier", {{"barrier", "2"}}, {{"layers", "2,24,24,2"}}).text(), "same");
    CHECK_THROWS(ask("racing_threads", {{"barrier", "3"}}, watched), ArgumentError, "no barrier number 3");
    CHECK_THROWS(ask("racing_threads", {}, {}), ArgumentError, "watch");
}

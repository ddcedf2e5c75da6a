#include "engine/trace/run.hpp"

#include "engine/trace/run_writer.hpp"
#include "tests/support/check.hpp"
#include "tests/support/tensors.hpp"
#include "tests/trace/recorded.hpp"

#include <algorithm>
#include <thread>

using namespace gradus;
using namespace gradus::test;

namespace {

const Parameters small{{"data", "blobs"}, {"layers", "2,5,3"}, {"batch", "16"}};

std::shared_ptr<Run> empty_run(RunBudget budget = {}, StepIndex from = 0, std::shared_ptr<const Run> parent = nullptr) {
    Manifest manifest;
    manifest.fork_iteration = from;
    return std::make_shared<Run>(manifest, std::vector<SeriesInfo>{{"loss", "", Provenance::computed, true}, {"norm", "", Provenance::computed, false}},
                                 std::move(parent), budget);
}

std::shared_ptr<const Checkpoint> checkpoint_at(StepIndex iteration, std::size_t bytes) {
    auto out = std::make_shared<Checkpoint>();
    out->iteration = iteration;
    out->bytes = bytes;
    return out;
}

} // namespace

TEST(tensor_says_whether_it_is_present_evicted_or_not_kept) {
    RunBudget tiny;
    tiny.tensors = 60'000;
    Recording r(small, 1000, tiny);
    for (int i = 0; i < 200; ++i) r.iterate(i % 4 == 0);
    CHECK(r.run->memory().tensors <= tiny.tensors, std::to_string(r.run->memory().tensors));
    int present = 0, evicted = 0;
    std::int32_t ordinal = -1; // of some op
    for (std::size_t i = 0; i < r.run->sites().size(); ++i)
        if (r.run->sites()[i].name == "gelu" || r.run->sites()[i].name == "relu") ordinal = r.run->sites()[i].ordinal;
    REQUIRE(ordinal >= 0);
    for (StepIndex i = 0; i < 200; i += 4) {
        const TensorAnswer answer = r.run->tensor({{i, ordinal}, 0});
        CHECK_EQUAL(answer.state == TensorAnswer::State::present, r.run->tensors_of(i) != nullptr);
        if (answer.state == TensorAnswer::State::present) {
            ++present;
            CHECK(answer.reason.empty() && answer.tensor.tensor.defined());
        } else {
            ++evicted;
            CHECK(answer.state == TensorAnswer::State::evicted);
            CHECK(answer.reason.find("memory budget") != std::string::npos, answer.reason);
        }
    }
    CHECK(present >= 2 && evicted >= 2, fmt::format("{} present, {} evicted", present, evicted));
    CHECK(r.run->tensors_of(-1) != nullptr); // setup stays
    CHECK(r.run->tensors_of(196) != nullptr); // and the latest
    const TensorAnswer unobserved = r.run->tensor({{101, ordinal}, 0});
    CHECK(unobserved.state == TensorAnswer::State::not_kept && unobserved.reason.find("not observed") != std::string::npos, unobserved.reason);
    const TensorAnswer future = r.run->tensor({{5000, ordinal}, 0});
    CHECK(future.state == TensorAnswer::State::not_kept && future.reason.find("not run yet") != std::string::npos, future.reason);
    const TensorAnswer setup = r.run->tensor({{-1, 0}, 0});
    CHECK(setup.state == TensorAnswer::State::present && setup.tensor.name == "data", setup.reason);
    CHECK(r.run->tensor({{-1, 9999}, 0}).state != TensorAnswer::State::present);
}

TEST(kept_tensors_are_densest_near_the_head) {
    RunBudget tiny;
    tiny.tensors = 150'000;
    Recording r(small, 1000, tiny);
    for (int i = 0; i < 400; ++i) r.iterate(true);
    int early = 0, late = 0;
    for (StepIndex i = 0; i < 400; ++i) (i < 200 ? early : late) += r.run->tensors_of(i) != nullptr;
    CHECK(late > 2 * early && early >= 1, fmt::format("{} early, {} late", early, late));
}

TEST(checkpoints_thin_out_geometrically) {
    RunBudget budget;
    budget.checkpoints = 40 * 100;
    const auto run = empty_run(budget);
    RunWriter writer(run);
    for (StepIndex i = 0; i <= 5000; ++i) {
        writer.add_checkpoint(checkpoint_at(i, 100));
        if (run->memory().checkpoints > budget.checkpoints) CHECK(run->memory().checkpoints <= budget.checkpoints);
    }
    const auto kept = run->checkpoint_iterations();
    CHECK_EQUAL(kept.size(), 40u);
    REQUIRE(kept.front() == 0 && kept.back() == 5000 && std::is_sorted(kept.begin(), kept.end()));
    // how far back one must compute is in proportion to the age
    double worst = 0;
    for (std::size_t i = 1; i < kept.size(); ++i) {
        const auto age = static_cast<double>(5001 - kept[i]), gap = static_cast<double>(kept[i] - kept[i - 1]);
        if (kept[i - 1] > 0) worst = std::max(worst, gap / (age + gap));
    }
    CHECK_ERROR(worst, 0.6, "gap by age");
    CHECK(kept[kept.size() - 2] >= 4998);
    CHECK_EQUAL(run->checkpoint_before(0)->iteration, 0);
    CHECK_EQUAL(run->checkpoint_before(kept[3])->iteration, kept[3]);
    CHECK_EQUAL(run->checkpoint_before(kept[3] - 1)->iteration, kept[2]);
    CHECK_EQUAL(run->checkpoint_before(1'000'000)->iteration, 5000);
}

TEST(checkpoints_beyond_the_budget_keep_first_and_last) {
    RunBudget none;
    none.checkpoints = 10;
    const auto run = empty_run(none);
    RunWriter writer(run);
    for (StepIndex i = 0; i < 20; ++i) writer.add_checkpoint(checkpoint_at(i, 1000));
    CHECK_EQUAL(run->checkpoint_iterations(), (std::vector<StepIndex>{0, 19}));
    const auto many = empty_run();
    RunWriter other(many);
    for (StepIndex i = 0; i < 2000; ++i) other.add_checkpoint(checkpoint_at(i, 1));
    CHECK(many->checkpoint_iterations().size() <= 512 && many->checkpoint_iterations().front() == 0);
}

TEST(thinning_victim_is_never_an_end) {
    CHECK_EQUAL(thinning_victim({}, 5), -1);
    CHECK_EQUAL(thinning_victim({0}, 5), -1);
    CHECK_EQUAL(thinning_victim({0, 4}, 5), -1);
    CHECK_EQUAL(thinning_victim({0, 2, 4}, 5), 1);
    CHECK_EQUAL(thinning_victim({0, 1, 2, 3, 100}, 101), 1); // the oldest of equal gaps
}

TEST(series_answer_by_iteration) {
    const auto run = empty_run({}, 10);
    RunWriter writer(run);
    for (StepIndex i = 10; i < 40; ++i) {
        writer.begin_iteration(i, false);
        writer.push(0, static_cast<double>(i) * 2);
        if (i % 7 == 0) writer.push(1, static_cast<double>(i));
        writer.end_iteration();
    }
    CHECK_EQUAL(run->head(), 40);
    for (StepIndex i = -1; i < 45; ++i) {
        const auto loss = run->value_at("loss", i), norm = run->value_at("norm", i);
        CHECK_EQUAL(loss.has_value(), i >= 10 && i < 40);
        if (loss) CHECK_EQUAL(*loss, static_cast<double>(i) * 2);
        CHECK_EQUAL(norm.has_value(), i >= 10 && i < 40 && i % 7 == 0);
    }
    CHECK(!run->value_at("nothing", 12));
    CHECK_EQUAL(run->find_series("loss")->at(0).iteration, 10);
    CHECK(run->iteration_end(10) > 0 && run->iteration_end(39) >= run->iteration_end(10));
    CHECK(run->iteration_end(9) == 0 && run->iteration_end(40) == 0);
}

TEST(forks_ask_their_parent_for_what_is_older) {
    const auto parent = empty_run();
    RunWriter writer(parent);
    for (StepIndex i = 0; i < 20; ++i) {
        writer.begin_iteration(i, false);
        writer.push(0, static_cast<double>(i));
        writer.end_iteration();
    }
    writer.add_checkpoint(checkpoint_at(0, 1));
    writer.add_checkpoint(checkpoint_at(8, 1));
    writer.add_checkpoint(checkpoint_at(15, 1));
    const auto fork = empty_run({}, 10, parent);
    RunWriter fork_writer(fork);
    CHECK_EQUAL(fork->head(), 10);
    fork_writer.begin_iteration(10, false);
    fork_writer.push(0, 1000);
    fork_writer.end_iteration();
    CHECK_EQUAL(*fork->value_at("loss", 9), 9.0);
    CHECK_EQUAL(*fork->value_at("loss", 10), 1000.0);
    CHECK(!fork->value_at("loss", 11)); // the parent's later values are not the fork's
    CHECK_EQUAL(*parent->value_at("loss", 10), 10.0);
    CHECK_EQUAL(fork->checkpoint_before(12)->iteration, 8); // not 15: that is the parent's future
    CHECK_EQUAL(fork->iteration_end(5), parent->iteration_end(5));
}

TEST(events_give_way_to_the_budget_unless_a_recorder_needs_them) {
    for (const bool recorder : {false, true}) {
        RunBudget tiny;
        tiny.events = 3 * 16'384 * sizeof(EventRecord);
        const auto run = empty_run(tiny);
        RunWriter writer(run);
        const auto recorded = std::make_shared<std::atomic<std::size_t>>(0);
        if (recorder) writer.protect_events_from(recorded);
        const std::int32_t site = writer.add_site({});
        for (StepIndex i = 0; i < 100; ++i) {
            writer.begin_iteration(i, true);
            for (int event = 0; event < 1000; ++event) writer.end(writer.begin(), site);
            writer.end_iteration();
        }
        CHECK_EQUAL(run->event_count(), 100'000u);
        CHECK_EQUAL(run->events_of(0).size(), recorder ? 1000u : 0u);
        CHECK_EQUAL(run->events_of(99).size(), 1000u);
        CHECK_EQUAL(run->events_of(99).back().ordinal, 999);
        if (!recorder) CHECK(run->memory().events <= tiny.events);
        CHECK(run->events_of(1000).empty());
        CHECK_EQUAL(run->events(99'999, 50).size(), 1u);
        CHECK(run->events(200'000, 50).empty());
    }
}

TEST(run_is_read_while_it_grows) {
    RunBudget tiny;
    tiny.tensors = 60'000;
    tiny.checkpoints = 20'000;
    tiny.events = 2 * 16'384 * sizeof(EventRecord);
    Recording r(small, 1000, tiny);
    std::atomic<bool> stop{false};
    std::atomic<int> wrong{0};
    std::vector<std::thread> readers;
    for (int reader = 0; reader < 2; ++reader)
        readers.emplace_back([&] {
            const Run& run = *r.run;
            while (!stop) {
                const StepIndex head = run.head();
                if (head == 0) continue;
                for (const StepIndex i : {head - 1, head / 2, StepIndex{0}}) {
                    wrong += !run.value_at("loss", i).has_value() || run.iteration_end(i) == 0;
                    const auto events = run.events_of(i);
                    for (const EventRecord& event : events)
                        wrong += event.site < 0 || static_cast<std::size_t>(event.site) >= run.sites().size() || event.start > event.end;
                    if (const auto tensors = run.tensors_of(i))
                        for (const RecordedTensor& tensor : tensors->tensors)
                            wrong += tensor.tensor.elements() > 0 && !(tensor.tensor.at(0) < 1e30);
                    const auto checkpoint = run.checkpoint_before(i);
                    wrong += checkpoint && checkpoint->iteration > i;
                }
                wrong += run.memory().tensors > 2 * tiny.tensors;
                static_cast<void>(run.observed().size() > 0 && run.observed().back().iteration > head);
            }
        });
    r.writer->add_checkpoint(r.process->checkpoint(0));
    for (int i = 1; i <= 1500; ++i) {
        r.iterate(i % 2 == 0);
        if (i % 5 == 0) r.writer->add_checkpoint(r.process->checkpoint(i));
    }
    stop = true;
    for (std::thread& reader : readers) reader.join();
    CHECK_EQUAL(wrong.load(), 0);
}

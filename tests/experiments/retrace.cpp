// Going on where a recorded session ended.
#include "engine/core/error.hpp"
#include "engine/trace/derive/diff.hpp"
#include "tests/experiments/support.hpp"
#include "tests/support/check.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

/// A session with forks of forks, edits at forks, a breakpoint, and a parent that was edited after its child had left.
void work_in(Session& session) {
    session.submit(Edit::parse("lr = 0.2"), 0, 5);
    session.submit(Edit::parse("break iteration 30"), 0, 0);
    session.play();
    settle(session); // stands at 30
    session.submit_fork(Edit::parse("W1[0, 1] = 0.5"), 0, 30);
    settle(session);
    session.select(0);
    session.submit(Edit::parse("lr = 0.07"), 0, 30); // after the fork has left at this very iteration
    session.run_to(55);
    settle(session);
    session.submit_fork(Edit::parse("lr = 0.01"), 0, 12);
    session.run_to(41);
    settle(session);
    session.submit_fork(Edit::parse("b1[1] = -1"), 2, 20);
    session.play();
    settle(session);
    session.submit(Edit::parse("lr = 0.4"), 0, 55); // at the head, not computed with
    settle(session);
}

/// That every Run was computed again, to the same bits.
void check_same(const Session& again, const std::vector<std::shared_ptr<const Run>>& past) {
    CHECK(again.status().refusal.empty(), again.status().refusal);
    const auto runs = again.runs();
    REQUIRE(runs.size() == past.size());
    for (std::size_t i = 0; i < past.size(); ++i) {
        const Row row(past[i]->manifest().id);
        CHECK_EQUAL(runs[i]->manifest().id, past[i]->manifest().id);
        CHECK_EQUAL(runs[i]->manifest().parent_edits, past[i]->manifest().parent_edits);
        CHECK_EQUAL(runs[i]->head(), past[i]->head());
        CHECK_EQUAL(runs[i]->edits().size(), past[i]->edits().size());
        CHECK(losses(*runs[i]) == losses(*past[i]));
        const DiffResult result = diff_runs(*past[i], *runs[i]);
        CHECK(!result.first, result.first ? result.first->sentence() : "");
    }
}

} // namespace

TEST(a_recorded_session_is_computed_again_to_the_same_bits) {
    for (const Parameters& parameters : {xor_net(), batch_net()}) {
        Session first(request_of(parameters, 80));
        work_in(first);
        const auto past = first.runs();
        REQUIRE(past.size() == 4);
        Session again(request_from_past(past));
        settle(again);
        check_same(again, past);
        // And then it goes on as the first would have gone on.
        Session straight(request_of(parameters, 80));
        straight.submit(Edit::parse("lr = 0.2"), 0, 5);
        straight.submit(Edit::parse("lr = 0.07"), 0, 30);
        straight.submit(Edit::parse("lr = 0.4"), 0, 55);
        straight.play();
        again.select(0);
        again.play();
        settle(straight);
        settle(again);
        CHECK_EQUAL(again.run(0)->head(), StepIndex{80});
        CHECK(losses(*again.run(0)) == losses(*straight.run(0)));
        CHECK(final_state(*again.run(0)) == final_state(*straight.run(0)));
        // A fork that is taken up grows, too.
        for (Session* session : {&first, &again}) {
            session->select(1);
            session->run_to(40);
            settle(*session);
        }
        CHECK_EQUAL(again.run(1)->head(), StepIndex{40});
        CHECK(losses(*again.run(1)) == losses(*first.run(1)));
    }
}

TEST(an_outline_is_enough_to_compute_the_same_bits) {
    for (const Parameters& parameters : {xor_net(), batch_net()}) {
        Session first(request_of(parameters, 80));
        work_in(first);
        const auto past = first.runs();
        const auto outlines = outlines_of(past);
        REQUIRE(outlines.size() == past.size());
        for (const auto& outline : outlines) {
            const Run::Memory memory = outline->memory();
            CHECK_EQUAL(memory.tensors + memory.checkpoints + memory.events, std::size_t{0});
        }
        Session again(request_from_past(outlines));
        settle(again);
        check_same(again, past);
    }
}

TEST(going_on_ends_at_the_first_loss_that_differs) {
    Session session(request_of(xor_net(), 40));
    session.run_to(20);
    settle(session);
    RunRequest other = request_from_past(session.runs());
    other.parameters["lr"] = "0.01"; // stands for a build that computes otherwise: the first update differs
    Session again(other);
    settle(again);
    CHECK(again.status().refusal.find("step 1 ") != std::string::npos, again.status().refusal);
    CHECK(again.status().refusal.find("was recorded") != std::string::npos, again.status().refusal);
    CHECK_EQUAL(again.run(0)->head(), StepIndex{2});
    again.play(); // it is a session like any other
    settle(again);
    CHECK_EQUAL(again.run(0)->head(), StepIndex{40});
}

TEST(going_on_can_be_ended_at_any_moment) {
    RunRequest request = request_of(batch_net(), 100'000);
    Session session(request);
    session.run_to(3000);
    settle(session);
    for (const int milliseconds : {0, 1, 20}) {
        Session again(request_from_past(session.runs()));
        std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    }
    CHECK_THROWS(request_from_past({}), ArgumentError, "no run");
}

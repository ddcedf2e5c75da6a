#include "tests/experiments/support.hpp"
#include "tests/support/check.hpp"
#include "tests/support/tensors.hpp"

#include <algorithm>

using namespace gradus;
using namespace gradus::test;

TEST(edit_at_the_head_takes_effect_there) {
    for (const Parameters& parameters : {xor_net(), batch_net()}) {
        Session plain(request_of(parameters, 40)), edited(request_of(parameters, 40));
        plain.play();
        edited.run_to(15);
        settle(edited);
        edited.submit(Edit::parse("W1[1, 2] = 0.625"), 0, 15);
        edited.play();
        settle(plain);
        settle(edited);
        const auto run = edited.run(0);
        CHECK_EQUAL(edited.status().runs, 1u);
        REQUIRE(run->edits().size() == 1);
        CHECK(run->edits()[0].iteration == 15 && run->edits()[0].edit.text() == "W1[1, 2] = 0.625");
        const auto a = losses(*plain.run(0)), b = losses(*run);
        CHECK(std::equal(a.begin(), a.begin() + 15, b.begin()));
        CHECK(a[15] != b[15]);
        const auto detail = detail_of(edited, 0, 15);
        REQUIRE(detail != nullptr);
        const auto tensors = detail->tensors_of(15);
        bool found = false; // the state that iteration 15 began with
        for (const RecordedTensor& tensor : tensors->tensors)
            if (tensor.name == "W1" && tensor.id.event.ordinal >= 1 << 24) {
                found = true;
                CHECK_EQUAL(tensor.tensor.at(1, 2), 0.625);
            }
        CHECK(found);
        CHECK(recomputed(*run).losses == b);
    }
}

TEST(edit_ahead_waits_for_its_iteration) {
    Session session(request_of(xor_net(), 40));
    settle(session);
    session.submit(Edit::parse("lr = 0.1"), 0, 30);
    session.submit(Edit::parse("lr = 0.2"), 0, 20);
    session.submit(Edit::parse("W9[0] = 1"), 0, 25); // refused when it is due
    session.play();
    settle(session);
    const auto run = session.run(0);
    REQUIRE(run->edits().size() == 2);
    CHECK(run->edits()[0].iteration == 20 && run->edits()[1].iteration == 30);
    CHECK(session.status().refusal.find("W9") != std::string::npos);
    CHECK(recomputed(*run).losses == losses(*run));
}

TEST(edit_behind_the_head_forks) {
    for (const Parameters& parameters : {xor_net(), batch_net()}) {
        Session session(request_of(parameters, 60));
        session.run_to(40);
        settle(session);
        const auto before = losses(*session.run(0));
        session.submit(Edit::parse("b1[0] = -1"), 0, 10);
        settle(session);
        CHECK_EQUAL(session.status().runs, 2u);
        CHECK_EQUAL(session.status().selected, 1u);
        const auto fork = session.run(1);
        CHECK(fork->parent() == session.run(0) && fork->first_iteration() == 10 && fork->head() == 10);
        CHECK_EQUAL(fork->manifest().parent, session.run(0)->manifest().id);
        session.play();
        settle(session);
        CHECK_EQUAL(fork->head(), 60);
        CHECK_EQUAL(session.run(0)->head(), 40); // the parent stays as it was
        CHECK(losses(*session.run(0)) == before && session.run(0)->edits().empty());
        const auto after = losses(*fork);
        CHECK(std::equal(after.begin(), after.begin() + 10, before.begin()) && after[10] != before[10]);
        CHECK(recomputed(*fork).losses == after && recomputed(*fork).state == final_state(*fork));
        session.select(0); // and the parent goes on where it stood
        session.play();
        settle(session);
        Session plain(request_of(parameters, 60));
        plain.play();
        settle(plain);
        CHECK(losses(*session.run(0)) == losses(*plain.run(0)));
        CHECK(final_state(*session.run(0)) == final_state(*plain.run(0)));
    }
}

TEST(three_edits_and_two_forks_come_again_from_manifest_and_log) {
    for (const Parameters& parameters : {xor_net(), batch_net()}) {
        Session session(request_of(parameters, 80));
        session.run_to(20);
        settle(session);
        session.submit(Edit::parse("lr = 0.3"), 0, 20);
        session.submit(Edit::parse("point 2 = 0.75, 0.25"), 0, 30);
        session.submit(Edit::parse("W2[1, 0] = 0.5"), 0, 45);
        session.run_to(60);
        settle(session);
        session.submit(Edit::parse("b1[1] = 0.25"), 0, 45); // at an iteration that the parent edited too
        session.run_to(70);
        settle(session);
        session.submit(Edit::parse("W1[0, 0] = -1"), 1, 50); // a fork of the fork
        session.submit(Edit::parse("lr = 0.01"), 2, 55);
        session.play();
        settle(session);
        session.select(1);
        session.play();
        settle(session);
        session.select(0);
        session.play();
        settle(session);
        REQUIRE(session.status().runs == 3);
        for (std::size_t i = 0; i < 3; ++i) {
            const Row row(fmt::format("run {}", i));
            const auto run = session.run(i);
            CHECK_EQUAL(run->head(), 80);
            const Recomputed again = recomputed(*run);
            CHECK(again.losses == losses(*run));
            CHECK(again.state == final_state(*run));
        }
        CHECK(losses(*session.run(0)) != losses(*session.run(1)) && losses(*session.run(1)) != losses(*session.run(2)));
        // and the details of all three, from their checkpoints
        for (std::size_t i = 0; i < 3; ++i)
            for (const StepIndex at : {46, 51, 56, 71}) {
                const Row row(fmt::format("run {} iteration {}", i, at));
                const auto detail = detail_of(session, i, at);
                CHECK(detail && detail->tensors_of(at));
            }
    }
}

// A label is no parameter, yet what it was changed to is part of the state: a fork from behind it begins at a checkpoint.
TEST(label_edit_comes_again_in_a_fork_after_it) {
    Session session(request_of(xor_net(), 80));
    session.run_to(20);
    settle(session);
    session.submit(Edit::parse("y[0, 0] = 0.5"), 0, 20);
    session.run_to(60);
    settle(session);
    session.submit(Edit::parse("lr = 0.25"), 0, 50);
    settle(session);
    session.play();
    settle(session);
    session.select(0);
    session.play();
    settle(session);
    REQUIRE(session.status().runs == 2);
    CHECK_EQUAL(session.run(0)->edits().size(), 1u);
    Session plain(request_of(xor_net(), 80));
    plain.play();
    settle(plain);
    CHECK(losses(*session.run(0)) != losses(*plain.run(0))); // the edit did something
    for (std::size_t i = 0; i < 2; ++i) {
        const Row row(fmt::format("run {}", i));
        const auto run = session.run(i);
        CHECK_EQUAL(run->head(), 80);
        const Recomputed again = recomputed(*run);
        CHECK(again.losses == losses(*run) && again.state == final_state(*run));
        const auto detail = detail_of(session, i, 55);
        REQUIRE(detail != nullptr);
        bool found = false;
        for (const RecordedTensor& tensor : detail->tensors_of(55)->tensors)
            if (tensor.name == "y") {
                found = true;
                CHECK_EQUAL(tensor.tensor.at(0, 0), 0.5);
            }
        CHECK(found);
    }
}

TEST(fork_at_the_head_leaves_the_parent_there) {
    Session session(request_of(xor_net(), 40));
    session.run_to(10);
    settle(session);
    session.submit_fork(Edit::parse("lr = 0.25"), 0, 10);
    session.play();
    settle(session);
    CHECK_EQUAL(session.status().runs, 2u);
    CHECK_EQUAL(session.run(0)->head(), 10);
    CHECK_EQUAL(session.run(1)->head(), 40);
    CHECK(session.run(0)->edits().empty());
}

// Who looks at any moment sees a fork selected and with its edit, or does not see it.
TEST(a_fork_is_seen_selected_and_edited) {
    constexpr std::size_t forks = 60;
    Session session(request_of(xor_net(), 40));
    session.run_to(20);
    settle(session);
    std::size_t seen = 1;
    for (std::size_t i = 1; i <= forks; ++i) session.submit_fork(Edit::parse("lr = 0.25"), 0, 10);
    while (seen <= forks) {
        const Session::Status status = session.status();
        if (status.refusals > 0) break; // it would be waited for without end
        if (status.runs > seen) {
            seen = status.runs;
            CHECK_EQUAL(status.selected + 1, seen);
            CHECK_EQUAL(session.run(seen - 1)->edits().size(), 1u);
        }
    }
    CHECK_EQUAL(seen, forks + 1);
}

// What the parent is given at an iteration after a fork has left it there is no part of the fork's past.
TEST(fork_does_not_see_what_its_parent_is_given_later) {
    Session session(request_of(xor_net(), 40, 100));
    session.run_to(10);
    settle(session);
    session.submit_fork(Edit::parse("b1[0] = -1"), 0, 10);
    session.run_to(20);
    settle(session);
    Session alone(request_of(xor_net(), 40, 100)); // the same fork, of a parent that is left in peace
    alone.run_to(10);
    settle(alone);
    alone.submit_fork(Edit::parse("b1[0] = -1"), 0, 10);
    alone.play();
    settle(alone);
    session.submit(Edit::parse("W1[0, 0] = 5"), 0, 10); // at the parent's head, where the fork left it
    settle(session);
    CHECK_EQUAL(session.status().runs, 2u);
    session.select(1);
    session.play();
    settle(session);
    CHECK(losses(*session.run(1)) == losses(*alone.run(1)), "going on");
    const auto detail = detail_of(session, 1, 12);
    CHECK(detail != nullptr, "the detail of an iteration of the fork");
}

TEST(edit_while_playing_is_part_of_the_log) {
    Session session(request_of(batch_net(), 3000, 500));
    session.play();
    while (!session.run(0) || session.run(0)->head() < 5) std::this_thread::yield();
    for (int i = 0; i < 5; ++i) {
        session.submit(Edit::parse(fmt::format("W1[0, {}] = {}", i, 0.1 * i)), session.status().selected, session.run(0)->head() + 50);
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    settle(session);
    for (std::size_t i = 0; i < session.status().runs; ++i) {
        const Row row(fmt::format("run {} of {}", i, session.status().runs));
        CHECK(recomputed(*session.run(i)).losses == losses(*session.run(i)));
    }
}

TEST(breakpoints_are_logged_and_change_nothing) {
    Session session(request_of(xor_net(), 30));
    session.run_to(5);
    session.submit(Edit::parse("break iteration 10"), 0, 5);
    session.play();
    settle(session);
    session.play();
    settle(session);
    const auto run = session.run(0);
    CHECK_EQUAL(run->edits().size(), 1u);
    CHECK(recomputed(*run).losses == losses(*run));
}

TEST(a_fork_before_a_fork_leaves_the_run_that_was_there) {
    for (const Parameters& parameters : {xor_net(), batch_net()}) {
        Session session(request_of(parameters, 60));
        session.run_to(50);
        settle(session);
        session.submit_fork(Edit::parse("lr = 0.3"), 0, 40);
        session.run_to(45);
        settle(session);
        session.submit_fork(Edit::parse("lr = 0.2"), 1, 10); // seen on the fork, but run 0 computed it
        session.submit(Edit::parse("b1[1] = -1"), 1, 20);
        session.submit_fork(Edit::parse("b1[1] = 1"), 1, 40); // the fork's own first iteration
        settle(session);
        REQUIRE(session.runs().size() == 5);
        CHECK(session.run(2)->parent() == session.run(0) && session.run(3)->parent() == session.run(0));
        CHECK(session.run(4)->parent() == session.run(1));
        CHECK_EQUAL(session.run(2)->manifest().parent, std::string("run"));
        for (std::size_t i = 2; i < 5; ++i) {
            session.select(i);
            session.play();
            settle(session);
            CHECK(recomputed(*session.run(i)).losses == losses(*session.run(i)));
        }
    }
}

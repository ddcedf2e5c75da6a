#include "engine/core/error.hpp"
#include "tests/experiments/support.hpp"
#include "tests/support/check.hpp"
#include "tests/support/tensors.hpp"

#include "lessons/experiments/train_mlp/process.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace gradus;
using namespace gradus::test;

TEST(session_computes_the_same_for_any_number_of_threads) {
    for (const Parameters& parameters : {xor_net(), batch_net()}) {
        std::vector<std::vector<std::uint64_t>> seen, states;
        for (const int threads : {1, 2, 1}) {
            Session session(request_of(parameters, 80, 9, threads));
            session.play();
            settle(session);
            seen.push_back(losses(*session.run(0)));
            states.push_back(final_state(*session.run(0)));
            CHECK(session.run(0)->state() == RunState::finished);
        }
        CHECK_EQUAL(seen[0].size(), 80u);
        CHECK(seen[0] == seen[1] && seen[0] == seen[2]);
        CHECK(states[0] == states[1] && states[0] == states[2]);
        RunRequest other = request_of(parameters, 80, 9);
        other.seed = 2;
        Session session(other);
        session.play();
        settle(session);
        CHECK(losses(*session.run(0)) != seen[0]);
    }
}

TEST(session_computes_large_nets_the_same_for_any_number_of_threads) { // products large enough to be cut
    std::vector<std::vector<std::uint64_t>> states;
    const Parameters wide{{"data", "rings"}, {"layers", "2,256,200,2"}, {"batch", "0"}, {"dtype", "fp32"}};
    for (const int threads : {1, 2, 3}) {
        Session session(request_of(wide, 6, 2, threads));
        session.play();
        settle(session);
        states.push_back(final_state(*session.run(0)));
    }
    CHECK(states[0] == states[1] && states[0] == states[2]);
}

TEST(session_steps_runs_to_and_pauses) {
    Session session(request_of(xor_net(), 100));
    settle(session);
    CHECK_EQUAL(session.run(0)->head(), 0);
    session.step();
    settle(session);
    CHECK_EQUAL(session.run(0)->head(), 1);
    session.step(5);
    settle(session);
    CHECK_EQUAL(session.run(0)->head(), 6);
    session.run_to(40);
    settle(session);
    CHECK_EQUAL(session.run(0)->head(), 40);
    session.run_to(10); // behind: nothing
    settle(session);
    CHECK_EQUAL(session.run(0)->head(), 40);
    CHECK(session.run(0)->state() == RunState::growing);
    session.set_speed(200);
    session.play();
    while (session.run(0)->head() < 44) std::this_thread::yield();
    session.pause();
    settle(session);
    const StepIndex paused = session.run(0)->head();
    CHECK(paused >= 44 && paused < 100, std::to_string(paused));
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    CHECK_EQUAL(session.run(0)->head(), paused);
    session.play();
    while (session.run(0)->head() < paused + 4) std::this_thread::yield();
    session.run_to(10); // passed while it plays: it stays where it is
    settle(session);
    CHECK(session.run(0)->head() < 100, std::to_string(session.run(0)->head()));
    CHECK(!session.status().playing);
    session.set_speed(0);
    session.play();
    settle(session);
    CHECK_EQUAL(session.run(0)->head(), 100);
    CHECK(session.run(0)->state() == RunState::finished);
    session.play(); // nothing left
    settle(session);
    CHECK_EQUAL(session.run(0)->head(), 100);
    Session whole(request_of(xor_net(), 100)); // however it was driven
    whole.play();
    settle(whole);
    CHECK(losses(*whole.run(0)) == losses(*session.run(0)));
    CHECK(final_state(*whole.run(0)) == final_state(*session.run(0)));
}

TEST(session_keeps_its_speed) {
    Session session(request_of(xor_net(), 1000));
    settle(session);
    session.set_speed(100);
    const auto seconds_of = [&](auto&& intent) {
        const auto start = std::chrono::steady_clock::now();
        intent();
        settle(session);
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    const double watched = seconds_of([&] { session.step(20); });
    CHECK(watched > 0.15 && watched < 2, std::to_string(watched));
    const double ahead = seconds_of([&] { session.run_to(900); }); // nobody watches: it would take nine seconds
    CHECK(session.run(0)->head() == 900 && ahead < 4, std::to_string(ahead));
}

TEST(session_observes_what_it_says) {
    Session session(request_of(xor_net(), 50, 10));
    session.run_to(25);
    settle(session);
    const auto run = session.run(0);
    for (StepIndex i = 0; i < 25; ++i) CHECK_EQUAL(run->find_observed(i).has_value(), i % 10 == 0);
    session.observe_next();
    session.step(2);
    settle(session);
    CHECK(run->find_observed(25) && !run->find_observed(26));
    session.play();
    settle(session);
    CHECK(run->find_observed(49).has_value()); // the last one
    for (StepIndex i = 0; i < 50; ++i) CHECK(run->value_at("loss", i) && run->value_at("step_seconds", i) && run->value_at("accuracy", i));
}

TEST(session_detail_brings_back_what_an_observed_run_recorded) {
    for (const Parameters& parameters : {xor_net(), batch_net()}) {
        Session all(request_of(parameters, 40, 1)), few(request_of(parameters, 40, 1000));
        for (Session* session : {&all, &few}) {
            session->run_to(12);
            session->submit(Edit::parse("W1[0, 1] = 0.75"), 0, 12);
            session->submit(Edit::parse("lr = 0.2"), 0, 20);
            session->play();
            settle(*session);
        }
        CHECK(losses(*all.run(0)) == losses(*few.run(0)));
        for (const StepIndex i : {0, 1, 11, 12, 13, 19, 20, 21, 38, 39}) {
            const Row row(fmt::format("iteration {}", i));
            const auto recorded = detail_of(all, 0, i), again = detail_of(few, 0, i);
            REQUIRE(recorded && again);
            const auto a = recorded->tensors_of(i), b = again->tensors_of(i);
            REQUIRE(a && b);
            CHECK_EQUAL(a->tensors.size(), b->tensors.size());
            CHECK_EQUAL(recorded->events_of(i).size(), again->events_of(i).size());
            for (const RecordedTensor& tensor : a->tensors) {
                const RecordedTensor* other = b->find(tensor.id);
                CHECK(other && other->name == tensor.name && same_bits(other->tensor, tensor.tensor), tensor.name);
            }
        }
        CHECK(few.detail(0, 40).state == Detail::State::unavailable && !few.detail(0, 40).reason.empty());
        CHECK(few.detail(0, -1).state == Detail::State::unavailable);
        CHECK(few.detail(7, 0).state == Detail::State::unavailable);
    }
}

/// Constants are set up once; what is computed again reads them, too.
TEST(what_is_computed_again_has_its_constants) {
    RunRequest request;
    request.experiment = "compose_lines";
    request.steps = 20;
    request.observe_every = 10;
    Session session(request);
    session.run_to(20);
    settle(session);
    session.submit_fork(Edit::parse("slope_f[0, 0] = 5"), 0, 12);
    session.play();
    settle(session);
    const auto setup = session.run(0)->tensors_of(-1);
    REQUIRE(setup && setup->find("x"));
    for (const auto& [run, iteration] : {std::pair<std::size_t, StepIndex>{0, 7}, {0, 13}, {1, 13}}) {
        const auto full = detail_of(session, run, iteration);
        REQUIRE(full && full != session.run(run));
        const auto constants = full->tensors_of(-1);
        REQUIRE(constants && constants->find("x"));
        CHECK(same_bits(constants->find("x")->tensor, setup->find("x")->tensor));
    }
}

TEST(session_stops_at_breakpoints) {
    {
        Session session(request_of(xor_net(), 100));
        settle(session);
        session.submit(Edit::parse("break iteration 30"), 0, 0);
        session.play();
        settle(session);
        CHECK_EQUAL(session.run(0)->head(), 30);
        CHECK_EQUAL(session.status().stopped_by, "break iteration 30");
        session.play();
        settle(session);
        CHECK_EQUAL(session.run(0)->head(), 100);
        CHECK_EQUAL(session.status().stopped_by, "");
    }
    { // one that is taken away stops nothing, and what was logged says so
        Session session(request_of(xor_net(), 100));
        settle(session);
        session.submit(Edit::parse("break iteration 30"), 0, 0);
        session.submit(Edit::parse("break iteration 60"), 0, 0);
        settle(session);
        CHECK_EQUAL(session.status().breakpoints.size(), std::size_t{2});
        session.submit(Edit::parse("break iteration 30 off"), 0, 0);
        session.play();
        settle(session);
        CHECK_EQUAL(session.run(0)->head(), 60);
        CHECK_EQUAL(session.status().stops, std::uint64_t{1});
        CHECK_EQUAL(session.status().breakpoints.size(), std::size_t{1});
        CHECK_EQUAL(session.run(0)->edits()[2].edit.text(), "break iteration 30 off");
        const auto refusals = session.status().refusals;
        session.submit(Edit::parse("break nan off"), 0, 60);
        settle(session);
        CHECK_EQUAL(session.status().refusals, refusals + 1);
        CHECK(session.status().refusal.find("no such breakpoint") != std::string::npos, session.status().refusal);
    }
    {
        Parameters parameters = xor_net();
        parameters["lr"] = "1e6";
        parameters["activation"] = "relu";
        Session session(request_of(parameters, 400));
        settle(session);
        session.submit(Edit::parse("break nan"), 0, 0);
        session.submit(Edit::parse("W1[0, 0] = 1e200"), 0, 10);
        session.submit(Edit::parse("W2[0, 0] = 1e200"), 0, 10);
        session.play();
        settle(session);
        const StepIndex head = session.run(0)->head();
        CHECK(head < 400 && head > 0, std::to_string(head));
        CHECK(!std::isfinite(*session.run(0)->value_at("loss", head - 1)));
        for (StepIndex i = 0; i + 1 < head; ++i) CHECK(std::isfinite(*session.run(0)->value_at("loss", i)));
        CHECK_EQUAL(session.status().stopped_by, "break nan");
    }
    {
        Session session(request_of(xor_net(), 100));
        settle(session);
        session.submit(Edit::parse("break gradient_norm 5"), 0, 0);
        session.submit(Edit::parse("W2[0, 0] = 100"), 0, 17);
        session.play();
        settle(session);
        CHECK_EQUAL(session.run(0)->head(), 18);
        CHECK_EQUAL(session.status().stopped_by, "break gradient_norm 5");
    }
}

TEST(session_refuses_with_sentences) {
    Session session(request_of(xor_net(), 50));
    session.run_to(20);
    settle(session);
    struct {
        Edit edit;
        std::size_t run;
        StepIndex iteration;
        const char* says;
    } const rows[] = {
        {Edit::parse("W9[0] = 1"), 0, 20, "no parameter 'W9'"},
        {Edit::parse("W1[0] = 1"), 0, 20, "W1[0] does not fit its shape 2×3: one number per axis"},
        {Edit::parse("W1[0, 3] = 1"), 0, 20, "W1[0, 3] is outside its shape 2×3"},
        {Edit::parse("W1[2, 0] = 1"), 0, 20, "W1[2, 0]"},
        {Edit::parse("W1[0, 3] = 1"), 0, 5, "W1[0, 3]"}, // behind the head: no fork for it either
        {Edit::parse("loss = mse"), 0, 20, "'loss' is fixed"},
        {Edit::parse("lr = -1"), 0, 20, "lr must be"},
        {Edit::parse("lr = nan"), 0, 20, "lr must be"},
        {Edit::parse("lr = fast"), 0, 20, "lr must be"},
        {Edit::parse("momentum = 0.5"), 0, 20, "momentum has nothing to act on"},
        {Edit::parse("point 4 = 0, 0"), 0, 20, "outside its shape"},
        {Edit::parse("lr = 0.1"), 5, 20, "no run 5"},
        {Edit::parse("lr = 0.1"), 0, 51, "no place"},
        {Edit::parse("lr = 0.1"), 0, -1, "no place"},
    };
    const auto before = losses(*session.run(0));
    std::uint64_t refusals = 0;
    for (const auto& row : rows) {
        const Row named(row.edit.text());
        session.submit(row.edit, row.run, row.iteration);
        settle(session);
        const Session::Status status = session.status();
        CHECK_EQUAL(status.refusals, ++refusals);
        CHECK(status.refusal.find(row.says) != std::string::npos && status.refusal.find('\n') == std::string::npos, status.refusal);
        CHECK_EQUAL(status.runs, 1u);
        CHECK(session.run(0)->edits().empty());
    }
    session.select(3);
    settle(session);
    CHECK_EQUAL(session.status().refusals, refusals + 1);
    session.play(); // goes on as if nothing had been
    settle(session);
    Session clean(request_of(xor_net(), 50));
    clean.play();
    settle(clean);
    CHECK(losses(*session.run(0)) == losses(*clean.run(0)));
    session.submit_fork(Edit::parse("lr = 0.1"), 0, 50);
    settle(session);
    CHECK(session.status().refusal.find("last step") != std::string::npos, session.status().refusal);
}

TEST(session_can_be_destroyed_at_any_time) {
    for (int i = 0; i < 12; ++i) {
        Session session(request_of(i % 2 ? xor_net() : batch_net(), 100'000, 3));
        if (i > 1) session.play();
        if (i > 3) std::this_thread::sleep_for(std::chrono::milliseconds(i));
        if (i > 5) static_cast<void>(session.detail(0, 1));
        if (i > 7) session.submit(Edit::parse("lr = 0.1"), 0, 2);
        if (i == 11) session.set_speed(1);
    }
    std::shared_ptr<const Run> kept;
    {
        Session session(request_of(batch_net(), 100'000, 3));
        session.play();
        while (!(kept = session.run(0)) || kept->head() < 10) std::this_thread::yield();
    }
    CHECK(kept->state() == RunState::stopped); // what is recorded stays readable
    CHECK(kept->tensors_of(0) != nullptr && kept->value_at("loss", 9).has_value());
}

TEST(session_of_no_steps_rests) {
    Session session(request_of(xor_net(), 0));
    session.play();
    settle(session);
    CHECK_EQUAL(session.run(0)->head(), 0);
}

// --- a line of the training loop left out ---------------------------------------------------------------------

namespace {

mlp::TrainProcess process_with(const char* omit, const char* lr) {
    Setup setup;
    Parameters parameters = xor_net();
    parameters["omit"] = omit;
    parameters["lr"] = lr;
    setup.parameters = find_experiment("train_mlp").complete(parameters);
    setup.steps = 10;
    setup.device.threads = 1;
    setup.data = std::make_shared<DataStore>();
    return mlp::TrainProcess(setup);
}

} // namespace

TEST(omitting_zero_grad_adds_gradients_up) {
    auto summing = process_with("zero_grad", "0"), plain = process_with("none", "0"); // lr 0: the weights are frozen
    mlp::Network &sum = summing.network(), &one = plain.network();
    one.step();
    for (int pass = 1; pass <= 3; ++pass) {
        sum.step();
        for (std::size_t i = 0; i < sum.parameters().size(); ++i) {
            const Tensor got = sum.tape().tensor(sum.gradient_of(sum.parameters()[i]));
            std::vector<double> wanted = values_of(one.tape().tensor(one.gradient_of(one.parameters()[i])));
            for (double& value : wanted) value *= pass;
            CHECK_ERROR(relative_error(got, wanted), 1e-15, fmt::format("pass {}", pass));
        }
    }
    CHECK_ERROR(std::abs(sum.gradient_norm() - 3 * one.gradient_norm()), 1e-15, "norm");
    auto moving = process_with("zero_grad", "0.5"); // and the weights follow the sum
    auto reference = process_with("none", "0.5");
    moving.network().step();
    reference.network().step();
    CHECK_EQUAL(values_of(moving.network().tape().tensor(moving.network().parameters()[0])),
                values_of(reference.network().tape().tensor(reference.network().parameters()[0])));
    moving.network().step();
    reference.network().step();
    CHECK(values_of(moving.network().tape().tensor(moving.network().parameters()[0])) !=
          values_of(reference.network().tape().tensor(reference.network().parameters()[0])));
}

TEST(omitting_backward_or_step_moves_nothing) {
    for (const char* omit : {"backward", "step"}) {
        const Row row(omit);
        Parameters parameters = xor_net();
        parameters["omit"] = omit;
        Session session(request_of(parameters, 20, 1));
        session.play();
        settle(session);
        const auto all = losses(*session.run(0));
        CHECK(std::all_of(all.begin(), all.end(), [&](std::uint64_t bits) { return bits == all[0]; }));
        const auto tensors = session.run(0)->tensors_of(5);
        REQUIRE(tensors != nullptr);
        CHECK_EQUAL(tensors->find("dW1") != nullptr, std::string_view(omit) == "step");
        session.submit_fork(Edit::parse("lr = 1"), 0, 5);
        settle(session);
        CHECK(session.status().refusal.find("left out") != std::string::npos, session.status().refusal);
    }
}

// Squared error over several classes: right is the row whose largest output stands at the class, not each output by itself.
TEST(squared_errors_accuracy_counts_rows) {
    Session session(request_of({{"data", "moons"}, {"layers", "2,8,2"}, {"loss", "mse"}, {"batch", "0"}, {"lr", "0.3"}}, 40, 1));
    session.play();
    settle(session);
    const auto run = session.run(0);
    bool learnt = false;
    for (const StepIndex i : {0, 1, 39}) {
        const auto detail = detail_of(session, 0, i);
        REQUIRE(detail && detail->tensors_of(i));
        const RecordedTensor *z = detail->tensors_of(i)->find("z2"), *y = detail->tensors_of(i)->find("y");
        REQUIRE(z && y);
        const Dim rows = z->tensor.shape()[0];
        double right = 0;
        for (Dim row = 0; row < rows; ++row) right += (z->tensor.at(row, 1) > z->tensor.at(row, 0)) == (y->tensor.at(row, 1) > y->tensor.at(row, 0));
        CHECK_ERROR(std::abs(*run->value_at("accuracy", i) - right / static_cast<double>(rows)), 1e-7, "share of rows");
        learnt |= right > 0.7 * static_cast<double>(rows);
    }
    CHECK(learnt);
}

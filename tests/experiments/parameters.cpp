#include "engine/core/error.hpp"
#include "tests/experiments/support.hpp"
#include "tests/support/check.hpp"

using namespace gradus;
using namespace gradus::test;

TEST(parameters_are_completed_and_checked) {
    const Experiment& experiment = find_experiment("train_mlp");
    const Parameters standard = experiment.complete({});
    CHECK_EQUAL(standard.size(), experiment.parameters().size());
    CHECK_EQUAL(experiment.complete({{"lr", "0.25"}}).at("lr"), "0.25");
    for (const ParameterInfo& info : experiment.parameters()) CHECK(!info.meaning.empty() && standard.at(info.name) == info.standard, info.name);
    struct {
        Parameters given;
        const char* says;
    } const rows[] = {
        {{{"speed", "1"}}, "no parameter 'speed'"},
        {{{"lr", "fast"}}, "lr must be"},       {{{"lr", "-1"}}, "lr must be"},       {{{"lr", "nan"}}, "lr must be"},
        {{{"lr", ""}}, "lr must be"},           {{{"lr", "1e999"}}, "lr must be"},    {{{"batch", "1.5"}}, "batch must be"},
        {{{"batch", "-1"}}, "batch must be"},   {{{"data", "sun"}}, "data must be"},  {{{"activation", "relu6"}}, "activation must be"},
        {{{"layers", "2"}}, "layers must be"},  {{{"layers", "2,,1"}}, "layers must be"}, {{{"layers", "2,0,1"}}, "layers must be"},
        {{{"layers", "2,-3,1"}}, "layers must be"}, {{{"layers", "2,99999999,1"}}, "layers must be"},
        {{{"seeds", "0"}}, "seeds must be"},    {{{"omit", "all"}}, "omit must be"},  {{{"dtype", "fp8"}}, "dtype must be"},
    };
    for (const auto& row : rows) CHECK_THROWS(experiment.complete(row.given), ArgumentError, "train_mlp", row.says);
    CHECK_THROWS(find_experiment("train_rnn"), ArgumentError, "train_rnn", "train_mlp");
    RunRequest request;
    request.parameters = {{"lr", "x"}};
    CHECK_THROWS(Session(request), ArgumentError, "lr");
    request.experiment = "nothing";
    CHECK_THROWS(Session(request), ArgumentError, "nothing");
}

TEST(parameters_that_do_not_fit_the_data_end_the_session_with_a_sentence) {
    struct {
        Parameters given;
        const char* says;
    } const rows[] = {
        {{{"data", "xor"}, {"layers", "3,2,1"}}, "layers must begin with 2"},
        {{{"data", "xor"}, {"layers", "2,2,1"}, {"batch", "5"}}, "batch must be at most 4"},
        {{{"data", "blobs"}, {"layers", "2,2,1"}, {"batch", "0"}}, "two classes"},
        {{{"data", "blobs"}, {"layers", "2,2,2"}, {"batch", "0"}}, "3 classes"},
        {{{"data", "moons"}, {"layers", "2,2,2"}, {"batch", "0"}, {"loss", "bce"}}, "bce needs"},
        {{{"data", "moons"}, {"layers", "2,2,7"}, {"batch", "0"}, {"loss", "mse"}}, "loss mse"},
    };
    for (const auto& row : rows) {
        const Row named(row.says);
        Session session(request_of(row.given));
        CHECK(settled(session, 20));
        const std::string failure = session.status().failure;
        CHECK(failure.find(row.says) != std::string::npos && failure.find('\n') == std::string::npos, failure);
        CHECK_EQUAL(session.status().runs, 0u);
    }
}

// What is asked of a session that has ended must not leave wait() waiting for ever: the command line plays at once.
TEST(sessions_that_have_failed_still_come_to_rest) {
    auto session = std::make_shared<Session>(request_of({{"data", "xor"}, {"layers", "3,2,1"}}));
    CHECK(settled(*session, 20));
    session->play();
    const bool rests = settled(*session, 2);
    CHECK(rests, "play() after the failure");
    auto stopped = std::make_shared<Session>(request_of(xor_net()));
    settle(*stopped);
    stopped->stop();
    stopped->play();
    CHECK(settled(*stopped, 2), "play() after stop()");
}

TEST(parameters_follow_each_other) {
    const Experiment& experiment = find_experiment("train_mlp");
    const Parameters moons = experiment.with(experiment.complete({}), "data", "moons");
    CHECK_EQUAL(moons.at("layers"), "2,128,64,2");
    const Parameters small = experiment.complete({{"data", "xor"}, {"layers", "2,2,1"}, {"batch", "0"}, {"loss", "bce"}});
    CHECK_EQUAL(experiment.with(small, "loss", "softmax").at("layers"), "2,2,2");
    CHECK_EQUAL(experiment.with(experiment.with(small, "loss", "softmax"), "loss", "bce").at("layers"), "2,2,1");
    CHECK_EQUAL(experiment.with(small, "layers", "2,5,5,1").at("layers"), "2,5,5,1");
    CHECK_THROWS(experiment.with(small, "layers", "2,5,2"), ArgumentError, "bce needs layers that end with 1");
    CHECK_THROWS(experiment.with(small, "layers", "3,5,1"), ArgumentError, "layers must begin with 2");
    CHECK_THROWS(experiment.with(small, "data", "blobs"), ArgumentError, "bce");
    CHECK_THROWS(experiment.with(experiment.complete({}), "loss", "bce"), ArgumentError, "bce");
    for (const std::string& data : dataset_names()) {
        const Row row(data);
        Setup setup;
        setup.parameters = experiment.with(experiment.complete({}), "data", data);
        if (data == "fashion-mnist") continue; // tried where its files are
        setup.steps = 1;
        setup.data = std::make_shared<DataStore>();
        CHECK(experiment.start(setup) != nullptr);
    }
}

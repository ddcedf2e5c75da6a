#include "tests/experiments/support.hpp"

#include "engine/core/hash.hpp"
#include "tests/support/check.hpp"

#include <bit>
#include <thread>

namespace gradus::test {

const Parameters& xor_net() {
    static const Parameters parameters{{"data", "xor"}, {"layers", "2,3,1"}, {"batch", "0"}, {"lr", "0.5"}, {"dtype", "fp64"}};
    return parameters;
}

const Parameters& batch_net() {
    static const Parameters parameters{{"data", "spirals"}, {"layers", "2,16,8,2"}, {"batch", "32"}, {"optimizer", "momentum"},
                                       {"lr", "0.05"}, {"activation", "tanh"}};
    return parameters;
}

Setup setup_of(const std::string& experiment, const Parameters& parameters, StepIndex steps, std::uint64_t seed) {
    Setup setup;
    setup.parameters = find_experiment(experiment).complete(parameters);
    setup.seed = seed;
    setup.steps = steps;
    setup.device.threads = 1;
    setup.data = std::make_shared<DataStore>();
    return setup;
}

Answer ask(const std::string& experiment, const std::string& question, const Parameters& parameters, const Arguments& arguments) {
    return find_experiment(experiment).answer(question, arguments, setup_of(experiment, parameters), nullptr);
}

RunRequest request_of(const Parameters& parameters, StepIndex steps, StepIndex observe_every, int threads) {
    RunRequest request;
    request.parameters = parameters;
    request.steps = steps;
    request.observe_every = observe_every;
    request.device.threads = threads;
    return request;
}

bool settled(Session& session, double seconds) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    for (;;) {
        const Session::Status status = session.status();
        if (!status.busy && !status.playing && !status.retracing && (!status.loading || !status.failure.empty())) return true;
        if (std::chrono::steady_clock::now() > deadline) return false;
        std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
}

void settle(Session& session) {
    REQUIRE(settled(session), "the session does not come to rest");
    if (const auto status = session.status(); !status.failure.empty()) REQUIRE(status.failure.empty(), status.failure);
}

std::shared_ptr<const Run> detail_of(Session& session, std::size_t run, StepIndex iteration) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (std::chrono::steady_clock::now() < deadline) {
        const Detail detail = session.detail(run, iteration);
        if (detail.state == Detail::State::present) return detail.run;
        if (detail.state == Detail::State::unavailable) {
            CHECK(false, fmt::format("run {} iteration {}: {}", run, iteration, detail.reason));
            return nullptr;
        }
        std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
    CHECK(false, "the detail never comes");
    return nullptr;
}

std::vector<std::uint64_t> losses(const Run& run, StepIndex from) {
    std::vector<std::uint64_t> out;
    for (StepIndex i = from; i < run.head(); ++i) out.push_back(std::bit_cast<std::uint64_t>(run.value_at("loss", i).value_or(-1)));
    return out;
}

std::vector<std::uint64_t> final_state(const Run& run) {
    const auto checkpoint = run.checkpoint_before(run.head());
    REQUIRE(checkpoint && checkpoint->iteration == run.head(), "there is no checkpoint at the head");
    std::vector<std::uint64_t> out;
    for (const auto& [name, tensor] : checkpoint->tensors) out.push_back(hash_tensor(tensor));
    return out;
}

Recomputed recomputed(const Run& run) {
    std::vector<const Run*> line{&run};
    while (line.front()->parent()) line.insert(line.begin(), line.front()->parent().get());
    const Manifest& manifest = line.front()->manifest();
    Setup setup;
    setup.parameters = manifest.parameters;
    setup.seed = manifest.seed;
    setup.steps = manifest.planned_steps;
    setup.device = {manifest.device, manifest.isa, 1};
    setup.data = std::make_shared<DataStore>();
    const auto process = find_experiment(manifest.experiment).start(setup);
    auto record = std::make_shared<Run>(manifest, process->series(), nullptr);
    RunWriter writer(record);
    process->begin(writer, true);
    Recomputed out;
    for (std::size_t r = 0; r < line.size(); ++r) {
        const bool last = r + 1 == line.size();
        const StepIndex until = last ? line[r]->head() : line[r + 1]->first_iteration();
        std::size_t next = 0;
        for (StepIndex i = line[r]->first_iteration();; ++i) {
            for (; next < line[r]->edits().size() && line[r]->edits()[next].iteration <= i; ++next)
                process->apply(line[r]->edits()[next].edit, i);
            if (i >= until) break;
            process->iterate(writer, i, i % 3 == 0);
            out.losses.push_back(std::bit_cast<std::uint64_t>(*record->value_at("loss", i)));
        }
    }
    const auto end = process->checkpoint(run.head());
    for (const auto& [name, tensor] : end->tensors) out.state.push_back(hash_tensor(tensor));
    return out;
}

} // namespace gradus::test

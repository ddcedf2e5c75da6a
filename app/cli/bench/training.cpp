#include "app/cli/bench/bench.hpp"
#include "app/cli/bench/peer.hpp"
#include "engine/core/error.hpp"
#include "engine/core/user_folder.hpp"
#include "engine/trace/file/recorder.hpp"
#include "lessons/runtime/session.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <thread>
#include <unistd.h>

namespace gradus::cli {

using nlohmann::json;

namespace {

struct Net {
    const char* name;
    std::vector<int> layers;
    const char *layer_text, *data, *activation, *loss;
    int batch, steps;
    double bound;
};

/// Our step, with a recorder attached and every fiftieth iteration observed, as a lesson runs it.
class Ours {
public:
    Ours(const Net& net, int threads, StepIndex total) {
        RunRequest request;
        request.parameters = {{"data", net.data},         {"layers", net.layer_text}, {"activation", net.activation},
                              {"loss", net.loss},         {"batch", std::to_string(net.batch)}, {"lr", "0.1"}};
        request.steps = total;
        request.device.threads = threads;
        file_ = temporary_folder() / fmt::format("gradus-bench-{}.gradus", getpid());
        std::filesystem::remove(file_);
        recorder_ = std::make_unique<Recorder>(file_);
        session_ = std::make_unique<Session>(request, nullptr, [this](RunWriter& writer) { recorder_->add(writer); });
    }
    ~Ours() {
        session_.reset();
        recorder_.reset();
        std::filesystem::remove(file_);
    }
    double seconds_per_step(StepIndex steps) {
        session_->wait();
        if (const std::string failure = session_->status().failure; !failure.empty()) throw Error(failure);
        if (steps < 500) pass_evaluation(*session_, steps);
        const Ticks start = now_ticks();
        session_->step(steps);
        session_->wait();
        return calibrated_clock().seconds(start, now_ticks()) / static_cast<double>(steps);
    }

private:
    std::filesystem::path file_;
    std::unique_ptr<Recorder> recorder_;
    std::unique_ptr<Session> session_;
};

/// Threads of a peer may go on waiting for work at full speed for a while, on the processor that ours want.
void rest() { std::this_thread::sleep_for(std::chrono::milliseconds(500)); }

void measure(Peer& peer, const Net& net, std::vector<BenchRow>& rows) {
    constexpr int rounds = 9;
    // The peer at its best thread setting, and ours at its own.
    std::vector<double> ours, theirs, ratios;
    double our_threads = 1, their_threads = 1, our_best = 1e300, their_best = 1e300;
    for (const int threads : {1, 2}) {
        rest();
        Ours trial(net, threads, 40 * net.steps);
        trial.seconds_per_step(net.steps);
        double mine = 1e300;
        for (int turn = 0; turn < 3; ++turn) mine = std::min(mine, trial.seconds_per_step(net.steps));
        if (mine < our_best) our_best = mine, our_threads = threads;
        const json question{{"cmd", "train"},           {"layers", net.layers}, {"activation", net.activation},
                            {"loss", std::string(net.loss) == "softmax" ? "softmax_cross_entropy" : net.loss},
                            {"batch", net.batch},       {"optimizer", "sgd"},   {"lr", 0.1},
                            {"threads", threads},       {"steps", std::max(50, net.steps / 20)}, {"mode", "eager"}};
        peer.ask(question);
        const double peers = peer.ask(question)["seconds_per_step"].get<double>();
        if (peers < their_best) their_best = peers, their_threads = threads;
    }
    Ours mine(net, static_cast<int>(our_threads), StepIndex{4} * rounds * net.steps);
    mine.seconds_per_step(net.steps);
    for (int round = 0; round < rounds; ++round) {
        const json question{{"cmd", "train"},           {"layers", net.layers}, {"activation", net.activation},
                            {"loss", std::string(net.loss) == "softmax" ? "softmax_cross_entropy" : net.loss},
                            {"batch", net.batch},       {"optimizer", "sgd"},   {"lr", 0.1},
                            {"threads", static_cast<int>(their_threads)}, {"steps", std::max(50, net.steps / 20)},
                            {"mode", "eager"}};
        theirs.push_back(peer.ask(question)["seconds_per_step"].get<double>());
        rest();
        ours.push_back(mine.seconds_per_step(net.steps));
        ratios.push_back(theirs.back() / ours.back());
    }
    rows.push_back({"training", fmt::format("{} step, PyTorch eager / Gradus recording", net.name), median(ratios), "ratio",
                    net.bound, true,
                    fmt::format("{:.4g} µs ({:.0f} threads) / {:.4g} µs ({:.0f} threads)", median(theirs) * 1e6, their_threads,
                                median(ours) * 1e6, our_threads)});
}

} // namespace

std::vector<BenchRow> bench_training(const std::string& python) {
    const std::vector<Net> nets{
        {"2-16-16-1", {2, 16, 16, 1}, "2,16,16,1", "spirals", "tanh", "mse", 32, 20'000, 40},
        {"784-256-10", {784, 256, 10}, "784,256,10", "fashion-mnist", "relu", "softmax", 64, 400, 1.6},
    };
    std::vector<BenchRow> rows;
    try {
        Peer peer(python, "peer_pytorch.py");
        peer.ask({{"cmd", "info"}});
        for (const Net& net : nets) measure(peer, net, rows);
    } catch (const Error& error) {
        for (const Net& net : nets)
            rows.push_back({"training", fmt::format("{} step, PyTorch eager / Gradus recording", net.name), 0, "ratio", 0,
                            true, error.what(), true});
    }
    return rows;
}

} // namespace gradus::cli

// What becomes of training when the kernel of its products loses a barrier.
#include "engine/core/error.hpp"
#include "engine/simt/kernel_run.hpp"
#include "engine/simt/kernel_text.hpp"
#include "lessons/experiments/train_mlp/answers.hpp"

#include <cmath>
#include <fmt/format.h>
#include <set>

namespace gradus::mlp {

namespace {

/// The text of the kernel that makes the products, but for one barrier; its lines stay where they are.
std::string text_without_barrier(const Asked& asked) {
    const std::string& given = asked.setup.parameters.at("matmul_source");
    std::string text = given;
    if (given == "own") {
        const auto [ladder, rung] = simt::find_rung(forward_rung(asked.setup.parameters.at("matmul_rung")));
        text = simt::text_of(simt::file_of(*ladder, *rung));
    }
    constexpr std::string_view barrier = "__syncthreads();";
    const std::int64_t number = asked.integer("barrier", "1");
    std::size_t at = text.find(barrier);
    for (std::int64_t i = 1; i < number && at != std::string::npos; ++i) at = text.find(barrier, at + 1);
    if (number < 1 || at == std::string::npos) throw ArgumentError(fmt::format("{}: the kernel has no barrier number {}", asked.question, number));
    return text.erase(at, barrier.size());
}

double trained_loss(const Setup& setup) {
    TrainProcess process(setup);
    for (StepIndex step = 0; step < setup.steps; ++step) process.replay(step);
    return process.network().loss();
}

} // namespace

Answer without_barrier(const Asked& asked) {
    Setup setup = asked.setup;
    setup.parameters["watch"] = "none"; // it changes no number
    const double intact = trained_loss(setup);
    setup.parameters["matmul_source"] = text_without_barrier(asked);
    const double torn = trained_loss(setup);
    if (!std::isfinite(torn)) return computed_word("not_finite");
    return computed_word(torn == intact ? "same" : torn > intact ? "higher" : "lower");
}

Answer racing_threads(const Asked& asked) {
    Setup setup = asked.setup;
    setup.parameters["matmul_source"] = text_without_barrier(asked);
    if (setup.parameters.at("watch") == "none") throw ArgumentError(fmt::format("{}: watch must name the layer whose product is run lane by lane", asked.question));
    TrainProcess process(setup);
    const auto trace = process.watched_product();
    std::set<std::string> found;
    for (const KernelTrace::Finding& finding : trace->findings) {
        if (finding.kind != "race" || finding.threads.size() < 2) continue;
        const KernelTrace::Thread &one = finding.threads[0], &other = finding.threads[1];
        found.insert(one.block != other.block ? "other_blocks" : one.rank / 32 != other.rank / 32 ? "other_warps" : "same_warp");
    }
    if (found.empty()) return {std::string("none"), "", Provenance::counted};
    if (found.size() == 1) return {*found.begin(), "", Provenance::counted};
    return {std::vector<std::string>(found.begin(), found.end()), "", Provenance::counted};
}

} // namespace gradus::mlp

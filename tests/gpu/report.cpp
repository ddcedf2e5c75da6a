#include "tests/gpu/report.hpp"

#include "tests/gpu/words.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <fmt/chrono.h>
#include <nlohmann/json.hpp>

namespace gradus::gpu {

using nlohmann::ordered_json;

namespace {

double gb_per_s(const LadderTimes& ladder, double us) { return ladder.bytes / us * 1e-3; }
double gflop_per_s(const LadderTimes& ladder, double us) { return ladder.flops / us * 1e-3; }

/// JSON has no number for it.
ordered_json number(double value) { return std::isfinite(value) ? ordered_json(value) : ordered_json(nullptr); }

ordered_json json_of(const LadderTimes& ladder) {
    ordered_json rungs = ordered_json::array();
    for (const RungTime& rung : ladder.rungs) {
        ordered_json one{{"rung", rung.rung}};
        if (!rung.failure.empty()) one["failure"] = rung.failure;
        if (!rung.left_out.empty()) one["left_out"] = rung.left_out;
        for (const BlockTime& block : rung.blocks) {
            ordered_json steps = ordered_json::array();
            for (const BlockTime::Step& step : block.steps) steps.push_back({{"kernel", step.kernel}, {"us", step.us}, {"counts", step.counts}});
            one["blocks"].push_back({{"block", {block.block.x, block.block.y, block.block.z}}, {"us", block.us}, {"gb_per_s", gb_per_s(ladder, block.us)},
                                     {"gflop_per_s", gflop_per_s(ladder, block.us)}, {"steps", steps}});
        }
        rungs.push_back(one);
    }
    ordered_json out{{"ladder", ladder.ladder}, {"problem", ladder.problem}, {"bytes", ladder.bytes}, {"flops", ladder.flops}, {"rungs", rungs}};
    if (!ladder.peer.empty()) {
        out["peer"] = {{"name", ladder.peer}};
        if (!ladder.peer_left_out.empty()) out["peer"]["left_out"] = ladder.peer_left_out;
        else out["peer"].update({{"us", ladder.peer_us}, {"gflop_per_s", gflop_per_s(ladder, ladder.peer_us)}});
    }
    return out;
}

std::string row_of(const Report& report, const LadderTimes& ladder, const RungTime& rung) {
    const BlockTime* best = rung.best();
    if (!best) return fmt::format("| {} | {} |  |  |  |  |  |\n", rung.rung, rung.failure.empty() ? rung.left_out : "FAILED: " + rung.failure);
    const std::string peer = ladder.peer_us > 0 ? fmt::format("{:.1f} %", 100 * ladder.peer_us / best->us) : "";
    const std::string flops = ladder.flops > 0 ? fmt::format("{:.1f}", gflop_per_s(ladder, best->us)) : "";
    return fmt::format("| {} | {} | {:.1f} | {:.1f} | {:.1f} % | {} | {} |\n", rung.rung, words_of(best->block), best->us, gb_per_s(ladder, best->us),
                       100 * gb_per_s(ladder, best->us) / report.copy_gb_per_s, flops, peer);
}

} // namespace

bool Report::passed() const {
    return broken_off.empty() && std::all_of(checks.begin(), checks.end(), [](const RungCheck& one) { return one.passed(); }) &&
           std::all_of(times.begin(), times.end(), [](const LadderTimes& ladder) {
               return std::all_of(ladder.rungs.begin(), ladder.rungs.end(), [](const RungTime& rung) { return rung.failure.empty(); });
           });
}

std::string date_now() { return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))); }

std::string json_of(const Report& report) {
    const Device& device = report.device;
    ordered_json out{{"program", "gradus-gpu"}, {"build", report.build}, {"date", report.date}, {"passed", report.passed()}};
    if (!report.broken_off.empty()) out["broken_off"] = report.broken_off;
    out["device"] = {{"name", device.name},     {"compute_capability", device.capability / 10.0}, {"multiprocessors", device.multiprocessors},
                     {"memory_bytes", device.memory}, {"driver", device.driver},                        {"runtime", device.runtime}};
    out["checks"] = ordered_json::array();
    for (const RungCheck& one : report.checks) {
        ordered_json check{{"ladder", one.ladder}, {"rung", one.rung}, {"runs", one.runs}, {"largest_error", number(one.largest_error)}, {"tolerance", one.tolerance}, {"passed", one.passed()}};
        if (!one.failures.empty()) check["failures"] = one.failures;
        if (!one.left_out.empty()) check["left_out"] = one.left_out;
        out["checks"].push_back(check);
    }
    if (report.copy_gb_per_s > 0) out["copy_gb_per_s"] = report.copy_gb_per_s;
    out["times"] = ordered_json::array();
    for (const LadderTimes& ladder : report.times) out["times"].push_back(json_of(ladder));
    return out.dump(1) + "\n";
}

std::string markdown_of(const Report& report) {
    const Device& device = report.device;
    std::string out = fmt::format("# Kernels on {}\n\n{}, compute capability {}.{}, {} multiprocessors, {:.1f} GB; driver {}; built with {}. Build {}.\n\n", device.name, report.date,
                                  device.capability / 10, device.capability % 10, device.multiprocessors, static_cast<double>(device.memory) * 1e-9, device.driver, device.runtime, report.build);
    if (!report.broken_off.empty()) out += fmt::format("**Broken off: {}**\n\n", report.broken_off);
    out += "## Against rung 0\n\nEvery legal block, on the usual and on odd problems. Error: ‖y − reference‖₂ / ‖reference‖₂, the largest of all outputs.\n\n"
           "| Rung | Runs | Largest error | Allowed | |\n|---|---:|---:|---:|---|\n";
    for (const RungCheck& one : report.checks) {
        const std::string verdict = !one.passed() ? "FAILED: " + one.failures.front() : one.runs == 0 ? "left out: " + one.left_out : one.left_out.empty() ? "right" : "right; in part left out: " + one.left_out;
        out += fmt::format("| {}/{} | {} | {:.2g} | {:.2g} | {} |\n", one.ladder, one.rung, one.runs, one.largest_error, one.tolerance, verdict);
    }
    if (report.times.empty()) return out;
    out += fmt::format("\n## Times\n\nMedians by CUDA events, with each rung's fastest block. GB/s: every array of the problem moved once; a copy within the device's memory reads and "
                       "writes {:.1f} GB/s.\n",
                       report.copy_gb_per_s);
    for (const LadderTimes& ladder : report.times) {
        out += fmt::format("\n### {}: {}\n\n| Rung | Block | µs | GB/s | of a copy | GFLOP/s | of cuBLAS |\n|---|---|---:|---:|---:|---:|---:|\n", ladder.ladder, words_of(ladder.problem));
        for (const RungTime& rung : ladder.rungs) out += row_of(report, ladder, rung);
        if (ladder.peer_us > 0) out += fmt::format("| {} |  | {:.1f} | {:.1f} |  | {:.1f} | |\n", ladder.peer, ladder.peer_us, gb_per_s(ladder, ladder.peer_us), gflop_per_s(ladder, ladder.peer_us));
        else if (!ladder.peer.empty()) out += fmt::format("| {} | left out: {} |  |  |  |  |  |\n", ladder.peer, ladder.peer_left_out);
    }
    return out;
}

} // namespace gradus::gpu

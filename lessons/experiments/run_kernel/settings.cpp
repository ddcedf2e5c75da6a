#include "lessons/experiments/run_kernel/settings.hpp"

#include "engine/core/error.hpp"
#include "engine/core/text.hpp"
#include "engine/kernels/faulty/faulty_ladders.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <tuple>

namespace gradus::kernels {

namespace {

std::int64_t integer(const Setup& setup, const char* name) { return parse_integer(setup.parameters.at(name)).value_or(0); }

const Rung* find(const Ladder& ladder, const std::string& name) {
    if (name == "first") return &ladder.rungs.front();
    if (name == "last") return &ladder.rungs.back();
    std::vector<std::string> known;
    for (const Rung& rung : ladder.rungs) {
        if (rung.id == name) return &rung;
        known.push_back(rung.id);
    }
    throw ArgumentError(fmt::format("run_kernel: {} has no rung '{}'; it has first, last, {}", ladder.id, name, joined(known)));
}

simt::Recording recording_of(const Setup& setup) {
    const std::string& record = setup.parameters.at("record");
    simt::Recording out;
    out.wanted = true; // where nothing of its steps is, there is still what was counted
    if (record == "none") out.launch = simt::Recording::no_launch;
    if (record != "block" && record != "block_alone" && record != "warp") return out;
    out.alone = record == "block_alone";
    out.launch = static_cast<std::int32_t>(integer(setup, "record_launch"));
    out.block = integer(setup, "record_block");
    if (record == "warp") out.warps = 1u << integer(setup, "record_warp");
    return out;
}

/// What is to be recorded must be there.
void check_recording(const Setup& setup, const simt::KernelRequest& request) {
    const simt::Recording& recording = request.recording;
    if (recording.block < 0) return;
    const Problem sizes = simt::usual_problem(*request.ladder, request.sizes);
    const KernelPlan plan = request.rung->plan(sizes, request.block);
    const auto launches = static_cast<std::int64_t>(plan.steps.size());
    if (recording.launch >= launches) throw ArgumentError(fmt::format("run_kernel: record_launch must be 0 to {}, not {}", launches - 1, recording.launch));
    const KernelStep& launch = plan.steps[static_cast<std::size_t>(recording.launch)];
    if (recording.block >= launch.grid.count())
        throw ArgumentError(fmt::format("run_kernel: record_block must be 0 to {}, not {}", launch.grid.count() - 1, recording.block));
    const std::int64_t warps = (launch.block.count() + 31) / 32;
    if (setup.parameters.at("record") == "warp" && integer(setup, "record_warp") >= warps)
        throw ArgumentError(fmt::format("run_kernel: record_warp must be 0 to {}, not {}", warps - 1, integer(setup, "record_warp")));
}

} // namespace

Dim3 read_block(const std::string& text) {
    Dim3 block{1, 1, 1};
    int* const sizes[] = {&block.x, &block.y, &block.z};
    const auto parts = split(text, 'x');
    bool good = !parts.empty() && parts.size() <= 3;
    for (std::size_t i = 0; good && i < parts.size(); ++i) {
        const auto size = parse_integer(parts[i]);
        good = size && *size >= 1 && *size <= 1024;
        if (good) *sizes[i] = static_cast<int>(*size);
    }
    if (!good) throw ArgumentError(fmt::format("run_kernel: block must be usual or sizes such as 256 or 32x8, not '{}'", shortened(text)));
    return block;
}

Problem read_sizes(const std::string& text) {
    Problem out;
    for (const std::string_view part : split(text, ',')) {
        const std::size_t equals = part.find('=');
        const auto size = equals == std::string_view::npos ? std::nullopt : parse_integer(trimmed(part.substr(equals + 1)));
        if (!size) throw ArgumentError(fmt::format("run_kernel: sizes must be usual or such as rows=64,columns=32, not '{}'", shortened(text)));
        out[std::string(trimmed(part.substr(0, equals)))] = *size;
    }
    return out;
}

Settings read_settings(const Setup& setup, std::chrono::milliseconds patience) {
    Settings out;
    out.request.at_most = patience;
    const std::string &ladder = setup.parameters.at("ladder"), &sizes = setup.parameters.at("sizes"), &block = setup.parameters.at("block");
    const std::string& rung = setup.parameters.at("rung");
    out.request.ladder = *std::find_if(known_ladders().begin(), known_ladders().end(), [&](const Ladder* each) { return each->id == ladder; });
    if (rung.find('/') == std::string::npos) out.request.rung = find(*out.request.ladder, rung);
    else std::tie(out.request.ladder, out.request.rung) = simt::find_rung(rung);
    if (sizes != "usual") out.request.sizes = read_sizes(sizes);
    out.request.block = block == "usual" ? out.request.rung->blocks.front() : read_block(block);
    const auto written = setup.parameters.find("source"); // a ladder that is climbed has its own kernels alone
    if (const std::string source = written == setup.parameters.end() ? "own" : written->second; source != "own") {
        if (source.size() > simt::SourceFile::most_bytes) throw ArgumentError(fmt::format("run_kernel: source has {} bytes; at most {} are read", source.size(), simt::SourceFile::most_bytes));
        out.source = std::make_shared<simt::SourceFile>(source, out.request.rung->id + ".cu");
        out.request.source = out.source->path();
    }
    out.request.seed = setup.seed;
    out.request.options.schedule = static_cast<std::uint64_t>(integer(setup, "schedule"));
    out.request.recording = recording_of(setup);
    out.architecture = &architecture(setup.parameters.at("architecture"));
    check_recording(setup, out.request);
    return out;
}

} // namespace gradus::kernels

#include "lessons/runtime/edit.hpp"

#include "engine/core/clock.hpp"
#include "engine/core/error.hpp"
#include "engine/core/number_words.hpp"
#include "engine/core/text.hpp"
#include "engine/simt/compile.hpp"
#include "engine/simt/kernel_text.hpp"
#include "engine/trace/run_writer.hpp"
#include "lessons/experiments/run_kernel/process.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>

namespace gradus {

namespace {

constexpr std::chrono::milliseconds patience{8'000}; // for each run of a kernel that somebody waits for

/// "n = 1 000, block 32 × 8".
Words place_of(const simt::PreparedRun& prepared, int schedule) {
    Words out;
    for (const ProblemSize& size : prepared.ladder->sizes)
        out.en += fmt::format("{}{} = {}", out.en.empty() ? "" : ", ", size.name, number_in_words(static_cast<double>(prepared.problem.at(size.name))));
    out.ko = out.en;
    std::string block = std::to_string(prepared.block.x);
    if (prepared.block.y * prepared.block.z > 1) block += fmt::format(" × {}", prepared.block.y);
    if (prepared.block.z > 1) block += fmt::format(" × {}", prepared.block.z);
    out.en += ", block " + block;
    out.ko += ", 블록 " + block;
    if (schedule > 0) out.en += fmt::format(", order {} of the warps", schedule), out.ko += fmt::format(", 워프 순서 {}번", schedule);
    return out;
}

Words compiler_words(const simt::CompileError& error, const std::string& text) {
    const auto& all = error.messages();
    const auto first = std::find_if(all.begin(), all.end(), [](const simt::CompilerMessage& one) { return one.severity.ends_with("error"); });
    if (first == all.end() || first->line <= 0) return {fmt::format("It does not compile: {}", error.what()), fmt::format("컴파일되지 않습니다. {}", error.what())};
    const auto lines = static_cast<int>(std::count(text.begin(), text.end(), '\n')) + 1; // what is missing at the end is noticed behind it
    const int line = std::min(first->line, lines);
    const std::string said = one_line(first->message);
    return {fmt::format("It does not compile: line {}: {}", line, said), fmt::format("컴파일되지 않습니다. {}번째 줄: {}", line, said)};
}

/// The recorded run of a kernel, as an answer reads it.
std::shared_ptr<const Run> recorded(kernels::KernelProcess& process, const Setup& setup) {
    Manifest manifest;
    manifest.experiment = "run_kernel";
    manifest.parameters = setup.parameters;
    manifest.seed = setup.seed;
    manifest.planned_steps = 1;
    manifest.observe_every = 1;
    manifest.id = "edit";
    manifest.clock = calibrated_clock();
    process.describe(manifest);
    auto run = std::make_shared<Run>(manifest, process.series(), nullptr);
    RunWriter writer(run);
    process.begin(writer, false);
    process.iterate(writer, 0, true);
    writer.finish(RunState::finished);
    return run;
}

/// Why this run is refused; none where it is not.
std::optional<EditVerdict> refusal(const CheckEdit& edit, const EditTry& at, const simt::KernelRun& kernel, const Setup& setup, const Run& run, const Words& place) {
    if (!kernel.findings.empty()) return EditVerdict{false, kernel.findings.front().sentence, place};
    for (const simt::OutputError& error : kernel.errors)
        if (!error.right) {
            const std::string off = number_in_words(error.error);
            return EditVerdict{false, {}, {fmt::format("{} is not what the reference gives: its error is {} ({}).", error.name, off, place.en),
                                           fmt::format("{}: 기준 결과와 다릅니다. 오차는 {}입니다({}).", error.name, off, place.ko)}};
        }
    if (!kernel.right()) return EditVerdict{false, {}, {fmt::format("Not all of it has run ({}).", place.en), fmt::format("끝까지 실행되지 않았습니다({}).", place.ko)}};
    for (const EditDemand& demand : edit.demands) {
        if (!demand.sizes.empty() && demand.sizes != at.sizes) continue;
        const Answer answer = find_experiment("run_kernel").answer(demand.question, demand.arguments, setup, &run);
        const double value = answer.is_number() ? answer.number() : std::nan("");
        // accepted where it is in range, so that a NaN is not
        if ((!demand.least || value >= *demand.least - 1e-9) && (!demand.most || value <= *demand.most + 1e-9) && std::isfinite(value)) continue;
        const std::string found = number_in_words(value);
        return EditVerdict{false, {}, {fmt::format("{}: here {} ({}).", demand.words.en, found, place.en), fmt::format("{}: 지금은 {}입니다({}).", demand.words.ko, found, place.ko)}};
    }
    return {};
}

} // namespace

Parameters edit_parameters(const CheckEdit& edit, const std::string& text, const EditTry& at, int schedule) {
    return find_experiment("run_kernel").complete({{"ladder", edit.kernel.substr(0, edit.kernel.rfind('/'))},
                                                   {"rung", edit.kernel},
                                                   {"source", text.empty() || text == "own" ? text + "\n" : text}, // no kernel, and not the rung's
                                                   {"sizes", at.sizes},
                                                   {"block", at.block},
                                                   {"record", "none"},
                                                   {"schedule", std::to_string(schedule)}});
}

std::string solution_of(const CheckEdit& edit) {
    if (!edit.solution.empty()) return edit.solution;
    const auto [ladder, rung] = simt::find_rung(edit.kernel);
    return simt::text_of(simt::file_of(*ladder, *rung));
}

std::size_t class_checks(const Card& card) {
    return static_cast<std::size_t>(std::count_if(card.checks.begin(), card.checks.end(), [](const Check& check) { return !check.edit; }));
}

EditVerdict grade_edit(const CheckEdit& edit, const std::string& text, const std::stop_token& stop) {
    try {
        for (const EditTry& at : edit.tries)
            for (int schedule = 0; schedule <= at.schedules; ++schedule) {
                Setup setup;
                setup.parameters = edit_parameters(edit, text, at, schedule);
                setup.steps = 1;
                setup.stop = stop;
                kernels::KernelProcess process(setup, patience);
                const std::shared_ptr<const Run> run = recorded(process, setup);
                const simt::KernelRun& kernel = process.run(0);
                if (auto verdict = refusal(edit, at, kernel, setup, *run, place_of(kernel.prepared, schedule))) return *std::move(verdict);
            }
    } catch (const simt::CompileError& error) {
        return {false, {}, compiler_words(error, text)};
    } catch (const Error& error) { // an interruption is none
        return {false, error.what(), {}};
    }
    return {true};
}

} // namespace gradus

// Kernels whose text somebody wrote: served by a process of their own, and where they fail there, looked at thread by thread.
#include "engine/backend/simt/launcher.hpp"

#include "engine/core/error.hpp"
#include "engine/kernels/kernel_values.hpp"
#include "engine/simt/compile.hpp"
#include "engine/simt/kernel_run.hpp"
#include "engine/simt/source_file.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <fmt/format.h>

namespace gradus::simt {

namespace {

constexpr std::chrono::seconds served_patience{20}; // for all launches of a call
constexpr std::chrono::seconds told_patience{8};    // more, to say where it failed

std::string compile_text(const Ladder& ladder, const Rung& rung, const KernelPlan& plan, const std::string& text) {
    const SourceFile file(text, rung.id + ".cu");
    return compile_kernel(source_of(ladder, rung, plan, file.path()), KernelBuild::plain);
}

/// ": 3_shared.cu, line 35: thread (0, 1, 0) of block …", of the same launches run once more thread by thread; empty where nothing is found there.
std::string where_it_fails(const ReadyRung& ready, const std::string& text, const GradusCall& call) {
    try {
        const auto [ladder, rung] = find_rung(ready.name);
        KernelValues given;
        for (const ReadyRung::Buffer& buffer : ready.buffers)
            if (buffer.input >= 0) given[buffer.what.name] = load_values(buffer.what.type, static_cast<const std::byte*>(call.inputs[buffer.input].data), static_cast<std::size_t>(buffer.what.count()));
        const SourceFile file(text, rung->id + ".cu");
        KernelRequest request;
        request.ladder = ladder, request.rung = rung;
        request.source = file.path();
        request.at_most = told_patience;
        const PreparedRun prepared(*ladder, *rung, ready.problem, rung->blocks.front(), request.seed);
        const KernelRun run = run_kernel(request, prepared.with(given), {});
        const auto worst = std::find_if(run.findings.begin(), run.findings.end(), [](const KernelFinding& finding) { return ends_launch(finding.kind); });
        return worst == run.findings.end() ? std::string() : ": " + worst->sentence;
    } catch (const Error&) { // that it failed is said all the same
        return {};
    }
}

} // namespace

void Launcher::replace(const std::string& name, const std::string& text) {
    const auto [ladder, rung] = find_rung(name);
    const std::string prefix = ladder->id + "/";
    bool used = false;
    for (const Binding& binding : bindings()) used |= binding.ladder == ladder->id && &chosen(binding, *ladder) == rung;
    if (!used) throw ArgumentError(fmt::format("device 'simt' computes nothing with {}", name));
    if (!text.empty()) compile_text(*ladder, *rung, rung->plan(usual_problem(*ladder), rung->blocks.front()), text); // before anything changes
    std::erase_if(ready_, [&](const auto& each) { return std::string_view(each.second->name).starts_with(prefix); });
    std::erase_if(served_, [&](const auto& each) { return each.first.starts_with(prefix); });
    if (text.empty()) texts_.erase(ladder->id);
    else texts_[ladder->id] = text;
}

ServedKernel& Launcher::served_of(const Ladder& ladder, const Rung& rung, const KernelPlan& plan) {
    std::unique_ptr<ServedKernel>& served = served_[key_of(ladder, rung, kernels_of(plan))];
    if (!served) served = std::make_unique<ServedKernel>(compile_text(ladder, rung, plan, texts_.at(ladder.id)));
    return *served;
}

/// Its inputs go to the kernel's process, and its outputs come back. What a kernel finds in memory that nothing was put into is 0, so that a run
/// whose kernel reads it gives the same numbers again.
void Launcher::serve(const ReadyRung& rung, const GradusCall& call, const std::vector<float>& numbers) {
    constexpr std::uint64_t alignment = 256, gap = 4096; // bytes; what runs out of one buffer does not fall into the next
    LaunchRequest request;
    std::uint64_t at = 0;
    for (const ReadyRung::Buffer& buffer : rung.buffers) {
        const std::uint64_t bytes = static_cast<std::uint64_t>(buffer.what.count()) * size_of(buffer.what.type);
        request.buffers.push_back({buffer.what.name, at, bytes, static_cast<std::int32_t>(std::min<std::size_t>(size_of(buffer.what.type), 4))});
        at += (bytes + gap + alignment - 1) / alignment * alignment;
    }
    if (at > ServedKernel::most_bytes) throw Error(fmt::format("{}, as it was edited, would need {} bytes of a call's memory; there are {}", rung.name, at, ServedKernel::most_bytes));
    std::byte* memory = rung.served->buffers();
    for (std::size_t i = 0; i < rung.buffers.size(); ++i) {
        const ReadyRung::Buffer& buffer = rung.buffers[i];
        if (buffer.input >= 0) std::memcpy(memory + request.buffers[i].offset, call.inputs[buffer.input].data, request.buffers[i].bytes);
        else std::memset(memory + request.buffers[i].offset, 0, request.buffers[i].bytes);
    }
    for (const ReadyRung::Launch& launch : rung.launches) {
        LaunchRequest::Step step{launch.number, launch.shape, {}};
        for (const ReadyRung::Argument& argument : launch.arguments)
            step.arguments.push_back({argument.buffer, argument.number >= 0 ? std::bit_cast<std::uint32_t>(numbers.at(static_cast<std::size_t>(argument.number))) : argument.bits});
        request.steps.push_back(std::move(step));
    }
    try {
        rung.served->run(request, served_patience);
    } catch (const Error& error) {
        throw Error(fmt::format("{}, as it was edited, {}{}", rung.name, error.what(), where_it_fails(rung, texts_.at(rung.binding->ladder), call)));
    }
    for (std::size_t i = 0; i < rung.buffers.size(); ++i)
        if (rung.buffers[i].output >= 0) std::memcpy(call.outputs[rung.buffers[i].output].data, memory + request.buffers[i].offset, request.buffers[i].bytes);
}

} // namespace gradus::simt

#include "engine/simt/kernel_run.hpp"

#include "engine/core/error.hpp"
#include "engine/hardware/architectures.hpp"
#include "engine/kernels/faulty/faulty_ladders.hpp"
#include "engine/simt/compile.hpp"
#include "engine/simt/index_checks.hpp"
#include "engine/simt/kernel_folder.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <iterator>
#include <memory>
#include <variant>

namespace gradus::simt {

bool KernelRun::right() const {
    return end.done && findings.empty() && answer.whole && !errors.empty() && std::all_of(errors.begin(), errors.end(), [](const OutputError& error) { return error.right; });
}

std::span<const std::byte> KernelRun::memory() const {
    if (!arena) return {};
    return {arena->memory(), prepared.bytes};
}

KernelValues KernelRun::outputs() const { return arena ? prepared.outputs(arena->memory()) : KernelValues(); }

std::string file_of(const Ladder& ladder, const Rung& rung) { return fmt::format("{}/kernels/{}/{}.cu", kernel_folder(), ladder.id, rung.id); }

namespace {

/// What the launch hands over, as types: a wrong number of arguments, or a float for an int, is found when it is compiled.
std::vector<std::string> types_of(const KernelStep& step) {
    std::vector<std::string> out;
    for (const KernelStep::Argument& argument : step.arguments) {
        constexpr const char* names[] = {"void*", "int", "unsigned", "long long", "float", "double"}; // as KernelStep::Argument has them
        static_assert(std::size(names) == std::variant_size_v<KernelStep::Argument>);
        out.emplace_back(names[argument.index()]);
    }
    return out;
}

KernelSource source_of(const PreparedRun& run, const std::string& instead) { return gradus::simt::source_of(*run.ladder, *run.rung, run.plan, instead); }

} // namespace

KernelSource source_of(const Ladder& ladder, const Rung& rung, const KernelPlan& plan, const std::string& instead) {
    const std::string own = file_of(ladder, rung);
    KernelSource source{instead.empty() ? own : instead, kernels_of(plan), own.substr(0, own.rfind('/'))};
    for (const std::string& kernel : source.entries) {
        const auto step = std::find_if(plan.steps.begin(), plan.steps.end(), [&](const KernelStep& each) { return each.kernel == kernel; });
        source.arguments.push_back(types_of(*step));
    }
    return source;
}

std::pair<const Ladder*, const Rung*> find_rung(const std::string& name) {
    std::string known;
    for (const Ladder* ladder : known_ladders()) {
        known += (known.empty() ? "" : ", ") + ladder->id;
        if (name == ladder->id) return {ladder, &ladder->rungs.back()};
        if (!name.starts_with(ladder->id + "/")) continue;
        const std::string id = name.substr(ladder->id.size() + 1);
        std::string rungs;
        for (const Rung& rung : ladder->rungs) {
            if (rung.id == id) return {ladder, &rung};
            rungs += (rungs.empty() ? "" : ", ") + rung.id;
        }
        throw ArgumentError(fmt::format("{} has no rung '{}'; it has {}", ladder->id, id, rungs));
    }
    throw ArgumentError(fmt::format("there is no kernel '{}'; there are {}", name, known));
}

namespace {

PreparedRun prepared_for(const KernelRequest& request) {
    return {*request.ladder, *request.rung, request.sizes, request.block.count() ? request.block : request.rung->blocks.front(), request.seed};
}

/// That are run; of a launch of which one block is to be alone, that one.
std::int64_t blocks_of(const KernelRequest& request, const PreparedRun& prepared) {
    const std::int32_t alone = request.recording.wanted && request.recording.alone ? request.recording.launch : request.watched.alone ? request.watched.step : -1;
    std::int64_t blocks = 0;
    for (std::size_t i = 0; i < prepared.plan.steps.size(); ++i) blocks += static_cast<std::int32_t>(i) == alone ? 1 : prepared.plan.steps[i].grid.count();
    return blocks;
}

/// No GPU has room for more in one array, and a library that asks for very much is not even loaded.
void check_shared(const KernelSource& source, const SourcePlaces& places) {
    const auto most = static_cast<std::uint64_t>(Architecture{}.shared_per_block);
    for (const NamedVariable& variable : places.shared()) {
        if (variable.bytes <= most) continue;
        const std::string file = std::filesystem::path(source.file).filename().string();
        const std::string said = fmt::format("'{}' takes {} bytes of shared memory; a kernel's arrays may take {}", variable.name, variable.bytes, most);
        throw CompileError(fmt::format("{}:{}: {}", file, variable.line, said), {{source.file, variable.line, 0, "error", said}});
    }
}

} // namespace

std::string compile_request(const KernelRequest& request, const std::stop_token& stop) {
    return compile_kernel(source_of(prepared_for(request), request.source), KernelBuild::hooked, stop);
}

KernelRun run_kernel(const KernelRequest& request, const std::stop_token& stop) { return run_kernel(request, prepared_for(request), stop); }

KernelRun run_kernel(const KernelRequest& request, const PreparedRun& prepared, const std::stop_token& stop) {
    KernelRun run{.prepared = prepared, .library = {}, .end = {}, .answer = {}, .steps = {}, .findings = {}, .errors = {}, .trace = {}, .arena = {}};
    run.library = compile_kernel(source_of(prepared, request.source), KernelBuild::hooked, stop);
    LaunchRequest launch;
    launch.library = run.library;
    launch.buffers = prepared.request_buffers();
    launch.steps = prepared.launches(prepared.kernels());
    launch.options = request.options;
    launch.options.every_branch |= prepared.ladder->branches;
    // in time to say where it is, before the process is ended
    launch.options.seconds = static_cast<int>(std::chrono::duration_cast<std::chrono::seconds>(request.at_most).count() * 3 / 4);
    launch.watched = request.watched;
    launch.recording = request.recording;
    const SourcePlaces places(run.library);
    check_shared(source_of(prepared, request.source), places);
    const LocalVariables variables(run.library);
    if (request.recording.most_locals && (request.recording.wanted || request.watched.step >= 0)) launch.frames = variables.frames();
    for (const NamedVariable& variable : places.shared())
        if (!variable.bytes) launch.dynamic_shared = static_cast<std::int64_t>(variable.offset);
    const auto arena = std::make_shared<Arena>(launch.bytes(), prepared.bytes);
    prepared.fill(arena->memory());
    const std::int64_t blocks = blocks_of(request, prepared);
    const auto tell = [&] {
        if (blocks == 1) request.progress(std::max<std::int64_t>(0, arena->steps_told()), 0); // the child may write anything
        else request.progress(std::clamp<std::int64_t>(arena->blocks_told(), 0, blocks), blocks);
    };
    run.end = run_child(*arena, request.at_most, stop, request.progress ? std::function<void()>(tell) : nullptr);
    if (!run.end.done) return run;
    run.answer = LaunchAnswer::read(arena->answer());
    arena->close();
    drop_index_checks(run.answer, places);
    run.steps = step_reports(prepared, run.answer, places);
    run.findings = kernel_findings(prepared, run.answer, places);
    if (run.answer.log) run.trace = trace_of(prepared, source_of(prepared, request.source).file, run.answer, places, variables, run.steps, run.findings);
    if (!run.answer.whole) return run;
    run.arena = arena;
    const bool alone = request.watched.alone || (request.recording.wanted && request.recording.alone);
    if (!alone) run.errors = compare(prepared, run.outputs()); // the reference of a large product takes minutes, and one block is not all of it
    return run;
}

std::string plain_library(const PreparedRun& run, const std::string& source) { return compile_kernel(source_of(run, source), KernelBuild::plain); }

KernelValues run_plain(const PreparedRun& run, const std::string& source) {
    const std::string library = plain_library(run, source);
    const std::unique_ptr<std::byte, decltype(&std::free)> memory(static_cast<std::byte*>(std::aligned_alloc(256, (run.bytes + 255) / 256 * 256 + 256)), &std::free);
    run.fill(memory.get());
    run_plain(run, library, memory.get());
    return run.outputs(memory.get());
}

} // namespace gradus::simt

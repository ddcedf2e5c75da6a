#include "app/cli/cli.hpp"
#include "app/say.hpp"
#include "engine/core/error.hpp"
#include "engine/io/export/export.hpp"
#include "engine/trace/derive/diff.hpp"
#include "engine/trace/file/reader.hpp"
#include "engine/trace/kernel/kernel_trace.hpp"
#include "lessons/runtime/reproduce.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gradus::cli {

using nlohmann::json;

namespace {

json difference_json(const DiffResult& result) {
    json out{{"equal", !result.first},
             {"compared", {{"iterations", result.iterations}, {"tensors", result.tensors}, {"scalars", result.series_values}}}};
    if (!result.first) return out;
    const Difference& d = *result.first;
    out["first"] = {{"what", d.what},       {"iteration", d.iteration}, {"event", d.event},
                    {"ordinal", d.tensor.event.ordinal}, {"name", d.name}, {"index", d.index},
                    {"a", d.a},             {"b", d.b},                 {"ulps", d.ulps},
                    {"differing", d.differing}, {"sentence", d.sentence()}};
    return out;
}

/// The setup before the first step is in the file as one more.
std::size_t observed_steps(const Run& run) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < run.observed().size(); ++i) count += run.observed()[i].iteration >= 0;
    return count;
}

json run_json(const Run& run) {
    const Manifest& m = run.manifest();
    json edits = json::array();
    for (std::size_t i = 0; i < run.edits().size(); ++i)
        edits.push_back({{"iteration", run.edits()[i].iteration}, {"edit", run.edits()[i].edit.text()}});
    std::size_t kernel_steps = 0;
    for (std::size_t i = 0; i < run.observed().size(); ++i)
        if (const auto tensors = run.tensors_of(run.observed()[i].iteration); tensors && tensors->kernels) kernel_steps += tensors->kernels->steps();
    return {{"id", m.id},
            {"kernel_steps", kernel_steps},
            {"experiment", m.experiment},
            {"parameters", m.parameters},
            {"seed", m.seed},
            {"device", m.device},
            {"isa", m.isa},
            {"parent", m.parent},
            {"first_iteration", run.first_iteration()},
            {"iterations", run.head()},
            {"planned_steps", m.planned_steps},
            {"state", name_of(run.state())},
            {"failure", run.failure()},
            {"events", run.event_count()},
            {"observed", run.observed().size()},
            {"observed_steps", observed_steps(run)}, // without the setup
            {"edits", edits}};
}

/// Whether whoever made the file wrote a kernel's text, which computing it again would run.
bool brings_kernel(const Run& run) {
    for (const ParameterInfo& info : find_experiment(run.manifest().experiment).parameters()) {
        if (info.type != ParameterInfo::Type::text) continue;
        const auto given = run.manifest().parameters.find(info.name);
        if (given != run.manifest().parameters.end() && given->second != info.standard) return true;
        for (std::size_t i = 0; i < run.edits().size(); ++i)
            if (const Edit& edit = run.edits()[i].edit; edit.target == info.name && edit.text_value != info.standard) return true;
    }
    return false;
}

} // namespace

int replay(const std::string& name, bool recompute, bool its_kernel, bool json_wanted) {
    const RunFile file = read_run_file(name);
    if (recompute && !its_kernel)
        for (const auto& run : file.runs)
            if (brings_kernel(*run))
                throw UnavailableError(name + ": its kernel's text came with the file and is run only where you say so, with --run-its-kernel");
    json out{{"schema", 1},
             {"file", name},
             {"format", file.format},
             {"whole", file.whole},
             {"recording", file.recording && !file.whole},
             {"last_event_unix_ns", file.last_event_unix_ns},
             {"iterations", file.runs.empty() ? 0 : file.runs.front()->head()},
             {"tensors", file.tensors},
             {"tensor_hashes", file.tensor_hashes},
             {"dropped_tensors", file.dropped_tensors},
             {"provenance", name_of(Provenance::counted)}, // of every number that is no identity
             {"runs", json::array()}};
    for (const auto& run : file.runs) out["runs"].push_back(run_json(*run));
    bool same = true;
    if (recompute) {
        ProgressLine progress(!json_wanted);
        out["recomputed"] = json::array();
        for (const Reproduction& one :
             reproduce(file.runs, [&](double share) { progress.show(share, "re-computing"); })) {
            out["recomputed"].push_back(difference_json(one.result));
            out["recomputed"].back()["id"] = one.recorded->manifest().id;
            same &= !one.result.first;
        }
    }
    if (json_wanted) {
        print_json(out);
        return same ? done : check_failed;
    }
    const char* state = file.whole ? "whole" : file.recording ? "still being recorded" : "cut off while it was recorded";
    if (file.runs.empty())
        fmt::print("{}: {}, before its first step{}\n", name, state,
                   file.whole || file.recording || std::filesystem::exists(name + "-wal")
                       ? ""
                       : fmt::format("; if there was a {}-wal beside it, its steps are in there: keep both together", name));
    else fmt::print("{}: {}, {} run{}\n", name, state, file.runs.size(), file.runs.size() == 1 ? "" : "s");
    for (const auto& run : file.runs) {
        const Manifest& m = run->manifest();
        fmt::print("  {:<10}{} seed {}, steps {} to {} of {}, {}, {} events in {} observed steps, edits: {}\n", m.id,
                   m.experiment, m.seed, run->first_iteration(), run->head(), m.planned_steps, name_of(run->state()),
                   run->event_count(), observed_steps(*run), run->edits().size());
    }
    for (const json& run : out["runs"])
        if (const auto steps = run["kernel_steps"].get<std::size_t>(); steps > 0)
            fmt::print("  {:<10}{} warp steps of its kernels, with every lane's values\n", run["id"].get<std::string>(), steps);
    fmt::print("  every hash matches: {} tensors, {} with contents", file.tensor_hashes, file.tensors);
    if (file.dropped_tensors > 0) fmt::print(" ({} left out to stay within the budget)", file.dropped_tensors);
    fmt::print("\n");
    if (file.format < 2)
        fmt::print("  its format, {}, is an older one that counts no rows: what somebody removed from it is not missed\n",
                   file.format);
    if (recompute)
        for (const json& one : out["recomputed"])
            fmt::print("  {:<10}re-computed from manifest and edits: {}\n", one["id"].get<std::string>(),
                       one["equal"].get<bool>() ? "the same bits" : one["first"]["sentence"].get<std::string>());
    return same ? done : check_failed;
}

int export_file(const std::string& name, const std::string& format, const std::string& output,
                std::optional<std::int64_t> from, std::optional<std::int64_t> until, std::int64_t number,
                const std::vector<std::int64_t>& bookmarks) {
    if (output == "-") throw ArgumentError("--output -: an export is a file; give it a name");
    std::error_code error;
    if (std::filesystem::equivalent(name, output, error))
        throw ArgumentError(fmt::format("{}: the export would replace the recording it reads", output));
    const RunFile file = read_run_file(name);
    if (number < 0 || number >= static_cast<std::int64_t>(file.runs.size()))
        throw ArgumentError(fmt::format("{}: there is no run {}; there are {}", name, number, file.runs.size()));
    const Run& run = *file.runs[static_cast<std::size_t>(number)];
    for (const StepIndex mark : bookmarks)
        if (mark < 0 || mark >= run.head())
            throw ArgumentError(fmt::format("--bookmark {}: the run has iterations 0 to {}", mark, run.head() - 1));
    watch_interrupts();
    std::stop_source stop;
    ProgressLine progress(true);
    ExportOptions options{from, until, bookmarks, {}, stop.get_token()};
    options.progress = [&](double share) {
        progress.show(share, "exporting");
        if (interrupt_requested()) stop.request_stop();
    };
    try {
        export_run(run, format, output, options);
    } catch (const StoppedError&) {
        return interrupted();
    }
    progress.clear();
    say("written to {}\n", output);
    if (format == "npz" && file.dropped_tensors > 0)
        say("{} tensors are not in it: the recording left them out for want of room\n", file.dropped_tensors);
    return done;
}

namespace {

/// What two runs were asked for differently that a difference, or its absence, may come from: "planned for 5 steps and for 8". A
/// schedule may end with the planned steps; workers change no number.
std::vector<std::string> asked_differently(const Manifest& a, const Manifest& b) {
    std::vector<std::string> out;
    if (a.planned_steps != b.planned_steps) out.push_back(fmt::format("planned for {} steps and for {}", a.planned_steps, b.planned_steps));
    const auto workers = [](const Manifest& of) {
        const auto found = of.parameters.find("workers");
        return found == of.parameters.end() ? std::string("0") : found->second;
    };
    if (workers(a) != workers(b)) out.push_back(fmt::format("batches made by {} workers and by {}", workers(a), workers(b)));
    return out;
}

} // namespace

int diff(const std::string& first, const std::string& second, bool json_wanted) {
    const RunFile a = read_run_file(first), b = read_run_file(second);
    bool equal = a.runs.size() == b.runs.size();
    json runs = json::array();
    for (std::size_t i = 0; i < std::min(a.runs.size(), b.runs.size()); ++i) {
        const DiffResult result = diff_runs(*a.runs[i], *b.runs[i]);
        runs.push_back(difference_json(result));
        runs.back()["id"] = a.runs[i]->manifest().id;
        runs.back()["asked_differently"] = asked_differently(a.runs[i]->manifest(), b.runs[i]->manifest());
        equal &= !result.first;
    }
    if (json_wanted) {
        print_json({{"schema", 1}, {"equal", equal}, {"runs", runs}});
        return equal ? done : check_failed;
    }
    for (const json& run : runs) {
        for (const json& one : run["asked_differently"]) fmt::print("{}: {}\n", run["id"].get<std::string>(), one.get<std::string>());
        fmt::print("{}: {}\n", run["id"].get<std::string>(),
                   run["equal"].get<bool>()
                       ? fmt::format("equal ({} iterations, {} tensors, {} scalars compared)",
                                     run["compared"]["iterations"].get<std::int64_t>(),
                                     run["compared"]["tensors"].get<std::int64_t>(),
                                     run["compared"]["scalars"].get<std::int64_t>())
                       : "differs " + run["first"]["sentence"].get<std::string>());
    }
    if (a.runs.size() != b.runs.size())
        fmt::print("{} run{} in {}, {} in {}\n", a.runs.size(), a.runs.size() == 1 ? "" : "s", first, b.runs.size(), second);
    return equal ? done : check_failed;
}

} // namespace gradus::cli

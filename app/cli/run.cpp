#include "app/cli/cli.hpp"
#include "app/cli/run_summary.hpp"
#include "app/say.hpp"
#include "engine/core/error.hpp"
#include "engine/core/text.hpp"
#include "engine/trace/file/recorder.hpp"
#include "engine/trace/kernel/kernel_trace.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace gradus::cli {

using nlohmann::json;

namespace {

struct TimedEdit {
    StepIndex iteration = 0;
    Edit edit;
};

TimedEdit parse_timed(const std::string& text, const char* flag) {
    const std::size_t colon = text.find(':');
    const auto iteration = parse_integer(trimmed(std::string_view(text).substr(0, colon)));
    if (colon == std::string::npos || !iteration || *iteration < 0)
        throw ArgumentError(fmt::format("{} {}: write ITERATION:EDIT, such as \"100:lr = 0.05\"", flag, text));
    return {*iteration, Edit::parse(std::string_view(text).substr(colon + 1))};
}

/// An edit as it is named in a sentence: of a kernel's text no more than how it begins.
std::string first_line(const Edit& edit) {
    const std::string text = edit.text();
    const std::size_t end = text.find('\n');
    return end == std::string::npos ? text : text.substr(0, end) + " …";
}

/// What cannot be, before anything is trained. Throws ArgumentError.
void check_words(const std::vector<TimedEdit>& edits, const std::vector<TimedEdit>& forks, StepIndex steps) {
    const auto refuse = [](const char* flag, const TimedEdit& timed, const std::string& why) {
        throw ArgumentError(fmt::format("{} {}:{}: {}", flag, timed.iteration, first_line(timed.edit), why));
    };
    for (const auto& [flag, list] : {std::pair("--edit", &edits), std::pair("--fork", &forks)})
        for (const TimedEdit& timed : *list) {
            if (timed.iteration >= steps) refuse(flag, timed, fmt::format("the run ends before iteration {}", timed.iteration));
            if (timed.edit.kind != Edit::Kind::breakpoint) continue;
            if (list == &forks) refuse(flag, timed, "a breakpoint changes nothing to fork for; use --edit");
            if (timed.edit.target != "iteration") continue;
            if (timed.edit.values[0] >= static_cast<double>(steps)) refuse(flag, timed, "the run ends before that");
            if (timed.edit.values[0] <= static_cast<double>(timed.iteration)) refuse(flag, timed, "the run is beyond that already");
        }
}

/// Applies them all to a process of its own, so that a wrong one is named before the training, not after it.
void try_edits(const RunRequest& request, StepIndex steps, const std::shared_ptr<DataStore>& data, const char* flag,
               const std::vector<TimedEdit>& edits) {
    std::unique_ptr<Process> process;
    for (const TimedEdit& timed : edits) {
        if (timed.edit.kind == Edit::Kind::breakpoint) continue;
        const Experiment& experiment = find_experiment(request.experiment);
        if (!process) process = experiment.start({experiment.complete(request.parameters), request.seed, steps, request.device, data});
        try {
            experiment.check_edit(timed.edit);
            process->apply(timed.edit, 0);
        } catch (const ArgumentError& error) {
            throw ArgumentError(fmt::format("{} {}:{}: {}", flag, timed.iteration, first_line(timed.edit), error.what()));
        }
    }
}

/// The breakpoint that stopped a Run.
struct Stop {
    std::shared_ptr<const Run> run;
    std::string by;
    std::optional<double> at;
    StepIndex step = 0;
};

void note_stop(const Session& session, std::vector<Stop>& stops) {
    const Session::Status status = session.status();
    const auto run = session.run(status.selected);
    if (!status.stopped_by.empty()) stops.push_back({run, status.stopped_by, status.stopped_at, run->head()});
}

/// The first step of this Run, of a fork its own, whose loss was not a number or infinite.
std::optional<SeriesPoint> first_not_finite(const Run& run) {
    const Series* loss = run.find_series("loss");
    for (std::size_t i = 0; loss && i < loss->size(); ++i)
        if (const SeriesPoint point = loss->at(i); !std::isfinite(point.value)) return point;
    return {};
}

/// `wall_seconds`: what it took to compute this Run, of a fork without its parent's part.
json run_json(const Session& session, const Run& run, const std::vector<Scalar>& scalars, double wall_seconds) {
    const Manifest& manifest = run.manifest();
    json out{{"schema", 1},
             {"experiment", manifest.experiment},
             {"parameters", manifest.parameters},
             {"seed", manifest.seed},
             {"device", manifest.device},
             {"isa", manifest.isa},
             {"threads", manifest.threads},
             {"processor", manifest.processor},
             {"build", manifest.build},
             {"dataset", {{"name", manifest.dataset}, {"hash", manifest.dataset_hash}}},
             {"run", manifest.id},
             {"state", name_of(run.state())},
             {"scalars", json::object()},
             {"answers", json::object()}};
    if (!manifest.card.empty()) out["card"] = manifest.card;
    if (!manifest.parent.empty()) out["parent"] = {{"run", manifest.parent}, {"iteration", manifest.fork_iteration}};
    for (const Scalar& scalar : scalars) {
        out["scalars"][scalar.name] = quantity(scalar.value, scalar.unit, scalar.provenance);
        if (scalar.iteration >= 0) out["scalars"][scalar.name]["iteration"] = scalar.iteration;
    }
    out["scalars"]["wall_seconds"] = quantity(wall_seconds, "s", Provenance::measured);
    for (const auto& [name, answer] : run_answers(session, run)) out["answers"][name] = quantity(answer);
    if (const auto point = first_not_finite(run)) out["not_finite_from"] = point->iteration;
    json edits = json::array();
    for (std::size_t i = 0; i < run.edits().size(); ++i)
        edits.push_back({{"iteration", run.edits()[i].iteration}, {"edit", run.edits()[i].edit.text()}});
    out["edits"] = edits;
    return out;
}

} // namespace

std::vector<Scalar> run_scalars(const Run& run) {
    std::vector<Scalar> out;
    const StepIndex last = run.head() - 1;
    for (const auto& series : run.series()) {
        const SeriesInfo& info = series->info();
        if (info.name.starts_with("seed_")) continue;
        if (info.name == "step_seconds") {
            std::vector<double> times;
            for (std::size_t i = 0; i < series->size(); ++i) times.push_back(series->at(i).value);
            if (times.empty()) continue;
            std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2), times.end());
            out.push_back({"median_" + info.name, times[times.size() / 2], info.unit, info.provenance});
            continue;
        }
        if (last < run.first_iteration()) continue;
        if (info.every_iteration) {
            out.push_back({info.name, *run.value_at(info.name, last), info.unit, info.provenance, last});
        } else if (series->size() > 0) {
            const SeriesPoint point = series->at(series->size() - 1);
            out.push_back({info.name, point.value, info.unit, info.provenance, point.iteration});
        }
    }
    out.push_back({"steps", static_cast<double>(run.head()), "", Provenance::counted});
    if (const Series* solved = run.find_series("seed_solved"); solved && solved->size() > 0) {
        const std::size_t trained = solved->size(); // fewer than asked for when they were interrupted
        double count = 0;
        for (std::size_t i = 0; i < trained; ++i) count += solved->at(i).value;
        out.push_back({"seeds_trained", static_cast<double>(trained), "", Provenance::counted});
        out.push_back({"solved_share", count / static_cast<double>(trained), "", Provenance::computed});
    }
    return out;
}

std::vector<std::pair<std::string, Answer>> run_answers(const Session& session, const Run& run) {
    std::vector<std::pair<std::string, Answer>> out;
    if (run.parent() || run.head() < session.planned_steps() || run.head() == 0) return out;
    for (const QuestionInfo& info : session.experiment().questions())
        if (!info.needs_arguments && (!info.needs_training || run.edits().empty()))
            out.emplace_back(info.name, session.experiment().answer(info.name, {}, session.setup(), &run));
    return out;
}

namespace {

/// Whether the questions of a card can be asked of what was run: they speak of the data by name.
bool is_about_its_data(const Card& card, const Setup& setup) {
    const auto own = card.parameters.find("data"), now = setup.parameters.find("data");
    return own == card.parameters.end() || now == setup.parameters.end() || own->second == now->second;
}

/// A recording of words that turn out to be unusable is taken back; one that has begun to compute is kept.
class RecordingGuard {
public:
    explicit RecordingGuard(std::unique_ptr<Recorder>& recorder) : recorder_(recorder) {}
    ~RecordingGuard() {
        if (keep_ || !recorder_) return;
        const std::filesystem::path path = recorder_->path();
        recorder_.reset();
        std::error_code error;
        for (const char* suffix : {"", "-wal", "-shm", "-journal"}) std::filesystem::remove(path.string() + suffix, error);
    }
    RecordingGuard(const RecordingGuard&) = delete;
    RecordingGuard& operator=(const RecordingGuard&) = delete;
    void keep() { keep_ = true; }

private:
    std::unique_ptr<Recorder>& recorder_;
    bool keep_ = false;
};

} // namespace

int run(const RunOptions& options) {
    const Library lessons = library();
    const Card* card = nullptr;
    const RunRequest request = request_from(options, lessons, card);
    std::vector<TimedEdit> edits, forks;
    for (const std::string& text : options.edits) edits.push_back(parse_timed(text, "--edit"));
    for (const std::string& text : options.forks) forks.push_back(parse_timed(text, "--fork"));
    const StepIndex steps = request.steps >= 0 ? request.steps : find_experiment(request.experiment).standard_steps();
    check_words(edits, forks, steps);
    if (options.record && *options.record == "-") throw ArgumentError("--record -: a recording is a file; give it a name");
    if (options.record && options.record->empty()) throw ArgumentError("--record: the name of the file is empty");
    watch_interrupts();
    const auto data = std::make_shared<DataStore>();
    try_edits(request, steps, data, "--edit", edits);
    try_edits(request, steps, data, "--fork", forks);
    const Ticks start = now_ticks();
    std::unique_ptr<Recorder> recorder;
    if (options.record) recorder = std::make_unique<Recorder>(*options.record);
    RecordingGuard guard(recorder);
    Session session(request, data, [&](RunWriter& writer) {
        if (recorder) recorder->add(writer);
    });
    ProgressLine progress(!options.json);
    for (const TimedEdit& edit : edits) session.submit(edit.edit, 0, edit.iteration);
    session.play();
    wait_for(session, progress, recorder.get());
    std::vector<Stop> stops;
    note_stop(session, stops);
    if (session.status().refusals > 0) throw ArgumentError(session.status().refusal);
    guard.keep();
    std::vector<double> wall_seconds{calibrated_clock().seconds(start, now_ticks())}; // of each Run
    std::string refused; // a fork, where the run stopped before it
    for (const TimedEdit& fork : forks) {
        if (interrupt_requested()) break;
        const Ticks forked = now_ticks();
        session.submit_fork(fork.edit, 0, fork.iteration);
        session.wait();
        if (session.status().refusals > 0) {
            refused = fmt::format("--fork {}:{}: {}", fork.iteration, first_line(fork.edit), session.status().refusal);
            break;
        }
        session.play();
        wait_for(session, progress, recorder.get());
        note_stop(session, stops);
        wall_seconds.push_back(calibrated_clock().seconds(forked, now_ticks()));
    }
    const auto runs = session.runs();
    session.stop();
    std::string unrecorded; // why what was recorded is not whole; what was computed is told all the same
    try {
        if (recorder) recorder->close();
    } catch (const FileError& error) {
        unrecorded = error.what();
    }
    const std::size_t dropped = recorder ? recorder->dropped_tensors() : 0;
    if (options.json) {
        json out = run_json(session, *runs[0], run_scalars(*runs[0]), wall_seconds[0]);
        const auto with_stop = [&](json one, const Run& run_of) {
            for (const Stop& stop : stops)
                if (stop.run.get() == &run_of) one["stopped_by"] = stop.by;
            return one;
        };
        out = with_stop(std::move(out), *runs[0]);
        out["forks"] = json::array();
        for (std::size_t i = 1; i < runs.size(); ++i)
            out["forks"].push_back(with_stop(run_json(session, *runs[i], run_scalars(*runs[i]), wall_seconds.at(i)), *runs[i]));
        if (recorder && unrecorded.empty())
            out["record"] = {{"file", *options.record},
                             {"dropped_tensors", quantity(static_cast<double>(dropped), "", Provenance::counted)}};
        print_json(out);
    } else {
        const bool finished = card && !interrupt_requested() && runs[0]->state() == RunState::finished;
        const bool asking = finished && is_about_its_data(*card, session.setup());
        for (const auto& one : runs) print_run(session, *one, language(), asking ? card : nullptr);
        if (recorder && unrecorded.empty())
            fmt::print("recorded in {}{}\n", *options.record,
                       dropped > 0 ? fmt::format(" (the contents of {} tensors were left out to keep it small; their hashes are in it)", dropped) : "");
        if (asking)
            for (const Check& check : card->checks) try {
                    if (!ask(*card, check, session, *runs[0], language())) break;
                } catch (const ArgumentError& error) { // with other settings a question may have no answer; the others have
                    fmt::print("\n{}: {}\n", language() == "ko" ? "이 설정으로는 물을 수 없습니다" : "not asked with these settings", error.what());
                }
        else if (finished)
            fmt::print("{}\n", language() == "ko" ? "이 카드의 질문은 카드의 데이터에 대한 것이라, 다른 데이터로는 묻지 않습니다."
                                                  : "The card's questions are about its own data; with other data none is asked.");
    }
    for (const Stop& stop : stops)
        say("{}stopped by '{}'{} at step {}\n", stop.run->parent() ? stop.run->manifest().id + " " : "", stop.by,
                   stop.at ? fmt::format(", it was {},", short_number(*stop.at)) : "", stop.step);
    const bool asked = std::any_of(edits.begin(), edits.end(), [](const TimedEdit& edit) { return edit.edit.text() == "break nan"; });
    for (const auto& one : runs)
        if (const auto point = first_not_finite(*one))
            say("{}the loss is {} from step {} on{}\n", one->parent() ? one->manifest().id + ": " : "", short_number(point->value),
                point->iteration, asked ? "" : "; --edit \"0:break nan\" stops there");
    if (!unrecorded.empty()) throw FileError(unrecorded);
    if (!refused.empty()) throw ArgumentError(refused);
    return interrupt_requested() ? interrupted() : done;
}

namespace {

/// What was run, in a word or two: a net's data and widths; of any other experiment, what differs from its defaults.
std::string what_was_run(const Experiment& experiment, const Parameters& parameters, const std::string& defaults) {
    if (parameters.contains("data") && parameters.contains("layers")) return parameters.at("data") + " " + parameters.at("layers");
    std::string out;
    for (const ParameterInfo& info : experiment.parameters())
        if (const std::string& value = parameters.at(info.name); value != info.standard)
            out += (out.empty() ? "" : ", ") + info.name + " " + value;
    return out.empty() ? defaults : out;
}

/// What is wrong in the kernels that were recorded, each thing once, with the step where it was seen first.
void print_findings(const Run& run, bool korean) {
    constexpr std::size_t most = 4;
    std::vector<std::string> said;
    for (std::size_t i = 0; i < run.observed().size(); ++i) {
        const StepIndex at = run.observed()[i].iteration;
        const auto tensors = run.tensors_of(at);
        if (!tensors || !tensors->kernels) continue;
        for (const KernelTrace::Finding& finding : tensors->kernels->findings) {
            const std::string what = finding.kind + fmt::format(" {} {}", finding.place.line, finding.other.line);
            if (std::find(said.begin(), said.end(), what) != said.end() || said.size() == most) continue;
            said.push_back(what);
            fmt::print(fmt::runtime(korean ? "  스텝 {}에서 찾음: {}: {}\n" : "  found at step {}: {}: {}\n"), at, finding.kind, finding.sentence);
        }
    }
}

} // namespace

void print_run(const Session& session, const Run& run, const std::string& language, const Card* asked) {
    const Manifest& manifest = run.manifest();
    const bool korean = language == "ko";
    const std::string of = what_was_run(session.experiment(), manifest.parameters, korean ? "기본값" : "defaults");
    if (korean)
        fmt::print("{}{}  {}  {}, 스레드 {}개, 시드 {}\n", manifest.experiment,
                   run.parent() ? fmt::format(", 스텝 {}에서 갈라진 {}", manifest.fork_iteration, manifest.id) : "", of,
                   manifest.device == "cpu" ? manifest.isa + " 경로" : manifest.device, manifest.threads, manifest.seed);
    else
        fmt::print("{}{}  {}  {}, {} thread{}, seed {}\n", manifest.experiment,
                   run.parent() ? fmt::format(", {} at step {}", manifest.id, manifest.fork_iteration) : "", of,
                   manifest.device == "cpu" ? manifest.isa + " path" : manifest.device, manifest.threads, manifest.threads == 1 ? "" : "s", manifest.seed);
    for (const Scalar& scalar : run_scalars(run)) {
        const bool share = scalar.name.ends_with("accuracy") || scalar.name == "solved_share";
        const bool counted = scalar.provenance == Provenance::counted;
        const std::string value = share                ? fmt::format("{:.2f} %", 100 * scalar.value)
                                  : scalar.unit == "s" ? duration_text(scalar.value)
                                  : counted            ? fmt::format("{:.0f}", scalar.value)
                                                       : short_number(scalar.value);
        const bool earlier = scalar.iteration >= 0 && scalar.iteration < run.head() - 1; // not what the Run ends with
        fmt::print("  {:<24}{:>14}  {}{}\n", scalar.name, value, words_of(scalar.provenance, language),
                   !earlier ? "" : korean ? fmt::format(", 스텝 {}의 값", scalar.iteration) : fmt::format(", of step {}", scalar.iteration));
    }
    for (const auto& [name, answer] : run_answers(session, run)) {
        if (name == "test_accuracy" || name == "final_loss" || run.find_series(name)) continue; // stand above
        const auto asks = [&question = name](const Check& check) { return check.question == question; };
        if (asked && std::any_of(asked->checks.begin(), asked->checks.end(), asks)) continue;
        const bool whole = answer.is_number() && answer.number() == std::floor(answer.number()) && std::abs(answer.number()) < 1e15;
        const std::string value = answer.is_number() ? fmt::format(fmt::runtime(whole ? "{:.0f}{}{}" : "{:.6g}{}{}"), answer.number(),
                                                                   answer.unit.empty() ? "" : " ", answer.unit)
                                                     : answer.text();
        fmt::print("  {:<24}{:>14}  {}\n", name, value, words_of(answer.provenance, language));
    }
    if (const auto accumulate = manifest.parameters.find("accumulate"); accumulate != manifest.parameters.end()) {
        const StepIndex every = parse_integer(accumulate->second).value_or(1);
        if (const StepIndex waiting = every > 1 ? run.head() % every : 0; waiting > 0)
            fmt::print(fmt::runtime(korean ? "  마지막 {}개 스텝의 그래디언트는 {}개를 모두 모으기 전이라 파라미터에 쓰이지 않았습니다\n"
                                           : "  the gradients of the last {} of {} steps to accumulate moved no parameter\n"),
                       waiting, every);
    }
    print_findings(run, korean);
    if (run.state() == RunState::stopped && run.head() < session.planned_steps())
        fmt::print(fmt::runtime(korean ? "  스텝 {} / {}에서 멈춤\n" : "  stopped at step {} of {}\n"), run.head(), session.planned_steps());
    if (!run.failure().empty()) fmt::print("  {}: {}\n", korean ? "실패" : "failed", run.failure());
}

} // namespace gradus::cli

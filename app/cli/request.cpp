#include "app/cli/cli.hpp"
#include "app/say.hpp"
#include "engine/core/error.hpp"
#include "engine/core/text.hpp"
#include "engine/trace/file/recorder.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <thread>

namespace gradus::cli {

std::string lessons_folder() {
    std::error_code error;
    if (const char* named = std::getenv("GRADUS_LESSONS"); named && *named) {
        if (std::filesystem::is_directory(std::filesystem::path(named) / "cards", error)) return named;
        throw FileError(fmt::format("GRADUS_LESSONS is '{}', where there is no folder cards", named));
    }
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
    for (std::filesystem::path folder = program.parent_path(); !folder.empty(); folder = folder.parent_path()) {
        for (const char* below : {"lessons", "share/gradus/lessons"})
            if (std::filesystem::is_directory(folder / below / "cards", error)) return (folder / below).string();
        if (folder == folder.root_path()) break;
    }
    throw FileError(fmt::format("no folder lessons/cards beside or above {}; set GRADUS_LESSONS", program.string()));
}

Library library() { return load_library(lessons_folder()); }

RunRequest request_from(const RunOptions& options, const Library& library, const Card*& card) {
    card = library.find(options.what);
    RunRequest request;
    if (card) {
        request = card->request();
    } else {
        bool experiment = false;
        std::vector<std::string> names;
        for (const Experiment* candidate : all_experiments()) {
            experiment |= candidate->id() == options.what;
            names.push_back(candidate->id());
        }
        for (const Card& candidate : library.cards) names.push_back(candidate.id);
        const auto among = [&](const std::vector<std::string>& ids) { return std::find(ids.begin(), ids.end(), options.what) != ids.end(); };
        if (!experiment && (among(library.unwritten()) || among(library.unreadable))) library.at(options.what); // throws, and says why
        if (!experiment)
            throw ArgumentError(fmt::format("there is no card or experiment '{}'; there are {}", options.what, joined(names)));
        request.experiment = options.what;
    }
    const Experiment& experiment = find_experiment(request.experiment);
    Parameters given;
    for (const std::string& pair : options.set) {
        const std::size_t equals = pair.find('=');
        if (equals == std::string::npos || equals == 0)
            throw ArgumentError(fmt::format("--set {}: write NAME=VALUE", pair));
        given[pair.substr(0, equals)] = pair.substr(equals + 1);
    }
    // The data set first, so that widths that must follow it do, unless they are given too.
    Parameters parameters = experiment.complete(request.parameters);
    if (given.contains("data") && given["data"] != parameters["data"])
        parameters = experiment.with(parameters, "data", given["data"]);
    for (const auto& [name, value] : given) parameters[name] = value;
    request.parameters = experiment.complete(parameters);
    if (options.seed) {
        const char* end = options.seed->data() + options.seed->size();
        const auto [stop, error] = std::from_chars(options.seed->data(), end, request.seed);
        if (error != std::errc{} || stop != end)
            throw ArgumentError(fmt::format("--seed must be a whole number from 0 to 2^64 - 1, not '{}'", *options.seed));
    }
    if (options.steps) request.steps = *options.steps;
    if (request.steps < -1 || (options.steps && *options.steps < 0))
        throw ArgumentError(fmt::format("--steps must be 0 or more, not {}", *options.steps));
    if (options.threads && (*options.threads < 1 || *options.threads > 256))
        throw ArgumentError(fmt::format("--threads must be 1 to 256, not {}", *options.threads));
    if (options.observe && *options.observe < 1)
        throw ArgumentError(fmt::format("--observe must be 1 or more, not {}", *options.observe));
    request.observe_every = options.observe.value_or(0);
    if (!options.device.empty()) request.device.device = options.device; // else the card's
    request.device.isa = options.isa;
    request.device.threads = static_cast<int>(options.threads.value_or(0));
    return request;
}

std::map<std::string, std::string> chosen_parameters(const Library& library, const std::string& card, const std::vector<std::string>& set) {
    if (set.empty()) return {};
    const RunRequest own = library.at(card).request();
    const Parameters usual = find_experiment(own.experiment).complete(own.parameters);
    RunOptions options;
    options.what = card;
    options.set = set;
    const Card* named = nullptr;
    std::map<std::string, std::string> out;
    for (const auto& [name, value] : request_from(options, library, named).parameters)
        if (const auto before = usual.find(name); before == usual.end() || before->second != value) out[name] = value;
    return out;
}

namespace {

/// How many nets the experiment trains after its last step, one for each seed; 0 where it trains none.
std::size_t seeds_of(const Session& session) {
    const Parameters& parameters = session.setup().parameters;
    const auto seeds = parameters.find("seeds");
    return seeds == parameters.end() ? 0 : static_cast<std::size_t>(parse_integer(seeds->second).value_or(0));
}

std::string evaluating_words(const Session& session, const Session::Status& status) {
    if (session.setup().parameters.contains("ladder")) return fmt::format("{} of {} blocks are run", status.evaluated, status.to_evaluate);
    return "asking the test set";
}

} // namespace

void wait_for(Session& session, ProgressLine& progress, const Recorder* recorder) {
    using namespace std::chrono_literals;
    bool told = recorder && !recorder->failure().empty();
    for (auto pause = 1ms;; pause = std::min(pause * 2, std::chrono::milliseconds(40))) {
        const Session::Status status = session.status();
        if (!status.failure.empty()) throw Error(status.failure);
        if (const auto run = session.run(status.selected); run && run->state() == RunState::failed) throw Error(run->failure());
        if (!status.loading && !status.playing && !status.busy) break;
        if (recorder && !told && !recorder->failure().empty()) {
            told = true;
            progress.clear();
            say("gradus: from here on nothing is recorded: {}\n", recorder->failure());
        }
        if (interrupt_requested()) session.stop(); // also in the middle of what follows the last step
        if (const auto run = session.run(status.selected)) {
            const StepIndex head = run->head();
            const auto loss = head > 0 ? run->value_at("loss", head - 1) : std::nullopt;
            const auto accuracy = head > 0 ? run->value_at("accuracy", head - 1) : std::nullopt;
            const Series* seeds = run->find_series("seed_solved");
            if (const std::size_t count = seeds_of(session); head >= session.planned_steps() && seeds && count > 1)
                progress.show(static_cast<double>(seeds->size()) / static_cast<double>(count),
                              fmt::format("{} of {} seeds trained", seeds->size(), count));
            else if (status.to_evaluate > 0)
                progress.show(static_cast<double>(status.evaluated) / status.to_evaluate,
                              fmt::format("step {} of {}: {}", head + 1, session.planned_steps(), evaluating_words(session, status)));
            else progress.show(static_cast<double>(head) / static_cast<double>(std::max<StepIndex>(1, session.planned_steps())),
                                   fmt::format("step {} of {}  loss {}  accuracy {}", head, session.planned_steps(),
                                               loss ? short_number(*loss) : "–",
                                               accuracy ? fmt::format("{:.1f} %", 100 * *accuracy) : "–"));
        } else {
            const Parameters& parameters = session.setup().parameters;
            const auto data = parameters.find("data"); // not every experiment has a data set
            const std::string name = data == parameters.end() ? session.experiment().id() : data->second;
            if (status.to_evaluate > 0)
                progress.show(static_cast<double>(status.evaluated) / status.to_evaluate, fmt::format("loading {}: {}", name, evaluating_words(session, status)));
            else progress.show(0, "loading " + name);
        }
        std::this_thread::sleep_for(pause);
    }
    progress.clear();
}

} // namespace gradus::cli

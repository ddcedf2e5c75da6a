#include "app/cli/bench/bench.hpp"
#include "app/cli/cli.hpp"
#include "app/cli/kernel_lane.hpp"
#include "app/say.hpp"
#include "engine/core/error.hpp"
#include "engine/core/text.hpp"
#if GRADUS_HAS_WINDOW
#include "app/window/bench_opening.hpp"
#include "app/window/bench_window.hpp"
#include "app/window/shots.hpp"
#include "app/window/window_main.hpp"
#endif

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fcntl.h>
#include <system_error>
#include <unistd.h>

namespace {

using namespace gradus;

#if GRADUS_HAS_WINDOW
Lessons read_lessons() {
    Library library = cli::library();
    std::string first = cli::first_lesson(library).id;
    return {std::move(library), std::move(first)};
}
#endif

int open_lab(int& argc, char** argv) {
#if GRADUS_HAS_WINDOW
    if (display_available()) {
        return run_window(argc, argv, read_lessons, cli::language());
    }
    return cli::lesson([&](const Card& card, const std::string& language, const std::filesystem::path& folder) {
        shoot_lesson(argc, argv, cli::library(), card.id, language, folder);
    });
#else
    static_cast<void>(argc);
    static_cast<void>(argv);
    return cli::lesson(nullptr);
#endif
}

/// The library's own conversion takes an empty word for none, and one that is too long for the largest.
std::string whole(const std::string& word) {
    if (parse_integer(word)) return "";
    const std::string digits = word.substr(word.starts_with('-') ? 1 : 0);
    const bool number = !digits.empty() && digits.find_first_not_of("0123456789") == std::string::npos;
    return fmt::format(fmt::runtime(number ? "{} is beyond what 64 bits hold" : "'{}' is not a whole number"), word);
}
std::string not_empty(const std::string& word) { return word.empty() ? "is empty" : ""; }

/// What is written goes somewhere, also where the program was started with its outputs closed; a file that is opened
/// must not become one of them.
void open_standard_streams() {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (::fcntl(stream, F_GETFD) < 0 && ::open("/dev/null", stream == STDIN_FILENO ? O_RDONLY : O_WRONLY) < 0) _exit(cli::unusable);
}

void add_run_options(CLI::App& command, cli::RunOptions& options) {
    command.add_option("card", options.what, "A card or an experiment")->required();
    command.add_option("--set", options.set, "NAME=VALUE: a parameter of the experiment; may be repeated")
        ->allow_extra_args(false);
    command.add_option("--edit", options.edits, "ITERATION:EDIT, such as \"100:lr = 0.05\", \"100:W2[86, 7] = 3\", \"100:point 3 = 0.5, -1\" or "
                       "\"0:break nan\", \"0:break iteration 100\", \"0:break gradient_norm 10\"; may be repeated")
        ->allow_extra_args(false);
    command.add_option("--fork", options.forks, "ITERATION:EDIT on a fork of its own; may be repeated")
        ->allow_extra_args(false);
    command.add_option("--device", options.device, "cpu, cuda or simt; cpu, or what the card names, if not given")->check(not_empty);
    command.add_option("--isa", options.isa, "baseline, avx2 or avx512; the best there is if not given")->check(not_empty);
    command.add_option("--seed", options.seed, "Seed of every random number");
    command.add_option("--steps", options.steps, "Iterations to compute")->check(whole);
    command.add_option("--threads", options.threads, "Threads of the engine; one per core if not given")->check(whole);
    command.add_option("--observe", options.observe, "Every N-th iteration in full; 1 is all")->check(whole);
    command.add_option("--record", options.record, "FILE.gradus to record into");
    command.add_flag("--json", options.json, "JSON on standard output");
}

int run_program(int argc, char** argv) { // argc lives as long as the window: Qt keeps a reference
    CLI::App app("Gradus: see how deep learning computes. Without a command it opens the window.", "gradus");
    app.set_version_flag("--version", std::string("gradus ") + GRADUS_VERSION);
    app.require_subcommand(0, 1);
    app.footer("Folders may be named by the environment: GRADUS_LESSONS (cards and paths), GRADUS_FASHION_MNIST (the data\n"
               "set's four files), XDG_DATA_HOME (recorded runs) and XDG_STATE_HOME (where the lab was left).");

    bool json = false, all = false, recompute = false, its_kernel = false;
    std::string what, file, second, format, output, suite, python, device;
    std::vector<std::string> cards, answers, settings;
    std::vector<std::int64_t> bookmarks;
    std::optional<std::int64_t> from, until;
    std::int64_t number = 0;
    cli::RunOptions options;

    CLI::App* list = app.add_subcommand("list", "Cards, paths, experiments, views, ops, kernels or devices");
    list->add_option("what", what, "What to list; everything if not given");
    list->add_flag("--json", json, "JSON on standard output");
    CLI::App* run = app.add_subcommand("run", "Run a card or an experiment and print its scalars and answers");
    add_run_options(*run, options);
    CLI::App* check = app.add_subcommand("check", "Verify the checks of cards with the engine");
    check->add_option("cards", cards, "Cards; all if none is given");
    check->add_flag("--all", all, "All cards");
    check->add_option("--answer", answers, "CHECK=ANSWER or CHECK=@FILE: grades this answer to one of the card's checks, as the text of a kernel that it asks for; may be repeated")
        ->allow_extra_args(false);
    check->add_option("--device", device, "cpu, cuda or simt; cpu, or what the card names, if not given")->check(not_empty);
    check->add_flag("--json", json, "JSON on standard output");
    CLI::App* replay = app.add_subcommand("replay", "Verify and summarise a recorded run");
    replay->add_option("file", file, "FILE.gradus")->required();
    replay->add_flag("--recompute", recompute, "Compute it again from manifest and edits alone, and compare");
    replay->add_flag("--run-its-kernel", its_kernel, "With --recompute: also where a kernel's text, written by whoever made the file, is run");
    replay->add_flag("--json", json, "JSON on standard output");
    CLI::App* exporter = app.add_subcommand("export", "Write a recorded run for other tools");
    exporter->add_option("file", file, "FILE.gradus")->required();
    exporter->add_option("--to", format, "kineto, perfetto, npz or csv")->required();
    exporter->add_option("-o,--output", output, "File to write")->required();
    exporter->add_option("--from", from, "First iteration")->check(whole);
    exporter->add_option("--until", until, "One past the last iteration")->check(whole);
    exporter->add_option("--run", number, "Which run of the file; 0 is the first")->check(whole);
    exporter->add_option("--bookmark", bookmarks, "An iteration to mark; may be repeated")->check(whole)->allow_extra_args(false);
    CLI::App* diff = app.add_subcommand("diff", "Name the first event and tensor at which two recorded runs part");
    diff->add_option("a", file, "FILE.gradus")->required();
    diff->add_option("b", second, "FILE.gradus")->required();
    diff->add_flag("--json", json, "JSON on standard output");
#if GRADUS_HAS_WINDOW
    ShotOptions picture;
    CLI::App* shot = app.add_subcommand("shot", "A picture of the window on a card, made without a display");
    std::string every;
    std::vector<std::string> chosen;
    shot->add_option("card", picture.card, "A card");
    shot->add_option("--all", every, "FOLDER for every state and view of the card, or of all cards, with an index.html");
    shot->add_option("--step", picture.step, "Step at which the cursor stands; the last one if not given");
    shot->add_option("--part", picture.part, "Part of the story, from 1, with its own prepared step");
    shot->add_option("--set", chosen, "NAME=VALUE: what a learner has chosen beside the text; may be repeated")->allow_extra_args(false);
    shot->add_option("--view", picture.view, "One view alone: graph, series, tensor, …");
    shot->add_option("--size", picture.size, "WIDTHxHEIGHT in pixels");
    shot->add_option("--scale", picture.scale, "Size of the text, 1 to 2; 1.6 for a projector");
    shot->add_flag("--presenter", picture.presenter, "As it stands in front of a class; after the parts come the questions");
    shot->add_option("--theme", picture.theme, "light or dark");
    shot->add_option("--lang", picture.language, "en or ko");
    shot->add_option("-o,--output", picture.output, "FILE.png, FILE.svg or FILE.pdf");
#endif
    std::string rung, source;
    CLI::App* kernel = app.add_subcommand("kernel", "Run a CUDA kernel of the lab step by step on the CPU: checked, counted, compared with its reference");
    kernel->add_option("name", rung, "LADDER/RUNG, as gradus list kernels names them; LADDER alone is its last rung")->required();
    kernel->add_option("--set", settings, "NAME=VALUE: a size of the problem, block (256, 32x8), seed, or schedule, a number by which warps take turns; may be repeated")->allow_extra_args(false);
    kernel->add_option("--source", source, "A file in place of the rung's own, with the same kernels; it is compiled and run in a confined process");
    cli::LaneWanted lane;
    CLI::Option* thread = kernel->add_option("--lane", lane.thread, "A thread of a block, to be shown step by step: what it touches, hands to other lanes, and keeps in its variables");
    kernel->add_option("--of-block", lane.block, "The lane's block; 0 if not given")->needs(thread);
    kernel->add_option("--launch", lane.launch, "The block's launch; 0 if not given")->needs(thread);
    kernel->add_option("--at", lane.step, "One step, with all variables; without it all steps, with those that have changed")->needs(thread);
    kernel->add_flag("--json", json, "JSON on standard output");
    CLI::App* bench = app.add_subcommand("bench", "Measure ratios against peers and limits in one run; status 1 where a bound is not reached");
    bench->add_option("suite", suite, "events, readers, training or window; all four if not given. Or kernels; or opening, how long one waits for a kernel; or cpu, which takes minutes, or a part of it: "
                               "cpu-products, cpu-rows, cpu-convolution, cpu-gpt");
    bench->add_option("--python", python, "Python with PyTorch, for the peer; python3 if not given");
    bench->add_flag("--json", json, "JSON on standard output");

    try {
        app.parse(argc, argv);
    } catch (const CLI::CallForHelp& help) {
        return app.exit(help); // prints the help of the command that was asked
    } catch (const CLI::CallForVersion&) {
        fmt::print("gradus {}\n", GRADUS_VERSION);
        return cli::done;
    } catch (const CLI::ExtrasError& error) {
        const bool no_command = app.get_subcommands().empty();
        std::vector<std::string> commands;
        for (const CLI::App* each : app.get_subcommands({})) commands.push_back(each->get_name());
        say("gradus: {}{}; see gradus --help\n", one_line(error.what()),
            no_command ? fmt::format("; there are the commands {}", joined(commands)) : "");
        return cli::unusable;
    } catch (const CLI::ParseError& error) {
        say("gradus: {}; see gradus --help\n", one_line(error.what()));
        return cli::unusable;
    }
    if (list->parsed()) return cli::list(what, json);
    if (run->parsed()) return cli::run(options);
    if (check->parsed()) return cli::check(cards, answers, all, device, json);
    if (replay->parsed()) {
        try {
            return cli::replay(file, recompute, its_kernel, json);
        } catch (const NoFileError&) { // as in export and diff
            throw;
        } catch (const FileError& error) { // a damaged file is a failed check, not an unusable word
            say("gradus: {}\n", one_line(error.what()));
            return cli::check_failed;
        }
    }
    if (exporter->parsed()) return cli::export_file(file, format, output, from, until, number, bookmarks);
    if (diff->parsed()) return cli::diff(file, second, json);
    if (kernel->parsed()) return cli::kernel(rung, settings, source, lane, json);
#if GRADUS_HAS_WINDOW
    if (shot->parsed() && !every.empty()) {
        if (!chosen.empty()) throw ArgumentError("shot: --set is for one picture of one card, not for --all");
        cli::ProgressLine progress(true);
        const std::size_t count = shoot_all(argc, argv, cli::library(), picture.card, every,
                                            [&](double share, const std::string& card) { progress.show(share, card); });
        progress.clear();
        fmt::print("{} pictures in {}, see index.html there\n", count, every);
        return cli::done;
    }
    if (shot->parsed()) {
        if (picture.card.empty() || picture.output.empty())
            throw ArgumentError("shot: name a card and -o FILE, or --all FOLDER; see gradus shot --help");
        Library library = cli::library();
        picture.parameters = cli::chosen_parameters(library, picture.card, chosen);
        shoot(argc, argv, std::move(library), picture);
        return cli::done;
    }
#endif
    if (bench->parsed()) {
        std::vector<cli::BenchSuite> more;
#if GRADUS_HAS_WINDOW
        more.push_back({"window", [&] {
                            return bench_window(argc, argv, read_lessons);
                        }});
        more.push_back({"opening", [&] { return bench_opening(argc, argv); }, true});
#endif
        return cli::bench(suite, python, json, more);
    }
    return open_lab(argc, argv);
}

} // namespace

int main(int argc, char** argv) {
    open_standard_streams();
    std::signal(SIGXFSZ, SIG_IGN); // a file that may not grow is said where it is written
    try {
        const int status = run_program(argc, argv);
        errno = 0; // of an earlier write that failed only the stream's error mark is left
        if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
        say("gradus: standard output cannot be written{}{}\n", errno != 0 ? ": " : "",
                   errno != 0 ? std::strerror(errno) : "");
    } catch (const gradus::Error& error) {
        say("gradus: {}\n", one_line(error.what()));
    } catch (const std::bad_alloc&) {
        say("gradus: there is not enough memory for this\n");
    } catch (const std::system_error& error) { // of fmt::print: of our own, which have sentences, none comes here
        say("gradus: standard output cannot be written: {}\n", error.code().message());
    } catch (const std::exception& error) {
        say("gradus: {}\n", one_line(error.what()));
    }
    return gradus::cli::unusable;
}

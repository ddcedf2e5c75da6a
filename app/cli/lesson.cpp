#include "app/cli/cli.hpp"
#include "app/cli/run_summary.hpp"
#include "app/say.hpp"
#include "engine/core/error.hpp"
#include "engine/core/text.hpp"
#include "engine/core/number_words.hpp"
#include "engine/core/user_folder.hpp"
#include "engine/trace/file/recorder.hpp"

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <iostream>
#include <unistd.h>

namespace gradus::cli {

namespace {

std::filesystem::path runs_folder() {
    std::error_code error;
    const std::filesystem::path folder = user_folder(Keeps::data) / "runs";
    std::filesystem::create_directories(folder, error);
    if (error || access(folder.c_str(), W_OK) != 0) {
        const std::filesystem::path other = temporary_folder() / fmt::format("gradus-runs-{}", getuid());
        std::filesystem::create_directories(other);
        say("{} cannot be written, so the run goes to {}\n", folder.string(), other.string());
        return other;
    }
    return folder;
}

std::filesystem::path new_file(const std::string& name) {
    const std::filesystem::path folder = runs_folder();
    const std::string stem = fmt::format("{}-{:%Y%m%d-%H%M%S}", name, fmt::localtime(std::time(nullptr)));
    std::filesystem::path path = folder / (stem + ".gradus");
    for (int i = 2; std::filesystem::exists(path); ++i) path = folder / fmt::format("{}-{}.gradus", stem, i);
    return path;
}

} // namespace

const Card& first_lesson(const Library& lessons) {
    constexpr auto id = "forward-pass-as-matmuls";
    if (const Card* card = lessons.find(id)) return *card;
    for (const LearningPath& path : lessons.paths) // then another, rather than none
        for (const PathStop& stop : path.stops)
            if (const Card* card = lessons.find(stop.card)) return *card;
    throw FileError(fmt::format("the first lesson, {}, cannot be read: {}", id,
                                lessons.problems.empty() ? "it is missing" : lessons.problems.front()));
}

std::string language() {
    for (const char* name : {"LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"})
        if (const char* value = std::getenv(name); value && *value) return std::string(value).starts_with("ko") ? "ko" : "en";
    return "en";
}

bool ask(const Card& card, const Check& check, const Session& session, const Run& run, const std::string& lang) {
    const bool korean = lang == "ko";
    const Key key = key_of(card, check, session.setup(), &run);
    fmt::print("\n{}\n", fill_in(check.ask.in(lang), card, session.setup(), &run, nullptr));
    for (std::size_t i = 0; i < check.options.size(); ++i)
        fmt::print("  {}  {}\n", i + 1, check.options[i].words.in(lang));
    std::string right;
    for (const std::string& id : key.right) // of an order, in order
        for (const CheckOption& option : check.options)
            if (id == option.id) right += (right.empty() ? "" : ", ") + option.words.in(lang);
    if (check.options.empty()) right = key.text + (check.unit.empty() ? "" : " " + check.unit);
    if (isatty(STDIN_FILENO) == 1) {
        for (;;) {
            fmt::print("> ");
            std::fflush(stdout);
            std::string line;
            if (!std::getline(std::cin, line) || interrupt_requested()) {
                fmt::print("\n");
                if (interrupt_requested()) return false;
                break;
            }
            const Verdict verdict = grade(check, key, line, lang);
            if (!verdict.understood) {
                fmt::print("{}\n", verdict.sentence);
                continue;
            }
            fmt::print("{}", verdict.right ? "✓ " : "✗ ");
            break;
        }
    }
    const std::string unit = key.unit.empty() ? "" : " " + key.unit;
    std::string found; // what each option was judged by
    for (const CheckOption& option : check.options)
        if (const auto number = key.found.find(option.id); number != key.found.end())
            found += fmt::format("  {}: {}{}\n", option.words.in(lang), number_in_words(number->second), unit);
    if (!found.empty()) found = check.found.in(lang) + ":\n" + found;
    fmt::print("{}: {} ({})\n{}{}\n", korean ? "엔진의 답" : "The engine's answer", right,
               words_of(key.answer.provenance, lang), found,
               fill_in(check.why.in(lang), card, session.setup(), &run, &key));
    return true;
}

int lesson(const Pictures& pictures) {
    const std::string lang = language();
    const bool korean = lang == "ko";
    fmt::print("{} {}\n\n",
               pictures ? (korean ? "화면이 없어" : "There is no display, so")
                        : (korean ? "창 없이 만든 프로그램이라" : "This build has no window, so"),
               korean ? "첫 강의를 이 터미널에서 진행합니다." : "the first lesson runs here in the terminal.");
    const Library lessons = library();
    const Card* card = &first_lesson(lessons);
    fmt::print("{}\n{}\n\n", card->title.in(lang), card->question.in(lang));
    std::fflush(stdout);
    watch_interrupts();
    const std::filesystem::path file = new_file(card->id);
    Recorder recorder(file);
    Session session(card->request(), nullptr, [&](RunWriter& writer) { recorder.add(writer); });
    ProgressLine progress(true);
    session.play();
    wait_for(session, progress);
    const auto run = session.run(0);
    session.stop();
    recorder.close();
    print_run(session, *run, lang, card);
    if (!interrupt_requested())
        for (const Check& check : card->checks)
            if (!check.gut && !check.edit) {
                ask(*card, check, session, *run, lang);
                break;
            }
    fmt::print("\n{}: {}\n", korean ? "기록된 실행" : "The recorded run", file.string());
    if (!pictures || interrupt_requested()) return interrupt_requested() ? interrupted() : done;
    std::filesystem::path folder = file;
    folder.replace_extension(); // beside it, under its name
    try {
        ProgressLine drawing(true);
        drawing.show(1, korean ? "그림을 그리는 중" : "drawing");
        pictures(*card, lang, folder);
        drawing.clear();
        fmt::print("{}: {}\n", korean ? "화면 그림" : "Pictures of the views", folder.string());
    } catch (const Error& error) { // the lesson itself is done
        say("gradus: {}\n", one_line(error.what()));
    }
    return interrupt_requested() ? interrupted() : done;
}

} // namespace gradus::cli

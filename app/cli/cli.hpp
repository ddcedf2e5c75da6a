#pragma once

#include "lessons/runtime/card.hpp"

#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace gradus {
class Recorder;
}

namespace gradus::cli {

struct BenchSuite;

/// Exit codes of every command.
constexpr int done = 0, check_failed = 1, unusable = 2;

/// Words that several commands take.
struct RunOptions {
    std::string what = "train_mlp"; ///< card or experiment
    std::vector<std::string> set;   ///< NAME=VALUE
    std::vector<std::string> edits; ///< ITERATION:EDIT
    std::vector<std::string> forks; ///< ITERATION:EDIT
    std::string device; ///< empty: the card's
    std::string isa;
    std::optional<std::string> record; ///< FILE.gradus
    std::optional<std::string> seed;
    std::optional<std::int64_t> steps, threads, observe;
    bool json = false;
};

/// A request from words: a card's own settings, or an experiment's defaults, with --set and the flags on top.
/// Throws ArgumentError. `card` is set where the words name one.
RunRequest request_from(const RunOptions& options, const Library& library, const Card*& card);
/// Of a card's parameters those that NAME=VALUE change, and what follows from them. Throws as request_from.
std::map<std::string, std::string> chosen_parameters(const Library& library, const std::string& card, const std::vector<std::string>& set);

int list(const std::string& what, bool json);
int run(const RunOptions& options);
/// `answers`: "CHECK=ANSWER" or "CHECK=@FILE", graded instead; to the checks of one card.
int check(const std::vector<std::string>& cards, const std::vector<std::string>& answers, bool all, const std::string& device, bool json);
int replay(const std::string& file, bool recompute, bool its_kernel, bool json);
int export_file(const std::string& file, const std::string& format, const std::string& output,
                std::optional<std::int64_t> from, std::optional<std::int64_t> until, std::int64_t run,
                const std::vector<std::int64_t>& bookmarks);
int diff(const std::string& a, const std::string& b, bool json);
struct LaneWanted;
/// Runs a ladder's kernel step by step on the CPU; `source`: a file in place of the rung's own; `lane`: one to be shown. Exit 1 if it is
/// wrong or something was found.
int kernel(const std::string& name, const std::vector<std::string>& set, const std::string& source, const LaneWanted& lane, bool json);
int bench(const std::string& suite, const std::string& python, bool json, const std::vector<BenchSuite>& more_suites);
/// Throws FileError if it cannot be read.
const Card& first_lesson(const Library& lessons);
/// Draws a card's pictures into a folder; what is written to standard error if it cannot.
using Pictures = std::function<void(const Card& card, const std::string& language, const std::filesystem::path& folder)>;
/// The first lesson without a window: trains, asks a check, records, and leaves pictures beside the recording.
/// `pictures`: nullptr in a build that has no window; else there is no display.
int lesson(const Pictures& pictures);

/// Asks one check and grades it; with nobody to ask, shows it with the engine's answer. False: it was interrupted.
bool ask(const Card& card, const Check& check, const Session& session, const Run& run, const std::string& language);
/// "ko" where the machine's locale is Korean, else "en".
std::string language();

/// The folder with cards/ and paths/: $GRADUS_LESSONS, or beside or above the program.
/// Throws FileError naming where it looked.
std::string lessons_folder();
Library library();

// --- output --------------------------------------------------------------------------------------------------

/// {"value": …, "unit": …, "provenance": …}; numbers that are not finite are null with "not_finite".
nlohmann::json quantity(double value, const std::string& unit, Provenance provenance);
nlohmann::json quantity(const Answer& answer);
void print_json(const nlohmann::json& value);

/// The provenance's name in `language`.
std::string words_of(Provenance provenance, const std::string& language);

/// True where a person sees standard error.
bool on_terminal();
/// One line kept up to date on a terminal, nothing elsewhere.
class ProgressLine {
public:
    explicit ProgressLine(bool shown) : shown_(shown && on_terminal()) {}
    ~ProgressLine() { clear(); }
    void show(double share, const std::string& words);
    void clear();

private:
    bool shown_, drawn_ = false;
};

/// Set by Ctrl-C, SIGTERM or a terminal that is closed, once watch_interrupts() has been called.
bool interrupt_requested();
/// The exit code for that: 128 and the signal, 130 for Ctrl-C.
int interrupted();
void watch_interrupts();

/// Waits for a session while it shows progress; stops it on Ctrl-C. Says at once where its recording fails. Throws Error with the
/// session's failure.
void wait_for(Session& session, ProgressLine& progress, const Recorder* recorder = nullptr);

/// "0.862", "1.20e-05": three significant digits.
std::string short_number(double value);
/// "12.3 µs".
std::string duration_text(double seconds);

} // namespace gradus::cli

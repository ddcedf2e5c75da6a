#include "app/cli/cli.hpp"
#include "app/say.hpp"
#include "engine/core/error.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/ioctl.h>
#include <unistd.h>

namespace gradus::cli {

using nlohmann::json;

json quantity(double value, const std::string& unit, Provenance provenance) {
    json out{{"value", nullptr}, {"unit", unit}, {"provenance", name_of(provenance)}};
    if (std::isfinite(value)) out["value"] = value;
    else out["not_finite"] = std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
    return out;
}

json quantity(const Answer& answer) {
    if (answer.is_number()) return quantity(answer.number(), answer.unit, answer.provenance);
    json out{{"unit", answer.unit}, {"provenance", name_of(answer.provenance)}};
    if (const auto* word = std::get_if<std::string>(&answer.value)) out["value"] = *word;
    else out["value"] = std::get<std::vector<std::string>>(answer.value);
    return out;
}

void print_json(const json& value) {
    const std::string text = value.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
    std::fwrite(text.data(), 1, text.size(), stdout);
    if (std::fflush(stdout) != 0) throw FileError("standard output: cannot be written");
}

std::string words_of(Provenance provenance, const std::string& language) {
    if (language != "ko") return std::string(name_of(provenance));
    switch (provenance) {
    case Provenance::computed: return "계산";
    case Provenance::measured: return "측정";
    case Provenance::counted: return "집계";
    case Provenance::modelled: return "추산";
    case Provenance::cited: return "인용";
    }
    return {};
}

bool on_terminal() { return isatty(STDERR_FILENO) == 1; }

void ProgressLine::show(double share, const std::string& words) {
    if (!shown_) return;
    winsize terminal{};
    const int columns = ioctl(STDERR_FILENO, TIOCGWINSZ, &terminal) == 0 && terminal.ws_col > 0 ? terminal.ws_col : 80;
    const int width = std::clamp(columns - 44, 6, 30);
    std::string said; // what fits beside the bar: one line that is written over
    int room = columns - width - 2;
    for (const char c : words) {
        if ((c & 0xC0) != 0x80 && --room < 0) break; // counts characters, not the bytes behind their first
        said += c;
    }
    const int full = static_cast<int>(std::lround(std::clamp(share, 0.0, 1.0) * width));
    std::string bar;
    for (int i = 0; i < width; ++i) bar += i < full ? "█" : "░";
    say("\r\033[K{} {}", bar, said);
    std::fflush(stderr);
    drawn_ = true;
}

void ProgressLine::clear() {
    if (drawn_) say("\r\033[K");
    drawn_ = false;
}

namespace {
std::atomic<int> interrupted_by{0};            // the signal
std::atomic<std::int64_t> interrupted_at{0};   // ms
static_assert(std::atomic<std::int64_t>::is_always_lock_free); // set from a signal handler

std::int64_t milliseconds() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1'000'000;
}
} // namespace

bool interrupt_requested() { return interrupted_by.load() != 0; }
int interrupted() { return 128 + interrupted_by.load(); }

void watch_interrupts() {
    struct sigaction action {};
    action.sa_handler = [](int signal) {
        // A second Ctrl-C does not wait, and leaves behind what it was at. One that comes with the first is the same: a terminal's
        // end sends several, as does timeout(1), on a busy machine some hundred milliseconds one after the other.
        if (interrupted_by.load() != 0 && milliseconds() - interrupted_at.load() > 1000) _exit(128 + signal);
        if (interrupted_by.exchange(signal) == 0) interrupted_at.store(milliseconds());
    };
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
    struct sigaction hangup {}; // the terminal was closed, which nohup wants ignored
    if (sigaction(SIGHUP, nullptr, &hangup) == 0 && hangup.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);
}

std::string short_number(double value) { return std::isnan(value) ? "nan" : fmt::format("{:.3g}", value); }

std::string duration_text(double seconds) {
    if (seconds < 1e-6) return fmt::format("{:.3g} ns", seconds * 1e9);
    if (seconds < 1e-3) return fmt::format("{:.3g} µs", seconds * 1e6);
    if (seconds < 1.0) return fmt::format("{:.3g} ms", seconds * 1e3);
    return fmt::format("{:.3g} s", seconds);
}

} // namespace gradus::cli

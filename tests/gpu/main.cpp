// gradus-gpu: checks and times every kernel of the lab on this machine's GPU. See `words` below.
#include "tests/gpu/cuda_call.hpp"
#include "tests/gpu/launch.hpp"
#include "tests/gpu/report.hpp"
#include "tests/gpu/run_once.hpp"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <fstream>
#include <set>

using namespace gradus;
using namespace gradus::gpu;

extern const char* const build_name; // written by tests/gpu/bundle

namespace {

constexpr const char* words = R"(gradus-gpu [--only LADDER]… [--no-times | --once] [--json FILE] [--markdown FILE] [--list] [--help]

Runs every kernel of the lab on the first GPU, at all its legal blocks and on odd sizes, and compares with a plain reference in double
precision; then times every kernel on a problem that is large enough for a GPU, beside a copy and cuBLAS, if that is here.

  --only LADDER    a ladder ("matmul") or one rung ("matmul/3_shared"); may be given several times
  --no-times       checks only
  --once           each rung once, as gradus kernel runs it, and nothing is compared: for a profiler. Names the launches in their order, and
                   the hashes of the outputs, which gradus kernel --json gives, too
  --json FILE      all results
  --markdown FILE  tables to read
  --list           names the rungs, looking only whether their kernels are in this program; needs no GPU

Exit code: 0 all is right, 1 something is wrong, 2 nothing was run (no GPU, a FILE that cannot be written, or words
that are not known).
)";

struct Wish {
    std::vector<std::string> only;
    bool times = true, once = false, list = false, help = false;
    std::string json, markdown;
};

/// Throws ArgumentError.
Wish wish_of(const std::vector<std::string>& given) {
    Wish wish;
    for (std::size_t i = 0; i < given.size(); ++i) {
        const auto value = [&] {
            if (i + 1 == given.size()) throw ArgumentError(given[i] + " needs a word after it");
            return given[++i];
        };
        if (given[i] == "--only") wish.only.push_back(value());
        else if (given[i] == "--json") wish.json = value();
        else if (given[i] == "--markdown") wish.markdown = value();
        else if (given[i] == "--no-times") wish.times = false;
        else if (given[i] == "--once") wish.once = true;
        else if (given[i] == "--list") wish.list = true;
        else if (given[i] == "--help" || given[i] == "-h") wish.help = true;
        else throw ArgumentError(fmt::format("'{}' is not known; gradus-gpu --help says what is", given[i]));
    }
    std::set<std::string> known;
    for (const Ladder& ladder : all_ladders()) {
        known.insert(ladder.id);
        for (const Rung& rung : ladder.rungs) known.insert(ladder.id + "/" + rung.id);
    }
    for (const std::string& name : wish.only)
        if (!known.contains(name)) throw ArgumentError(fmt::format("there is no ladder or rung '{}'", name));
    return wish;
}

void say(const std::string& line) {
    std::puts(line.c_str());
    std::fflush(stdout);
}

bool is_wanted(const Wish& wish, const Ladder& ladder, const Rung& rung) {
    return wish.only.empty() || std::any_of(wish.only.begin(), wish.only.end(), [&](const std::string& name) { return name == ladder.id || name == ladder.id + "/" + rung.id; });
}

bool list(const Wish& wish) {
    bool all = true;
    for (const Ladder& ladder : all_ladders())
        for (const Rung& rung : ladder.rungs) {
            if (!is_wanted(wish, ladder, rung)) continue;
            const std::string lack = lacking(ladder, rung);
            say(lack.empty() ? ladder.id + "/" + rung.id : "WRONG: " + lack);
            all = all && lack.empty();
        }
    return all;
}

void say(const RungCheck& check) {
    const std::string name = check.ladder + "/" + check.rung;
    if (check.runs == 0 && check.passed()) return say(fmt::format("{:<42} left out: {}", name, check.left_out));
    say(fmt::format("{:<42} {} at {} runs, largest error {:.2g} of {:.2g}{}", name, check.passed() ? "right" : "WRONG", check.runs, check.largest_error, check.tolerance,
                    check.left_out.empty() ? "" : "; left out in part: " + check.left_out));
    for (const std::string& failure : check.failures) say("    " + failure);
}

void say(const LadderTimes& ladder, const RungTime& rung) {
    const std::string name = ladder.ladder + "/" + rung.rung;
    if (!rung.failure.empty()) say(fmt::format("{:<42} WRONG: {}", name, rung.failure));
    else if (const BlockTime* best = rung.best())
        say(fmt::format("{:<42} {:10.1f} µs {:8.1f} GB/s {:9.1f} GFLOP/s", name, best->us, ladder.bytes / best->us * 1e-3, ladder.flops / best->us * 1e-3));
    else say(fmt::format("{:<42} not timed: {}", name, rung.left_out));
}

/// Throws ArgumentError, before there is anything to lose.
void check_writable(const std::string& file) {
    if (!file.empty() && !std::ofstream(file, std::ios::app)) throw ArgumentError(file + " cannot be written");
}

void write(const std::string& file, const std::string& text) {
    if (file.empty()) return;
    std::ofstream out(file, std::ios::binary);
    out << text;
    if (!out.flush()) throw FileError(file + " cannot be written");
}

/// After each ladder, so that what ends the program early loses little.
void keep(const Wish& wish, const Report& report) {
    write(wish.json, json_of(report));
    write(wish.markdown, markdown_of(report));
}

void run(const Wish& wish, Report& report) {
    say(fmt::format("{}, compute capability {}.{}, driver {}; build {}", report.device.name, report.device.capability / 10, report.device.capability % 10, report.device.driver, report.build));
    std::vector<LadderRung> wanted;
    for (const Ladder& ladder : all_ladders())
        for (const Rung& rung : ladder.rungs)
            if (is_wanted(wish, ladder, rung)) wanted.push_back({&ladder, &rung});
    report.checks = check_rungs(report.device, wanted, [](const RungCheck& check) { say(check); });
    keep(wish, report);
    if (!wish.times) return;
    report.copy_gb_per_s = copy_rate(report.device) * 1e-3;
    say(fmt::format("A copy within the device's memory: {:.1f} GB/s", report.copy_gb_per_s));
    for (const Ladder& ladder : all_ladders()) {
        if (std::none_of(ladder.rungs.begin(), ladder.rungs.end(), [&](const Rung& rung) { return is_wanted(wish, ladder, rung); })) continue;
        const LadderTimes& times = report.times.emplace_back(time_ladder(report.device, ladder, [&](const Rung& rung) { return is_wanted(wish, ladder, rung); }));
        for (const RungTime& rung : times.rungs) say(times, rung);
        if (times.peer_us > 0) say(fmt::format("{:<42} {:10.1f} µs {:23} {:9.1f} GFLOP/s", times.peer, times.peer_us, "", times.flops / times.peer_us * 1e-3));
        else if (!times.peer.empty()) say(fmt::format("{}: {}", times.peer, times.peer_left_out));
        keep(wish, report);
    }
}

void run_once(const Wish& wish, const Device& device) {
    for (const Ladder& ladder : all_ladders())
        for (const Rung& rung : ladder.rungs)
            if (is_wanted(wish, ladder, rung))
                for (const std::string& line : run_once(device, ladder, rung)) say(line);
}

} // namespace

int main(int argc, char** argv) {
    try {
        const Wish wish = wish_of({argv + 1, argv + argc});
        if (wish.help) {
            std::fputs(words, stdout);
            return 0;
        }
        if (wish.list) return list(wish) ? 0 : 1;
        Report report{.build = build_name, .date = date_now(), .device = find_device()};
        if (wish.once) {
            run_once(wish, report.device);
            return 0;
        }
        check_writable(wish.json);
        check_writable(wish.markdown);
        try {
            run(wish, report);
        } catch (const DeviceError& error) { // a fault from which it did not come back
            report.broken_off = error.what();
            say(report.broken_off);
        }
        keep(wish, report);
        say(report.passed() ? "All is right." : "Something is wrong, see above.");
        return report.passed() ? 0 : 1;
    } catch (const ArgumentError& error) {
        std::fprintf(stderr, "gradus-gpu: %s\n", error.what());
        return 2;
    } catch (const UnavailableError& error) {
        std::fprintf(stderr, "gradus-gpu: %s\n", error.what());
        return 2;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "gradus-gpu: %s\n", error.what());
        return 1;
    }
}

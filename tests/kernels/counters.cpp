#include "engine/simt/kernel_run.hpp"
#include "tests/support/check.hpp"

#include <cmath>
#include <fstream>
#include <map>
#include <sstream>

using namespace gradus;
using namespace gradus::simt;
using namespace gradus::test;

namespace {

std::string words_of(const Expected& expected) {
    const char* access = expected.access == Expected::Access::load ? "loads of" : expected.access == Expected::Access::store ? "stores to" : expected.access == Expected::Access::atomic ? "atomics on" : "ways at";
    const char* counter = "";
    switch (expected.counter) {
    case Expected::Counter::sectors_per_request: counter = "sectors per request"; break;
    case Expected::Counter::wavefronts_per_request: counter = "wavefronts per request"; break;
    case Expected::Counter::requests: counter = "requests"; break;
    case Expected::Counter::bytes: counter = "bytes"; break;
    case Expected::Counter::active_lanes: counter = "active lanes"; break;
    }
    return fmt::format("{} {}: {}", access, expected.buffer, counter);
}

/// The lanes of 32 that go a way, which begins on the line with that text: the number is the same of all its steps, or none.
double lanes_of_way(const KernelRun& run, const std::string& text) {
    std::ifstream file(file_of(*run.prepared.ladder, *run.prepared.rung));
    std::vector<std::string> source;
    for (std::string line; std::getline(file, line);) source.push_back(line);
    double lanes = NAN;
    for (const StepReport& step : run.steps)
        for (const LineCount& line : step.lines) {
            if (line.op != Op::branch || line.place.line < 1 || source.at(static_cast<std::size_t>(line.place.line - 1)).find(text) == std::string::npos) continue;
            if (!std::isnan(lanes) && lanes != line.active()) return NAN;
            lanes = line.active();
        }
    return lanes;
}

/// Over all launches of the rung.
double counted(const KernelRun& run, const Expected& expected) {
    if (expected.access == Expected::Access::branch) return lanes_of_way(run, expected.buffer);
    std::int64_t steps = 0, transfers = 0, bytes = 0;
    for (const StepReport& step : run.steps) {
        const LineCount sum = total(step, expected.access, expected.buffer);
        steps += sum.steps, transfers += sum.transfers;
        for (const LineCount& line : step.lines) bytes += line.buffer == expected.buffer && line.op == sum.op ? line.bytes_asked() : 0;
    }
    switch (expected.counter) {
    case Expected::Counter::requests: return static_cast<double>(steps);
    case Expected::Counter::bytes: return static_cast<double>(bytes);
    default: return steps ? static_cast<double>(transfers) / static_cast<double>(steps) : NAN;
    }
}

/// What a profiler read from a GPU of the same launches: numbers by kernel and counter. Those are left out that the compiler's code, which
/// merges and hoists accesses, has otherwise; tests/gpu/compare_counters.py writes the file.
std::map<std::string, std::map<std::string, std::int64_t>> measured() {
    std::ifstream file(GRADUS_SOURCE_FOLDER "/tests/gpu/measured/counters.tsv");
    const auto words_of = [](const std::string& line) {
        std::vector<std::string> words;
        std::istringstream in(line);
        for (std::string word; std::getline(in, word, '\t');) words.push_back(word);
        return words;
    };
    std::map<std::string, std::map<std::string, std::int64_t>> out;
    std::vector<std::string> names;
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with('#')) continue;
        const std::vector<std::string> words = words_of(line);
        if (names.empty()) names = words;
        else
            for (std::size_t i = 1; i < words.size() && i < names.size(); ++i)
                if (!words[i].starts_with('~')) out[words[0]][names[i]] = std::stoll(words[i]);
    }
    return out;
}

/// Ours of the same.
std::map<std::string, std::int64_t> sums(const KernelRun& run) {
    std::map<std::string, std::int64_t> out;
    for (const StepReport& step : run.steps)
        for (const LineCount& line : step.lines) {
            const char* op = line.op == Op::write ? "store" : line.op == Op::atomic ? "atomic" : line.op == Op::read || line.op == Op::copy_async ? "load" : nullptr;
            if (!op) continue;
            if (line.space == Space::shared) out["shared wavefronts"] += line.transfers;
            if (line.space != Space::global) continue;
            out["global sectors"] += line.transfers;
            out[std::string(op) + " requests"] += line.steps;
            out[std::string(op) + " sectors"] += line.transfers;
        }
    return out;
}

/// What two runs of the same launch counted, line by line.
void check_same(const KernelRun& one, const KernelRun& other, int length) {
    const Row named(fmt::format("log length {}", length));
    CHECK_EQUAL(other.steps.size(), one.steps.size());
    for (std::size_t i = 0; i < one.steps.size() && i < other.steps.size(); ++i) {
        CHECK_EQUAL(other.steps[i].lines.size(), one.steps[i].lines.size());
        for (std::size_t j = 0; j < one.steps[i].lines.size() && j < other.steps[i].lines.size(); ++j) {
            const LineCount &a = one.steps[i].lines[j], &b = other.steps[i].lines[j];
            const bool same = a.place == b.place && a.op == b.op && a.buffer == b.buffer && a.steps == b.steps && a.lanes == b.lanes && a.transfers == b.transfers && a.lines == b.lines;
            CHECK(same, fmt::format("line {}:{}: {} and {} steps, {} and {} lanes, {} and {} transfers", a.place.line, a.place.column, a.steps, b.steps, a.lanes, b.lanes, a.transfers, b.transfers));
        }
    }
    CHECK(one.outputs() == other.outputs());
}

} // namespace

/// Step by step with all checks: the reference's values, nothing found, and the counters that the head of the file says.
TEST(rungs_count_what_they_say) {
    const auto of_gpu = measured();
    CHECK(of_gpu.size() >= 250, std::to_string(of_gpu.size()));
    for (const Ladder& ladder : all_ladders())
        for (const Rung& rung : ladder.rungs) {
            const Row named(ladder.id + "/" + rung.id);
            try {
                KernelRequest request;
                request.ladder = &ladder, request.rung = &rung;
                const KernelRun run = run_kernel(request);
                REQUIRE(run.end.done, "the kernel " + run.end.why);
                for (const KernelFinding& finding : run.findings) CHECK(false, finding.sentence);
                for (const OutputError& output : run.errors) CHECK(output.right, fmt::format("{} is off by {}", output.name, output.error));
                for (const StepReport& step : run.steps) // what the shim's headers touch they touch for a line of the kernel
                    for (const LineCount& line : step.lines)
                        CHECK(line.place.file.ends_with(".cu") || line.place.file.ends_with(".cuh"), fmt::format("{}:{}", line.place.file, line.place.line));
                for (const Expected& expected : rung.expected) {
                    const double got = counted(run, expected);
                    CHECK(std::abs(got - expected.value) <= 1e-9 * std::abs(expected.value), fmt::format("{} is {}, not {}", words_of(expected), got, expected.value));
                }
                const auto there = of_gpu.find(ladder.id + "/" + rung.id);
                if (there == of_gpu.end()) continue; // written since
                auto here = sums(run);
                for (const auto& [counter, value] : there->second) CHECK(here[counter] == value, fmt::format("{}: {}, the profiler read {}", counter, here[counter], value));
            } catch (const Error& error) {
                CHECK(false, error.what());
            } catch (const Ended&) {
            }
        }
}

/// How far lanes run ahead of their warp changes nothing that is counted.
SLOW_TEST(log_lengths_agree) {
    for (const Ladder& ladder : all_ladders())
        for (const Rung& rung : ladder.rungs) {
            const Row named(ladder.id + "/" + rung.id);
            KernelRequest request;
            request.ladder = &ladder, request.rung = &rung;
            for (const ProblemSize& size : ladder.sizes)
                if (!size.odd.empty() && size.odd.back() > 0) request.sizes[size.name] = std::min(size.usual, size.odd.back());
            request.options.log_length = 1;
            const KernelRun lockstep = run_kernel(request);
            CHECK(lockstep.end.done, lockstep.end.why);
            for (const int length : {7, 1024}) {
                request.options.log_length = length;
                check_same(lockstep, run_kernel(request), length);
            }
        }
}

#include "app/cli/bench/bench.hpp"

#include "app/cli/cli.hpp"
#include "engine/backend/registry.hpp"
#include "engine/core/error.hpp"
#include "engine/trace/manifest.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace gradus::cli {

using nlohmann::json;

void pass_evaluation(Session& session, StepIndex steps) {
    constexpr StepIndex interval = 500;
    session.wait();
    const StepIndex head = session.run(0) ? session.run(0)->head() : 0;
    if (head % interval + steps < interval) return;
    session.run_to((head / interval + 1) * interval);
    session.wait();
}

double median(std::vector<double> values) {
    if (values.empty()) return 0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

int bench(const std::string& suite, const std::string& python, bool json_wanted, const std::vector<BenchSuite>& more_suites) {
    std::vector<BenchRow> rows;
    const auto add = [&](std::vector<BenchRow> more) { rows.insert(rows.end(), more.begin(), more.end()); };
    const std::string interpreter = python.empty() ? "python3" : python;
    if (!python.empty() && python.find('/') != std::string::npos && ::access(python.c_str(), X_OK) != 0)
        throw ArgumentError(fmt::format("--python {}: there is no such program", python));
    if (suite.empty() || suite == "events") add(bench_events());
    if (suite.empty() || suite == "readers") add(bench_readers());
    if (suite.empty() || suite == "training") add(bench_training(interpreter));
    if (suite == "kernels") add(bench_kernels());
    std::string names = "events, readers, training, kernels, cpu";
    const std::vector<std::string> parts = cpu_parts();
    if (suite == "cpu" || std::find(parts.begin(), parts.end(), suite) != parts.end()) add(bench_cpu(interpreter, suite));
    for (const std::string& part : parts) names += ", " + part;
    for (const BenchSuite& other : more_suites) {
        if (suite.empty() ? !other.when_named : suite == other.name) add(other.measure());
        names += ", " + other.name;
    }
    if (rows.empty()) throw ArgumentError(fmt::format("there is no suite '{}'; there are {}", suite, names));
    const bool reached = std::all_of(rows.begin(), rows.end(), [](const BenchRow& row) { return row.reached(); });
    const int verdict = reached ? done : check_failed;
    const Device device{DeviceOptions{}};
    if (json_wanted) {
        json items = json::array();
        for (const BenchRow& row : rows) {
            json one{{"suite", row.suite}, {"name", row.name}, {"note", row.note}, {"skipped", row.skipped}};
            if (!row.skipped) {
                one["value"] = quantity(row.value, row.unit, Provenance::measured);
                if (row.bound > 0) one[row.at_least ? "at_least" : "at_most"] = row.bound;
                if (row.bound > 0) one["reached"] = row.reached();
                for (const auto& [who, number] : row.beside)
                    one["beside"][who] = quantity(number, row.beside_unit, Provenance::measured);
                if (!row.limited_by.empty()) one["limited_by"] = row.limited_by;
            }
            items.push_back(one);
        }
        print_json({{"schema", 1}, {"processor", device.description()}, {"isa", device.isa()},
                    {"build", build_description()}, {"items", items}});
        return verdict;
    }
    fmt::print("{} ({} path)\n", device.description(), device.isa());
    for (const BenchRow& row : rows) {
        if (row.skipped) {
            fmt::print("  {:<10}{:<51} skipped: {}\n", row.suite, row.name, row.note);
            continue;
        }
        const std::string bound = row.bound == 0 ? ""
                                                 : fmt::format("  {} {:g}: {}", row.at_least ? "at least" : "at most",
                                                               row.bound, row.reached() ? "reached" : "NOT REACHED");
        fmt::print("  {:<10}{:<52}{:>8.3g} {:<6}{}{}\n", row.suite, row.name, row.value, row.unit, bound,
                   row.note.empty() ? "" : "  " + row.note);
        std::string others;
        for (const auto& [who, number] : row.beside)
            others += fmt::format("{}{} {:.4g}", others.empty() ? "" : ", ", who, number);
        if (!others.empty()) fmt::print("  {:<10}  {}: {}\n", "", row.beside_unit, others);
        if (!row.limited_by.empty()) fmt::print("  {:<10}  limited by: {}\n", "", row.limited_by);
    }
    return verdict;
}

} // namespace gradus::cli

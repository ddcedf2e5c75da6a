#include "tests/planted/corpus.hpp"

#include "engine/core/error.hpp"
#include "tests/support/check.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace gradus::planted {

namespace fs = std::filesystem;
using simt::Finding;
using simt::KernelFinding;

namespace {

const std::string mark = "// <- fault: ", wrong_result = "wrong result";

std::vector<std::string> words_between(const std::string& text, const std::string& comma) {
    std::vector<std::string> out;
    for (std::size_t at = 0;;) {
        const std::size_t end = text.find(comma, at);
        out.push_back(text.substr(at, end - at));
        if (end == std::string::npos) return out;
        at = end + comma.size();
    }
}

std::pair<std::string, std::string> two(const std::string& text, const std::string& between) {
    const std::size_t at = text.find(between);
    return {text.substr(0, at), at == std::string::npos ? "" : text.substr(at + between.size())};
}

bool is_kind(const std::string& name) {
    if (name == wrong_result || name == "end") return true;
    for (int kind = 0; kind <= static_cast<int>(Finding::Kind::trap); ++kind)
        if (simt::name_of(static_cast<Finding::Kind>(kind)) == name) return true;
    return false;
}

/// False for a key that there is not.
bool read_key(Planted& to, const std::string& key, const std::string& value) {
    if (key == "rung") to.rung = value;
    else if (key == "set") {
        const auto [size, number] = two(value, "=");
        to.sizes[size] = std::stoll(number);
    } else if (key == "scale") {
        const auto [buffer, factor] = two(value, "=");
        to.scales[buffer] = std::stod(factor);
    } else if (key == "block") {
        const auto [x, y] = two(value, "x");
        to.block = {std::stoi(x), y.empty() ? 1 : std::stoi(y), 1};
    } else if (key == "expect") {
        const auto [kind, buffers] = two(value, " in ");
        if (!is_kind(kind) || to.expected.contains(kind)) return false;
        to.expected[kind] = {};
        if (!buffers.empty())
            for (const std::string& buffer : words_between(buffers, ", ")) to.expected[kind].insert(buffer);
    } else if (key == "schedules") to.schedules_differ = value == "differ";
    else if (key == "budget") to.budget = std::stoll(value);
    else if (key == "at most") to.at_most_ms = std::stoll(value);
    else if (key == "end") to.end = value;
    else return false;
    return true;
}

} // namespace

Planted read_planted(const std::string& name, const std::string& file, const std::string& text) {
    Planted out{.name = name, .file = file};
    std::istringstream lines(text);
    bool head = true;
    int number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        const auto refuse = [&](const std::string& why) { throw FileError(fmt::format("{}:{}: {}", name, number, why)); };
        head = head && line.starts_with("//");
        const auto [key, value] = two(line.substr(std::min<std::size_t>(3, line.size())), ": ");
        const bool is_key = head && !value.empty() && key.size() < 10 && key.find_first_of(".,") == std::string::npos; // not a sentence
        if (is_key && !read_key(out, key, value)) refuse("no such key, or no such kind: " + line);
        const std::size_t at = line.find(mark);
        if (at == std::string::npos) continue;
        for (const std::string& kind : words_between(line.substr(at + mark.size()), ", ")) {
            if (!is_kind(kind)) refuse("no such kind: " + kind);
            out.lines[kind].insert(number);
        }
    }
    if (out.rung.empty()) throw FileError(name + ": its head does not say which rung it stands for");
    if (out.expected.empty() == out.end.empty()) throw FileError(name + ": its head says neither what is expected nor how the child ends, or both");
    for (const auto& [kind, buffers] : out.expected)
        if (!out.lines.contains(kind)) throw FileError(fmt::format("{}: no line is marked \"{}{}\"", name, mark, kind));
    for (const auto& [kind, marked] : out.lines)
        if (!out.expected.contains(kind) && out.end.empty())
            throw FileError(fmt::format("{}: line {} is marked \"{}\", which its head does not expect", name, *marked.begin(), kind));
    if (out.lines.empty()) throw FileError(name + ": no line is marked");
    return out;
}

std::vector<Planted> all_planted() {
    std::vector<Planted> out;
    const fs::path folder = fs::path(GRADUS_SOURCE_FOLDER) / "tests" / "planted";
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        if (entry.path().extension() != ".cu") continue;
        std::ifstream in(entry.path());
        const std::string text{std::istreambuf_iterator<char>(in), {}};
        out.push_back(read_planted(fs::relative(entry.path(), folder).replace_extension().string(), entry.path().string(), text));
    }
    std::sort(out.begin(), out.end(), [](const Planted& a, const Planted& b) { return a.name < b.name; });
    return out;
}

simt::KernelRun run(const Planted& planted, std::uint64_t schedule, bool record) {
    simt::KernelRequest request;
    std::tie(request.ladder, request.rung) = simt::find_rung(planted.rung);
    Ladder scaled = *request.ladder;
    scaled.buffers = [&, usual = scaled.buffers](const Problem& problem) {
        std::vector<KernelBuffer> buffers = usual(problem);
        for (KernelBuffer& buffer : buffers)
            if (const auto scale = planted.scales.find(buffer.name); scale != planted.scales.end()) buffer.scale *= scale->second;
        return buffers;
    };
    if (!planted.scales.empty()) request.ladder = &scaled;
    request.sizes = planted.sizes;
    request.block = planted.block;
    request.source = planted.file;
    request.options.schedule = schedule;
    if (planted.budget) request.options.budget = planted.budget;
    if (planted.at_most_ms) request.at_most = std::chrono::milliseconds(planted.at_most_ms);
    request.recording.wanted = record;
    simt::KernelRun done = simt::run_kernel(request);
    done.prepared.ladder = nullptr; // it may have been the scaled one
    return done;
}

namespace {

/// Every finding is expected, at marked lines and in a named buffer; what it covers is taken off.
void check_finding(const Planted& planted, const KernelFinding& finding, std::set<std::pair<std::string, int>>& lines,
                   std::set<std::pair<std::string, std::string>>& buffers) {
    const std::string kind(simt::name_of(finding.kind));
    const auto expected = planted.expected.find(kind);
    if (!CHECK(expected != planted.expected.end(), "not expected: " + finding.sentence)) return;
    const bool two_places = finding.kind == Finding::Kind::race || finding.kind == Finding::Kind::mismatched_barrier;
    for (const simt::SourcePlace& place : {finding.place, two_places ? finding.other : finding.place}) {
        CHECK(place.file == planted.file && planted.lines.at(kind).contains(place.line),
              fmt::format("{}:{} is not marked: {}", place.file, place.line, finding.sentence));
        lines.erase({kind, place.line});
    }
    if (!expected->second.empty()) CHECK(expected->second.contains(finding.buffer), "another buffer: " + finding.sentence);
    buffers.erase({kind, finding.buffer});
    if (two_places) CHECK(finding.thread != finding.second, finding.sentence);
}

} // namespace

void check(const Planted& planted, const simt::KernelRun& run) {
    if (!planted.end.empty()) {
        CHECK(!run.end.done);
        CHECK(run.end.why.find(planted.end) != std::string::npos, run.end.why);
        return;
    }
    REQUIRE(run.end.done, run.end.why);
    CHECK(!run.right());
    std::set<std::pair<std::string, int>> lines;
    std::set<std::pair<std::string, std::string>> buffers;
    for (const auto& [kind, marked] : planted.lines)
        for (const int line : marked)
            if (kind != wrong_result) lines.emplace(kind, line);
    for (const auto& [kind, named] : planted.expected)
        for (const std::string& buffer : named) buffers.emplace(kind, buffer);
    for (const KernelFinding& finding : run.findings) check_finding(planted, finding, lines, buffers);
    for (const auto& [kind, line] : lines) CHECK(false, fmt::format("line {}: no {} is found", line, kind));
    if (planted.expected.contains(wrong_result)) {
        for (const simt::OutputError& output : run.errors) {
            CHECK(output.right != planted.expected.at(wrong_result).contains(output.name), fmt::format("{} is off by {}", output.name, output.error));
            buffers.erase({wrong_result, output.name});
        }
    }
    for (const auto& [kind, buffer] : buffers) CHECK(false, fmt::format("{} in {} is not found", kind, buffer));
}

} // namespace gradus::planted

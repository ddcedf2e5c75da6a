#include "engine/trace/derive/line_counters.hpp"

#include "engine/core/text.hpp"

#include <algorithm>
#include <cctype>
#include <functional>
#include <map>

namespace gradus {

namespace {

bool is_counted(const KernelTrace::Line& line) { return simt::touches_memory(line.op) && line.space <= simt::Space::shared; }

void add(LineAccess& sum, const KernelTrace::Line& line) {
    sum.steps += line.steps, sum.lanes += line.lanes, sum.bytes += line.lanes * line.bytes;
    sum.transfers += line.transfers, sum.ideal += line.ideal;
}

/// Where the buffer's name stands in the line; behind all where it does not.
std::size_t place_in(std::string_view line, const std::string& name) {
    const auto letter = [&](std::size_t at) { return at < line.size() && (std::isalnum(static_cast<unsigned char>(line[at])) || line[at] == '_'); };
    for (std::size_t at = line.find(name); at != std::string_view::npos; at = line.find(name, at + 1))
        if (!letter(at + name.size()) && (at == 0 || !letter(at - 1))) return at;
    return line.size();
}

/// An argument that is worked out later may stand before another: the compiler gives both the place of the call.
void order_as_written(std::vector<LineCounters>& rows, std::string_view source) {
    const std::vector<std::string_view> lines = split(source, '\n');
    for (LineCounters& row : rows) {
        if (row.line < 1 || static_cast<std::size_t>(row.line) > lines.size()) continue;
        const std::string_view line = lines[static_cast<std::size_t>(row.line) - 1];
        std::ranges::stable_sort(row.accesses, {}, [&](const LineAccess& access) { return place_in(line, access.buffer); });
    }
}

} // namespace

std::vector<LineCounters> line_counters(const KernelTrace& trace, std::size_t launch, std::int32_t file) {
    std::vector<const KernelTrace::Line*> lines;
    for (const KernelTrace::Line& line : trace.lines)
        if (line.launch == launch && line.place.file == file) lines.push_back(&line);
    std::stable_sort(lines.begin(), lines.end(), [](const auto* a, const auto* b) { return std::pair(a->place.line, a->place.column) < std::pair(b->place.line, b->place.column); });
    std::vector<LineCounters> out;
    for (const KernelTrace::Line* line : lines) {
        if (out.empty() || out.back().line != line->place.line) out.push_back({line->place.line, {}, 0, 0});
        LineCounters& row = out.back();
        row.steps += line->steps, row.lanes += line->lanes;
        if (!is_counted(*line)) continue;
        const auto same = [&](const LineAccess& access) { return access.op == line->op && access.space == line->space && access.buffer == line->buffer; };
        auto at = std::find_if(row.accesses.begin(), row.accesses.end(), same);
        if (at == row.accesses.end()) at = row.accesses.insert(at, {line->op, line->space, line->buffer});
        add(*at, *line);
    }
    if (file >= 0 && static_cast<std::size_t>(file) < trace.sources.size()) order_as_written(out, trace.sources[static_cast<std::size_t>(file)]);
    return out;
}

LineAccess launch_total(const KernelTrace& trace, std::size_t launch, simt::Space space) {
    LineAccess sum;
    sum.space = space;
    for (const KernelTrace::Line& line : trace.lines)
        if (line.launch == launch && line.space == space && simt::touches_memory(line.op)) add(sum, line);
    return sum;
}

} // namespace gradus

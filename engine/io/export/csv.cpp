#include "engine/io/export/formats.hpp"
#include "engine/io/export/output_file.hpp"

#include <fmt/format.h>
#include <iterator>

namespace gradus::exporting {

namespace {

/// RFC 4180: quoted where it has to be, quotes doubled.
void append_field(std::string& out, std::string_view field) {
    if (field.find_first_of("\",\r\n") == std::string_view::npos) {
        out += field;
        return;
    }
    out += '"';
    for (const char c : field) out.append(c == '"' ? 2 : 1, c);
    out += '"';
}

} // namespace

// iteration,loss,accuracy,step_seconds [s],…: a series that has no value at an iteration leaves its field empty.
// Where the range holds edits, a column says what was edited before the iteration; where it holds bookmarks, a last one
// has a 1 at each.
void write_csv(const Run& run, const Job& job, const std::filesystem::path& path) {
    const Range range = job.range;
    TextFile file(path);
    const std::vector<LoggedEdit> edits = edits_within(run, range);
    std::vector<const SeriesInfo*> columns;
    for (const auto& series : run.series())
        if (axis_of(series->info()) == "iteration") columns.push_back(&series->info());

    file.text += "iteration";
    for (const SeriesInfo* info : columns) {
        file.text += ',';
        append_field(file.text, info->unit.empty() ? info->name : fmt::format("{} [{}]", info->name, info->unit));
    }
    if (!edits.empty()) file.text += ",edits";
    if (!job.bookmarks.empty()) file.text += ",bookmark";
    file.text += "\r\n";

    std::size_t next_edit = 0;
    for (StepIndex iteration = range.from; iteration < range.until; ++iteration) {
        job.reach(iteration);
        fmt::format_to(std::back_inserter(file.text), "{}", iteration);
        for (const SeriesInfo* info : columns) {
            file.text += ',';
            if (const auto value = run.value_at(info->name, iteration)) file.text += scalar_text(*value);
        }
        if (!edits.empty()) {
            std::string made;
            for (; next_edit < edits.size() && edits[next_edit].iteration <= iteration; ++next_edit)
                made += (made.empty() ? "" : "; ") + edits[next_edit].edit.text();
            file.text += ',';
            append_field(file.text, made);
        }
        if (!job.bookmarks.empty()) file.text += job.marked(iteration) ? ",1" : ",";
        file.text += "\r\n";
        file.written();
    }
    file.commit();
}

} // namespace gradus::exporting

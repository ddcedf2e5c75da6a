#include "engine/io/export/export.hpp"

#include "engine/core/error.hpp"
#include "engine/core/text.hpp"
#include "engine/io/export/formats.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace gradus {

namespace exporting {

namespace {

struct Format {
    std::string_view name;
    void (*write)(const Run&, const Job&, const std::filesystem::path&);
    bool with_ancestors;
};
constexpr std::array formats{Format{"kineto", write_kineto, false}, Format{"perfetto", write_perfetto, false},
                             Format{"npz", write_npz, true}, Format{"csv", write_csv, true}};

Range checked_range(const Run& run, const ExportOptions& options, bool with_ancestors) {
    const StepIndex first = with_ancestors ? 0 : run.first_iteration(), head = run.head();
    const Range range{options.from.value_or(first), options.until.value_or(head)};
    if (!options.from && !options.until) return range;
    if (range.from >= 0 && range.from < first && range.until <= head)
        throw ArgumentError(fmt::format("iterations before {} ran in '{}', which '{}' left there; their times are in "
                                        "the export of that run",
                                        first, run.manifest().parent, run.manifest().id));
    if (head <= first) throw ArgumentError(fmt::format("'{}' has no iterations to choose from", run.manifest().id));
    if (range.from < first || range.from >= range.until || range.until > head)
        throw ArgumentError(fmt::format("iterations {} until {} are not a part of '{}', which has {} until {}",
                                        range.from, range.until, run.manifest().id, first, head));
    return range;
}

/// The bookmarks that lie within a range, in order, each once.
std::vector<StepIndex> marks_within(std::vector<StepIndex> marks, Range range) {
    std::erase_if(marks, [&](StepIndex mark) { return !range.holds(mark); });
    std::sort(marks.begin(), marks.end());
    marks.erase(std::unique(marks.begin(), marks.end()), marks.end());
    return marks;
}

} // namespace

void Job::reach(StepIndex iteration) const {
    if (options.stop.stop_requested()) throw StoppedError("the export was stopped");
    if (!options.progress || ((iteration - range.from) & 15) != 0) return;
    options.progress(static_cast<double>(iteration - range.from) / static_cast<double>(std::max<StepIndex>(1, range.until - range.from)));
}

bool Job::marked(StepIndex iteration) const { return std::binary_search(bookmarks.begin(), bookmarks.end(), iteration); }

const Run& owner_of(const Run& run, StepIndex iteration) {
    const Run* owner = &run;
    while (iteration < owner->first_iteration() && owner->parent()) owner = owner->parent().get();
    return *owner;
}

std::vector<LoggedEdit> edits_within(const Run& run, Range range) {
    std::vector<LoggedEdit> out;
    // A fork also went through what was edited at the very iteration at which it left.
    if (run.parent()) out = edits_within(*run.parent(), {range.from, std::min(range.until, run.first_iteration() + 1)});
    for (std::size_t i = 0; i < run.edits().size(); ++i)
        if (range.holds(run.edits()[i].iteration)) out.push_back(run.edits()[i]);
    return out;
}

std::string_view axis_of(const SeriesInfo& info) { return info.name.starts_with("seed_") ? "seed" : "iteration"; }

std::string scalar_text(double value) { return std::isnan(value) ? "nan" : number_text(value); }

} // namespace exporting

std::span<const std::string_view> export_formats() {
    static constexpr auto names = [] {
        std::array<std::string_view, exporting::formats.size()> out;
        for (std::size_t i = 0; i < out.size(); ++i) out[i] = exporting::formats[i].name;
        return out;
    }();
    return names;
}

void export_run(const Run& run, std::string_view format, const std::filesystem::path& path,
                const ExportOptions& options) {
    const auto found = std::find_if(exporting::formats.begin(), exporting::formats.end(),
                                    [&](const exporting::Format& f) { return f.name == format; });
    if (found == exporting::formats.end())
        throw ArgumentError(
            fmt::format("'{}' is no export format; there are {}", format, fmt::join(export_formats(), ", ")));
    const exporting::Range range = exporting::checked_range(run, options, found->with_ancestors);
    // Not looked into: closing it again would drop the locks of a recorder in this process.
    if (std::error_code error; path.extension() == ".gradus" && std::filesystem::exists(path, error))
        throw FileError(fmt::format("{} cannot be written: by its name it is a recording, which would be lost; choose another name", path.string()));
    found->write(run, {range, exporting::marks_within(options.bookmarks, range), options}, path);
}

} // namespace gradus

#include "views/overview/overview_geometry.hpp"

#include "views/derive/event_words.hpp"
#include "views/derive/settings.hpp"
#include "views/overview/overview_words.hpp"
#include "views/theme/theme.hpp"
#include "views/theme/words.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {

namespace {

constexpr double least_frame = 14; // pixels
constexpr double most_name = 420;

using overview_words::tr;

/// Rows of forks: the selected one and the latest.
std::vector<std::size_t> shown_forks(std::size_t runs, std::size_t selected, std::size_t rows) {
    std::vector<std::size_t> shown;
    for (std::size_t i = runs; i > 1 && shown.size() < rows; --i) shown.push_back(i - 1);
    std::reverse(shown.begin(), shown.end());
    const bool there = selected == 0 || std::find(shown.begin(), shown.end(), selected) != shown.end();
    if (!there && !shown.empty() && selected < runs) shown.front() = selected;
    return shown;
}

void mark_change(OverviewBranch& branch, const Run& run) {
    const std::optional<Edit> change = first_change(run);
    branch.parameter = change && change->kind == Edit::Kind::element;
    branch.setting = change && !branch.parameter;
}

/// Right of its end where there is room, else left of where it leaves, else on the line.
void place_name(OverviewBranch& branch, const Run& run, StepIndex broken_at, const QRectF& area) {
    const TextMetrics fm(text_font(metrics::small_text, branch.selected ? QFont::DemiBold : QFont::Normal));
    const QString change = written_change(run);
    const QString name = run.parent() ? tr("fork %1: %2").arg(branch.run).arg(change) : tr("begun anew");
    const QString fate = broken_at >= 0 ? tr("%1, loss not finite from step %2").arg(name).arg(broken_at)
                         : run.state() == RunState::failed     ? tr("%1, failed").arg(name)
                         : run.head() <= run.first_iteration() ? tr("%1, nothing recorded yet").arg(name)
                                                               : tr("%1, recorded to step %2").arg(name).arg(run.head() - 1);
    const double from = branch.recorded + (branch.broken ? 14 : 10), right = area.right() - from;
    const double left = branch.leaves.x() - 8 - area.left();
    const auto width = [&](const QString& text) { return std::ceil(fm.horizontalAdvance(text)) + 2; };
    const QRectF row(area.left(), branch.start.y() - fork_row_height / 2, 0, fork_row_height);
    const auto place = [&](const QString& text, double x, double room) {
        branch.name = text;
        branch.name_rect = QRectF(x, row.top(), std::max(0.0, room), row.height());
    };
    if (width(fate) <= right) return place(fate, from, width(fate));
    const double along = branch.recorded - branch.start.x() - 44; // on its own line, off both ends
    if (branch.broken && width(fate) <= along) { // why it broke matters more than an unbroken line
        branch.over_line = true;
        return place(fate, branch.start.x() + 22, width(fate));
    }
    for (const QString& text : {name, change})
        if (width(text) <= right) return place(text, from, width(text));
    for (const QString& text : {fate, name, change})
        if (width(text) <= left) return place(text, branch.leaves.x() - 8 - width(text), width(text));
    branch.over_line = true;
    const double room = std::min({width(name), most_name, area.width()});
    place(name, std::max(area.left(), area.right() - room - 24), room);
}

QRectF frame_of(const Overview& overview, const StepWindow& window) {
    const double from = overview.x_of(window.first), until = overview.x_of(window.until());
    const double width = std::min(std::max(until - from, least_frame), overview.area.width());
    const double left = std::clamp((from + until - width) / 2, overview.area.left(), overview.area.right() - width);
    return {left, overview.area.top(), width, overview.area.height()};
}

/// A name goes beside the frame, not through its sides.
void clear_of_frame(OverviewBranch& branch, const QRectF& frame, const QRectF& area) {
    constexpr double apart = 10, least_name = 48;
    QRectF& name = branch.name_rect;
    if (name.isEmpty() || name.right() + apart < frame.left() || name.left() - apart > frame.right()) return;
    const bool inside = name.left() - 4 > frame.left() && name.right() + 4 < frame.right(); // its letters would stand on the lower edge
    const double left = frame.left() - apart - name.width(), right = frame.right() + apart;
    const bool before = branch.over_line ? left >= branch.start.x() + 22 : name.right() <= branch.start.x() && left >= area.left();
    if (before) name.moveLeft(left);
    else if (right + name.width() <= area.right()) name.moveLeft(right);
    else if (inside) return;
    else if (const double room = frame.left() - apart - name.left(); room >= least_name) name.setWidth(room); // it loses letters at its end
    else name = QRectF(); // the list of Runs has it
}

/// Of the Run and of what it left, before it.
void collect_breakpoints(const Run& run, std::vector<Edit>& out) {
    if (run.parent()) collect_breakpoints(*run.parent(), out);
    for (std::size_t i = 0; i < run.edits().size(); ++i)
        if (const Edit& edit = run.edits()[i].edit; edit.kind == Edit::Kind::breakpoint) change_breakpoints(out, edit);
}

/// Those that say a step.
void add_breakpoints(Overview& overview, const Run& selected) {
    std::vector<Edit> breakpoints;
    collect_breakpoints(selected, breakpoints);
    for (const Edit& edit : breakpoints) {
        if (edit.target != "iteration" || edit.values.empty()) continue;
        if (!(edit.values[0] >= 0 && edit.values[0] <= static_cast<double>(overview.planned))) continue;
        overview.marks.push_back({OverviewMark::Kind::breakpoint, static_cast<StepIndex>(edit.values[0])});
    }
}

} // namespace

double Overview::x_of(double iteration) const {
    return area.left() + area.width() * iteration / static_cast<double>(planned);
}

double Overview::iterations_at(double x) const {
    const double share = area.width() > 0 ? std::clamp((x - area.left()) / area.width(), 0.0, 1.0) : 0.0;
    return share * static_cast<double>(planned);
}

StepIndex Overview::iteration_at(double x) const {
    return std::clamp<StepIndex>(static_cast<StepIndex>(std::floor(iterations_at(x))), 0, planned - 1);
}

double Overview::row_of(std::size_t run) const {
    for (const OverviewBranch& branch : branches)
        if (branch.run == run) return branch.start.y();
    return branches.empty() ? area.center().y() : branches.front().start.y();
}

std::size_t fork_rows(double height, std::size_t forks) {
    return std::min(forks, static_cast<std::size_t>(std::max(0.0, (height - 17) / fork_row_height)));
}

Overview make_overview(const Look& look, std::optional<StepIndex> prepared, const StepWindow& window,
                       const OutcomeCurve& curve, const QRectF& area) {
    Overview overview;
    overview.area = area;
    overview.planned = std::max<StepIndex>(1, look.planned);
    if (look.runs.empty()) return overview;
    const std::size_t selected = look.state.run;
    const std::vector<std::size_t> forks =
        shown_forks(look.runs.size(), selected, fork_rows(area.height(), look.runs.size() - 1));
    const double below = static_cast<double>(forks.size()) * fork_row_height;
    const double line = std::round(area.bottom() - (forks.empty() ? 4 : 7) - below);
    overview.curve = QRectF(area.left(), area.top() + 2, area.width(), std::max(0.0, line - 4 - area.top() - 2));
    std::vector<std::size_t> shown{0};
    shown.insert(shown.end(), forks.begin(), forks.end());
    for (std::size_t place = 0; place < shown.size(); ++place) {
        const Run& run = *look.runs[shown[place]];
        OverviewBranch branch;
        branch.run = shown[place];
        branch.selected = branch.run == selected;
        branch.start = {overview.x_of(static_cast<double>(run.first_iteration())),
                        line + static_cast<double>(place) * fork_row_height};
        branch.leaves = branch.start;
        for (std::size_t i = 0; place > 0 && i < look.runs.size(); ++i)
            if (look.runs[i] == run.parent()) branch.leaves.setY(overview.row_of(i));
        branch.recorded = overview.x_of(static_cast<double>(std::max(run.head(), run.first_iteration())));
        branch.planned = area.right();
        mark_change(branch, run);
        const StepIndex broken_at = curve.broken_at(branch.run);
        branch.broken = run.state() == RunState::failed || broken_at >= 0;
        if (place > 0) place_name(branch, run, broken_at, area);
        overview.branches.push_back(branch);
    }
    for (const StepIndex bookmark : look.state.bookmarks)
        if (bookmark >= 0 && bookmark <= overview.planned) overview.marks.push_back({OverviewMark::Kind::bookmark, bookmark});
    if (selected < look.runs.size()) add_breakpoints(overview, *look.run());
    if (prepared && *prepared >= 0 && *prepared <= overview.planned)
        overview.marks.push_back({OverviewMark::Kind::flag, *prepared});
    overview.frame = frame_of(overview, window);
    for (OverviewBranch& branch : overview.branches) clear_of_frame(branch, overview.frame, area);
    overview.cursor = overview.middle_of(std::clamp<StepIndex>(look.state.cursor.iteration, 0, overview.planned - 1));
    return overview;
}

} // namespace gradus

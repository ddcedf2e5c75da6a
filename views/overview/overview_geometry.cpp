#include "views/overview/overview_geometry.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {

double Overview::x_of(StepIndex iteration) const {
    return area.left() + area.width() * static_cast<double>(iteration) / static_cast<double>(planned);
}

StepIndex Overview::iteration_at(double x) const {
    const double share = std::clamp((x - area.left()) / std::max(1.0, area.width()), 0.0, 1.0);
    return std::llround(share * static_cast<double>(planned));
}

double Overview::row_of(std::size_t run) const {
    for (const OverviewBranch& branch : branches)
        if (branch.run == run) return branch.start.y();
    return branches.empty() ? area.center().y() : branches.front().start.y();
}

Overview make_overview(const std::vector<std::shared_ptr<const Run>>& runs, std::size_t selected, const QRectF& area) {
    constexpr double row = 14; // pixels
    Overview overview;
    overview.area = area;
    if (runs.empty()) return overview;
    overview.planned = std::max<StepIndex>(1, runs[0]->manifest().planned_steps);
    const auto fitting = std::max<std::size_t>(1, static_cast<std::size_t>(area.height() / row));
    // The first Run always stands; of its forks the selected one and the latest.
    std::vector<std::size_t> shown{0};
    for (std::size_t i = runs.size() > fitting ? runs.size() - fitting + 1 : 1; i < runs.size(); ++i) shown.push_back(i);
    if (std::find(shown.begin(), shown.end(), selected) == shown.end() && shown.size() > 1 && selected < runs.size())
        shown[1] = selected;
    const double top = area.center().y() - static_cast<double>(shown.size() - 1) * row / 2;
    for (std::size_t place = 0; place < shown.size(); ++place) {
        const Run& run = *runs[shown[place]];
        OverviewBranch branch;
        branch.run = shown[place];
        branch.selected = branch.run == selected;
        const double y = std::round(top + static_cast<double>(place) * row);
        branch.start = {overview.x_of(run.first_iteration()), y};
        branch.leaves = branch.start;
        for (std::size_t i = 0; i < runs.size(); ++i)
            if (runs[i] == run.parent()) branch.leaves.setY(overview.row_of(i));
        branch.recorded = overview.x_of(std::max(run.head(), run.first_iteration()));
        branch.planned = overview.x_of(overview.planned);
        for (std::size_t i = run.parent() ? 0 : run.edits().size(); i < run.edits().size(); ++i) {
            const Edit::Kind kind = run.edits()[i].edit.kind;
            if (kind == Edit::Kind::breakpoint) continue;
            branch.parameter = kind == Edit::Kind::element;
            branch.setting = !branch.parameter;
            break;
        }
        const auto loss = run.value_at("loss", run.head() - 1);
        branch.broken = run.state() == RunState::failed || (loss && !std::isfinite(*loss));
        overview.branches.push_back(branch);
    }
    return overview;
}

} // namespace gradus

// What the strips say: on hover, and to everything that reads a view without looking at it.
#include "views/derive/event_words.hpp"
#include "views/derive/series_words.hpp"
#include "views/overview/run_strips.hpp"
#include "views/theme/numbers.hpp"

#include <cmath>

namespace gradus {

namespace {

Role role_of(Phase phase) {
    switch (phase) {
    case Phase::data: return Role::data;
    case Phase::forward: return Role::activation;
    case Phase::backward: return Role::gradient;
    case Phase::update: return Role::optimizer_state;
    case Phase::evaluate: return Role::metric;
    }
    return Role::metric;
}

} // namespace

std::vector<ViewItem> RunStrips::items() const {
    std::vector<ViewItem> out;
    for (const OverviewBranch& branch : overview_.branches) {
        const QRectF line(branch.start.x(), branch.start.y() - 2, std::max(1.0, branch.recorded - branch.start.x()), 4);
        out.push_back({line, QStringLiteral("branch %1").arg(branch.run), branch.name.isEmpty() ? tr("whole run") : branch.name,
                       tr("%1 of %2 steps").arg(runs_[branch.run]->head()).arg(planned_), Provenance::computed, Role::metric});
    }
    for (const OverviewMark& mark : overview_.marks) {
        const double x = overview_.x_of(static_cast<double>(mark.iteration));
        const QString name = mark.kind == OverviewMark::Kind::flag       ? tr("prepared step")
                             : mark.kind == OverviewMark::Kind::bookmark ? tr("bookmark")
                                                                         : tr("breakpoint");
        out.push_back({QRectF(x - 4, overview_.area.top(), 8, overview_.area.height()),
                       QStringLiteral("mark %1 %2").arg(static_cast<int>(mark.kind)).arg(mark.iteration), name,
                       QString::number(mark.iteration), Provenance::computed, Role::metric});
    }
    out.push_back({overview_.frame, QStringLiteral("frame"), tr("shown steps"),
                   tr("%1 to %2").arg(std::floor(window_.first)).arg(std::ceil(window_.until()) - 1), Provenance::computed,
                   Role::metric});
    for (const StepBand& band : steps_.bands)
        out.push_back({band.rect, QStringLiteral("band %1 %2").arg(band.iteration).arg(band.ordinal),
                       tr("step %1, %2").arg(band.iteration).arg(phase_word(band.phase)),
                       band.seconds >= 0 ? with_prefix(band.seconds, "s") : QString(), Provenance::measured,
                       role_of(band.phase)});
    if (steps_.cursor >= 0)
        out.push_back({steps_.event, QStringLiteral("cursor"), steps_.place, QString(), Provenance::computed, Role::metric});
    return out;
}

QString RunStrips::sayAt(QPointF position) const {
    for (const OverviewBranch& branch : overview_.branches) {
        const QRectF line(branch.start.x(), branch.start.y() - 5, branch.recorded - branch.start.x() + 8, 10);
        if (branch.run > 0 && (line.contains(position) || branch.name_rect.contains(position)))
            return tr("fork %1: %2").arg(branch.run).arg(written_change(*runs_[branch.run]));
    }
    for (const OverviewMark& mark : overview_.marks) {
        if (std::abs(overview_.x_of(static_cast<double>(mark.iteration)) - position.x()) > 4 ||
            position.y() > overview_.area.bottom())
            continue;
        if (mark.kind == OverviewMark::Kind::flag) return tr("step %1, prepared").arg(mark.iteration);
        if (mark.kind == OverviewMark::Kind::bookmark) return tr("bookmark at step %1").arg(mark.iteration);
        return tr("breakpoint at step %1").arg(mark.iteration);
    }
    const Run& run = *runs_[state_.run];
    if (overview_.area.contains(position)) {
        const StepIndex iteration = overview_.iteration_at(position.x());
        const auto value = veiled() ? std::nullopt : run.value_at(curve_.series(), iteration);
        return value ? tr("step %1: %2 %3").arg(QString::number(iteration), series_words(curve_.series()), three_digits(*value)) : tr("step %1").arg(iteration);
    }
    const StepBand* band = steps_.band_at(position);
    if (!band) return {};
    const QString name = tr("step %1, %2").arg(band->iteration).arg(phase_word(band->phase));
    if (!band->recorded) return tr("%1: not yet run").arg(name);
    switch (band->kind) {
    case StepWidths::Kind::measured: return tr("%1: %2, measured").arg(name, with_prefix(band->seconds, "s"));
    case StepWidths::Kind::typical:
        return tr("%1: not observed; drawn as wide as its median share of %2 observed steps").arg(name).arg(widths_.times().iterations());
    case StepWidths::Kind::counted: {
        if (veil_.hidesWork()) return name;
        const Cost& cost = widths_.plan().site_of(run, band->ordinal).cost;
        return state_.ruler == Ruler::flops ? tr("%1: %2, counted").arg(name, with_prefix(cost.flops, "FLOP"))
                                            : tr("%1: %2, counted").arg(name, with_prefix(cost.bytes_read + cost.bytes_written, "B"));
    }
    case StepWidths::Kind::unknown: break;
    }
    return tr("%1: not measured").arg(name);
}

} // namespace gradus

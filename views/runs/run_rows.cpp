#include "views/runs/run_rows.hpp"

#include "views/derive/engine_words.hpp"
#include "views/derive/event_words.hpp"
#include "views/derive/main_series.hpp"
#include "views/derive/settings.hpp"
#include "views/theme/numbers.hpp"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

namespace gradus {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("Runs", text); }

RunRow::Mark mark_of(const Run& run) {
    const std::optional<Edit> change = first_change(run);
    return !change ? RunRow::Mark::none : change->kind == Edit::Kind::element ? RunRow::Mark::parameter : RunRow::Mark::setting;
}

} // namespace

namespace {
std::size_t fitting_in(const QRectF& area) {
    return std::max<std::size_t>(1, static_cast<std::size_t>(std::max(0.0, area.height()) / run_row_height));
}
} // namespace

std::size_t first_row(std::size_t runs, std::size_t selected, const QRectF& area) {
    const std::size_t fitting = fitting_in(area);
    return std::min(runs > fitting ? runs - fitting : 0, selected);
}

std::vector<RunRow> make_rows(const std::vector<std::shared_ptr<const Run>>& runs, std::size_t selected,
                              const QRectF& area, std::size_t first, StepIndex step) {
    const std::size_t fitting = fitting_in(area);
    std::vector<RunRow> rows;
    for (std::size_t i = first; i < std::min(runs.size(), first + fitting); ++i) {
        const Run& run = *runs[i];
        RunRow row;
        row.rect = QRectF(area.left(), area.top() + static_cast<double>(i - first) * run_row_height, area.width(),
                          run_row_height - 4);
        row.id = run.manifest().id;
        row.mark = mark_of(run);
        row.selected = i == selected;
        for (const Run* at = run.parent().get(); at; at = at->parent().get()) ++row.depth;
        row.name = row.depth > 0 ? written_change(run) : tr("as started");
        const StepIndex planned = run.manifest().planned_steps, last = run.head() - 1;
        const std::optional<double> end = run.value_at(main_series(run), last);
        row.broken = run.state() == RunState::failed || (end && !std::isfinite(*end));
        if (run.state() == RunState::failed) row.why = engine_words(run.failure());
        row.step = std::min(step, last);
        row.where = row.done = run.head() >= planned ? tr("all %1 done").arg(planned) : tr("%1 of %2 done").arg(run.head()).arg(planned);
        if (row.depth > 0 && run.head() <= run.first_iteration()) {
            row.done = run.state() == RunState::failed ? tr("failed") : tr("nothing recorded yet");
            row.where = tr("from step %1, %2").arg(run.first_iteration()).arg(row.done);
            rows.push_back(std::move(row));
            continue;
        }
        row.outcome = run.value_at(main_series(run), row.step);
        if (row.outcome && row.step < step) {
            row.where = tr("at step %1, %2").arg(row.step).arg(row.done);
            row.done = tr("at step %1").arg(row.step);
        } else if (row.depth > 0) {
            row.where = tr("from step %1, %2").arg(run.first_iteration()).arg(row.where);
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

} // namespace gradus

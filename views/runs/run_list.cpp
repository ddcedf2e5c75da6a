#include "views/runs/run_list.hpp"

#include "views/derive/main_series.hpp"
#include "views/derive/series_words.hpp"
#include "views/theme/numbers.hpp"
#include "views/theme/words.hpp"

#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>
#include <algorithm>
#include <utility>

namespace gradus {

namespace {

QRectF text_of(const RunRow& row) {
    const double indent = 12 + 12.0 * std::min(row.depth, 4);
    return {row.rect.left() + indent + 12, row.rect.top() + 3, row.rect.right() - row.rect.left() - indent - 22, 20};
}

QFont name_font(const RunRow& row) { return text_font(metrics::text, row.selected ? QFont::DemiBold : QFont::Normal); }
QFont outcome_font(const RunRow& row) { return mono_font(metrics::text - 1, row.selected ? QFont::Bold : QFont::Normal); }
QString outcome_text(const RunRow& row) { return row.outcome ? three_digits(*row.outcome) : QString(); }

/// Whether its name leaves room for what it came to.
bool fits_beside(const RunRow& row) {
    return TextMetrics(name_font(row)).horizontalAdvance(row.name) <= text_of(row).width() - TextMetrics(outcome_font(row)).horizontalAdvance(outcome_text(row)) - 8;
}

/// `beside`: what all of them came to stands on the line of their names, else one line below: in one place, so that they are compared.
void paint_row(QPainter& painter, const RunRow& row, bool beside, const Theme& theme) {
    if (row.selected) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.fill);
        painter.drawRoundedRect(row.rect, 6, 6);
    }
    const double indent = 12 + 12.0 * std::min(row.depth, 4);
    const QPointF mark(row.rect.left() + indent, row.rect.top() + 13);
    painter.setPen(Qt::NoPen);
    if (row.broken) {
        painter.setPen(theme.fault);
        painter.setFont(text_font(metrics::text, QFont::Bold));
        draw_text(painter, QRectF(mark.x() - 8, mark.y() - 9, 16, 18), Qt::AlignCenter, "✕");
    } else if (row.mark == RunRow::Mark::parameter) {
        painter.setBrush(theme.parameter);
        painter.drawRect(QRectF(mark.x() - 4, mark.y() - 4, 8, 8));
    } else {
        painter.setBrush(row.mark == RunRow::Mark::setting ? theme.ink : theme.ink3);
        painter.drawEllipse(mark, 4, 4);
    }
    const QRectF text = text_of(row);
    const QString outcome = outcome_text(row);
    painter.setFont(outcome_font(row));
    painter.setPen(row.broken ? theme.fault : theme.ink);
    const double outcome_width = TextMetrics(painter.font()).horizontalAdvance(outcome);
    const TextMetrics fm(name_font(row));
    const QRectF below = text.translated(0, 17);
    draw_text(painter, beside ? text : below, Qt::AlignRight | Qt::AlignVCenter, outcome);
    painter.setPen(theme.ink);
    painter.setFont(name_font(row));
    draw_text(painter, text, Qt::AlignLeft | Qt::AlignVCenter, fm.elidedText(row.name, Qt::ElideMiddle, static_cast<int>(text.width()))); // both its ends tell
    painter.setFont(text_font(metrics::small_text));
    painter.setPen(theme.ink2);
    const TextMetrics small(painter.font());
    const double room = below.width() - (beside ? 0 : outcome_width + 8);
    for (const QString& words : {row.where, row.done})
        if (small.horizontalAdvance(words) <= room) return draw_text(painter, below, Qt::AlignLeft | Qt::AlignVCenter, words);
}

} // namespace

RunList::RunList(const Theme& theme, QWidget* parent) : Panel(theme, tr("Runs"), parent) {
    retranslate();
    setMinimumHeight(title_height + static_cast<int>(2 * run_row_height) + 8);
}

void RunList::retranslate() {
    setTitle(tr("Runs"));
    seen_.clear(); // rows are words, too
}

void RunList::present(const std::vector<std::shared_ptr<const Run>>& runs, std::size_t selected, StepIndex step, const Veil& veil) {
    if (std::exchange(selected_, selected) != selected) up_ = 0;
    const std::string series = runs.empty() ? std::string() : main_series(*runs[0]);
    const bool covered = veil.hides(QString::fromStdString(series));
    std::vector<std::int64_t> seen{static_cast<std::int64_t>(selected), width(), height(), up_, step, covered};
    for (const auto& run : runs) {
        seen.push_back(run->head());
        seen.push_back(static_cast<std::int64_t>(run->state()));
        seen.push_back(static_cast<std::int64_t>(run->edits().size()));
    }
    if (seen == seen_) return;
    seen_ = std::move(seen);
    outcome_ = series.empty() ? QString() : series_words(series);
    setMaximumHeight(std::max(minimumHeight(), title_height + static_cast<int>(static_cast<double>(runs.size()) * run_row_height) + 8)); // no more than it has to say
    const QRectF area = QRectF(rect()).adjusted(8, title_height - 4, -8, -6);
    const auto first = static_cast<std::ptrdiff_t>(first_row(runs.size(), selected, area)), newest = static_cast<std::ptrdiff_t>(first_row(runs.size(), runs.size(), area));
    up_ = std::clamp(up_, first - newest, first);
    rows_ = make_rows(runs, selected, area, static_cast<std::size_t>(first - up_), step);
    if (covered)
        for (RunRow& row : rows_) row.outcome.reset();
    setTitle(rows_.size() < runs.size() ? tr("Runs, %1 of %2").arg(rows_.size()).arg(runs.size()) : tr("Runs"));
    sayStep(covered ? -1 : step);
    update();
}

/// Over the numbers, which they are; the step before the word where there is not room for both.
void RunList::sayStep(StepIndex step) {
    if (step < 0) return setNote({});
    const QString whole = tr("%1 at step %2").arg(outcome_).arg(step), shorter = tr("at step %1").arg(step);
    const double room = width() - 2 * metrics::inside - metrics::gap - TextMetrics(text_font(metrics::text - 1, QFont::DemiBold)).horizontalAdvance(title());
    setNote(TextMetrics(text_font(metrics::small_text)).horizontalAdvance(whole) <= room ? whole : shorter);
}

void RunList::paintEvent(QPaintEvent* event) {
    Panel::paintEvent(event);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool beside = std::all_of(rows_.begin(), rows_.end(), fits_beside);
    for (const RunRow& row : rows_) paint_row(painter, row, beside, theme());
}

std::vector<ViewItem> RunList::items() const {
    std::vector<ViewItem> out;
    for (const RunRow& row : rows_) {
        const QString step = tr("at step %1").arg(row.step);
        const QString where = !row.outcome || row.where.startsWith(step) ? row.where : row.where + QStringLiteral(", ") + step;
        const QString fate = row.why.isEmpty() ? where : where + QStringLiteral(": ") + row.why;
        out.push_back({row.rect, QString::fromStdString(row.id), row.name + QStringLiteral(", ") + fate,
                       row.outcome ? outcome_ + ' ' + three_digits(*row.outcome) : QString(), Provenance::computed,
                       row.mark == RunRow::Mark::parameter ? Role::parameter : Role::metric});
    }
    return out;
}

void RunList::wheelEvent(QWheelEvent* event) {
    if (event->angleDelta().y() != 0) up_ += event->angleDelta().y() > 0 ? 1 : -1; // kept within bounds at the next look
    event->accept();
}

void RunList::mousePressEvent(QMouseEvent* event) {
    for (const RunRow& row : rows_)
        if (row.rect.contains(event->position())) emit picked(QString::fromStdString(row.id));
}

} // namespace gradus

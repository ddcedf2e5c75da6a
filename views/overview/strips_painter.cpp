#include "views/overview/strips_painter.hpp"

#include "views/theme/rounded.hpp"
#include "views/theme/words.hpp"

#include <QPainterPath>
#include <algorithm>
#include <cmath>

namespace gradus {

namespace {

QColor faded(QColor colour, double share) {
    colour.setAlphaF(static_cast<float>(share));
    return colour;
}

void paint_curve(QPainter& painter, const Overview& overview, const OutcomeCurve& curve, std::size_t run, StepIndex until,
                 const QPen& pen) {
    const auto& columns = curve.of(run);
    if (columns.empty() || overview.curve.height() < 3) return;
    const double pitch = overview.area.width() / static_cast<double>(columns.size());
    // With fewer steps than columns a value stands in the middle of its step.
    const double half = std::max(0.5, 0.5 * static_cast<double>(columns.size()) / static_cast<double>(overview.planned));
    const auto y_of = [&](double value) {
        return overview.curve.bottom() - std::clamp(curve.height_of(value), 0.0, 1.0) * overview.curve.height();
    };
    const double end = overview.x_of(static_cast<double>(until));
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    // A dense curve is one upright stroke a column, which joins the one before: long thin polylines cost fifty times that.
    const bool dense = static_cast<double>(overview.planned) > 2 * static_cast<double>(columns.size());
    QVector<QLineF> strokes;
    QPolygonF line;
    double top = 0, foot = 0; // of the column before
    bool joined = false;
    const auto flush = [&] {
        if (line.size() == 1) painter.drawPoint(line.front());
        if (line.size() > 1) painter.drawPolyline(line);
        line.clear();
        joined = false;
    };
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const double x = overview.area.left() + (static_cast<double>(i) + half) * pitch;
        if (x > end + half * pitch) break;
        if (columns[i].broken && !columns[i].any) flush();
        if (!columns[i].any) continue;
        const double high = y_of(columns[i].greatest), low = y_of(columns[i].least);
        if (!dense) {
            line << QPointF(x, (high + low) / 2);
            continue;
        }
        const double px = std::round(x) + 0.5;
        strokes << QLineF(px, std::min(high, joined ? foot : high), px, std::max(low, joined ? top : low) + 0.5);
        top = high;
        foot = low;
        joined = true;
    }
    flush();
    if (strokes.isEmpty()) return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(QPen(pen.color(), 1));
    painter.drawLines(strokes);
    painter.restore();
}

/// A selected fork's curve is its own from where it left on, and its ancestors' before.
void paint_lineage(QPainter& painter, const Overview& overview, const OutcomeCurve& curve,
                   const std::vector<std::shared_ptr<const Run>>& runs, std::size_t selected, const Theme& theme) {
    const QPen ink(theme.ink, 1.2), quiet(faded(theme.ink2, 0.6), 1);
    if (selected != 0) paint_curve(painter, overview, curve, 0, overview.planned, quiet);
    if (selected >= runs.size()) return;
    StepIndex until = overview.planned;
    for (const Run* run = runs[selected].get(); run; run = run->parent().get()) {
        for (std::size_t i = 0; i < runs.size(); ++i)
            if (runs[i].get() == run) paint_curve(painter, overview, curve, i, until, ink);
        until = run->first_iteration();
    }
}

void paint_branch(QPainter& painter, const OverviewBranch& branch, const Theme& theme) {
    const double y = branch.start.y();
    const double from = branch.leaves == branch.start ? branch.start.x() : branch.start.x() + 8;
    painter.setBrush(Qt::NoBrush);
    if (!branch.broken && (branch.selected || branch.run == 0)) { // what is not yet run, pale
        painter.setPen(QPen(theme.line, 3, Qt::SolidLine, Qt::FlatCap));
        painter.drawLine(QPointF(std::max(from, branch.recorded), y), QPointF(branch.planned, y));
    }
    painter.setPen(QPen(branch.selected ? theme.ink : theme.ink3, branch.selected ? 3 : 2, Qt::SolidLine, Qt::FlatCap));
    if (branch.leaves != branch.start) {
        QPainterPath path(branch.leaves);
        path.cubicTo({branch.leaves.x() + 2, y}, {branch.leaves.x() + 2, y}, {from, y});
        painter.drawPath(path);
    }
    if (branch.recorded > from) painter.drawLine(QPointF(from, y), QPointF(branch.recorded, y));
}

void paint_change(QPainter& painter, QPointF at, bool parameter, const Theme& theme) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(parameter ? theme.parameter : theme.ink);
    if (parameter) painter.drawRect(QRectF(at.x() - 3.5, at.y() - 3.5, 7, 7));
    else painter.drawEllipse(at, 3.5, 3.5);
}

void paint_cross(QPainter& painter, QPointF at, const Theme& theme) {
    painter.setPen(QPen(theme.fault, 2, Qt::SolidLine, Qt::RoundCap));
    painter.drawLine(at - QPointF(4, 4), at + QPointF(4, 4));
    painter.drawLine(at - QPointF(4, -4), at + QPointF(4, -4));
}

void paint_name(QPainter& painter, const OverviewBranch& branch, const Theme& theme) {
    if (branch.name.isEmpty() || branch.name_rect.width() < 8) return;
    painter.setFont(text_font(metrics::small_text, branch.selected ? QFont::DemiBold : QFont::Normal));
    painter.fillRect(branch.name_rect.adjusted(-4, 0, 4, 0), theme.window); // lines of other branches may cross it
    painter.setPen(branch.selected ? theme.ink : theme.ink2);
    const QString text = TextMetrics(painter.font()).elidedText(branch.name, Qt::ElideRight, qCeil(branch.name_rect.width()));
    draw_text(painter, branch.name_rect, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, text);
}

/// A pole from `foot` upwards with a flag at its top, a small tick, or an outlined lozenge.
void paint_mark(QPainter& painter, OverviewMark::Kind kind, QPointF foot, double height, const Theme& theme) {
    const double x = std::round(foot.x());
    switch (kind) {
    case OverviewMark::Kind::bookmark:
        painter.setPen(QPen(theme.ink, 2, Qt::SolidLine, Qt::FlatCap));
        painter.drawLine(QPointF(x, foot.y() - height), QPointF(x, foot.y() - height + 5));
        break;
    case OverviewMark::Kind::flag: {
        painter.setPen(QPen(theme.ink, 1.5, Qt::SolidLine, Qt::FlatCap));
        const double top = foot.y() - height;
        painter.drawLine(QPointF(x, foot.y()), QPointF(x, top));
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.ink);
        const QPointF flag[4] = {{x, top}, {x + 9, top}, {x + 6.5, top + 3.5}, {x + 9, top + 7}};
        painter.drawPolygon(flag, 4);
        painter.drawRect(QRectF(x, top, 3, 7));
        break;
    }
    case OverviewMark::Kind::breakpoint: {
        painter.setPen(QPen(theme.ink, 1.2));
        painter.setBrush(theme.window);
        const QPointF lozenge[4] = {{x - 3.5, foot.y()}, {x, foot.y() - 3.5}, {x + 3.5, foot.y()}, {x, foot.y() + 3.5}};
        painter.drawPolygon(lozenge, 4);
        break;
    }
    }
}

void paint_band(QPainter& painter, const StepBand& band, const QRectF& area, const Theme& theme) {
    const double inset = band.rect.width() > 4 ? 0.75 : band.rect.width() > 2 ? 0.25 : 0;
    const QRectF box = band.rect.adjusted(inset, 0, -inset, 0).intersected(area);
    if (box.width() <= 0) return;
    const double radius = box.width() > 5 ? 1.5 : 0;
    if (!band.recorded) {
        painter.setPen(QPen(faded(theme.ink3, 0.7), 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius);
        return;
    }
    const bool pale = band.kind == StepWidths::Kind::typical || band.kind == StepWidths::Kind::unknown;
    const bool apart = band.phase == Phase::data; // data and forward are both blue: the first one is paler
    const QColor hue = faded(phase_hue(theme, band.phase), (pale ? 0.45 : 1.0) * (apart ? 0.55 : 1.0));
    if (box.width() < 16) { // hundreds of them, and round corners are dear and hardly seen
        painter.fillRect(box, hue);
        return;
    }
    painter.setPen(Qt::NoPen);
    painter.setBrush(hue);
    painter.drawRoundedRect(box, radius, radius);
}

} // namespace

QColor phase_hue(const Theme& theme, Phase phase) {
    switch (phase) {
    case Phase::data:
    case Phase::forward: return theme.data;
    case Phase::backward: return theme.gradient;
    case Phase::update: return theme.optimizer;
    case Phase::evaluate: return theme.ink2;
    }
    return theme.ink2;
}

void paint_overview(QPainter& painter, const Overview& overview, const OutcomeCurve& curve, std::size_t selected,
                    const std::vector<std::shared_ptr<const Run>>& runs, const Theme& theme) {
    paint_lineage(painter, overview, curve, runs, selected, theme);
    for (const OverviewBranch& branch : overview.branches) paint_branch(painter, branch, theme);
    for (const OverviewBranch& branch : overview.branches) paint_name(painter, branch, theme);
    for (const OverviewBranch& branch : overview.branches) {
        if (branch.parameter || branch.setting) paint_change(painter, branch.leaves, branch.parameter, theme);
        if (branch.broken) paint_cross(painter, {std::min(branch.recorded + 4, overview.area.right() - 4), branch.start.y()}, theme);
    }
    if (overview.branches.empty()) return;
    const double line = overview.branches.front().start.y();
    for (const OverviewMark& mark : overview.marks) {
        const double x = mark.kind == OverviewMark::Kind::bookmark ? overview.middle_of(mark.iteration)
                                                                  : overview.x_of(static_cast<double>(mark.iteration));
        paint_mark(painter, mark.kind, {x, line}, line - overview.area.top() - 1, theme);
    }
}

void paint_frame(QPainter& painter, const Overview& overview, const StepsStrip& steps, const Theme& theme) {
    const QRectF frame = overview.frame.adjusted(0.75, 0.75, -0.75, -0.75);
    if (frame.width() <= 0) return;
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.line, 1));
    const double foot = steps.area.top() - 3;
    painter.drawLine(QPointF(frame.left(), overview.frame.bottom()), QPointF(steps.area.left(), foot));
    painter.drawLine(QPointF(frame.right(), overview.frame.bottom()), QPointF(steps.area.right(), foot));
    painter.setPen(QPen(faded(theme.ink, 0.9), 1));
    painter.drawLine(QPointF(overview.cursor, frame.top() + 1), QPointF(overview.cursor, frame.bottom() - 1));
    painter.setPen(QPen(theme.ink, 1.5, Qt::SolidLine, Qt::FlatCap));
    outline_rounded(painter, frame, 3);
}

void paint_steps(QPainter& painter, const StepsStrip& steps, const std::vector<OverviewMark>& marks,
                 const OverviewBranch* fork, StepIndex fork_iteration, const Theme& theme) {
    for (const StepBand& band : steps.bands) paint_band(painter, band, steps.area, theme);
    const auto inside = [&](double x) { return x >= steps.area.left() - 1 && x <= steps.area.right() + 1; };
    const double gap = steps.slot_of(1).left() - steps.slot_of(0).right();
    for (const OverviewMark& mark : marks) {
        const QRectF slot = steps.slot_of(mark.iteration);
        const bool tick = mark.kind == OverviewMark::Kind::bookmark;
        const double x = tick ? slot.center().x() : slot.left() - gap / 2;
        if (!inside(x)) continue;
        const double height = mark.kind == OverviewMark::Kind::flag ? steps.area.height() + 7 : 5;
        const double y = tick ? steps.area.top() : mark.kind == OverviewMark::Kind::flag ? steps.area.bottom() : steps.area.top() - 3;
        paint_mark(painter, mark.kind, {x, y}, height, theme);
    }
    if (fork && inside(steps.slot_of(fork_iteration).left() - gap / 2))
        paint_change(painter, {steps.slot_of(fork_iteration).left() - gap / 2, steps.area.center().y()}, fork->parameter, theme);
    if (steps.cursor >= 0) {
        const double x = std::round(steps.cursor), top = steps.area.top() - 7;
        if (steps.event.width() > 6) { // how far the event reaches
            const QRectF event = steps.event.intersected(steps.area);
            painter.fillRect(QRectF(event.left(), steps.area.bottom(), event.width(), 2), theme.ink);
        }
        painter.setPen(QPen(theme.surface, 4, Qt::SolidLine, Qt::FlatCap)); // keeps it off dark bands
        painter.drawLine(QPointF(x, steps.area.top()), QPointF(x, steps.area.bottom()));
        painter.setPen(QPen(theme.ink, 2, Qt::SolidLine, Qt::FlatCap));
        painter.drawLine(QPointF(x, top + 2), QPointF(x, steps.area.bottom() + 2));
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.ink);
        const QPointF cap[3] = {{x - 5, top}, {x + 5, top}, {x, top + 7}};
        painter.drawPolygon(cap, 3);
        painter.setFont(text_font(metrics::small_text, QFont::DemiBold));
        painter.setPen(theme.ink);
        draw_text(painter, steps.place_rect, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, steps.place);
    }
    painter.setPen(theme.ink2);
    if (!steps.first_rect.isEmpty()) {
        painter.setFont(mono_font(metrics::small_text));
        draw_text(painter, steps.first_rect, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, steps.first);
    }
    if (!steps.note_rect.isEmpty()) {
        painter.setFont(text_font(metrics::small_text));
        draw_text(painter, steps.note_rect, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, steps.note);
    }
    if (!steps.last_rect.isEmpty()) {
        bool number = false;
        steps.last.toLongLong(&number);
        painter.setFont(number ? mono_font(metrics::small_text) : text_font(metrics::small_text));
        draw_text(painter, steps.last_rect, Qt::AlignRight | Qt::AlignVCenter | Qt::TextDontClip, steps.last);
    }
}

} // namespace gradus

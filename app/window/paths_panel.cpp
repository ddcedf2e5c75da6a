#include "app/window/paths_panel.hpp"

#include "views/state/zoom.hpp"
#include "views/theme/paragraph.hpp"
#include "views/theme/words.hpp"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

namespace gradus {

namespace {

constexpr double rail_x = 34, text_x = 56; // pixels
const QString triangle = QStringLiteral("\u00a0▼"); // there are more to choose from; Inter has no smaller one, and another font takes its time at the start

QString said(Station::Mark mark) {
    switch (mark) {
    case Station::Mark::done: return PathsPanel::tr("done");
    case Station::Mark::here: return PathsPanel::tr("you are here");
    case Station::Mark::open: return PathsPanel::tr("open");
    case Station::Mark::later: return PathsPanel::tr("later");
    case Station::Mark::unwritten: return PathsPanel::tr("not yet written");
    }
    return {};
}

} // namespace

PathsPanel::PathsPanel(const Theme& theme, QWidget* parent) : QWidget(parent), theme_(theme) {
    setMouseTracking(true);
    setFocusPolicy(Qt::TabFocus);
    setFixedWidth(wide);
}

void PathsPanel::setTheme(const Theme& theme) {
    theme_ = theme;
    update();
}

void PathsPanel::present(const QString& title, const std::vector<Station>& stations, bool others, bool folded) {
    if (title == title_ && stations == stations_ && folded == folded_ && others == others_) return;
    title_ = title;
    stations_ = stations;
    others_ = others;
    folded_ = folded;
    setFixedWidth(folded ? narrow : wide);
    QStringList spoken;
    for (const Station& station : stations) spoken << station.title + ", " + said(station.mark);
    setAccessibleName(tr("Track"));
    setAccessibleDescription(title + ": " + spoken.join("; "));
    update();
}

double PathsPanel::rowHeight() const {
    const double rows = std::max<double>(1, static_cast<double>(stations_.size()));
    return std::clamp((height() - firstRow() - 12) / rows, 12.0, 36.0);
}

/// In a low window those round where one stands, or where the keyboard does.
std::pair<std::size_t, std::size_t> PathsPanel::shownRows() const {
    const std::size_t all = stations_.size();
    const auto room = static_cast<std::size_t>(std::max(1.0, std::floor((height() - firstRow() - 2) / rowHeight())));
    if (all <= room) return {0, all};
    std::size_t at = 0;
    for (std::size_t i = 0; i < all; ++i)
        if (hasFocus() ? static_cast<int>(i) == focused_ : stations_[i].mark == Station::Mark::here) at = i;
    const std::size_t from = std::min(at - std::min(at, room / 2), all - room);
    return {from, from + room};
}

QRectF PathsPanel::rowOf(std::size_t i) const {
    const auto [from, until] = shownRows();
    if (i < from || i >= until) return {};
    return {0, firstRow() + static_cast<double>(i - from) * rowHeight() - rowHeight() / 2 + 8, static_cast<double>(width()), rowHeight()};
}

QRectF PathsPanel::titleRect() const { return {24, 16, static_cast<double>(width()) - 32, 66}; }

std::vector<ViewItem> PathsPanel::items() const {
    std::vector<ViewItem> out;
    if (others_) out.push_back({titleRect(), QStringLiteral("track"), tr("%1, next track").arg(title_), {}, Provenance::computed, Role::metric});
    for (auto [i, until] = shownRows(); i < until; ++i)
        out.push_back({rowOf(i), QStringLiteral("station/") + stations_[i].card, stations_[i].title + ", " + said(stations_[i].mark),
                       {}, Provenance::computed, Role::metric});
    return out;
}

int PathsPanel::rowAt(QPointF point) const {
    for (std::size_t i = 0; i < stations_.size(); ++i)
        if (rowOf(i).contains(point)) return static_cast<int>(i);
    return -1;
}

void PathsPanel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (!folded_) {
        const auto done = std::count_if(stations_.begin(), stations_.end(),
                                        [](const Station& s) { return s.finished; });
        painter.setPen(theme_.ink);
        painter.setFont(text_font(metrics::text, QFont::DemiBold));
        if (others_ && title_hovered_) {
            const QRectF said = draw_paragraph(painter, titleRect(), Qt::AlignLeft | Qt::AlignTop, title_ + triangle);
            painter.setPen(Qt::NoPen);
            painter.setBrush(theme_.fill);
            painter.drawRoundedRect(QRectF(14, said.top() - 5, width() - 18, said.height() + 10), 6, 6);
            painter.setPen(theme_.ink);
        }
        const QRectF used = draw_paragraph(painter, titleRect(), Qt::AlignLeft | Qt::AlignTop, others_ ? title_ + triangle : title_);
        painter.setPen(theme_.ink2);
        painter.setFont(text_font(metrics::text - 1));
        draw_text(painter, QRectF(24, used.bottom() + 2, width() - 32, 20), Qt::AlignLeft | Qt::AlignVCenter,
                  tr("%1 of %2 done").arg(done).arg(stations_.size()));
    }
    const double x = folded_ ? width() / 2.0 : rail_x;
    const auto [from, until] = shownRows();
    for (std::size_t i = from + 1; i < until; ++i) {
        const bool passed = stations_[i - 1].finished && (stations_[i].finished || stations_[i].mark == Station::Mark::here);
        painter.setPen(QPen(passed ? theme_.ink : theme_.ink3, passed ? 5 : 2));
        painter.drawLine(QPointF(x, rowOf(i - 1).center().y()), QPointF(x, rowOf(i).center().y()));
    }
    const QFont plain = text_font(metrics::text), bold = text_font(metrics::text, QFont::DemiBold);
    for (std::size_t i = from; i < until; ++i) {
        const Station& station = stations_[i];
        const QPointF c(x, rowOf(i).center().y());
        using Mark = Station::Mark;
        if (static_cast<int>(i) == hovered_ && station.mark != Mark::unwritten && station.mark != Mark::here) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(theme_.fill);
            painter.drawRoundedRect(rowOf(i).adjusted(8, 1, -4, -1), 6, 6);
        }
        painter.setBrush(station.mark == Mark::done ? theme_.ink : theme_.window);
        switch (station.mark) {
        case Mark::done:
            painter.setPen(Qt::NoPen);
            painter.drawEllipse(c, 6, 6);
            break;
        case Mark::here:
            painter.setPen(QPen(theme_.ink, 2.5));
            painter.drawEllipse(c, 8.5, 8.5);
            painter.setPen(Qt::NoPen);
            painter.setBrush(theme_.ink);
            painter.drawEllipse(c, station.finished ? 5.5 : 3, station.finished ? 5.5 : 3);
            break;
        case Mark::open:
            painter.setPen(QPen(theme_.ink, 2.5));
            painter.drawEllipse(c, 6, 6);
            break;
        case Mark::later:
            painter.setPen(QPen(theme_.ink3, 1.5));
            painter.drawEllipse(c, 5, 5);
            break;
        case Mark::unwritten:
            painter.setPen(Qt::NoPen);
            painter.setBrush(theme_.ink3);
            painter.drawEllipse(c, 3, 3);
            break;
        }
        if (!folded_) {
            const bool here = station.mark == Mark::here;
            painter.setFont(here ? bold : plain);
            painter.setPen(station.mark == Mark::unwritten || station.mark == Mark::later ? theme_.ink2 : theme_.ink);
            const double room = width() - text_x - 4;
            draw_text(painter, QRectF(text_x, rowOf(i).top(), room, rowHeight()), Qt::AlignLeft | Qt::AlignVCenter,
                      TextMetrics(painter.font()).elidedText(station.title, Qt::ElideRight, static_cast<int>(room)));
        }
        if (hasFocus() && static_cast<int>(i) == focused_) {
            painter.setPen(QPen(theme_.ink, 2));
            painter.setBrush(Qt::NoBrush);
            painter.drawRoundedRect(rowOf(i).adjusted(6, 1, -2, -1), 6, 6);
        }
    }
}

void PathsPanel::mousePressEvent(QMouseEvent* event) {
    const int row = rowAt(event->position());
    if (row >= 0) {
        const Station& station = stations_[static_cast<std::size_t>(row)];
        if (station.mark != Station::Mark::unwritten) emit picked(station.card);
    } else if (folded_) emit foldToggled();
    else if (others_ && titleRect().contains(event->position())) emit tracksWanted(mapToGlobal(titleRect().bottomLeft().toPoint()));
}

void PathsPanel::mouseMoveEvent(QMouseEvent* event) {
    const int row = rowAt(event->position());
    setCursor((row >= 0 && stations_[static_cast<std::size_t>(row)].mark != Station::Mark::unwritten) ||
                      (others_ && titleRect().contains(event->position()))
                  ? Qt::PointingHandCursor
                  : Qt::ArrowCursor);
    const bool title = titleRect().contains(event->position());
    if (row == hovered_ && title == title_hovered_) return;
    hovered_ = row;
    title_hovered_ = title;
    update();
}

void PathsPanel::leaveEvent(QEvent*) {
    hovered_ = -1;
    title_hovered_ = false;
    update();
}

void PathsPanel::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    if (focused_ < 0)
        for (std::size_t i = 0; i < stations_.size(); ++i)
            if (stations_[i].mark == Station::Mark::here) focused_ = static_cast<int>(i);
    focused_ = std::clamp(focused_, 0, std::max(0, static_cast<int>(stations_.size()) - 1));
    update();
}

void PathsPanel::goIn() {
    focused_ = -1;
    take_keys(*this, Qt::ShortcutFocusReason);
}

void PathsPanel::move(int by) {
    if (stations_.empty()) return;
    focused_ = std::clamp(focused_ + by, 0, static_cast<int>(stations_.size()) - 1);
    update();
}

void PathsPanel::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Down: move(1); return;
    case Qt::Key_Up: move(-1); return;
    case Qt::Key_Right:
        if (others_) emit nextTrack();
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (focused_ >= 0 && focused_ < static_cast<int>(stations_.size())) {
            const Station& station = stations_[static_cast<std::size_t>(focused_)];
            if (station.mark != Station::Mark::unwritten) emit picked(station.card);
        }
        return;
    default: QWidget::keyPressEvent(event);
    }
}

bool PathsPanel::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) { // the window's keys, while this has the focus
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool own = key->key() == Qt::Key_Up || key->key() == Qt::Key_Down || (others_ && key->key() == Qt::Key_Right);
        if (own && (key->modifiers() & ~Qt::KeypadModifier) == 0) event->accept();
    }
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const int row = rowAt(help->pos());
        if (row < 0 && others_ && !folded_ && titleRect().contains(help->pos())) QToolTip::showText(help->globalPos(), tr("Other tracks"), this);
        else if (row < 0) QToolTip::hideText();
        else {
            const Station& station = stations_[static_cast<std::size_t>(row)];
            QString words = station.title + ": " + said(station.mark);
            if (station.optional) words += ", " + tr("optional");
            QToolTip::showText(help->globalPos(), words, this);
        }
        return true;
    }
    return QWidget::event(event);
}

} // namespace gradus

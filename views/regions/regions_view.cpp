#include "views/regions/regions_view.hpp"

#include "views/derive/engine_words.hpp"
#include "views/regions/neuron_lines.hpp"
#include "views/regions/region_painter.hpp"
#include "views/regions/region_words.hpp"
#include "views/theme/paragraph.hpp"

#include <QKeyEvent>
#include <QMouseEvent>
#include <algorithm>
#include <cmath>

namespace gradus {

using region_words::tr;

namespace {
constexpr double least_drag = 3; // pixels: less is a click
constexpr qint64 patience_ms = 1500; // for the branch that an edit makes
} // namespace

RegionsView::RegionsView(const Theme& theme, QWidget* parent)
    : View(theme, region_words::tr("Decision regions"), parent), fields_(&region_field) {
    setMouseTracking(true);
    setFocusPolicy(Qt::ClickFocus);
}

bool RegionsView::shows() const { return field_ && field_->width == 2 && field_->refusal.empty(); }

void RegionsView::setTheme(const Theme& theme) {
    Panel::setTheme(theme);
    changed();
}

void RegionsView::retranslate() {
    setTitle(region_words::tr("Decision regions"));
    layOut();
}

void RegionsView::changed() {
    painted_.forget();
    update();
}

void RegionsView::present(const Look& look) {
    if (look.fan && shows() && veil().empty()) { // a prediction hides the futures, too
        if (fan_.look(*look.fan, field_->square, contents())) update();
        setNote(tr("%1 steps ahead").arg(look.fan->horizon));
        return;
    }
    if (fan_.open()) {
        fan_.close();
        changed();
    }
    if (look.full) {
        const RegionWish wish{look.full, look.run(), look.state.cursor.iteration, cells_for(geometry_, look.playing), look.playing,
                              drag_ && drag_->moved ? std::optional(field_->square) : std::nullopt};
        // What is refused once is refused for the Run.
        const bool hopeless = field_ && field_->width != 2 && field_->wish.origin == wish.origin;
        if (!(wish == wanted_) && !hopeless) {
            wanted_ = wish;
            fields_.want(wish);
        }
    }
    if (auto field = fields_.latest(); field && field != field_) {
        const bool other = field_ && (field->wish.full != field_->wish.full || field->wish.iteration != field_->wish.iteration);
        const auto size_of = [&] { return field_ ? std::pair(field_->points.size(), field_->neurons.size()) : std::pair<std::size_t, std::size_t>(); };
        const auto before = size_of();
        field_ = std::move(field);
        if (size_of() != before) layOut();
        if (drag_ && (drag_->released ? other : !shows() || drag_->point >= static_cast<int>(field_->points.size()))) drag_.reset();
        changed();
    }
    if (drag_ && drag_->released && released_.elapsed() > patience_ms) {
        drag_.reset();
        changed();
    }
    updateNote(look);
}

void RegionsView::updateNote(const Look& look) {
    if (!look.full && (!field_ || field_->wish.iteration != look.state.cursor.iteration))
        setNote(tr("step %1 is computed again, %2 %").arg(look.state.cursor.iteration).arg(qRound(look.progress * 100)));
    else if (shows()) setNote(tr("parameters of step %1").arg(field_->wish.iteration));
    else setNote({});
}

QString RegionsView::sentence() const {
    if (!field_) return {};
    if (field_->width != 2)
        return tr("Regions are drawn for points in the plane; this net reads %1 numbers.").arg(field_->width);
    return engine_words(field_->refusal);
}

void RegionsView::resizeEvent(QResizeEvent*) { layOut(); }

void RegionsView::layOut() {
    geometry_ = field_ ? lay_out_regions(contents(), field_->points.size()) : lay_out_regions(contents());
    geometry_.counts = !sparse(); // a class is told less
    constexpr std::size_t few = 4;
    geometry_.neurons = !sparse() || !field_ || field_->neurons.size() <= few; // more lines would hide what they divide
    changed();
}

void RegionsView::paintEvent(QPaintEvent* event) {
    Panel::paintEvent(event);
    QPainter painter(this);
    if (!shows()) {
        painter.setFont(text_font(15));
        painter.setPen(theme().ink2);
        draw_paragraph(painter, contents(), Qt::AlignCenter, sentence());
        return;
    }
    if (fan_.open()) return fan_.paint(painter, theme());
    painted_.show(painter, *this, [this](QPainter& once) { paint_regions(once, *field_, geometry_, theme(), drag_ && drag_->moved ? drag_->point : -1); });
    painter.setRenderHint(QPainter::Antialiasing);
    if (drag_ && drag_->moved) return paintDrag(painter);
    if (!hovered_ || !geometry_.plot.contains(hover_)) return;
    const QRectF bounds = QRectF(rect()).adjusted(8, 8, -8, -8);
    const int point = geometry_.point_at(*field_, hover_);
    QPointF centre = hover_;
    if (point >= 0) centre = geometry_.at(field_->square, field_->points.x[2 * static_cast<std::size_t>(point)], field_->points.x[2 * static_cast<std::size_t>(point) + 1]);
    const double half = point >= 0 ? geometry_.mark + 3 : 2;
    const QRectF mark(centre.x() - half, centre.y() - half, 2 * half, 2 * half);
    painter.setPen(QPen(theme().ink, 1));
    painter.setBrush(Qt::NoBrush);
    if (point >= 0) painter.drawRect(mark);
    const QPointF place = geometry_.from(field_->square, hover_);
    const double per_pixel = field_->square.size / geometry_.plot.width();
    paint_value_card(painter,
                     point >= 0 ? region_words::point_card(*field_, point)
                                : region_words::place_card(*field_, rounded_to_pixel(place.x(), per_pixel), rounded_to_pixel(place.y(), per_pixel)),
                     mark, bounds, theme());
}

void RegionsView::paintDrag(QPainter& painter) const {
    const auto i = static_cast<std::size_t>(drag_->point);
    const QPointF from = geometry_.at(field_->square, drag_->from.x(), drag_->from.y());
    const QPointF to = geometry_.at(field_->square, drag_->value.x(), drag_->value.y());
    painter.setPen(QPen(theme().ink, 1, Qt::DashLine));
    painter.drawLine(from, to);
    painter.setBrush(theme().surface);
    painter.setPen(QPen(theme().ink3, 1));
    painter.drawEllipse(from, geometry_.mark, geometry_.mark);
    paint_point(painter, to, geometry_.mark + 1, field_->points.labels[i], false, theme());
    if (drag_->released) return;
    std::vector<ValueCardLine> lines{{tr("point %1 here").arg(drag_->point) + ", " + region_words::class_name(field_->points.labels[i])},
                                     {QStringLiteral("x₁ ") + region_words::number(drag_->value.x()) + QStringLiteral("   x₂ ") +
                                          region_words::number(drag_->value.y()),
                                      true},
                                     {tr("Esc puts it back")}};
    const double half = geometry_.mark + 3;
    paint_value_card(painter, lines, QRectF(to.x() - half, to.y() - half, 2 * half, 2 * half), QRectF(rect()).adjusted(8, 8, -8, -8), theme());
}

void RegionsView::mousePressEvent(QMouseEvent* event) {
    if (!shows() || event->button() != Qt::LeftButton) return;
    if (fan_.open()) {
        if (fan_.at(event->position()) >= 0) emit futureTaken();
        return;
    }
    const int point = geometry_.point_at(*field_, event->position());
    if (point < 0) return;
    const auto i = static_cast<std::size_t>(point);
    const QPointF place(field_->points.x[2 * i], field_->points.x[2 * i + 1]);
    drag_ = Drag{point, event->position(), place, place, false, false};
}

void RegionsView::mouseMoveEvent(QMouseEvent* event) {
    if (fan_.open()) {
        emit futureChosen(fan_.at(event->position()));
        return;
    }
    hover_ = event->position();
    hovered_ = true;
    update();
    if (!drag_ || drag_->released) return;
    const QPointF away = event->position() - drag_->pressed;
    if (!drag_->moved && std::hypot(away.x(), away.y()) < least_drag) return;
    if (!drag_->moved) changed(); // its mark leaves the picture
    drag_->moved = true;
    const QPointF start = geometry_.at(field_->square, drag_->from.x(), drag_->from.y());
    QPointF to = start + away;
    to.setX(std::clamp(to.x(), geometry_.plot.left(), geometry_.plot.right()));
    to.setY(std::clamp(to.y(), geometry_.plot.top(), geometry_.plot.bottom()));
    const QPointF value = geometry_.from(field_->square, to);
    const double per_pixel = field_->square.size / geometry_.plot.width();
    drag_->value = {rounded_to_pixel(value.x(), per_pixel), rounded_to_pixel(value.y(), per_pixel)};
    emit dragged(editOf(*drag_));
}

Edit RegionsView::editOf(const Drag& drag) const {
    Edit edit;
    edit.kind = Edit::Kind::point;
    edit.target = "point";
    edit.index = {drag.point};
    edit.values = {drag.value.x(), drag.value.y()};
    return edit;
}

void RegionsView::cancelDrag() {
    if (!drag_ || drag_->released) return;
    drag_.reset();
    changed();
    emit dragCancelled();
}

void RegionsView::mouseReleaseEvent(QMouseEvent* event) {
    if (!drag_ || drag_->released || event->button() != Qt::LeftButton) return;
    if (!drag_->moved) {
        const int point = drag_->point;
        drag_.reset();
        emit selected({field_->points.tensor, {point, 0}});
        return;
    }
    drag_->released = true;
    released_.start();
    emit edited(editOf(*drag_));
}

void RegionsView::keyPressEvent(QKeyEvent* event) {
    if (event->key() != Qt::Key_Escape || !drag_ || drag_->released) return View::keyPressEvent(event);
    cancelDrag();
}

void RegionsView::leaveEvent(QEvent*) {
    hovered_ = false;
    update();
}

std::vector<ViewItem> RegionsView::items() const {
    std::vector<ViewItem> out;
    if (!shows()) return out;
    if (fan_.open()) return fan_.items();
    out.push_back({geometry_.plot, "plane", tr("Decision regions"), tr("%1 of %2 on a wrong side").arg(field_->wrong()).arg(field_->points.size()),
                   Provenance::counted, Role::metric});
    for (std::size_t i = 0; i < field_->points.size(); ++i) {
        const QPointF centre = geometry_.at(field_->square, field_->points.x[2 * i], field_->points.x[2 * i + 1]);
        const double half = geometry_.mark;
        out.push_back({QRectF(centre.x() - half, centre.y() - half, 2 * half, 2 * half), QStringLiteral("point %1").arg(i),
                       tr("point %1").arg(i) + ", " + region_words::class_name(field_->points.labels[i]),
                       field_->predicted[i] < 0 ? QStringLiteral("✕ NaN") : tr("the net says class %1").arg(field_->predicted[i]),
                       Provenance::computed, Role::data});
    }
    for (std::size_t h = 0; geometry_.neurons && h < field_->neurons.size(); ++h)
        if (const auto line = place_line(field_->neurons[h], field_->square, geometry_))
            out.push_back({QRectF(line->p1(), line->p2()).normalized(), QStringLiteral("neuron %1").arg(h),
                           region_words::tr("line of neuron %1").arg(neuron_name(h)) + ", " + line_equation(field_->neurons[h]), {},
                           Provenance::computed, Role::parameter});
    return out;
}

} // namespace gradus

// What people do in a ValleyView: dragging the point, choosing a future, keys.
#include "views/theme/polyline.hpp"
#include "views/valley/valley_view.hpp"

#include <QKeyEvent>
#include <QMouseEvent>
#include <algorithm>
#include <cmath>

namespace gradus {

using Kind = ObjectiveConstants::Kind;

namespace {
constexpr double least_drag = 3;     // pixels: less is a click
constexpr double hand = 6;           // pixels round a mark, as far as a hand may miss
constexpr double future_reach = 24;  // pixels
} // namespace

bool ValleyView::overPoint(QPointF pixel) const {
    const auto& point = scene_.walk.here;
    if (!shows() || fan_ || scene_.kind == Kind::line || !point) return false;
    const QPointF centre = scene_.kind == Kind::parabola ? geometry_.at(point->w[0], point->f) : geometry_.at(point->w[0], point->w[1]);
    return geometry_.holds(centre) && std::hypot(pixel.x() - centre.x(), pixel.y() - centre.y()) <= geometry_.ring + hand;
}

int ValleyView::futureAt(QPointF pixel) const {
    int found = -1;
    double best = future_reach;
    for (std::size_t i = 0; i < scene_.futures.size(); ++i) {
        const auto& places = scene_.futures[i];
        if (places.empty()) continue;
        const double away = places.size() == 1 ? std::hypot(pixel.x() - places[0].x(), pixel.y() - places[0].y()) : distance_to(places, pixel);
        if (away >= best) continue;
        best = away;
        found = static_cast<int>(i);
    }
    return found;
}

/// One parameter is an entry of its tensor; both of a bowl's are where its point is put.
Edit ValleyView::editOf(const ValleyPlace& to) const {
    Edit edit;
    if (scene_.kind == Kind::bowl) {
        edit.kind = Edit::Kind::point;
        edit.target = "point";
        edit.index = {0};
        edit.values = {to.w[0], to.w[1]};
        return edit;
    }
    edit.kind = Edit::Kind::element;
    edit.target = "w";
    edit.index = {0};
    edit.values = {to.w[0]};
    return edit;
}

void ValleyView::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    if (fan_) {
        if (futureAt(event->position()) >= 0) emit futureTaken();
        return;
    }
    if (!overPoint(event->position())) return;
    const ValleyPlace& here = *scene_.walk.here;
    const QPointF centre = scene_.kind == Kind::parabola ? geometry_.at(here.w[0], here.f) : geometry_.at(here.w[0], here.w[1]);
    drag_ = Drag{event->position(), centre, here, here};
}

void ValleyView::dragTo(QPointF pixel) {
    const QPointF away = pixel - drag_->pressed;
    if (!drag_->moved && std::hypot(away.x(), away.y()) < least_drag) return;
    drag_->moved = true;
    const QRectF& plot = geometry_.plot;
    const QPointF to(std::clamp(drag_->start.x() + away.x(), plot.left(), plot.right()), std::clamp(drag_->start.y() + away.y(), plot.top(), plot.bottom()));
    const QPointF value = geometry_.from(to);
    ValleyPlace& place = drag_->to;
    place.w[0] = without_idle_digits(value.x(), (geometry_.range.right - geometry_.range.left) / plot.width());
    if (scene_.kind == Kind::bowl) place.w[1] = without_idle_digits(value.y(), (geometry_.range.top - geometry_.range.bottom) / plot.height());
    place.f = objective_->at(std::span(place.w.data(), constants_->parameters()));
    scene_.held = place;
    update();
    emit dragged(editOf(place));
}

void ValleyView::mouseMoveEvent(QMouseEvent* event) {
    if (fan_) {
        emit futureChosen(futureAt(event->position()));
        return;
    }
    hover_ = event->position();
    update();
    if (drag_ && !drag_->released) return dragTo(event->position());
    setCursor(overPoint(event->position()) ? Qt::OpenHandCursor : Qt::ArrowCursor);
}

void ValleyView::mouseReleaseEvent(QMouseEvent* event) {
    if (!drag_ || drag_->released || event->button() != Qt::LeftButton) return;
    if (!drag_->moved) {
        drag_.reset();
        emit selected({"w", scene_.kind == Kind::parabola ? std::vector<Dim>{0} : std::vector<Dim>{}});
        return;
    }
    if (drag_->to.w == drag_->from.w) return cancelDrag();
    drag_->released = true;
    released_.start();
    emit edited(editOf(drag_->to));
}

void ValleyView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || scene_.kind != Kind::parabola || !overPoint(event->position())) return mousePressEvent(event);
    cancelDrag();
    const QRectF beside(event->position() - QPointF(8, 8), QSizeF(16, 16));
    emit numberWanted(editOf(*scene_.walk.here), reach_, beside.toAlignedRect());
}

void ValleyView::cancelDrag() {
    if (!drag_ || drag_->released) return;
    drag_.reset();
    scene_.held.reset();
    update();
    emit dragCancelled();
}

void ValleyView::keyPressEvent(QKeyEvent* event) {
    if (event->key() != Qt::Key_Escape || !drag_ || drag_->released) return View::keyPressEvent(event);
    cancelDrag();
}

void ValleyView::leaveEvent(QEvent*) {
    hover_.reset();
    update();
}

} // namespace gradus

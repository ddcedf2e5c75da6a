// What people do in a TensorView: pointing, pulling, keys.
#include "views/tensor/tensor_view.hpp"

#include "engine/trace/edit.hpp"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>
#include <algorithm>
#include <array>
#include <cmath>

namespace gradus {

namespace {

constexpr double pull_threshold = 4; // pixels before a click becomes a pull
constexpr double pixels_per_clip = 100;

/// A number a person can read: at most three digits on the scale of `size`.
double rounded(double value, double size) {
    const double unit = std::pow(10, std::floor(std::log10(size > 0 ? size : 1)) - 2);
    return QString::number(std::round(value / unit) * unit, 'g', 12).toDouble();
}

} // namespace

void TensorView::setHovered(std::vector<Dim> index) {
    if (index == hovered_) return;
    hovered_ = std::move(index);
    update();
}

void TensorView::mouseMoveEvent(QMouseEvent* event) {
    pointer_ = event->position();
    if (!shown_) return;
    if (pulls_frame_) return moveFrameTo(event->position());
    if (pull_) return pull(event->position().y());
    setHovered(element_at(geometry_, shown_->model, event->position()));
    bool button = geometry_.toggle.contains(event->position()) || geometry_.overview.contains(event->position());
    for (const SliceControl& control : slice_controls(shown_->model, geometry_)) button |= control.box.contains(event->position());
    setCursor(button ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void TensorView::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !shown_) return;
    const QPointF at = event->position();
    if (geometry_.toggle.contains(at)) return togglePictures();
    for (const SliceControl& control : slice_controls(shown_->model, geometry_)) {
        const Dim now = shown_->model.slice[static_cast<std::size_t>(control.axis)];
        if (control.less.contains(at)) return setSlice(control.axis, now - 1);
        if (control.more.contains(at)) return setSlice(control.axis, now + 1);
        if (control.box.contains(at)) return setSlice(control.axis, now);
    }
    if (geometry_.overview.adjusted(-2, -3, 2, 3).contains(at)) {
        pulls_frame_ = true;
        return moveFrameTo(at);
    }
    const std::vector<Dim> index = element_at(geometry_, shown_->model, at);
    if (index.empty()) return;
    if (shown_->model.recorded.role == Role::parameter) pull_ = Pull{index, at.y(), shown_->model.value(index), std::max(shown_->statistics.clip, 1e-30), {}};
    emit selected({shown_->model.recorded.name, index});
    update();
}

void TensorView::pull(double y) {
    const double way = pull_->from_y - y; // up is more
    if (!pull_->candidate && std::abs(way) < pull_threshold) return;
    const double start = std::isfinite(pull_->value) ? pull_->value : 0;
    const double candidate = rounded(start + way * pull_->size / pixels_per_clip, pull_->size);
    if (pull_->candidate == candidate) return;
    pull_->candidate = candidate;
    emit dragged(editOf(pull_->index, candidate));
    update();
}

Edit TensorView::editOf(const std::vector<Dim>& index, double value) const {
    Edit edit;
    edit.kind = Edit::Kind::element;
    edit.target = shown_->model.recorded.name;
    edit.index = index;
    edit.values = {value};
    return edit;
}

void TensorView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !shown_ || shown_->model.recorded.role != Role::parameter) return mousePressEvent(event);
    const std::vector<Dim> index = element_at(geometry_, shown_->model, event->position());
    if (index.empty()) return mousePressEvent(event);
    const std::vector<QRectF> closed = hidden().closed; // the field would tell
    if (std::any_of(closed.begin(), closed.end(), [&](const QRectF& cover) { return cover.contains(event->position()); })) return;
    cancelDrag();
    const QRectF cell = QRectF(event->position(), QSizeF(0, 0)).adjusted(-8, -8, 8, 8);
    emit numberWanted(editOf(index, shown_->model.value(index)), 2 * std::max(shown_->statistics.clip, 1e-30), cell.toAlignedRect());
}

void TensorView::cancelDrag() {
    if (!pull_) return;
    pull_.reset(); // what was pulled stays as it is
    update();
    emit dragCancelled();
}

void TensorView::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    pulls_frame_ = false;
    if (!pull_) return;
    const Pull done = *pull_;
    pull_.reset();
    update();
    if (!shown_ || !done.candidate) return;
    if (*done.candidate == done.value) emit dragCancelled();
    else emit edited(editOf(done.index, *done.candidate));
}

void TensorView::leaveEvent(QEvent*) {
    pointer_.reset();
    setHovered({});
}

void TensorView::moveFrameTo(QPointF point) {
    const QRectF& whole = geometry_.overview;
    if (whole.isNull()) return;
    const auto first = [](double at, double from, double length, Dim all, Dim window) {
        return static_cast<Dim>(std::llround((at - from) / length * static_cast<double>(all) - static_cast<double>(window) / 2));
    };
    setZoom(moved_to(geometry_, zoom_, first(point.y(), whole.top(), whole.height(), geometry_.contents.rows, geometry_.window.rows),
                     first(point.x(), whole.left(), whole.width(), geometry_.contents.columns, geometry_.window.columns)));
}

void TensorView::zoomBy(double factor) {
    if (!shown_ || geometry_.contents.form != TensorContents::Form::matrix || geometry_.cell_width <= 0) return;
    TensorZoom zoom = zoom_;
    const double cell = std::min(geometry_.cell_width, geometry_.cell_height);
    // What is pinned, else the middle, stays where it is looked at.
    const auto place = shown_->model.place_of(pinned_);
    const Dim row = place ? place->first : geometry_.window.row + geometry_.window.rows / 2;
    const Dim column = place ? place->second : geometry_.window.column + geometry_.window.columns / 2;
    if (geometry_.overview.isNull() && factor < 1) return; // it is all there
    zoom.cell = std::clamp(cell * factor, 0.01, 56.0);
    setZoom(zoom);
    setZoom(moved_to(geometry_, zoom_, row - geometry_.window.rows / 2, column - geometry_.window.columns / 2));
}

void TensorView::togglePictures() {
    if (!shown_ || shown_->model.pixel_axis < 0) return;
    pictures_ = geometry_.contents.form != TensorContents::Form::pictures;
    hovered_.clear();
    relayout();
    bringIntoView(pinned_);
}

void TensorView::page(int direction) {
    if (!shown_) return;
    if (geometry_.contents.form == TensorContents::Form::pictures) {
        TensorZoom zoom = zoom_;
        zoom.picture = std::clamp(zoom.picture + direction * geometry_.shown, Dim{0}, std::max(Dim{0}, geometry_.contents.pictures - 1));
        return setZoom(zoom);
    }
    if (active_slice_ >= 0) {
        const std::vector<Dim>& now = slice_.empty() ? shown_->model.slice : slice_;
        return setSlice(active_slice_, now[static_cast<std::size_t>(active_slice_)] + direction);
    }
    setZoom(moved_to(geometry_, zoom_, zoom_.row, zoom_.column + direction * geometry_.window.columns));
}

void TensorView::movePinned(Dim down, Dim right) {
    if (!shown_ || geometry_.contents.form == TensorContents::Form::number) return;
    const TensorModel& model = shown_->model;
    std::vector<Dim> index;
    if (geometry_.contents.form == TensorContents::Form::pictures) {
        Dim picture = geometry_.first, x = model.side / 2, y = model.side / 2;
        if (!pinned_.empty()) {
            const Dim pixel = pinned_[static_cast<std::size_t>(model.pixel_axis)];
            picture = pinned_[static_cast<std::size_t>(1 - model.pixel_axis)];
            x = std::clamp(pixel % model.side + right, Dim{0}, model.side - 1);
            y = std::clamp(pixel / model.side + down, Dim{0}, model.side - 1);
        }
        index = model.index_of_pixel(picture, y * model.side + x);
    } else if (const auto place = model.place_of(pinned_)) {
        index = model.index_of(std::clamp(place->first + down, Dim{0}, model.rows() - 1),
                               std::clamp(place->second + right, Dim{0}, model.columns() - 1));
    } else { // nothing is pinned: the middle of what is seen
        index = model.index_of(geometry_.window.row + geometry_.window.rows / 2,
                               geometry_.window.column + geometry_.window.columns / 2);
    }
    if (index != pinned_) emit selected({model.recorded.name, index});
}

void TensorView::wheelEvent(QWheelEvent* event) {
    const QPoint turn = event->angleDelta();
    const int steps = std::abs(turn.x()) > std::abs(turn.y()) ? turn.x() : turn.y();
    if (!shown_ || steps == 0) return event->ignore();
    if (event->modifiers() & Qt::ControlModifier) return zoomBy(steps > 0 ? 1.5 : 1 / 1.5);
    TensorZoom zoom = zoom_;
    if (geometry_.contents.form == TensorContents::Form::pictures) {
        zoom.picture = std::clamp(zoom.picture + (steps > 0 ? -geometry_.across : geometry_.across), Dim{0}, std::max(Dim{0}, geometry_.contents.pictures - 1));
        return setZoom(zoom);
    }
    if (geometry_.overview.isNull()) return event->ignore();
    const bool across = std::abs(turn.x()) > std::abs(turn.y()) || (event->modifiers() & Qt::ShiftModifier);
    const Dim by = std::max<Dim>(1, (across ? geometry_.window.columns : geometry_.window.rows) / 6) * (steps > 0 ? -1 : 1);
    setZoom(moved_to(geometry_, zoom_, zoom_.row + (across ? 0 : by), zoom_.column + (across ? by : 0)));
}

bool TensorView::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) { // the window's keys, while this has the focus
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool plain = (key->modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier)) == 0;
        static constexpr std::array own{Qt::Key_Left, Qt::Key_Right, Qt::Key_Up, Qt::Key_Down, Qt::Key_Plus, Qt::Key_Equal,
                                        Qt::Key_Minus, Qt::Key_PageUp, Qt::Key_PageDown, Qt::Key_I};
        if (plain && std::find(own.begin(), own.end(), key->key()) != own.end()) event->accept();
    }
    return View::event(event);
}

void TensorView::keyPressEvent(QKeyEvent* event) {
    const bool frame = event->modifiers() & Qt::ShiftModifier;
    const auto move = [&](Dim down, Dim right) {
        if (!frame) return movePinned(down, right);
        const Dim rows = std::max<Dim>(1, geometry_.window.rows / 4), columns = std::max<Dim>(1, geometry_.window.columns / 4);
        setZoom(moved_to(geometry_, zoom_, zoom_.row + down * rows, zoom_.column + right * columns));
    };
    switch (event->key()) {
    case Qt::Key_Left: return move(0, -1);
    case Qt::Key_Right: return move(0, 1);
    case Qt::Key_Up: return move(-1, 0);
    case Qt::Key_Down: return move(1, 0);
    case Qt::Key_Plus:
    case Qt::Key_Equal: return zoomBy(1.5);
    case Qt::Key_Minus: return zoomBy(1 / 1.5);
    case Qt::Key_PageUp: return page(-1);
    case Qt::Key_PageDown: return page(1);
    case Qt::Key_I: return togglePictures();
    case Qt::Key_Escape:
        if (!pull_) break;
        return cancelDrag();
    default: break;
    }
    View::keyPressEvent(event);
}

} // namespace gradus

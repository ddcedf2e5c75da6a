#include "views/tensor/tensor_view.hpp"

#include "engine/trace/derive/kernel_coverage.hpp"
#include "engine/trace/tape_trace.hpp"
#include "views/state/zoom.hpp"
#include "views/tensor/tensor_axes.hpp"
#include "views/tensor/tensor_histogram.hpp"
#include "views/tensor/tensor_painter.hpp"
#include "views/tensor/tensor_text.hpp"
#include "views/theme/numbers.hpp"
#include "views/theme/paragraph.hpp"
#include "views/theme/words.hpp"

#include <QDateTime>
#include <algorithm>
#include <cmath>
#include <utility>

namespace gradus {

namespace {
constexpr qint64 patience_ms = 200; // shorter waits are not worth a word
} // namespace

TensorView::TensorView(const Theme& theme, QWidget* parent) : View(theme, QString(), parent) {
    updateName();
    setMouseTracking(true);
    setFocusPolicy(Qt::TabFocus); // a click leaves the arrows to the lesson
}

void TensorView::updateName() {
    setAccessibleName(shown_ ? tr("Tensor %1").arg(name_of_tensor(shown_->model.recorded.name)) : tr("Tensor"));
}

void TensorView::present(const Look& look) {
    const Selection& selection = look.state.selection;
    step_ = look.state.cursor.iteration;
    if (selection.tensor != name_) {
        name_ = selection.tensor;
        slice_.clear();
    }
    want(look);
    auto latest = fresh_.latest();
    if (message_.isEmpty() && latest && latest != shown_ && latest->model.recorded.name == shown_name_) {
        const bool other = !shown_ || shown_->model.recorded.name != latest->model.recorded.name;
        shown_ = std::move(latest);
        if (other) {
            zoom_ = {};
            pictures_.reset();
            const std::vector<int> axes = shown_->model.chosen_axes();
            active_slice_ = axes.empty() ? -1 : axes.back();
            pull_.reset();
            pinned_.clear(); // so that it is brought into view again
            updateName();
        }
        map_ = map_for(shown_->statistics, theme());
        relayout();
    }
    std::vector<Dim> pinned;
    if (shown_ && selection.tensor == shown_->model.recorded.name && shown_->model.holds(selection.element))
        pinned = selection.element;
    if (pinned != pinned_) {
        pinned_ = std::move(pinned);
        bringIntoView(pinned_);
        if (sparse()) relayout(); // with or without what is said about it
        update();
    }
    followLanes(look);
    updateNote(look);
}

/// While a kernel is gone through, its lanes are at work somewhere in this tensor, or elsewhere.
void TensorView::followLanes(const Look& look) {
    std::vector<std::int64_t> touched;
    const bool told = sparse() && !pinned_.empty(); // a class looks at the one that it is told of
    if (shown_ && !told && look.kernels && look.state.cursor.level >= Level::warp_instruction && shown_->model.iteration == look.state.cursor.iteration) {
        const std::int32_t at = look.state.cursor.ordinal;
        touched = elements_of_step(look.kernels->trace(), look.kernels->step_of(at), shown_->model.recorded.name, look.kernels->lane_of(at));
        if (!touched.empty() && touched.back() >= shown_->model.tensor().elements()) touched.clear(); // a buffer of another size
    }
    if (touched == touched_) return;
    touched_ = std::move(touched);
    update();
}

void TensorView::want(const Look& look) {
    const auto tensors = look.full ? look.full->tensors_of(step_) : nullptr;
    if (!tensors) return; // what was shown stays, with its step named
    const RecordedTensor* recorded = tensor_named(*tensors, name_);
    const auto constants = recorded ? nullptr : look.full->tensors_of(-1);
    if (constants) recorded = tensor_named(*constants, name_);
    if (!recorded) return showMessage(tr("Step %1 has no tensor named %2.").arg(step_).arg(name_of_tensor(name_)));
    const QString written = name_of_tensor(recorded->name);
    if (!recorded->tensor.defined()) return showMessage(tr("Of %1 at step %2 only the hash is kept.").arg(written).arg(step_));
    if (recorded->tensor.elements() == 0) return showMessage(tr("%1 has no numbers in it.").arg(written));
    showMessage({});
    const bool same = look.full == wanted_run_ && recorded->id == wanted_id_ && step_ == wanted_ &&
                      slice_ == wanted_slice_ && recorded->name == shown_name_;
    if (same) return;
    wanted_run_ = look.full;
    wanted_id_ = recorded->id;
    wanted_ = step_;
    wanted_slice_ = slice_;
    shown_name_ = recorded->name;
    TensorModel model = make_tensor_model(look.full, *tensors, *recorded, slice_);
    find_grid(model, *look.run());
    fresh_.want(std::move(model));
}

void TensorView::showMessage(const QString& sentence) {
    if (sentence == message_) return;
    message_ = sentence;
    if (!message_.isEmpty()) {
        shown_.reset();
        wanted_ = -1;
        hovered_.clear();
        pull_.reset();
        geometry_ = {};
    }
    update();
}

void TensorView::updateNote(const Look& look) {
    const bool there = shown_ && shown_->model.iteration == step_;
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    if (there || look.full || waiting_since_ms_ == 0) waiting_since_ms_ = now;
    if (!there && now - waiting_since_ms_ > patience_ms)
        return setNote(tr("step %1 is computed again, %2 %").arg(step_).arg(qRound(look.progress * 100)));
    if (!shown_) return setNote({});
    const EventId made = shown_->model.recorded.id.event;
    const bool later = made.iteration == shown_->model.iteration && reach_.of(look.run(), look.state.cursor).before(made);
    setNote((later ? tr("%1, later in step %2") : tr("%1, step %2"))
                .arg(QString::fromUtf8(gradus::name_of(shown_->model.tensor().dtype()).data()))
                .arg(shown_->model.iteration));
}

TensorContents TensorView::contentsOf(const TensorModel& model) const {
    TensorContents contents;
    const bool drawable = model.pixel_axis >= 0;
    contents.toggles = drawable && !sparse();
    const bool at_first = model.recorded.role == Role::data || model.recorded.role == Role::parameter;
    if (model.rank() == 0) contents.form = TensorContents::Form::number;
    else if (drawable && pictures_.value_or(at_first)) contents.form = TensorContents::Form::pictures;
    contents.rows = model.rows();
    contents.columns = model.columns();
    contents.pictures = model.pictures();
    contents.side = model.side;
    contents.labelled = !model.labels.empty();
    contents.sliced = !model.chosen_axes().empty();
    if (model.is_grid()) {
        const auto step = [](const std::vector<double>& values) { return std::abs(values.back() - values.front()) / static_cast<double>(values.size() - 1); };
        const double aspect = step(model.row_values) / step(model.column_values);
        contents.aspect = aspect > 0.25 && aspect < 4 ? aspect : 1; // else one of them would be a thread
    }
    contents.unpointed = sparse() && pinned_.empty(); // in class nobody points
    contents.explained = sparse() && !pinned_.empty() && !model.is_grid();
    contents.row_letter = axis_name(model, model.row_axis).size() == 1;
    contents.named = model.column_axis >= 0 && !model.tensor().shape().name(model.column_axis).view().empty();
    if (contents.rows == 1 && contents.columns <= 32) contents.number = widest_number(model) + 4;
    return contents;
}

void TensorView::relayout() {
    base_.forget();
    if (shown_) {
        geometry_ = lay_out(contentsOf(shown_->model), zoom_, contents());
        zoom_.row = geometry_.window.row;
        zoom_.column = geometry_.window.column;
        zoom_.picture = geometry_.first;
        if (pointer_ && !pull_) hovered_ = element_at(geometry_, shown_->model, *pointer_);
    }
    update();
}

TensorScene TensorView::scene() const {
    return {*shown_, geometry_, theme(), map_, marked(), hovered_, rects_of(geometry_, shown_->model, touched_), pull_ ? pull_->candidate : std::nullopt, pull_ ? pull_->value : 0};
}

void TensorView::setTheme(const Theme& theme) {
    base_.forget();
    View::setTheme(theme);
    if (shown_) map_ = map_for(shown_->statistics, theme);
}

void TensorView::retranslate() {
    updateName();
    relayout();
}

void TensorView::resizeEvent(QResizeEvent*) {
    relayout();
    if (shown_) bringIntoView(pinned_);
}

void TensorView::bringIntoView(const std::vector<Dim>& index) {
    if (!shown_ || index.empty() || !shown_->model.holds(index)) return;
    const TensorModel& model = shown_->model;
    if (geometry_.contents.form == TensorContents::Form::pictures)
        return setZoom(bring_into_view(geometry_, zoom_, index[static_cast<std::size_t>(1 - model.pixel_axis)], 0));
    for (const int axis : model.cut_axes()) setSlice(axis, index[static_cast<std::size_t>(axis)]);
    const auto on = [&](int axis) { return axis < 0 ? Dim{0} : index[static_cast<std::size_t>(axis)]; };
    setZoom(bring_into_view(geometry_, zoom_, on(model.row_axis), on(model.column_axis)));
}

void TensorView::setZoom(const TensorZoom& zoom) {
    if (zoom == zoom_) return;
    zoom_ = zoom;
    relayout();
}

void TensorView::setSlice(int axis, Dim index) {
    if (!shown_) return;
    const TensorModel& model = shown_->model;
    std::vector<Dim> slice = slice_.empty() ? model.slice : slice_;
    Dim& at = slice[static_cast<std::size_t>(axis)];
    index = std::clamp(index, Dim{0}, model.tensor().shape()[axis] - 1);
    active_slice_ = axis;
    if (at != index) {
        at = index;
        slice_ = std::move(slice); // the worker's next answer shows it
    }
    update();
}

QRect TensorView::covered(const QPainter& painter) const {
    const bool drawn = message_.isEmpty() && shown_ && geometry_.contents.form != TensorContents::Form::number;
    return drawn && covers_whole(painter) ? mapArea() : QRect();
}

/// With the outline of what begins at its edge.
QRect TensorView::mapArea() const { return contents().toRect().adjusted(-1, -1, 1, 1); }

void TensorView::paintMap(QPainter& painter, const TensorScene& scene) {
    if (contents().isEmpty()) return;
    base_.show(painter, *this, mapArea(), theme().surface, [&](QPainter& once) { paint_map(once, scene); });
}

/// What made a number tells of nothing that is hidden.
ElementCard TensorView::cardOf(const std::vector<Dim>& index) const {
    ElementCard card = card_of(shown_->model, index);
    if (shown_->is_unwritten(index)) { // what stands there is nobody's fault, and no value
        card.value = tr("not written");
        card.digits.clear();
        card.finite = true;
    }
    if (sparse()) card.digits.clear(); // one number, once
    if (std::any_of(card.sources.begin(), card.sources.end(), [this](const std::string& name) { return veil().hides(QString::fromStdString(name)); })) {
        card.numbers.clear();
        card.heading.clear();
        card.terms.clear();
        card.products.clear();
        card.total.clear();
    }
    return card;
}

void TensorView::paintEvent(QPaintEvent* event) {
    View::paintEvent(event);
    QPainter painter(this);
    const QRectF head(metrics::inside, 12, std::max(0, width() - 2 * metrics::inside), 22);
    if (!message_.isEmpty()) {
        painter.setFont(text_font(15));
        painter.setPen(theme().ink2);
        draw_paragraph(painter, contents(), Qt::AlignCenter, message_);
        return;
    }
    if (!shown_) return;
    const double note_width = TextMetrics(note_font(note())).horizontalAdvance(note());
    paint_head(painter, shown_->model, head.adjusted(0, 0, -note_width - metrics::gap, 0), theme());
    const TensorScene now = scene();
    if (geometry_.contents.form == TensorContents::Form::number) {
        paint_number(painter, now);
        const ElementCard card = cardOf({});
        return paint_card(painter, now, &card);
    }
    paintMap(painter, now);
    paint_marks(painter, now);
    paint_slices(painter, slice_controls(shown_->model, geometry_), active_slice_, theme());
    if (!geometry_.caption.isNull()) {
        painter.setFont(text_font(metrics::small_text));
        painter.setPen(theme().ink2);
        draw_text(painter, geometry_.caption, Qt::AlignLeft | Qt::AlignVCenter,
                  TextMetrics(painter.font()).elidedText(caption_of(now, geometry_.caption.width()), Qt::ElideRight, static_cast<int>(geometry_.caption.width())));
    }
    paint_toggle(painter, now);
    const std::vector<Dim>& said = hovered_.empty() || pull_ ? marked() : hovered_;
    std::optional<double> value;
    if (!marked().empty()) value = now.candidate.value_or(shown_->model.value(marked()));
    paint_histogram(painter, now, value);
    if (said.empty()) return paint_card(painter, now, nullptr);
    const ElementCard card = cardOf(said);
    paint_card(painter, now, &card);
}

} // namespace gradus

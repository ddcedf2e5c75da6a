#include "views/activation/activation_view.hpp"

#include "views/activation/activation_words.hpp"
#include "views/derive/event_words.hpp"
#include "views/theme/paragraph.hpp"

#include <QMouseEvent>
#include <algorithm>
#include <cmath>

namespace gradus {

ActivationView::ActivationView(const Theme& theme, QWidget* parent) : View(theme, activation_words::tr("Activation"), parent) {
    setMouseTracking(true);
}

void ActivationView::setTheme(const Theme& theme) {
    Panel::setTheme(theme);
    changed();
}

void ActivationView::retranslate() {
    setTitle(activation_words::tr("Activation"));
    layOut();
}

void ActivationView::changed() {
    painted_.forget();
    update();
}

void ActivationView::layOut() {
    laid_sparse_ = sparse();
    picture_.geometry = lay_out_activations(contents(), picture_.in_use, sparse());
    changed();
}

void ActivationView::present(const Look& look) {
    if (look.run() != run_ || run_->sites().size() != sites_) lookAtRun(*look.run());
    const bool other = look.run() != run_;
    run_ = look.run();
    if (uses_.empty()) return setNote({});
    if (other || look.state.selection != selection_ || laid_sparse_ != sparse()) {
        selection_ = look.state.selection;
        choice_ = activation_choice(*run_, uses_, selection_);
        picture_.in_use = uses_[choice_.use].op;
        full_.reset(); // the point is another
        layOut();
    }
    lookAtPoint(look);
    updateNote(look);
}

void ActivationView::lookAtRun(const Run& run) {
    sites_ = run.sites().size();
    uses_ = activation_uses(run);
    selection_ = {};
    choice_ = {};
    picture_.point.reset();
    full_.reset();
    changed();
    if (uses_.empty()) return;
    picture_.in_use = uses_[0].op;
    const std::string& isa = run.manifest().isa;
    if (!picture_.curves || isa != isa_ || uses_[0].dtype != dtype_) {
        isa_ = isa;
        dtype_ = uses_[0].dtype;
        picture_.curves = std::make_shared<const ActivationCurves>(isa_, dtype_);
    }
    layOut();
}

void ActivationView::lookAtPoint(const Look& look) {
    const StepIndex iteration = look.state.cursor.iteration;
    if (!look.full) { // it was another step's
        if (picture_.point && iteration != iteration_) {
            picture_.point.reset();
            full_.reset();
            update();
        }
        return;
    }
    if (look.full == full_ && iteration == iteration_) return;
    full_ = look.full;
    iteration_ = iteration;
    picture_.point.reset();
    if (const auto tensors = choice_.bare.empty() ? look.full->tensors_of(iteration) : nullptr)
        picture_.point = picture_.curves->point(uses_[choice_.use], choice_.index, *tensors);
    update();
}

void ActivationView::updateNote(const Look& look) {
    const StepIndex iteration = look.state.cursor.iteration;
    if (!look.full && iteration_ != iteration)
        return setNote(tr("step %1 is computed again, %2 %").arg(iteration).arg(qRound(look.progress * 100)));
    if (!choice_.bare.empty()) return setNote(tr("%1 has no activation").arg(module_word(choice_.bare)));
    const QString step = tr("step %1").arg(iteration);
    if (!picture_.point) return setNote(step);
    const QString element = activation_words::place(picture_.point->use.a, picture_.point->index);
    setNote(element + QStringLiteral(", ") + step, element);
}

void ActivationView::resizeEvent(QResizeEvent*) { layOut(); }

QRectF ActivationView::mark() const {
    const auto* panel = picture_.geometry.panel_of(picture_.in_use);
    return panel && picture_.point ? mark_of(*panel, *picture_.point) : QRectF();
}

void ActivationView::paintEvent(QPaintEvent* event) {
    Panel::paintEvent(event);
    QPainter painter(this);
    if (uses_.empty()) {
        painter.setFont(text_font(15));
        painter.setPen(theme().ink2);
        if (run_) draw_paragraph(painter, contents(), Qt::AlignCenter, tr("No layer of this run has an activation."));
        return;
    }
    painted_.show(painter, *this, [this](QPainter& once) { paint_activations(once, picture_, theme()); });
    painter.setRenderHint(QPainter::Antialiasing);
    paint_point(painter, picture_, theme()); // it moves with the cursor, the curves do not
    if (hovered_) paintHover(painter);
}

void ActivationView::paintHover(QPainter& painter) const {
    const QRectF bounds = QRectF(rect()).adjusted(8, 8, -8, -8), mark = this->mark().adjusted(-4, -4, 4, 4); // as far as a hand may miss
    if (picture_.point && mark.contains(hover_)) return paint_value_card(painter, activation_words::point_card(*picture_.point), mark, bounds, theme());
    const auto* panel = picture_.geometry.panel_at(hover_);
    if (!panel || !panel->plot.adjusted(-4, 0, 4, 0).contains(hover_)) return;
    const ActivationCurve& curve = picture_.curves->curves()[panel->op];
    const double share = std::clamp((hover_.x() - panel->plot.left()) / panel->plot.width(), 0.0, 1.0);
    const auto at = static_cast<std::size_t>(std::lround(share * static_cast<double>(curve.z.size() - 1)));
    paint_pointed(painter, *panel, curve, at, theme());
    const QPointF place = panel->at(curve.z[at], curve.y[at]);
    paint_value_card(painter, activation_words::curve_card(panel->op, curve, at), QRectF(place.x() - 6, place.y() - 6, 12, 12), bounds, theme());
}

void ActivationView::mouseMoveEvent(QMouseEvent* event) {
    hover_ = event->position();
    hovered_ = true;
    update();
}

void ActivationView::leaveEvent(QEvent*) {
    hovered_ = false;
    update();
}

void ActivationView::mousePressEvent(QMouseEvent* event) {
    if (picture_.point && event->button() == Qt::LeftButton && mark().adjusted(-4, -4, 4, 4).contains(event->position()))
        emit selected({picture_.point->use.a, picture_.point->index});
}

std::vector<ViewItem> ActivationView::items() const {
    std::vector<ViewItem> out;
    if (uses_.empty() || !picture_.curves) return out;
    for (const auto& panel : picture_.geometry.panels) {
        const QString name = activation_words::function_name(panel.op);
        const ActivationCurve& curve = picture_.curves->curves()[panel.op];
        const std::size_t one = curve.z.size() * 5 / 8; // z = 1
        out.push_back({panel.rect, QString::fromStdString(std::string(activation_ops()[panel.op])),
                       panel.op == picture_.in_use ? tr("%1, which this run uses").arg(name) : name,
                       activation_words::numbers(curve.z[one], curve.y[one], curve.slope[one]), Provenance::computed, Role::activation});
    }
    const auto* panel = picture_.geometry.panel_of(picture_.in_use);
    if (!panel || !picture_.point) return out;
    const ActivationPoint& point = *picture_.point;
    const PointNumbers numbers = numbers_of(*panel, point);
    const QRectF mark = this->mark();
    const QRectF rect = mark.isNull() ? numbers.all() : mark;
    out.push_back({rect, "point", activation_words::place(point.use.a, point.index), activation_words::numbers(point.z, point.a, point.slope),
                   Provenance::computed, Role::activation, {QString::fromStdString(point.use.a), QString::fromStdString(point.use.z)},
                   rect.united(numbers.all())});
    return out;
}

} // namespace gradus

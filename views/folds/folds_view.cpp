#include "views/folds/folds_view.hpp"

#include "views/folds/fold_painter.hpp"
#include "views/folds/fold_words.hpp"
#include "views/theme/numbers.hpp"
#include "views/theme/paragraph.hpp"

#include <QMouseEvent>
#include <algorithm>

namespace gradus {

using fold_words::tr;

FoldsView::FoldsView(const Theme& theme, QWidget* parent)
    : View(theme, fold_words::tr("Folds"), parent), results_(fold_result) {
    setMouseTracking(true);
}

QString FoldsView::button() const { return picture_.folded ? tr("Unfold") : tr("Fold"); }

void FoldsView::setTheme(const Theme& theme) {
    Panel::setTheme(theme);
    images_ = fold_images(picture_, theme);
    update();
}

void FoldsView::retranslate() {
    setTitle(tr("Folds"));
    layOut(); // words have their widths
}

void FoldsView::setVeil(const Veil& veil) {
    if (veil == this->veil()) return;
    View::setVeil(veil);
    picture_.secret = veil.hides(QStringLiteral("folds"));
    picture_.folded |= picture_.secret;
    layOut();
}

void FoldsView::present(const Look& look) {
    // A run that has just begun has not written all its sites, nor the constants of its setup.
    const std::pair<std::size_t, bool> written(look.run()->sites().size(), look.run()->head() > 0);
    if (look.run() != run_ || written != written_) {
        run_ = look.run();
        written_ = written;
        wanted_ = {};
        auto chain = chain_of(*run_);
        if (!picture_.chain || *picture_.chain != chain) { // a branch of the same stack keeps what is on screen until its own comes
            picture_.chain = std::make_shared<const std::vector<ChainStep>>(std::move(chain));
            picture_.result.reset();
            layOut();
        }
    }
    const std::int32_t cursor = look.state.cursor.level > Level::iteration ? look.state.cursor.ordinal : -1;
    if (cursor != picture_.cursor || look.state.selection.tensor != picture_.selected) {
        picture_.cursor = cursor;
        picture_.selected = look.state.selection.tensor;
        update();
    }
    if (look.full && (look.full != wanted_.full || look.state.cursor.iteration != wanted_.iteration || wanted_.chain != picture_.chain)) {
        wanted_ = {picture_.chain, look.full, run_, look.state.cursor.iteration};
        results_.want(wanted_);
    }
    if (auto result = results_.latest(); result && result != picture_.result && result->wish.chain == picture_.chain) {
        picture_.result = std::move(result);
        layOut();
    }
    updateNote(look);
}

void FoldsView::updateNote(const Look& look) {
    if (!look.full && (!picture_.result || picture_.result->wish.iteration != look.state.cursor.iteration))
        setNote(tr("step %1 is computed again, %2 %").arg(look.state.cursor.iteration).arg(qRound(look.progress * 100)));
    else if (picture_.result && picture_.folded) setNote(tr("on the inputs of step %1").arg(picture_.result->wish.iteration));
    else setNote({});
}

void FoldsView::layOut() {
    images_ = fold_images(picture_, theme());
    if (picture_.chain) {
        const FoldWanted wanted{picture_.folds(), picture_.folded && (picture_.secret || !picture_.folds()), picture_.own_end()};
        geometry_ = lay_out_folds(*picture_.chain, wanted, contents(), fold_sizes(picture_, button(), contents().width()));
    }
    if (picture_.secret && !geometry_.button.isNull()) { // what is covered cannot be folded, nor unfolded
        geometry_.count.setLeft(geometry_.button.left());
        geometry_.button = QRectF();
    }
    update();
}

void FoldsView::resizeEvent(QResizeEvent*) { layOut(); }

void FoldsView::paintEvent(QPaintEvent* event) {
    Panel::paintEvent(event);
    if (!picture_.chain) return;
    QPainter painter(this);
    if (!written_.second) return; // it is on its way
    const bool gone = picture_.result && !picture_.result->folds;
    if (picture_.chain->empty() || gone) {
        painter.setFont(text_font(15));
        painter.setPen(theme().ink2);
        draw_paragraph(painter, contents(), Qt::AlignCenter,
                       gone ? tr("The tensors of this step are no longer kept.") : tr("This run has no layers in a row that could be folded."));
        return;
    }
    paint_folds(painter, picture_, geometry_, images_, button(), theme());
    const FoldGeometry::Place* place = hovered_ ? geometry_.at(hover_) : nullptr;
    const FoldGeometry::Folded* folded = hovered_ && picture_.folds() ? geometry_.folded_at(hover_) : nullptr;
    if (!place && !folded) return;
    const QRectF over = place ? place->rect : folded->rect;
    painter.setPen(QPen(theme().ink, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(over.adjusted(-3, -3, 3, 3), 3, 3);
    paint_value_card(painter, place ? fold_words::step_card(picture_, place->step) : fold_words::folded_card(picture_, folded->group), over,
                     QRectF(rect()).adjusted(8, 8, -8, -8), theme());
}

void FoldsView::mouseMoveEvent(QMouseEvent* event) {
    hover_ = event->position();
    hovered_ = true;
    update();
}

void FoldsView::leaveEvent(QEvent*) {
    hovered_ = false;
    update();
}

void FoldsView::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !picture_.chain) return;
    if (geometry_.button.contains(event->position())) {
        picture_.folded = !picture_.folded;
        return layOut();
    }
    for (const auto& [box, tensor] : {std::pair(geometry_.input, picture_.chain->empty() ? std::string() : picture_.chain->front().input),
                                      std::pair(geometry_.output, picture_.chain->empty() ? std::string() : picture_.chain->back().output)})
        if (box.contains(event->position())) emit selected({tensor, {}});
    const FoldGeometry::Place* place = geometry_.at(event->position());
    if (!place) return;
    const ChainStep& step = (*picture_.chain)[place->step];
    emit selected({step.kind == ChainStep::Kind::matrix ? step.operand : step.output, {}});
}

std::vector<ViewItem> FoldsView::items() const {
    std::vector<ViewItem> out;
    if (!picture_.chain || picture_.chain->empty() || geometry_.count.isNull()) return out;
    if (!geometry_.button.isNull()) out.push_back({geometry_.button, "fold", button(), {}, Provenance::computed, Role::metric});
    const LegalFolds* folds = picture_.folds();
    if (folds)
        out.push_back({geometry_.count, "matrices_left", tr("matrices left"), fold_words::count(*folds), Provenance::counted, Role::metric, {"folds"}});
    const auto add_data = [&](const QRectF& box, const char* id, const std::string& name, Shape FoldResult::*shape) {
        if (box.isNull()) return;
        out.push_back({box, id, written_name(name), picture_.result ? QString::fromStdString(((*picture_.result).*shape).text()) : QString(), Provenance::counted, Role::data});
    };
    add_data(geometry_.input, "input", picture_.chain->front().input, &FoldResult::input);
    for (const auto* list : {&geometry_.boxes, &geometry_.words})
        for (const FoldGeometry::Place& place : *list) {
            const ChainStep& step = (*picture_.chain)[place.step];
            const FoldBarrier* barrier = picture_.barrier(place.step);
            out.push_back({place.rect, QStringLiteral("step %1").arg(place.step), fold_words::step_name(*picture_.chain, place.step),
                           barrier ? tr("changes %1 of %2 numbers").arg(barrier->changed).arg(barrier->elements) : QString(), Provenance::counted,
                           step.kind == ChainStep::Kind::matrix || step.kind == ChainStep::Kind::bias ? Role::parameter : Role::metric});
        }
    add_data(geometry_.output, "output", picture_.chain->back().output, &FoldResult::output);
    if (!folds) return out;
    if (!picture_.secret) // no bracket is drawn under a prediction: their number is what is asked for
        for (const FoldGeometry::Bracket& part : geometry_.brackets) {
            const FoldGroup& group = folds->groups[part.group];
            if (part.closes)
                out.push_back({QRectF(QPointF(part.left, part.top), QPointF(part.right, std::max(part.bottom, part.label.bottom()))),
                               QStringLiteral("group %1").arg(part.group), fold_words::group_name(*picture_.chain, group),
                               fold_words::group_result(group, true), Provenance::counted, Role::metric, {"folds"}});
        }
    if (picture_.secret && !geometry_.result.isNull())
        out.push_back({geometry_.result, "result", tr("what is left"), QStringLiteral("?"), Provenance::counted, Role::metric, {"folds"}, geometry_.told()});
    for (const FoldGeometry::Folded& one : geometry_.folded) {
        const FoldGroup& group = folds->groups[one.group];
        const FoldedMatrix* matrix = picture_.matrix(one.group);
        out.push_back({one.rect, QStringLiteral("result %1").arg(one.group), fold_words::group_name(*picture_.chain, group),
                       matrix && group.matrices > 1 ? fold_words::difference(*matrix, true) : QString(), Provenance::computed, Role::parameter, {"folds"}});
    }
    if (!geometry_.sentence.isNull())
        out.push_back({geometry_.sentence, "why", fold_words::tr("what stops a fold"), fold_words::sentence(*picture_.chain, *folds), Provenance::counted, Role::metric, {"folds"}});
    return out;
}

} // namespace gradus

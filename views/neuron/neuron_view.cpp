#include "views/neuron/neuron_view.hpp"

#include "views/derive/engine_words.hpp"
#include "views/neuron/neuron_painter.hpp"
#include "views/neuron/neuron_words.hpp"
#include "views/theme/paragraph.hpp"

#include <QMouseEvent>

namespace gradus {

using neuron_words::tr;

namespace {

/// "strongest" or "answers" of whatever neuron is looked at, and of this one alone.
QStringList parts_of(const char* what, Dim neuron) { return {QString(what), QStringLiteral("%1[%2]").arg(what).arg(neuron)}; }

} // namespace

NeuronView::NeuronView(const Theme& theme, QWidget* parent) : View(theme, neuron_words::tr("Neuron"), parent), fields_(&neuron_field) {
    setMouseTracking(true);
}

bool NeuronView::shows() const { return !no_images_ && picture_.field && picture_.field->refusal.empty() && picture_.answers().examples > 0; }

QString NeuronView::sentence() const {
    if (no_images_) return tr("A neuron's weights are drawn where a run reads images; this one reads none.");
    return picture_.field ? engine_words(picture_.field->refusal) : QString();
}

void NeuronView::setTheme(const Theme& theme) {
    Panel::setTheme(theme);
    changed();
}

void NeuronView::retranslate() { layOut(); }

void NeuronView::changed() {
    painted_.forget();
    update();
}

void NeuronView::layOut() {
    picture_.secret = veil().hidesAny(parts_of("strongest", picture_.neuron));
    picture_.lay_out(contents(), sparse());
    setTitle(shows() ? tr("Neuron %1").arg(picture_.neuron) : tr("Neuron"));
    changed();
}

void NeuronView::present(const Look& look) {
    const bool no_images = look.data ? !look.data->images : look.run()->manifest().dataset.empty();
    if (look.data && look.data->images && look.full) {
        NeuronWish wish = neuron_wish(look.full, look.run(), look.state.cursor.iteration, look.data);
        if (!wish.same(wanted_) || !wanted_.full) {
            wanted_ = wish;
            fields_.want(std::move(wish));
        }
    } else if (no_images && wanted_.full) { // the images of an earlier run are its Run's
        wanted_ = {};
        fields_.forget();
    }
    auto field = fields_.latest();
    const bool other = field != picture_.field || look.state.selection != selection_ || look.state.example != example_ || no_images != no_images_;
    no_images_ = no_images;
    if (other) {
        selection_ = look.state.selection;
        example_ = look.state.example;
        picture_.look(std::move(field), selection_, example_);
        layOut();
    }
    updateNote(look);
}

void NeuronView::updateNote(const Look& look) {
    if (no_images_) return setNote({});
    if (!look.full && (!shows() || wanted_.iteration != look.state.cursor.iteration))
        setNote(tr("step %1 is computed again, %2 %").arg(look.state.cursor.iteration).arg(qRound(look.progress * 100)));
    else if (shows()) setNote(tr("parameters of step %1").arg(look.full && picture_.field->wish.same(wanted_) ? look.state.cursor.iteration : picture_.field->wish.iteration));
    else setNote({});
}

void NeuronView::setVeil(const Veil& veil) {
    if (veil == this->veil()) return;
    View::setVeil(veil);
    layOut();
}

void NeuronView::resizeEvent(QResizeEvent*) { layOut(); }

void NeuronView::paintEvent(QPaintEvent* event) {
    Panel::paintEvent(event);
    QPainter painter(this);
    if (!shows()) {
        painter.setFont(text_font(15));
        painter.setPen(theme().ink2);
        draw_paragraph(painter, contents(), Qt::AlignCenter, sentence());
        return;
    }
    painted_.show(painter, *this, [this](QPainter& once) { paint_neuron(once, picture_, theme()); });
    if (hovered_) paintHover(painter);
}

void NeuronView::paintHover(QPainter& painter) const {
    const NeuronGeometry& g = picture_.geometry;
    const QRectF bounds = QRectF(rect()).adjusted(8, 8, -8, -8);
    if (const Dim pixel = picture_.pixel_at(hover_); pixel >= 0) {
        const int columns = picture_.field->wish.data->image_columns;
        const double cell = g.weights.width() / columns;
        const QRectF at(g.weights.left() + cell * static_cast<double>(pixel % columns), g.weights.top() + cell * static_cast<double>(pixel / columns), cell, cell);
        paint_neuron_outline(painter, at, theme(), 1);
        paint_value_card(painter, neuron_words::weight_card(picture_, pixel), at, bounds, theme());
    } else if (const int image = g.image_at(hover_); image >= 0) {
        const NeuronGeometry::Image& place = g.images[static_cast<std::size_t>(image)];
        paint_neuron_outline(painter, place.picture.adjusted(-2, -2, 2, 2), theme(), 1);
        paint_value_card(painter, neuron_words::image_card(picture_, picture_.strongest[static_cast<std::size_t>(image)]), place.picture, bounds, theme());
    } else if (const Dim neuron = g.neuron_at(hover_); neuron >= 0) {
        const QRectF slot = g.slot_of(neuron);
        paint_neuron_outline(painter, slot.adjusted(0.5, -2, -0.5, 2), theme(), 1);
        paint_value_card(painter, neuron_words::bar_card(picture_, neuron), slot, bounds, theme());
    }
}

void NeuronView::mouseMoveEvent(QMouseEvent* event) {
    hover_ = event->position();
    hovered_ = true;
    update();
}

void NeuronView::leaveEvent(QEvent*) {
    hovered_ = false;
    update();
}

void NeuronView::mousePressEvent(QMouseEvent* event) {
    if (!shows() || event->button() != Qt::LeftButton) return;
    const QPointF at = event->position();
    const FirstLayer& layer = picture_.answers().layer;
    if (const Dim pixel = picture_.pixel_at(at); pixel >= 0) emit selected({layer.weight, {pixel, picture_.neuron}});
    else if (const int image = picture_.geometry.image_at(at); image >= 0) emit exampleChosen(picture_.strongest[static_cast<std::size_t>(image)]);
    else if (const Dim neuron = picture_.geometry.neuron_at(at); neuron >= 0)
        emit selected(with_neuron(selection_, layer, neuron, picture_.answers().weight.shape()[0]));
}

/// A prediction hides images and bars: "strongest" and "answers" are what a card names them by, or those of one neuron alone,
/// "strongest[8]". The bars' heading says which image is the strongest of the selected neuron.
std::vector<ViewItem> NeuronView::items() const {
    std::vector<ViewItem> out;
    if (!shows()) return out;
    const NeuronGeometry& g = picture_.geometry;
    if (!g.weights.isNull())
        out.push_back({g.weights, "weights", tr("weights of neuron %1").arg(picture_.neuron), tr("from −%1 to %1").arg(neuron_words::number(picture_.end)),
                       Provenance::computed, Role::parameter});
    if (!g.strongest.isNull())
        out.push_back({g.strongest.adjusted(-4, -4, 4, 4), "images", neuron_words::images_heading(picture_), {}, Provenance::computed, Role::activation,
                       parts_of("strongest", picture_.neuron), g.images_cover()});
    for (std::size_t i = 0; i < g.images.size(); ++i)
        out.push_back({g.images[i].all(), QStringLiteral("image %1").arg(i), tr("strongest image %1").arg(i + 1), // names stay in sight where a value is hidden
                       neuron_words::image_name(picture_, picture_.strongest[i]) + QStringLiteral(": ") +
                           neuron_words::answer_lines(picture_, picture_.strongest[i], picture_.neuron),
                       Provenance::computed, Role::activation});
    if (!g.answers.isNull()) // its heading says which image is the strongest
        out.push_back({g.answers.united(g.bars_heading).adjusted(-2, 0, 2, 0), "bars", tr("what all neurons say"), neuron_words::bars_heading(picture_),
                       Provenance::computed, Role::activation, parts_of("answers", picture_.neuron), g.bars_cover()});
    for (Dim i = g.first; i < g.first + g.shown; ++i)
        out.push_back({g.slot_of(i), QStringLiteral("neuron %1").arg(i), neuron_words::neuron_name(i), neuron_words::answer_lines(picture_, picture_.example, i),
                       Provenance::computed, Role::activation, {parts_of("answers", i).back()}});
    return out;
}

} // namespace gradus

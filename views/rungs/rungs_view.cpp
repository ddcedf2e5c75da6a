#include "views/rungs/rungs_view.hpp"

#include "engine/trace/derive/kernel_walk.hpp"
#include "views/rungs/rungs_words.hpp"
#include "views/theme/paragraph.hpp"
#include "views/theme/provenance_mark.hpp"
#include "views/theme/value_card.hpp"

#include <QMouseEvent>

namespace gradus {

RungsView::RungsView(const Theme& theme, QWidget* parent) : View(theme, tr("Kernel comparison"), parent) {
    setMouseTracking(true);
    setMinimumSize(160, 120);
}

void RungsView::retranslate() {
    setTitle(tr("Kernel comparison"));
    made_ = {}; // its words and widths are others
    layOut();
}

void RungsView::present(const Look& look) {
    const Cursor& cursor = look.state.cursor;
    Made made{look.run(), look.full, look.kernels, cursor.iteration, look.state.compared, look.run()->head(), cursor.level, cursor.ordinal, look.state.language};
    if (made == made_) return;
    made_ = std::move(made);
    picture_.model = make_rungs(look, kept_);
    const RungsModel& model = picture_.model;
    const QString note = model.there() ? tr("A %1, B %2").arg(model.sides[0].name, model.sides[1].name) : QString();
    setNote(note, note.isEmpty() ? note : tr("%1, %2").arg(note, provenance_word(Provenance::counted)));
    layOut();
}

void RungsView::layOut() {
    lay_out_rungs(picture_, contents(), sparse());
    update();
}

void RungsView::resizeEvent(QResizeEvent*) { layOut(); }

void RungsView::paintEvent(QPaintEvent* event) {
    View::paintEvent(event);
    QPainter painter(this);
    if (!picture_.model.there()) {
        painter.setFont(text_font(15));
        painter.setPen(theme().ink2);
        draw_paragraph(painter, contents(), Qt::AlignCenter, picture_.model.sentence);
        return;
    }
    picture_.covered = veil().hides(QStringLiteral("counts"));
    for (const RungCount& count : picture_.model.counts) picture_.covered |= veil().hides(count.id);
    paint_rungs(painter, picture_, theme());
    paintHover(painter);
}

std::int32_t RungsView::target(RungsWay way, int by) const {
    const RungsModel& model = picture_.model;
    if (!model.walks()) return -1;
    const RungSide& driver = model.driver();
    if (!model.at_step) return by > 0 ? model.events->of_step(driver.work->steps.front()) : -1;
    std::optional<std::size_t> found;
    switch (way) {
    case RungsWay::line: found = next_line(*driver.block, driver.step(), by); break;
    case RungsWay::warp_step: found = next_of_warp(*driver.block, driver.step(), by); break;
    case RungsWay::barrier: found = next_barrier(*driver.block, driver.step(), by); break;
    }
    return found ? model.events->of_step(*found) : -1;
}

void RungsView::goTo(std::optional<std::size_t> step) {
    const std::int32_t ordinal = step ? picture_.model.events->of_step(*step) : -1;
    if (ordinal >= 0) emit eventChosen(ordinal);
}

void RungsView::choose(QPointF point) {
    const RungsGeometry& g = picture_.geometry;
    const RungsModel& model = picture_.model;
    for (std::size_t i = 0; i < g.chips.size(); ++i)
        if (g.chips[i].contains(point)) {
            const RungChoice& rung = model.rungs[i];
            if (rung.side < 0 || !model.sides[static_cast<std::size_t>(rung.side)].drives) emit comparedChosen(rung.iteration);
            return;
        }
    for (const RungsGeometry::Button& button : g.buttons)
        if (button.rect.contains(point)) {
            if (const std::int32_t ordinal = target(button.way, button.by); ordinal >= 0) emit eventChosen(ordinal);
            return;
        }
    for (const RungsGeometry::WayLabel& label : g.ways)
        if (label.rect.contains(point)) {
            if (const std::int32_t ordinal = target(label.way, 1); ordinal >= 0) emit eventChosen(ordinal);
            return;
        }
    if (!model.walks()) return;
    if (g.track.adjusted(0, -4, 0, 4).contains(point)) return goTo(step_at_share(model, (point.x() - g.track.left()) / g.track.width()));
    for (const RungsGeometry::Cell& cell : g.cells)
        if (cell.rect.contains(point)) return goTo(step_at_line(model, static_cast<std::size_t>(cell.side), cell.line));
}

void RungsView::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) choose(event->position());
}

/// Stepping fast is pressing twice.
void RungsView::mouseDoubleClickEvent(QMouseEvent* event) { mousePressEvent(event); }

void RungsView::mouseMoveEvent(QMouseEvent* event) {
    pointer_ = event->position();
    update();
}

void RungsView::leaveEvent(QEvent*) {
    pointer_.reset();
    update();
}

/// The smallest thing under the pointer says what it is, with its value and where that comes from.
void RungsView::paintHover(QPainter& painter) const {
    if (!pointer_) return;
    const std::vector<ViewItem> all = readable();
    const ViewItem* best = nullptr;
    for (const ViewItem& item : all)
        if (item.rect.contains(*pointer_) && (!best || item.rect.width() * item.rect.height() < best->rect.width() * best->rect.height())) best = &item;
    if (!best || best->id.startsWith(QLatin1String("line"))) return;
    painter.setPen(QPen(theme().ink, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(best->rect.adjusted(-1.5, -1.5, 1.5, 1.5), 4, 4);
    std::vector<ValueCardLine> lines;
    for (const QString& part : best->name.split('\n', Qt::SkipEmptyParts)) lines.push_back({part});
    for (const QString& part : best->value.split('\n', Qt::SkipEmptyParts)) lines.push_back(value_line(part, best->provenance));
    paint_value_card(painter, lines, best->rect, QRectF(rect()).adjusted(6, 6, -6, -6), theme());
}

} // namespace gradus

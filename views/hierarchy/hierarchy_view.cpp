#include "views/hierarchy/hierarchy_view.hpp"

#include "views/theme/numbers.hpp"
#include "views/theme/paragraph.hpp"
#include "views/theme/provenance_mark.hpp"
#include "views/theme/value_card.hpp"

#include <QMouseEvent>
#include <algorithm>
#include <utility>

namespace gradus {

HierarchyView::HierarchyView(const Theme& theme, QWidget* parent) : View(theme, tr("Memory hierarchy"), parent) {
    setMouseTracking(true);
    setMinimumSize(120, 100);
}

void HierarchyView::retranslate() {
    setTitle(tr("Memory hierarchy"));
    made_ = {}; // its words and widths are others
    layOut();
}

void HierarchyView::present(const Look& look) {
    if (std::exchange(to_come_, look.to_come()) != to_come_) update();
    Made made{look.run(), look.full, look.kernels, look.state.cursor.iteration, look.run()->head(), look.state.cursor.ordinal, look.state.language};
    if (made == made_) return;
    made_ = std::move(made);
    picture_.model = make_hierarchy(look, kept_);
    const QString note = picture_.model.of.isEmpty() ? QString() : tr("%1, %2").arg(picture_.model.of, provenance_word(Provenance::counted));
    setNote(note, note); // in class the word of the provenance stands always
    layOut();
}

void HierarchyView::layOut() {
    lay_out_hierarchy(picture_, contents(), sparse());
    update();
}

void HierarchyView::resizeEvent(QResizeEvent*) { layOut(); }

void HierarchyView::paintEvent(QPaintEvent* event) {
    View::paintEvent(event);
    QPainter painter(this);
    if (picture_.model.places.empty()) {
        painter.setFont(text_font(15));
        painter.setPen(theme().ink2);
        draw_paragraph(painter, contents(), Qt::AlignCenter, to_come_ ? tr("This step is being computed …") : tr("No kernel was counted in this step."));
        return;
    }
    paint_hierarchy(painter, picture_, theme());
    paintHover(painter);
}

/// A tile says what is touched of it, a way what has gone there. False: the pointer is on neither.
bool HierarchyView::paintTileHover(QPainter& painter) const {
    if (!picture_.moving()) return false;
    const HierarchyTiles& tiles = *picture_.model.tiles;
    const auto name = [&](std::size_t place) { return picture_.model.places[place].name; };
    const auto on = [&](const std::vector<QRectF>& parts) {
        return static_cast<std::size_t>(std::find_if(parts.begin(), parts.end(), [&](const QRectF& part) { return part.contains(*pointer_); }) - parts.begin());
    };
    std::vector<ValueCardLine> lines;
    QRectF at;
    if (const std::size_t i = on(picture_.tiles.pictures); i < tiles.pictures.size()) {
        const HierarchyTiles::Picture& each = tiles.pictures[i];
        const auto touched = [&](HierarchyTiles::State state) { return std::count_if(each.cells.begin(), each.cells.end(), [&](const HierarchyTiles::Cell& cell) { return cell.state == state; }); };
        at = picture_.tiles.pictures[i];
        lines = {{tr("%1, in %2").arg(each.where, name(each.place))},
                 value_line(tr("touched by this step: %1").arg(grouped(touched(HierarchyTiles::State::step))), Provenance::counted),
                 value_line(tr("in this phase so far: %1").arg(grouped(touched(HierarchyTiles::State::phase))), Provenance::counted)};
    } else if (const std::size_t flow = on(picture_.tiles.flows); flow < tiles.flows.size()) {
        const HierarchyTiles::Flow& each = tiles.flows[flow];
        at = picture_.tiles.flows[flow];
        lines = {{tr("from %1 to %2 in this phase").arg(name(each.from), name(each.to))}};
        if (!veil().hidesAny(QStringList{QStringLiteral("bytes")})) lines.push_back(value_line(with_prefix(each.bytes, "B"), Provenance::counted));
    }
    if (lines.empty()) return false;
    paint_value_card(painter, lines, at, QRectF(rect()).adjusted(6, 6, -6, -6), theme());
    return true;
}

void HierarchyView::paintHover(QPainter& painter) const {
    if (!pointer_ || paintTileHover(painter)) return;
    const HierarchyGeometry& g = picture_.geometry;
    const int row = g.row_at(*pointer_), rung = g.rung_at(*pointer_);
    if (row < 0) return;
    const HierarchyPlace& place = picture_.model.places[static_cast<std::size_t>(row)];
    const bool hidden = veil().hidesAny(QStringList{QString::fromUtf8(name_of(place.level).data()), QStringLiteral("bytes")});
    std::vector<ValueCardLine> lines;
    QRectF at = g.rows[static_cast<std::size_t>(row)].rect;
    if (rung >= 0) {
        at = g.rows[static_cast<std::size_t>(row)].rungs[static_cast<std::size_t>(rung)];
        lines.push_back({tr("%1, %2").arg(place.name, picture_.model.rungs[static_cast<std::size_t>(rung)].name)});
        if (const auto& bytes = place.rungs[static_cast<std::size_t>(rung)]; bytes && !hidden) lines.push_back(value_line(with_prefix(*bytes, "B"), Provenance::counted));
    } else {
        lines.push_back({place.name});
        if (!hidden) lines.push_back(value_line(bytes_text(place), Provenance::counted));
        if (!hidden && !ideal_text(place).isEmpty()) lines.push_back(value_line(ideal_text(place), Provenance::counted));
        if (!place.capacity.isEmpty()) lines.push_back(value_line(place.capacity, Provenance::cited));
    }
    lines.push_back({place.meaning});
    painter.setPen(QPen(theme().ink, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(at.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    paint_value_card(painter, lines, at, QRectF(rect()).adjusted(6, 6, -6, -6), theme());
}

void HierarchyView::mouseMoveEvent(QMouseEvent* event) {
    pointer_ = event->position();
    setCursor(picture_.geometry.rung_at(*pointer_) >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    update();
}

void HierarchyView::leaveEvent(QEvent*) {
    pointer_.reset();
    update();
}

void HierarchyView::mousePressEvent(QMouseEvent* event) {
    const int rung = picture_.geometry.rung_at(event->position());
    if (event->button() == Qt::LeftButton && rung >= 0) emit cursorMoved(picture_.model.rungs[static_cast<std::size_t>(rung)].iteration);
}

std::vector<ViewItem> HierarchyView::items() const {
    std::vector<ViewItem> out;
    for (std::size_t i = 0; i < picture_.geometry.rows.size(); ++i) {
        const HierarchyGeometry::Row& at = picture_.geometry.rows[i];
        const HierarchyPlace& place = picture_.model.places[i];
        const QString id = QString::fromUtf8(name_of(place.level).data());
        QRectF told = at.value.united(at.bar);
        QString name = place.capacity.isEmpty() ? place.name : tr("%1, %2").arg(place.name, place.capacity);
        name += QStringLiteral(": ") + place.meaning;
        QString value = bytes_text(place);
        if (const QString ideal = ideal_text(place); !ideal.isEmpty()) value += QStringLiteral(", ") + ideal;
        const QRectF rect(at.rect.topLeft(), QPointF(at.bar.isNull() ? at.value.right() : at.bar.right(), at.rect.bottom()));
        out.push_back({rect, id, name, value, Provenance::counted, Role::metric, {QStringLiteral("bytes")}, told});
        for (std::size_t rung = 0; rung < at.rungs.size(); ++rung) {
            const HierarchyRung& each = picture_.model.rungs[rung];
            const auto& bytes = place.rungs[rung];
            out.push_back({at.rungs[rung], id + '.' + each.name, (each.here ? tr("%1, %2, where you stand") : tr("%1, %2")).arg(place.name, each.name),
                           bytes ? with_prefix(*bytes, "B") : QString(), Provenance::counted, Role::metric, {id, QStringLiteral("bytes")}});
        }
    }
    if (picture_.moving()) addTiles(out);
    return out;
}

void HierarchyView::addTiles(std::vector<ViewItem>& out) const {
    const HierarchyTiles& tiles = *picture_.model.tiles;
    const auto name = [&](std::size_t place) { return picture_.model.places[place].name; };
    for (std::size_t i = 0; i < tiles.pictures.size(); ++i) {
        const HierarchyTiles::Picture& each = tiles.pictures[i];
        if (!picture_.tiles.pictures[i].isNull())
            out.push_back({picture_.tiles.pictures[i], QStringLiteral("tile.") + each.name, tr("%1, in %2").arg(each.name, name(each.place)), each.where, Provenance::counted});
    }
    for (std::size_t i = 0; i < tiles.flows.size(); ++i) {
        const HierarchyTiles::Flow& each = tiles.flows[i];
        if (!picture_.tiles.flows[i].isNull())
            out.push_back({picture_.tiles.flows[i], QStringLiteral("flow.%1").arg(static_cast<int>(each.way)), tr("from %1 to %2 in this phase").arg(name(each.from), name(each.to)),
                           with_prefix(each.bytes, "B"), Provenance::counted, Role::metric, {QStringLiteral("bytes")}});
    }
}

} // namespace gradus

#include "views/roofline/roofline_view.hpp"

#include "views/theme/numbers.hpp"
#include "views/theme/paragraph.hpp"
#include "views/theme/value_card.hpp"

#include <QMouseEvent>
#include <utility>

namespace gradus {

RooflineView::RooflineView(const Theme& theme, QWidget* parent) : View(theme, tr("Roofline"), parent) {
    setMouseTracking(true);
    setMinimumSize(120, 100);
}

void RooflineView::retranslate() {
    setTitle(tr("Roofline"));
    made_ = {}; // its words and widths are others
    layOut();
}

void RooflineView::present(const Look& look) {
    if (std::exchange(to_come_, look.to_come()) != to_come_) update();
    Made made{look.run(), look.full, look.kernels, look.state.cursor.iteration, look.run()->head(), look.state.language};
    if (made == made_) return;
    made_ = std::move(made);
    picture_.model = make_roofline(look);
    const QString note = picture_.model.dots.empty() ? QString() : tr("solid: measured here · dashed: modelled");
    setNote(note, note);
    layOut();
}

void RooflineView::layOut() {
    lay_out_roofline(picture_, contents(), sparse());
    update();
}

void RooflineView::resizeEvent(QResizeEvent*) { layOut(); }

void RooflineView::paintEvent(QPaintEvent* event) {
    View::paintEvent(event);
    QPainter painter(this);
    if (picture_.model.dots.empty()) {
        painter.setFont(text_font(15));
        painter.setPen(theme().ink2);
        draw_paragraph(painter, contents(), Qt::AlignCenter,
                       picture_.model.counted ? tr("This kernel does no multiply-adds: there is no arithmetic to place.") : to_come_ ? tr("This step is being computed …") : tr("No kernel was counted in this step."));
        return;
    }
    paint_roofline(painter, picture_, theme(), sparse());
    paintHover(painter);
}

int RooflineView::dotAt(QPointF point) const { return picture_.geometry.dot_at(point, dot_radius + 8); }

void RooflineView::paintHover(QPainter& painter) const {
    const int found = pointer_ ? dotAt(*pointer_) : -1;
    if (found < 0) return;
    const auto i = static_cast<std::size_t>(found);
    const RooflineDot& dot = picture_.model.dots[i];
    const RooflineGeometry::Dot& at = picture_.geometry.dots[i];
    std::vector<ValueCardLine> lines{{dot.name}, value_line(intensity_text(dot), Provenance::counted)};
    if (dot.measured) lines.push_back(value_line(tr("%1 here, on one core").arg(with_prefix(*dot.measured, "FLOP/s")), Provenance::measured));
    if (dot.measured && dot.measured_low) lines.push_back(value_line(tr("%1 in the median").arg(with_prefix(*dot.measured_low, "FLOP/s")), Provenance::measured));
    if (dot.modelled) lines.push_back(value_line(tr("%1 on %2, without a cache").arg(with_prefix(*dot.modelled, "FLOP/s"), picture_.model.chip), Provenance::modelled));
    const double r = dot_radius + 4;
    const bool upper = !at.modelled.isNull() && (at.measured.isNull() || std::abs(at.modelled.y() - pointer_->y()) < std::abs(at.measured.y() - pointer_->y()));
    const QPointF centre = upper ? at.modelled : at.measured;
    painter.setPen(QPen(theme().ink, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawEllipse(centre, r, r);
    paint_value_card(painter, lines, QRectF(centre, QSizeF()).adjusted(-r, -r, r, r), QRectF(rect()).adjusted(6, 6, -6, -6), theme());
}

void RooflineView::mouseMoveEvent(QMouseEvent* event) {
    pointer_ = event->position();
    setCursor(dotAt(*pointer_) >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    update();
}

void RooflineView::leaveEvent(QEvent*) {
    pointer_.reset();
    update();
}

void RooflineView::mousePressEvent(QMouseEvent* event) {
    const int dot = dotAt(event->position());
    if (event->button() == Qt::LeftButton && dot >= 0) emit cursorMoved(picture_.model.dots[static_cast<std::size_t>(dot)].iteration);
}

std::vector<ViewItem> RooflineView::items() const {
    std::vector<ViewItem> out;
    const RooflinePicture& p = picture_;
    if (p.geometry.plot.isNull() || p.model.dots.empty()) return out;
    const double r = dot_radius + 4;
    for (std::size_t i = 0; i < p.geometry.dots.size(); ++i) {
        const RooflineDot& dot = p.model.dots[i];
        const RooflineGeometry::Dot& at = p.geometry.dots[i];
        const auto rect = [&](QPointF centre) { return QRectF(centre, QSizeF()).adjusted(-r, -r, r, r); };
        const QString name = dot.here ? tr("%1, where you stand").arg(dot.name) : dot.name;
        const QStringList parts{QStringLiteral("dots")};
        if (dot.measured)
            out.push_back({rect(at.measured), dot.name, name, tr("%1, %2 here").arg(intensity_text(dot), with_prefix(*dot.measured, "FLOP/s")), Provenance::measured, Role::metric, parts});
        if (dot.modelled)
            out.push_back({rect(at.modelled), dot.name + ".modelled", tr("%1 on %2").arg(name, p.model.chip), tr("%1, %2").arg(intensity_text(dot), with_prefix(*dot.modelled, "FLOP/s")),
                           Provenance::modelled, Role::metric, parts});
    }
    for (std::size_t i = 0; i < p.model.roofs.size(); ++i) {
        const RooflineRoof& roof = p.model.roofs[i];
        const QRectF box = !p.geometry.flats[i].isNull() ? p.geometry.flats[i] : p.geometry.slopes[i];
        if (box.isNull()) continue;
        out.push_back({box, QStringLiteral("roof%1").arg(i), tr("limit of %1").arg(roof.name), tr("%1 from memory, at most %2").arg(with_prefix(roof.bandwidth, "B/s"), with_prefix(roof.peak, "FLOP/s")),
                       roof.provenance, Role::metric});
    }
    return out;
}

} // namespace gradus

#include "views/theme/provenance_mark.hpp"

#include "views/theme/words.hpp"

#include <QCoreApplication>
#include <algorithm>

namespace gradus {

double provenance_width(Provenance provenance, double capital_height) {
    return provenance == Provenance::computed ? 0 : capital_height + std::max(5.0, 0.4 * capital_height);
}

void paint_provenance(QPainter& painter, QPointF base, Provenance provenance, double h, const QColor& colour) {
    if (provenance == Provenance::computed) return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(colour, std::max(1.2, 0.11 * h), Qt::SolidLine, Qt::RoundCap)); // a class sees it larger
    painter.setBrush(Qt::NoBrush);
    const QRectF box(base.x(), base.y() - h, h, h);
    const QPointF centre = box.center();
    switch (provenance) {
    case Provenance::computed: break;
    case Provenance::measured:
        painter.drawEllipse(box);
        painter.drawLine(centre, {centre.x(), box.top() + h * 0.2});
        painter.drawLine(centre, {centre.x() + h * 0.22, centre.y()});
        break;
    case Provenance::counted:
        for (const double at : {0.15, 0.5, 0.85})
            painter.drawLine(QPointF(box.left() + h * at, box.top()), QPointF(box.left() + h * at, box.bottom()));
        break;
    case Provenance::modelled:
    case Provenance::cited: {
        QFont font = painter.font();
        font.setItalic(provenance == Provenance::modelled);
        painter.setFont(font);
        draw_text(painter, base, provenance == Provenance::modelled ? QStringLiteral("ƒ") : QStringLiteral("”"));
        break;
    }
    }
    painter.restore();
}

QString provenance_word(Provenance provenance) {
    switch (provenance) {
    case Provenance::computed: return QCoreApplication::translate("Provenance", "computed");
    case Provenance::measured: return QCoreApplication::translate("Provenance", "measured");
    case Provenance::counted: return QCoreApplication::translate("Provenance", "counted");
    case Provenance::modelled: return QCoreApplication::translate("Provenance", "modelled");
    case Provenance::cited: return QCoreApplication::translate("Provenance", "cited");
    }
    return {};
}

} // namespace gradus

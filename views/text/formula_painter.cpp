#include "views/text/formula_painter.hpp"

#include "views/theme/provenance_mark.hpp"
#include "views/theme/words.hpp"

#include <cmath>

namespace gradus {

void paint_formula(QPainter& painter, const FormulaLayout& formula, QPointF origin, const Theme& theme,
                   const QColor& ink) {
    const auto colour = [&](Role role) { return role == Role::metric ? ink : theme.hue(role); };
    painter.setRenderHint(QPainter::Antialiasing);
    for (const FormulaGlyph& glyph : formula.glyphs) {
        painter.setFont(math_font(glyph.face, glyph.pixels));
        painter.setPen(colour(glyph.role));
        const QPointF base = origin + glyph.base;
        if (glyph.stretch == 1) {
            draw_text(painter, base, glyph.text);
            continue;
        }
        painter.save();
        painter.translate(base);
        painter.scale(1, glyph.stretch);
        draw_text(painter, QPointF(0, 0), glyph.text);
        painter.restore();
    }
    for (const FormulaRule& rule : formula.rules) { // on whole pixels, so that bars are equally dark
        QRectF rect = rule.rect.translated(origin);
        rect.moveTop(std::round(rect.top()));
        painter.fillRect(rect, colour(rule.role));
    }
    for (const FormulaStroke& stroke : formula.strokes) {
        std::vector<QPointF> points = stroke.points;
        for (QPointF& point : points) point += origin;
        points.back().setY(std::round(points.back().y() - stroke.width / 2) + stroke.width / 2); // meets its bar
        painter.setPen(QPen(colour(stroke.role), stroke.width, Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin));
        painter.setBrush(Qt::NoBrush);
        painter.drawPolyline(points.data(), static_cast<int>(points.size()));
    }
    for (const FormulaMark& mark : formula.marks)
        paint_provenance(painter, origin + mark.base, mark.provenance, mark.height, theme.ink2);
}

} // namespace gradus

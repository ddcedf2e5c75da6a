#include "views/theme/value_card.hpp"

#include "views/theme/provenance_mark.hpp"
#include "views/theme/words.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {

namespace {

constexpr double line_height = 20, padding = 12, capitals = 9; // pixels

QFont font_of(const std::vector<ValueCardLine>& lines, std::size_t i) {
    if (i == 0) return text_font(metrics::text, QFont::DemiBold);
    return lines[i].number ? mono_font(metrics::text - 1) : text_font(metrics::text - 1);
}

/// Below the item, else above, to the right or to the left of it: wherever there is room, and never on it if there is any.
void place_beside(QRectF& card, const QRectF& item, const QRectF& bounds) {
    constexpr double off = 10;
    const double x = std::clamp(item.center().x() - card.width() / 2, bounds.left(),
                                std::max(bounds.left(), bounds.right() - card.width()));
    const double y = std::clamp(item.center().y() - card.height() / 2, bounds.top(),
                                std::max(bounds.top(), bounds.bottom() - card.height()));
    const QPointF corners[] = {{x, item.bottom() + off},
                               {x, item.top() - off - card.height()},
                               {item.right() + off, y},
                               {item.left() - off - card.width(), y}};
    for (const QPointF& corner : corners) {
        card.moveTopLeft(corner);
        if (bounds.contains(card)) return;
    }
    card.moveTopLeft({x, std::max(bounds.top(), bounds.bottom() - card.height())});
}

} // namespace

ValueCardLine value_line(const QString& text, Provenance provenance) {
    return {text, true, provenance_word(provenance), provenance};
}

void paint_value_card(QPainter& painter, const std::vector<ValueCardLine>& lines, const QRectF& item, const QRectF& bounds,
                      const Theme& theme) {
    const QFont small = text_font(metrics::small_text);
    const auto source_width = [&](const ValueCardLine& line) {
        return line.source.isEmpty() ? 0.0
                                     : provenance_width(line.provenance, capitals) + metrics::gap +
                                           TextMetrics(small).horizontalAdvance(line.source);
    };
    double width = 0;
    for (std::size_t i = 0; i < lines.size(); ++i)
        width = std::max(width, TextMetrics(font_of(lines, i)).horizontalAdvance(lines[i].text) + source_width(lines[i]));
    QRectF card(0, 0, std::min(std::ceil(width) + 2 * padding, bounds.width()),
                static_cast<double>(lines.size()) * line_height + padding * 1.5);
    if (card.width() < 4 * padding || card.height() > bounds.height()) return;
    place_beside(card, item, bounds);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.ink3, 1));
    painter.setBrush(theme.surface);
    painter.drawRoundedRect(card.adjusted(0.5, 0.5, -0.5, -0.5), metrics::radius, metrics::radius);
    double base = card.top() + padding * 0.75 + 14;
    for (std::size_t i = 0; i < lines.size(); ++i, base += line_height) {
        const ValueCardLine& line = lines[i];
        double x = card.left() + padding;
        if (!line.source.isEmpty()) {
            paint_provenance(painter, {x, base}, line.provenance, capitals, theme.ink2);
            x += provenance_width(line.provenance, capitals);
        }
        painter.setFont(font_of(lines, i));
        painter.setPen(i == 0 || line.number ? theme.ink : theme.ink2);
        const double room = card.width() - 2 * padding - source_width(line);
        draw_text(painter, QPointF(x, base), TextMetrics(painter.font()).elidedText(line.text, Qt::ElideRight, static_cast<int>(room) + 1));
        if (line.source.isEmpty()) continue;
        painter.setFont(small);
        painter.setPen(theme.ink2);
        draw_text(painter, QPointF(card.right() - padding - TextMetrics(painter.font()).horizontalAdvance(line.source), base),
                  line.source);
    }
}

} // namespace gradus

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
    const bool below = item.bottom() + 10 + card.height() <= bounds.bottom();
    card.moveTop(below ? item.bottom() + 10 : std::max(bounds.top(), item.top() - 10 - card.height()));
    card.moveLeft(std::clamp(item.center().x() - card.width() / 2, bounds.left(),
                             std::max(bounds.left(), bounds.right() - card.width())));
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

#include "views/graph/graph_card.hpp"

#include "views/derive/engine_words.hpp"
#include "views/derive/event_words.hpp"
#include "views/theme/numbers.hpp"
#include "views/theme/provenance_mark.hpp"
#include "views/theme/words.hpp"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

namespace gradus {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("Graph", text); }

/// A count is a whole number.
QString bytes_words(Dim bytes) { return bytes < 1000 ? QString::number(bytes) + " B" : with_prefix(static_cast<double>(bytes), "B"); }

} // namespace

std::vector<CardLine> card_lines(const GraphModel& model, const GraphValues* values, const GraphItem& item) {
    const std::size_t index = item.node;
    const GraphNode& node = model.nodes[index];
    std::vector<CardLine> lines;
    const QString module = module_word(node.module);
    const QString title = node.words();
    lines.push_back({module.isEmpty() || module == title ? title : title + "  " + module});
    const bool gradient = node.tensor.role == Role::gradient;
    lines.push_back({written_name(node.tensor.name, gradient) + "  " +
                         named_shape_words(node.tensor.shape) + "  " +
                         QString::fromUtf8(name_of(node.tensor.dtype).data()) + "  " +
                         bytes_words(node.tensor.shape.elements() * static_cast<Dim>(size_of(node.tensor.dtype))),
                     true});
    double flops = 0;
    QString implementation;
    for (const GraphOp& op : node.ops) {
        if (!op.formula.empty())
            lines.push_back({QString::fromStdString(op.name) + ":  " + QString::fromStdString(op.formula)});
        flops += op.flops;
        if (!op.implementation.empty()) implementation = QString::fromStdString(op.implementation);
    }
    if (item.updated) lines.push_back({QString::fromStdString(node.update->name) + ":  " + QString::fromStdString(node.update->formula)});
    if (flops > 0) lines.push_back({with_prefix(flops, "FLOP"), true, Provenance::counted, true});
    if (!values || index >= values->value.size()) return lines;
    if (values->seconds[index])
        lines.push_back({with_prefix(*values->seconds[index], "s") +
                             (implementation.isEmpty() ? "" : ", " + implementation),
                         true, Provenance::measured, true});
    if (values->value[index]) {
        const QString name = written_name(node.tensor.name, gradient);
        const QString what = node.tensor.shape.elements() == 1 ? name : "‖" + name + "‖₂";
        lines.push_back({what + " = " + three_digits(*values->value[index]) + ", " +
                             tr("step %1").arg(values->iteration),
                         true, Provenance::computed, true});
        if (item.updated && values->updated[index])
            lines.push_back({tr("after the update") + "  " + what + " = " + three_digits(*values->updated[index]), true, Provenance::computed, true});
    }
    if (item.kept_its_bits()) lines.push_back({tr("the same bits as without the change")});
    if (item.touched()) {
        const QString before = item.compared->before ? three_digits(*item.compared->before) : QString();
        lines.push_back({item.compared->elements == 1 ? tr("without the change %1").arg(before)
                         : before.isEmpty() ? tr("%1 of %2 other than without the change").arg(item.compared->differing).arg(item.compared->elements)
                                            : tr("%1 of %2 other than without the change, there %3").arg(item.compared->differing).arg(item.compared->elements).arg(before),
                         true, Provenance::computed, true});
    }
    return lines;
}

namespace {

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

void paint_card(QPainter& painter, const std::vector<CardLine>& lines, const QRectF& item, const QRectF& bounds,
                const Theme& theme) {
    constexpr double line_height = 20, padding = 12, capitals = 9;
    const auto font_of = [&](std::size_t i) {
        return i == 0 ? text_font(metrics::text, QFont::DemiBold)
                      : lines[i].number ? mono_font(metrics::text - 1) : text_font(metrics::text - 1);
    };
    const QFont small = text_font(metrics::small_text);
    double width = 0;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        double line = TextMetrics(font_of(i)).horizontalAdvance(lines[i].text);
        if (lines[i].says_provenance)
            line += provenance_width(lines[i].provenance, capitals) + metrics::gap +
                    TextMetrics(small).horizontalAdvance(provenance_word(lines[i].provenance));
        width = std::max(width, line);
    }
    QRectF card(0, 0, std::ceil(width) + 2 * padding, static_cast<double>(lines.size()) * line_height + padding * 1.5);
    place_beside(card, item, bounds);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.ink3, 1));
    painter.setBrush(theme.surface);
    painter.drawRoundedRect(card.adjusted(0.5, 0.5, -0.5, -0.5), metrics::radius, metrics::radius);
    double base = card.top() + padding * 0.75 + 14;
    for (std::size_t i = 0; i < lines.size(); ++i, base += line_height) {
        const CardLine& line = lines[i];
        double x = card.left() + padding;
        if (line.says_provenance) {
            paint_provenance(painter, {x, base}, line.provenance, capitals, theme.ink2);
            x += provenance_width(line.provenance, capitals);
        }
        painter.setFont(font_of(i));
        painter.setPen(i == 0 || line.number ? theme.ink : theme.ink2);
        draw_text(painter, QPointF(x, base), line.text);
        if (!line.says_provenance) continue;
        const QString said = provenance_word(line.provenance);
        painter.setFont(small);
        painter.setPen(theme.ink2);
        draw_text(painter, QPointF(card.right() - padding - TextMetrics(painter.font()).horizontalAdvance(said), base), said);
    }
}

} // namespace gradus

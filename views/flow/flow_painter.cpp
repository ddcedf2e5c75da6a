#include "views/flow/flow_painter.hpp"

#include "views/flow/flow_words.hpp"
#include "views/theme/numbers.hpp"
#include "views/theme/rounded.hpp"
#include "views/theme/words.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {

namespace {

using flow_words::tr;

constexpr double readable = 13; // pixels a line of 11 px text needs

struct Pens {
    QFont name = text_font(metrics::small_text), strong = text_font(metrics::text - 1, QFont::DemiBold);
    QFont number = mono_font(metrics::small_text), bold = mono_font(metrics::small_text, QFont::Bold);
};

void write(QPainter& painter, const QRectF& box, int align, const QString& text, const QFont& font, const QColor& colour) {
    if (box.width() < 8) return;
    painter.setFont(font);
    painter.setPen(colour);
    draw_text(painter, box, align | Qt::TextSingleLine,
              TextMetrics(painter.font()).elidedText(text, Qt::ElideRight, static_cast<int>(std::ceil(box.width()))));
}

/// Decade lines through the rows and their labels under them.
void paint_decades(QPainter& painter, const FlowPicture& p, double left, double right, const DecadeScale& scale,
                   const Theme& theme, const Pens& pens, std::optional<int> marked = {}) {
    const double top = p.geometry.rows.front().rect.top(), bottom = p.geometry.rows.back().rect.bottom();
    for (const int exponent : scale.ticks(std::max(2, static_cast<int>((right - left) / 54)))) {
        const double x = std::round(left + (right - left) * (exponent - scale.low) / std::max(1, scale.high - scale.low)) + 0.5;
        painter.setPen(QPen(theme.line, 1));
        painter.drawLine(QPointF(x, top), QPointF(x, bottom));
        const double from_mark = marked ? std::abs((exponent - *marked) * (right - left) / std::max(1, scale.high - scale.low)) : 1e9;
        if (from_mark < 58) continue; // the marked decade's own label stands there
        write(painter, QRectF(x - 28, p.geometry.axis.top() + 3, 56, 15), Qt::AlignHCenter | Qt::AlignTop,
              decade_label(exponent), pens.number, theme.ink2);
    }
}

void paint_fault(QPainter& painter, const QRectF& box, const QString& text, const Theme& theme, const Pens& pens) {
    write(painter, box, Qt::AlignLeft | Qt::AlignVCenter, text, pens.bold, theme.fault);
}

constexpr const char* letters[] = {"∂a", "∂z", "∂W", "∂b"};

/// A bar as it stands in the rows: what reaches a parameter is full; what only flows on is a tint with an edge.
void paint_bar(QPainter& painter, const QRectF& bar, GradientKind kind, const Theme& theme) {
    const bool full = kind == GradientKind::weight || kind == GradientKind::bias || bar.height() < 4;
    if (full) fill_bar(painter, bar, theme.gradient);
    else fill_bar(painter, bar, theme.gradient_tint, theme.gradient);
}

void paint_norms(QPainter& painter, const FlowPicture& p, const Theme& theme, const Pens& pens) {
    const FlowGeometry& g = p.geometry;
    if (g.lines.empty()) return;
    const double left = g.lines.front().bar.left(), right = g.lines.front().bar.right();
    paint_decades(painter, p, left, right, p.norms, theme, pens);
    for (const FlowGeometry::Line& line : g.lines) {
        const GradientSite& site = (*p.layers)[line.layer].of(line.kind);
        const LayerFlow* flow = p.flow(line.layer);
        const auto norm = flow ? flow->norms[static_cast<std::size_t>(line.kind)] : std::nullopt;
        const bool finite = !norm || std::isfinite(*norm);
        if (g.names)
            write(painter, QRectF(line.bar.left() - 34, line.rect.top(), 34, line.rect.height()), Qt::AlignLeft | Qt::AlignVCenter,
                  flow_words::gradient_name(site), pens.name, theme.gradient);
        if (norm && finite && *norm > 0) {
            QRectF bar = line.bar;
            bar.setWidth(std::max(1.5, bar.width() * p.norms.share(*norm)));
            paint_bar(painter, bar, line.kind, theme);
        }
        const QRectF value(line.bar.right() + 4, line.rect.top(), line.rect.right() - line.bar.right() - 4, line.rect.height());
        if (g.names)
            write(painter, value, Qt::AlignRight | Qt::AlignVCenter, flow_words::number(norm), finite ? pens.number : pens.bold,
                  finite ? theme.ink : theme.fault);
        else if (!finite && line.rect.height() >= readable)
            paint_fault(painter, line.bar.adjusted(2, -4, 0, 4), flow_words::number(norm), theme, pens);
    }
}

void paint_rows(QPainter& painter, const FlowPicture& p, const Theme& theme, const Pens& pens) {
    for (const FlowGeometry::Row& row : p.geometry.rows) {
        if (row.layer > 0 && p.geometry.row_height >= readable) {
            painter.setPen(QPen(theme.line, 1));
            const double y = std::round(row.rect.top()) + 0.5;
            painter.drawLine(QPointF(row.rect.left(), y), QPointF(row.ratio.isNull() ? p.geometry.norms.right() : row.ratio.left(), y));
            if (!p.geometry.updates.isNull()) painter.drawLine(QPointF(p.geometry.updates.left(), y), QPointF(row.rect.right(), y));
        }
        const double name_right = row.lines.empty() ? row.rect.left() + 58
                                                    : p.geometry.lines[row.lines.front()].bar.left() - (p.geometry.names ? 34 : 0);
        if (row.named)
            write(painter, QRectF(row.rect.left(), row.rect.center().y() - 9, std::min(56.0, name_right - row.rect.left()), 18),
                  Qt::AlignLeft | Qt::AlignVCenter, name_right - row.rect.left() < 50 ? QString::number(p.layers->size() - row.layer)
                                                                                       : flow_words::layer_name((*p.layers)[row.layer].module),
                  pens.strong, theme.ink);
        if (row.ratio.isNull() || !p.numbers || p.geometry.row_height < readable) continue;
        if (const auto ratio = flow_words::ratio_to_next(*p.numbers, row.layer)) {
            const bool strong = *ratio < 0.1 || *ratio > 10;
            // between the two rows whose ratio it is
            write(painter, QRectF(row.ratio.left(), row.rect.top() - 8, row.ratio.width(), 16), Qt::AlignRight | Qt::AlignVCenter,
                  flow_words::times(*ratio), strong ? pens.bold : pens.number, theme.ink);
        }
    }
}

void paint_updates(QPainter& painter, const FlowPicture& p, const Theme& theme, const Pens& pens) {
    const FlowGeometry& g = p.geometry;
    const auto first = std::find_if(g.lines.begin(), g.lines.end(), [](const auto& line) { return !line.update.isNull(); });
    if (g.updates.isNull() || first == g.lines.end()) return;
    const double left = first->update.left(), right = first->update.right();
    paint_decades(painter, p, left, right, p.updates, theme, pens, -3);
    for (const FlowGeometry::Line& line : g.lines) {
        const LayerFlow* flow = p.flow(line.layer);
        const auto at = static_cast<std::size_t>(line.kind);
        if (line.update.isNull() || !flow || !flow->updates[at]) continue;
        const double ratio = flow->updates[at]->ratio();
        const bool finite = std::isfinite(ratio);
        if (finite && ratio > 0) {
            // From the convention: on a log axis nothing else is a foot.
            const double usual = left + (right - left) * p.updates.share(1e-3), here = left + (right - left) * p.updates.share(ratio);
            QRectF bar = line.update;
            bar.setLeft(std::min(usual, here));
            bar.setWidth(std::max(1.5, std::abs(here - usual)));
            fill_bar(painter, bar, theme.optimizer);
        }
        const QRectF value(line.update.right() + 4, line.rect.top(), g.updates.right() - line.update.right() - 4, line.rect.height());
        const QString none = ratio == 0 ? tr("no update") : QString(); // from the convention's line on there is no bar
        const double room = value.right() - left - (right - left) * p.updates.share(1e-3) - 6;
        if (line.rect.height() >= readable && !none.isEmpty() && TextMetrics(pens.name).horizontalAdvance(none) <= room)
            write(painter, value.adjusted(value.width() - room, 0, 0, 0), Qt::AlignRight | Qt::AlignVCenter, none, pens.name, theme.ink2);
        else if (line.rect.height() >= readable)
            write(painter, value, Qt::AlignRight | Qt::AlignVCenter, flow_words::number(ratio), finite ? pens.number : pens.bold,
                  finite ? theme.ink : theme.fault);
    }
    const double x = std::round(left + (right - left) * p.updates.share(1e-3)) + 0.5;
    painter.setPen(QPen(theme.ink, 1.5));
    painter.drawLine(QPointF(x, g.rows.front().rect.top()), QPointF(x, g.rows.back().rect.bottom()));
    const double label_left = std::clamp(x - 52, g.updates.left(), std::max(g.updates.left(), g.updates.right() - 104));
    write(painter, QRectF(label_left, g.axis.top() + 3, 104, 15), Qt::AlignHCenter | Qt::AlignTop,
          decade_label(-3) + ' ' + tr("convention"), pens.name, theme.ink);
}

/// At most two points per pixel column: the least and the greatest of those that share one.
QPolygonF polyline(const FlowPicture& p, const QRectF& plot, std::size_t layer, std::size_t kind, std::optional<QPointF>& last) {
    QPolygonF points;
    double column = -1, low = 0, high = 0;
    const auto flush = [&] {
        if (column < 0) return;
        points << QPointF(column, low);
        if (high != low) points << QPointF(column, high);
    };
    for (const NormSample& sample : p.history->samples) {
        if (sample.iteration > p.cursor) break;
        if (layer >= sample.norms.size() || !sample.norms[layer][kind]) continue;
        const double norm = *sample.norms[layer][kind];
        last.reset();
        if (!std::isfinite(norm) || norm <= 0) continue;
        const double x = p.step_x(plot, sample.iteration), y = plot.bottom() - plot.height() * p.norms.share(norm);
        const double at = std::floor(x);
        if (sample.iteration == p.cursor) last = QPointF(x, y);
        if (at != column) {
            flush();
            column = at;
            low = high = y;
        }
        low = std::min(low, y);
        high = std::max(high, y);
    }
    flush();
    return points;
}

void paint_curves(QPainter& painter, const FlowPicture& p, const Theme& theme, const Pens& pens) {
    const FlowGeometry& g = p.geometry;
    if (g.steps.isNull()) return;
    for (const FlowGeometry::Row& row : g.rows) {
        const QRectF plot = p.curve_area(row);
        painter.setPen(QPen(theme.line, 1));
        const bool labels = g.row_height >= 44;
        for (const int exponent : {p.norms.high, p.norms.low}) {
            const double y = std::round(exponent == p.norms.high ? plot.top() : plot.bottom()) + 0.5;
            if (labels || exponent == p.norms.low) {
                painter.setPen(QPen(theme.line, 1));
                painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
            }
            if (labels)
                write(painter, QRectF(row.steps.left(), y - 8, 34, 16), Qt::AlignRight | Qt::AlignVCenter,
                      decade_label(exponent), pens.number, theme.ink2);
        }
        if (!p.history) continue;
        std::optional<QPointF> last;
        const QPolygonF points = polyline(p, plot, row.layer, static_cast<std::size_t>(p.kind), last);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme.gradient, 1.6, Qt::SolidLine, Qt::FlatCap, Qt::BevelJoin));
        painter.drawPolyline(points);
        if (!last) continue;
        painter.setPen(QPen(theme.ink, 2));
        painter.setBrush(theme.surface);
        const double radius = g.row_height < 30 ? 2.5 : 4;
        painter.drawEllipse(*last, radius, radius);
    }
    const QRectF plot = p.curve_area(g.rows.front());
    const double y = g.axis.top() + 3;
    write(painter, QRectF(plot.left() - 4, y, 60, 15), Qt::AlignLeft | Qt::AlignTop, QStringLiteral("0"), pens.number, theme.ink2);
    write(painter, QRectF(plot.left() + 20, y, plot.width() - 20, 15), Qt::AlignRight | Qt::AlignTop,
          tr("step %1").arg(p.last_step), pens.number, theme.ink2);
}

void paint_sizes(QPainter& painter, const FlowPicture& p, const Theme& theme, const Pens& pens) {
    const FlowGeometry& g = p.geometry;
    if (g.sizes.isNull()) return;
    for (const FlowGeometry::Row& row : g.rows) {
        const LayerFlow* flow = p.flow(row.layer);
        const QRectF area = p.bins_area(row);
        painter.setPen(QPen(theme.ink3, 1));
        painter.drawLine(QPointF(area.left(), std::round(area.bottom()) + 0.5), QPointF(area.right(), std::round(area.bottom()) + 0.5));
        const auto kind = static_cast<std::size_t>(p.kind);
        if (!flow || !flow->sizes[kind]) continue;
        const LogHistogram& sizes = *flow->sizes[kind];
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.gradient);
        for (std::size_t bin = 0; bin < sizes.counts.size(); ++bin)
            if (sizes.counts[bin] > 0) painter.drawRect(p.bin_rect(row, sizes, bin));
        if (g.row_height < 26) continue;
        const QRectF top(row.sizes.left(), row.sizes.top(), row.sizes.width(), 15);
        if (sizes.not_finite > 0)
            paint_fault(painter, top, QStringLiteral("✕ ") + tr("%1 NaN or inf").arg(sizes.not_finite), theme, pens);
        else
            write(painter, top, Qt::AlignLeft | Qt::AlignVCenter, flow_words::zeros(sizes), pens.name, theme.ink2);
    }
    const double left = p.bins_area(g.rows.front()).left(), right = p.bins_area(g.rows.front()).right();
    for (const int exponent : p.sizes.ticks(std::max(2, static_cast<int>((right - left) / 54)))) {
        const double x = left + (right - left) * (exponent - p.sizes.low) / std::max(1, p.sizes.high - p.sizes.low);
        const double box = std::clamp(x - 28, left - 12, right - 44);
        write(painter, QRectF(box, g.axis.top() + 3, 56, 15), Qt::AlignHCenter | Qt::AlignTop, decade_label(exponent),
              pens.number, theme.ink2);
    }
}

/// Where the bars have no room for their names: which is which, in the order of the rows.
void paint_key(QPainter& painter, const QRectF& box, const std::vector<GradientKind>& kinds, const Theme& theme, const Pens& pens) {
    double x = box.left();
    for (const GradientKind kind : kinds) {
        paint_bar(painter, QRectF(x, std::round(box.center().y()) - 5, 10, 10), kind, theme);
        const QString name = QStringLiteral("‖%1‖").arg(QString::fromUtf8(letters[static_cast<std::size_t>(kind)]));
        const double wide = TextMetrics(pens.name).horizontalAdvance(name);
        write(painter, QRectF(x + 14, box.top(), wide + 2, box.height()), Qt::AlignLeft | Qt::AlignVCenter, name, pens.name, theme.ink2);
        x += 14 + wide + 12;
    }
    const QString order = tr("output at the top");
    if (TextMetrics(pens.name).horizontalAdvance(order) <= box.right() - x) // whole or not at all
        write(painter, QRectF(x, box.top(), box.right() - x, box.height()), Qt::AlignLeft | Qt::AlignVCenter, order, pens.name, theme.ink2);
}

void paint_header(QPainter& painter, const FlowPicture& p, const Theme& theme, const Pens& pens) {
    const FlowGeometry& g = p.geometry;
    const auto head = [&](const QRectF& column, const QString& text) {
        if (!column.isNull())
            write(painter, QRectF(column.left(), g.header.top(), column.width(), 16), Qt::AlignLeft | Qt::AlignVCenter, text, pens.name, theme.ink2);
    };
    const QString kind = QString::fromUtf8(letters[static_cast<std::size_t>(p.kind)]);
    const bool ratios = !g.rows.front().ratio.isNull();
    const QRectF norms = ratios ? g.norms.adjusted(0, 0, -g.rows.front().ratio.width() - 8, 0) : g.norms;
    std::vector<GradientKind> kinds;
    for (const FlowGeometry::Line& line : g.lines)
        if (std::find(kinds.begin(), kinds.end(), line.kind) == kinds.end()) kinds.push_back(line.kind);
    std::sort(kinds.begin(), kinds.end());
    if (g.names) head(norms, tr("norm, output at the top"));
    else if (kinds.size() > 1) paint_key(painter, QRectF(norms.left(), g.header.top(), norms.width(), 16), kinds, theme, pens);
    else head(norms, tr("‖∂W‖, output at the top"));
    if (ratios && g.rows.size() > 1)
        write(painter, QRectF(g.rows.front().ratio.left(), g.header.top(), g.rows.front().ratio.width(), 16),
              Qt::AlignRight | Qt::AlignVCenter, QStringLiteral("‖∂z‖ ↓"), pens.name, theme.ink2);
    head(g.updates, tr("update ‖Δθ‖ ∕ ‖θ‖"));
    head(g.steps, tr("‖%1‖ over steps").arg(kind));
    head(g.sizes, tr("sizes |%1|, each number").arg(kind));
}

} // namespace

void paint_flow(QPainter& painter, const FlowPicture& p, const Theme& theme) {
    if (p.geometry.rows.empty()) return;
    painter.setRenderHint(QPainter::Antialiasing);
    const Pens pens;
    paint_header(painter, p, theme, pens);
    paint_norms(painter, p, theme, pens);
    paint_updates(painter, p, theme, pens);
    paint_curves(painter, p, theme, pens);
    paint_sizes(painter, p, theme, pens);
    paint_rows(painter, p, theme, pens);
}

void paint_flow_outline(QPainter& painter, const QRectF& rect, const Theme& theme, double width) {
    painter.setPen(QPen(theme.ink, width));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(rect, 4, 4);
}

} // namespace gradus

#include "views/regions/region_painter.hpp"

#include "views/regions/neuron_lines.hpp"
#include "views/regions/region_words.hpp"
#include "views/theme/numbers.hpp"
#include "views/theme/provenance_mark.hpp"
#include "views/theme/words.hpp"

#include <QPixmap>
#include <QRegion>
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

namespace gradus {

namespace {

using region_words::tr;

constexpr double key_mark_width = 16; // pixels, as far as its words

QColor mixed(const QColor& a, const QColor& b, double share) {
    const auto part = [share](int from, int to) { return static_cast<int>(std::lround(from + (to - from) * share)); };
    return QColor(part(a.red(), b.red()), part(a.green(), b.green()), part(a.blue(), b.blue()));
}

QColor signed_colour(double t, const Theme& theme) {
    return mixed(theme.surface, t < 0 ? theme.below : theme.above, std::clamp(std::abs(t), 0.0, 1.0));
}

/// Half the span of the signed map: probabilities and thresholds run 0 to 1, differences of outputs -1 to 1.
double half_span(const DecisionRule& rule) { return rule.kind == DecisionRule::Kind::largest ? 1.0 : 0.5; }

/// Classes beyond two: lighter and darker ink, every third one hatched.
QColor class_tint(int label, const Theme& theme) {
    static constexpr std::array levels{0.03, 0.20, 0.09, 0.28, 0.14, 0.34};
    return mixed(theme.surface, theme.ink, levels[static_cast<std::size_t>(label) % levels.size()]);
}
bool hatched(int label) { return label % 3 == 2; }

void hatch(QPainter& painter, const RegionField& field, const QRectF& plot, const Theme& theme) {
    const int cells = field.wish.cells;
    QRegion region;
    for (int row = 0; row < cells; ++row)
        for (int column = 0; column < cells;) {
            const auto label = [&](int at) { return field.classes[static_cast<std::size_t>((row + 1) * (cells + 2) + at + 1)]; };
            if (label(column) < 0 || !hatched(label(column))) {
                ++column;
                continue;
            }
            int end = column;
            while (end < cells && label(end) == label(column)) ++end;
            const double pixel = plot.width() / cells;
            region += QRect(QPoint(static_cast<int>(plot.left() + column * pixel), static_cast<int>(plot.bottom() - (row + 1) * pixel)),
                            QPoint(static_cast<int>(plot.left() + end * pixel) - 1, static_cast<int>(plot.bottom() - row * pixel) - 1));
            column = end;
        }
    if (region.isEmpty()) return;
    painter.save();
    painter.setClipRegion(region);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.ink3, 1));
    for (double at = -plot.height(); at < plot.width(); at += 9)
        painter.drawLine(QPointF(plot.left() + at, plot.bottom()), QPointF(plot.left() + at + plot.height(), plot.top()));
    painter.restore();
}

void paint_boundary(QPainter& painter, const RegionField& field, const RegionGeometry& g, const Theme& theme) {
    std::vector<QLineF> lines;
    lines.reserve(field.boundary.size());
    for (const ContourPiece& piece : field.boundary) {
        const auto place = [&](double column, double row) {
            return g.at(field.square, field.grid.left + (column + 0.5) * field.grid.cell, field.grid.bottom + (row + 0.5) * field.grid.cell);
        };
        lines.emplace_back(place(piece.x0, piece.y0), place(piece.x1, piece.y1));
    }
    painter.save();
    painter.setClipRect(g.plot);
    painter.setPen(QPen(theme.ink, 1.6, Qt::SolidLine, Qt::RoundCap));
    painter.drawLines(lines.data(), static_cast<int>(lines.size()));
    painter.restore();
}

void paint_axes(QPainter& painter, const RegionField& field, const RegionGeometry& g, const Theme& theme) {
    painter.setPen(QPen(theme.line, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(g.plot.adjusted(-0.5, -0.5, 0.5, 0.5));
    if (!g.axes) return;
    painter.setFont(mono_font(metrics::small_text));
    painter.setPen(theme.ink2);
    const int most = std::clamp(static_cast<int>(g.plot.width() / 56), 2, 8);
    double last_right = g.plot.left() - 100;
    for (const double x : axis_ticks(field.square.left, field.square.size, most)) {
        const double at = g.at(field.square, x, 0).x();
        const QRectF box(at - 24, g.plot.bottom() + 4, 48, 14);
        if (box.left() < last_right - 10) continue;
        last_right = box.right() - 8;
        draw_text(painter, box, Qt::AlignCenter, with_minus(QString::number(x, 'g', 3)));
    }
    double widest = 21; // of the numbers, pixels
    for (const double y : axis_ticks(field.square.bottom, field.square.size, most)) {
        const double at = g.at(field.square, 0, y).y();
        const QString number = with_minus(QString::number(y, 'g', 3));
        widest = std::max(widest, TextMetrics(painter.font()).horizontalAdvance(number));
        draw_text(painter, QRectF(g.plot.left() - 42, std::max(at - 8, g.plot.top() - 4), 36, 16),
                  Qt::AlignRight | Qt::AlignVCenter | Qt::TextDontClip, number);
    }
    painter.setFont(text_font(metrics::small_text));
    draw_text(painter, QRectF(g.plot.left(), g.plot.bottom() + 19, g.plot.width(), 16), Qt::AlignCenter, QStringLiteral("x₁"));
    const double centre = g.plot.center().y();
    painter.save();
    painter.translate(g.plot.left() - 6 - widest - 11, centre);
    painter.rotate(-90);
    draw_text(painter, QRectF(-20, -8, 40, 16), Qt::AlignCenter, QStringLiteral("x₂"));
    painter.restore();
}

/// The numbers at the ends of the map's colours and in their middle.
struct ScaleNumbers {
    QString least, middle, greatest;
    explicit ScaleNumbers(const DecisionRule& rule) {
        const bool clips = rule.kind == DecisionRule::Kind::threshold || rule.kind == DecisionRule::Kind::largest;
        const auto text = [](double value) { return with_minus(QString::number(value, 'g', 3)); };
        least = (clips ? QStringLiteral("≤ ") : QString()) + text(rule.boundary() - half_span(rule));
        middle = text(rule.boundary());
        greatest = (clips ? QStringLiteral("≥ ") : QString()) + text(rule.boundary() + half_span(rule));
    }
};

/// From the least, at `from`, to the greatest.
void paint_colours(QPainter& painter, const QRectF& bar, QPointF from, QPointF to, const Theme& theme) {
    QLinearGradient colours(from, to);
    colours.setColorAt(0, theme.below);
    colours.setColorAt(0.5, theme.surface);
    colours.setColorAt(1, theme.above);
    painter.fillRect(bar, colours);
    painter.setPen(QPen(theme.line, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(bar.adjusted(-0.5, -0.5, 0.5, 0.5));
    painter.setPen(QPen(theme.ink, 1.6));
}

/// Upright, the greatest at the top, the numbers beside it.
void paint_upright_scale(QPainter& painter, const RegionField& field, const RegionGeometry& g, const Theme& theme) {
    if (g.scale.isNull() || !field.rule.one_boundary()) return;
    const QRectF bar(g.scale.left(), g.scale.top(), 10, g.scale.height());
    paint_colours(painter, bar, bar.bottomLeft(), bar.topLeft(), theme);
    painter.drawLine(QPointF(bar.left() - 3, bar.center().y()), QPointF(bar.right() - 1, bar.center().y())); // beyond it a number would have a minus
    const ScaleNumbers numbers(field.rule);
    painter.setFont(mono_font(metrics::small_text));
    painter.setPen(theme.ink2);
    const auto say = [&](double y, const QString& text) {
        draw_text(painter, QRectF(bar.right() + 5, y - 8, g.scale.right() - bar.right() - 5, 16), Qt::AlignLeft | Qt::AlignVCenter, text);
    };
    say(bar.top() + 6, numbers.greatest);
    say(bar.center().y(), numbers.middle);
    say(bar.bottom() - 6, numbers.least);
}

/// The map's colours with numbers; returns how high it stands.
double paint_scale(QPainter& painter, const RegionField& field, const QRectF& box, const Theme& theme) {
    const DecisionRule& rule = field.rule;
    painter.setFont(text_font(metrics::small_text));
    painter.setPen(theme.ink2);
    draw_text(painter, QRectF(box.left(), box.top(), box.width(), 15), Qt::AlignLeft | Qt::AlignVCenter,
              TextMetrics(painter.font()).elidedText(region_words::score_name(rule), Qt::ElideRight, static_cast<int>(box.width())));
    const QRectF bar(box.left(), box.top() + 20, std::min(box.width(), 124.0), 10);
    paint_colours(painter, bar, bar.topLeft(), bar.topRight(), theme);
    painter.drawLine(QPointF(bar.center().x(), bar.top() - 2), QPointF(bar.center().x(), bar.bottom() + 2));
    painter.setFont(mono_font(metrics::small_text));
    painter.setPen(theme.ink2);
    const ScaleNumbers numbers(rule);
    const QRectF row(bar.left(), bar.bottom() + 3, bar.width(), 15);
    draw_text(painter, row, Qt::AlignLeft, numbers.least);
    draw_text(painter, row, Qt::AlignHCenter, numbers.middle);
    draw_text(painter, row, Qt::AlignRight, numbers.greatest);
    return 60;
}

void paint_legend(QPainter& painter, const RegionField& field, const RegionGeometry& g, const Theme& theme) {
    if (g.legend.isNull()) return;
    double y = g.legend.top();
    const double left = g.legend.left(), width = g.legend.width();
    if (field.rule.one_boundary()) y += paint_scale(painter, field, g.legend, theme);
    const auto line = [&](const QString& text, std::size_t count, bool mark_label, int label, bool ring, bool swatch) {
        if (y + 18 > g.legend.bottom() + 1) return;
        if (swatch) {
            painter.fillRect(QRectF(left, y + 2, 14, 14), class_tint(label, theme));
            painter.setPen(QPen(theme.ink3, 1));
            painter.setBrush(hatched(label) ? QBrush(theme.ink3, Qt::BDiagPattern) : QBrush(Qt::NoBrush));
            painter.drawRect(QRectF(left + 0.5, y + 2.5, 13, 13));
        }
        const double mark = left + (swatch ? 26 : 8);
        if (mark_label) paint_point(painter, {mark, y + 9}, 3.5, label, false, theme);
        if (ring) {
            painter.setPen(QPen(theme.ink, 1.4));
            painter.setBrush(Qt::NoBrush);
            painter.drawEllipse(QPointF(mark, y + 9), 6, 6);
        }
        const double text_left = left + (field.rule.one_boundary() ? 20 : 38);
        painter.setFont(text_font(metrics::text - 1));
        painter.setPen(theme.ink);
        const double text_width = TextMetrics(painter.font()).horizontalAdvance(text);
        draw_text(painter, QRectF(text_left, y, width, 18), Qt::AlignLeft | Qt::AlignVCenter, text);
        const double number = text_left + text_width + 8;
        painter.setFont(mono_font(metrics::small_text));
        const QString counted = QString::number(count);
        if (g.counts && number + 14 + TextMetrics(painter.font()).horizontalAdvance(counted) <= left + width) {
            paint_provenance(painter, {number, y + 13}, Provenance::counted, 8, theme.ink2);
            painter.setPen(theme.ink2);
            draw_text(painter, QRectF(number + provenance_width(Provenance::counted, 8), y, 60, 18), Qt::AlignLeft | Qt::AlignVCenter, counted);
        }
        y += 21;
    };
    for (int label = 0; label < field.classes_in_data(); ++label)
        line(region_words::class_name(label), static_cast<std::size_t>(std::count(field.points.labels.begin(), field.points.labels.end(), label)),
             true, label, false, !field.rule.one_boundary());
    if (g.counts || field.wrong() > 0) line(tr("wrong side"), field.wrong(), false, 0, true, false);
    const auto stroke = [&](const QPen& pen, const QString& text) {
        if (y + 18 > g.legend.bottom() + 1) return;
        painter.setPen(pen);
        painter.drawLine(QPointF(left, y + 9), QPointF(left + 15, y + 9));
        painter.setFont(text_font(metrics::text - 1));
        painter.setPen(theme.ink);
        draw_text(painter, QRectF(left + (field.rule.one_boundary() ? 20 : 38), y, width, 18), Qt::AlignLeft | Qt::AlignVCenter, text);
        y += 21;
    };
    if (!field.boundary.empty()) stroke(QPen(theme.ink, 1.6), tr("boundary"));
    if (g.neurons && !field.neurons.empty()) stroke(QPen(theme.ink2, 1.2, Qt::DashLine), tr("neuron h is 0"));
}

/// A mark and what it is, in the longest words there is room for.
struct KeyEntry {
    QString text;
    std::function<void(QPointF)> paint_mark;
};

/// Where the entries begin, row after row; empty where they have no room.
std::vector<QPointF> places_of(const std::vector<KeyEntry>& entries, const QRectF& key, double gap, const TextMetrics& fm) {
    std::vector<QPointF> out;
    QPointF at = key.topLeft();
    for (const KeyEntry& entry : entries) {
        const double wide = key_mark_width + fm.horizontalAdvance(entry.text);
        if (at.x() > key.left() && at.x() + wide > key.right()) at = QPointF(key.left(), at.y() + key_row_height);
        if (at.x() + wide > key.right() || at.y() + key_row_height > key.bottom() + 0.5) return {};
        out.push_back(at);
        at.rx() += wide + gap;
    }
    return out;
}

/// The marks alone, side by side, in as many rows as there are.
void paint_key(QPainter& painter, const RegionField& field, const RegionGeometry& g, const Theme& theme) {
    if (g.key.isNull()) return;
    std::vector<KeyEntry> entries;
    for (int label = 0; label < field.classes_in_data(); ++label)
        entries.push_back({region_words::class_name(label), [&, label](QPointF at) { paint_point(painter, at, 3.5, label, false, theme); }});
    if (g.counts || field.wrong() > 0)
        entries.push_back({tr("wrong side"), [&](QPointF at) {
                               painter.setPen(QPen(theme.ink, 1.4));
                               painter.setBrush(Qt::NoBrush);
                               painter.drawEllipse(at, 6, 6);
                           }});
    const auto stroke = [&](const QPen& pen) {
        return [&painter, pen](QPointF at) {
            painter.setPen(pen);
            painter.drawLine(at - QPointF(6, 0), at + QPointF(6, 0));
        };
    };
    const auto dashes = static_cast<std::ptrdiff_t>(entries.size());
    const bool dashed = g.neurons && !field.neurons.empty();
    if (dashed) entries.push_back({tr("neuron h is 0"), stroke(QPen(theme.ink2, 1.2, Qt::DashLine))});
    if (!field.boundary.empty()) entries.push_back({tr("boundary"), stroke(QPen(theme.ink, 1.6))});
    painter.setFont(text_font(metrics::small_text));
    const TextMetrics fm(painter.font());
    // For want of room the boundary goes first, which is drawn on the scale, too; then words and gaps are shorter, then the last ones go.
    std::vector<QPointF> places = places_of(entries, g.key, 14, fm);
    if (places.empty() && !field.boundary.empty()) {
        entries.pop_back();
        places = places_of(entries, g.key, 14, fm);
    }
    if (places.empty() && dashed) entries[static_cast<std::size_t>(dashes)].text = QStringLiteral("h = 0");
    for (const double gap : {14.0, 8.0, 5.0})
        if (places.empty()) places = places_of(entries, g.key, gap, fm);
    while (places.empty() && entries.size() > 1) {
        entries.pop_back();
        places = places_of(entries, g.key, 8, fm);
    }
    for (std::size_t i = 0; i < places.size(); ++i) {
        entries[i].paint_mark(places[i] + QPointF(6, key_row_height / 2));
        painter.setPen(theme.ink2);
        draw_text(painter, QRectF(places[i].x() + key_mark_width, places[i].y(), fm.horizontalAdvance(entries[i].text) + 2, key_row_height), Qt::AlignLeft | Qt::AlignVCenter,
                  entries[i].text);
    }
}

} // namespace

QImage region_image(const RegionField& field, const Theme& theme) {
    const int cells = field.wish.cells;
    QImage image(std::max(1, cells), std::max(1, cells), QImage::Format_RGB32);
    image.fill(theme.fill);
    std::array<QRgb, 257> map{};
    for (std::size_t i = 0; i < map.size(); ++i) map[i] = signed_colour((static_cast<double>(i) - 128) / 128, theme).rgb();
    std::vector<QRgb> tints;
    for (int label = 0; label < field.rule.classes(); ++label) tints.push_back(class_tint(label, theme).rgb());
    const double middle = field.rule.boundary(), half = half_span(field.rule);
    for (int row = 0; row < cells; ++row) {
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(cells - 1 - row));
        for (int column = 0; column < cells; ++column) {
            const auto at = static_cast<std::size_t>((row + 1) * (cells + 2) + column + 1);
            const int label = field.classes[at];
            if (label < 0) continue; // not finite: the fill stays
            if (!field.rule.one_boundary()) line[column] = tints[static_cast<std::size_t>(label)];
            else line[column] = map[static_cast<std::size_t>(std::lround(128 + 128 * std::clamp((field.scores[at] - middle) / half, -1.0, 1.0)))];
        }
    }
    return image;
}

void paint_point(QPainter& painter, QPointF c, double half, int label, bool wrong, const Theme& theme) {
    painter.setPen(QPen(theme.surface, 3)); // a thread of surface parts the mark from the map
    painter.setBrush(Qt::NoBrush);
    const auto shape = [&](double h) {
        switch (label % 4) {
        case 0: painter.drawEllipse(c, h, h); break;
        case 1: painter.drawRect(QRectF(c.x() - h, c.y() - h, 2 * h, 2 * h)); break;
        case 2: {
            const QPointF up[3] = {{c.x(), c.y() - 1.3 * h}, {c.x() + 1.2 * h, c.y() + 0.9 * h}, {c.x() - 1.2 * h, c.y() + 0.9 * h}};
            painter.drawPolygon(up, 3);
            break;
        }
        default: {
            const QPointF diamond[4] = {{c.x(), c.y() - 1.4 * h}, {c.x() + 1.4 * h, c.y()}, {c.x(), c.y() + 1.4 * h}, {c.x() - 1.4 * h, c.y()}};
            painter.drawPolygon(diamond, 4);
        }
        }
    };
    shape(half);
    const bool filled = label % 2 == 0; // shapes side by side differ in fill too
    painter.setPen(QPen(theme.ink, 1.3));
    painter.setBrush(filled ? theme.ink : theme.surface);
    shape(half - (filled ? 0.5 : 0.2));
    if (!wrong) return;
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.surface, 3));
    painter.drawEllipse(c, half + 4, half + 4);
    painter.setPen(QPen(theme.ink, 1.4));
    painter.drawEllipse(c, half + 4, half + 4);
}

void paint_plane(QPainter& painter, const RegionField& field, const RegionGeometry& g, const Theme& theme) {
    painter.drawImage(g.plot, region_image(field, theme));
    if (!field.rule.one_boundary()) hatch(painter, field, g.plot, theme);
    painter.setRenderHint(QPainter::Antialiasing);
    paint_boundary(painter, field, g, theme);
}

void paint_regions(QPainter& painter, const RegionField& field, const RegionGeometry& g, const Theme& theme, int without) {
    paint_plane(painter, field, g, theme);
    if (g.neurons) paint_neuron_lines(painter, field, g, theme);
    painter.save();
    painter.setClipRect(g.plot);
    // Wrong ones last, so that their rings lie on top. A mark is drawn once and stamped: hundreds of points are alike.
    const double box = 2 * std::ceil(g.mark + 8), scale = painter.device()->devicePixelRatioF();
    for (const bool wrong : {false, true})
        for (int label = 0; label < field.classes_in_data(); ++label) {
            QPixmap stamp(QSizeF(box * scale, box * scale).toSize());
            stamp.setDevicePixelRatio(scale);
            stamp.fill(Qt::transparent);
            QPainter once(&stamp);
            once.setRenderHint(QPainter::Antialiasing);
            paint_point(once, {box / 2, box / 2}, g.mark, label, wrong, theme);
            once.end();
            for (std::size_t i = 0; i < field.points.size(); ++i) {
                if (field.points.labels[i] != label || (field.predicted[i] != label) != wrong || static_cast<int>(i) == without) continue;
                const QPointF centre = g.at(field.square, field.points.x[2 * i], field.points.x[2 * i + 1]);
                painter.drawPixmap(QPointF(std::round(centre.x() - box / 2), std::round(centre.y() - box / 2)), stamp);
            }
        }
    painter.restore();
    paint_axes(painter, field, g, theme);
    paint_legend(painter, field, g, theme);
    paint_key(painter, field, g, theme);
    paint_upright_scale(painter, field, g, theme);
}

} // namespace gradus

#include "views/folds/fold_step_painter.hpp"

#include "views/folds/fold_words.hpp"
#include "views/theme/numbers.hpp"
#include "views/theme/words.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {

namespace {

/// The curve of an activation from −2 to 2 in a square; null for what is none.
QPolygonF curve_of(const std::string& op, const QRectF& square) {
    double (*f)(double) = nullptr;
    if (op == "relu") f = [](double z) { return std::max(z, 0.0) - 1; };
    if (op == "tanh") f = [](double z) { return std::tanh(2 * z); };
    if (op == "sigmoid") f = [](double z) { return std::tanh(1.5 * z); };
    if (op == "gelu") f = [](double z) { return z * 0.5 * std::erfc(-z / std::sqrt(2.0)) - 1; };
    QPolygonF out;
    for (int i = 0; f && i <= 32; ++i)
        out << QPointF(square.left() + square.width() * i / 32, square.center().y() - f(i / 8.0 - 2) * square.height() / 2);
    return out;
}

bool nonlinear(const ChainStep& step) { return !step.is_linear(); }

} // namespace

FoldFonts::FoldFonts(double grow)
    : name(text_font(qRound(metrics::text * grow), QFont::DemiBold)), between(text_font(qRound((metrics::text - 1) * grow))),
      strong_between(text_font(qRound((metrics::text - 1) * grow), QFont::DemiBold)), word(text_font(metrics::text - 1)),
      strong(text_font(metrics::text - 1, QFont::DemiBold)), text(text_font(metrics::text)), bold(text_font(metrics::text, QFont::Bold)),
      number(mono_font(metrics::small_text)), stroke(std::max(1.0, TextMetrics(text).height() / 17)) {}

double fold_step_margin(const ChainStep& step, const FoldFonts& fonts) {
    const double line = TextMetrics(fonts.between).height();
    return std::ceil(line + (nonlinear(step) ? line * 1.1 : 0));
}

void paint_fold_step(QPainter& painter, const QRectF& rect, const FoldPicture& picture, std::size_t step, const FoldFonts& fonts, const Theme& theme) {
    const ChainStep& one = (*picture.chain)[step];
    const FoldBarrier* barrier = picture.barrier(step);
    const bool idle = barrier && barrier->changed == 0, parts = barrier && !idle, bias = one.kind == ChainStep::Kind::bias;
    const QString word = fold_words::step_word(one);
    const QFont& font = parts ? fonts.strong_between : fonts.between;
    const double line = TextMetrics(fonts.between).height(), wide = parts ? 2 * fonts.stroke : fonts.stroke, inset = wide / 2;
    const QRectF box = rect.adjusted(inset, inset, -inset, -inset);
    QPen pen(bias ? theme.parameter : nonlinear(one) && !idle ? theme.ink : theme.ink3, wide);
    if (idle) pen.setDashPattern({4, 3});
    painter.setPen(pen);
    painter.setBrush(bias ? theme.parameter_tint : parts ? theme.fill : theme.surface);
    const double radius = nonlinear(one) ? box.height() / 2 : bias ? 0 : 3;
    painter.drawRoundedRect(box, radius, radius);
    painter.setBrush(Qt::NoBrush);
    const QColor ink = idle ? theme.ink2 : theme.ink;
    QRectF room = box;
    if (nonlinear(one)) {
        const double side = std::min(line * 0.8, box.height() * 0.6);
        const QRectF square(box.left() + line * 0.5, box.center().y() - side / 2, side, side);
        const QPolygonF curve = curve_of(one.op, square);
        painter.setPen(QPen(ink, 1.5 * fonts.stroke));
        if (!curve.isEmpty()) {
            painter.drawPolyline(curve);
            room.setLeft(square.right());
        }
    }
    painter.setFont(font);
    painter.setPen(ink);
    draw_text(painter, room, Qt::AlignCenter | Qt::TextDontClip, word);
    if (idle) {
        const double half = TextMetrics(font).horizontalAdvance(word) / 2 + 2, y = std::round(room.center().y()) + 0.5;
        painter.setPen(QPen(theme.ink2, fonts.stroke));
        painter.drawLine(QPointF(room.center().x() - half, y), QPointF(room.center().x() + half, y));
    }
    if (one.ordinal != picture.cursor && (picture.selected.empty() || picture.selected != one.output)) return;
    painter.setPen(QPen(theme.ink, 2 * fonts.stroke));
    const double away = 3 * fonts.stroke;
    painter.drawRoundedRect(box.adjusted(-away, -away, away, away), radius + away, radius + away);
}

void paint_fold_data(QPainter& painter, const QRectF& rect, const QString& name, const Shape& shape, const FoldFonts& fonts, const Theme& theme) {
    if (rect.isNull()) return;
    const double line = TextMetrics(fonts.name).height(), small = TextMetrics(fonts.number).height();
    const double height = std::min(rect.height(), line + small + 14);
    const double half = fonts.stroke / 2;
    const QRectF box = QRectF(rect.left(), rect.center().y() - height / 2, rect.width(), height).adjusted(half, half, -half, -half);
    painter.setPen(QPen(theme.data, fonts.stroke));
    painter.setBrush(theme.data_tint);
    painter.drawRoundedRect(box, 6, 6);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(theme.ink);
    painter.setFont(fonts.name);
    const QString size = QString::fromStdString(shape.text());
    const bool both = shape.rank() > 0 && box.height() >= line + small + 2 && TextMetrics(fonts.number).horizontalAdvance(size) <= box.width() - 4;
    if (!both) return draw_text(painter, box, Qt::AlignCenter | Qt::TextDontClip, name);
    const double top = box.center().y() - (line + small) / 2;
    draw_text(painter, QRectF(box.left(), top, box.width(), line), Qt::AlignCenter | Qt::TextDontClip, name);
    painter.setFont(fonts.number);
    painter.setPen(theme.ink2);
    draw_text(painter, QRectF(box.left(), top + line, box.width(), small), Qt::AlignCenter | Qt::TextDontClip, size);
}

void paint_fold_arrow(QPainter& painter, QPointF from, QPointF to, const QColor& colour, double stroke) {
    const QLineF line(from, to);
    if (line.length() < 2) return;
    painter.setPen(QPen(colour, stroke, Qt::SolidLine, Qt::FlatCap));
    painter.drawLine(line);
    const QPointF along = (to - from) / line.length(), across(-along.y(), along.x());
    const double head = std::min(4.5 * stroke, line.length());
    painter.drawPolyline(QPolygonF{to - along * head + across * head * 0.7, to, to - along * head - across * head * 0.7});
}

} // namespace gradus

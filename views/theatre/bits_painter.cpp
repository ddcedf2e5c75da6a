// One fp32 multiply-add, bit by bit: operands, the exact product and sum, and the one rounding at the end.
#include "views/theatre/theatre_painter.hpp"
#include "views/theatre/theatre_words.hpp"
#include "views/theme/numbers.hpp"
#include "views/theme/words.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

namespace gradus {

namespace {

using theatre_words::tr;

QString float_words(std::uint32_t bits) {
    return with_minus(QString::number(static_cast<double>(std::bit_cast<float>(bits)), 'g', 9));
}

/// Sign, eight bits of the exponent, 23 of the fraction, each in a cell of its tint.
void paint_float(QPainter& painter, const QString& name, std::uint32_t bits, const QRectF& row, double gutter, double cell, const QFont& font, const Theme& theme) {
    painter.setFont(mono_font(font.pixelSize(), QFont::DemiBold));
    painter.setPen(theme.ink);
    draw_text(painter, QRectF(row.left(), row.top(), gutter - 8, row.height()), Qt::AlignLeft | Qt::AlignVCenter, name);
    double x = row.left() + gutter;
    painter.setFont(font);
    for (int bit = 31; bit >= 0; --bit) {
        painter.fillRect(QRectF(x + 0.5, row.top() + 2, cell - 1, row.height() - 4), theme.bits[bit == 31 ? 0 : bit >= 23 ? 1 : 2]);
        painter.setPen(theme.ink);
        draw_text(painter, QRectF(x, row.top(), cell, row.height()), Qt::AlignCenter | Qt::TextDontClip, QString::number(bits >> bit & 1));
        x += cell + (bit == 31 || bit == 23 ? 6 : 0);
    }
    painter.setPen(theme.ink);
    draw_text(painter, QRectF(x + 10, row.top(), row.right() - x - 10, row.height()), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, float_words(bits));
}

/// All bits of a number that has no room in fp32: those that stay in ink, those that fall away after a bar.
void paint_exact(QPainter& painter, const QString& name, const ExactNumber& number, int last_place, bool cut, const QRectF& row, double gutter, const QFont& font, const Theme& theme) {
    const TextMetrics fm(font);
    painter.setFont(font);
    painter.setPen(theme.ink2);
    draw_text(painter, QRectF(row.left(), row.top(), gutter - 8, row.height()), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, name);
    double x = row.left() + gutter;
    const double base = row.center().y() + fm.capHeight() / 2;
    const auto put = [&](const QString& text, const QColor& colour) {
        painter.setPen(colour);
        draw_text(painter, QPointF(x, base), text);
        x += fm.horizontalAdvance(text);
    };
    if (number.digits.empty()) return put(QStringLiteral("0"), theme.ink);
    const QString digits = QString::fromStdString(number.digits);
    const qsizetype kept = cut ? std::clamp<qsizetype>(number.highest - last_place + 1, 0, digits.size()) : digits.size();
    const QString scale = QStringLiteral(" × 2^%1").arg(with_minus(QString::number(number.highest)));
    const double room = row.right() - x - fm.horizontalAdvance(scale) - 8;
    QString shown = (number.negative ? QStringLiteral("−") : QString()) + digits.left(1) + (digits.size() > 1 ? QStringLiteral(".") : QString()) + digits.mid(1, std::max<qsizetype>(0, kept - 1));
    put(fm.elidedText(shown, Qt::ElideRight, room), theme.ink);
    if (const QString lost = digits.mid(kept); !lost.isEmpty()) {
        painter.fillRect(QRectF(x + 2, row.top() + 2, 2, row.height() - 4), theme.ink);
        x += 7;
        put(fm.elidedText(lost, Qt::ElideRight, std::max(20.0, row.right() - x - fm.horizontalAdvance(scale) - 8)), theme.ink2);
    }
    put(scale, theme.ink2);
}

enum class BitsRow { a, b, c, product, sum, rounding, result }; // from top to bottom

/// All rows, or where only so many have room those that say most.
std::set<BitsRow> rows_within(double rows) {
    using enum BitsRow;
    std::set<BitsRow> out{result};
    for (const BitsRow next : {sum, a, b, c, product, rounding})
        if (static_cast<double>(out.size() + 1) <= rows) out.insert(next);
    return out;
}

} // namespace

void paint_bits(QPainter& painter, const TheatrePicture& p, const Theme& theme) {
    const FmaBits& bits = *p.model.bits;
    const QRectF& box = p.geometry.bits;
    const int type = p.sparse ? 14 : box.width() < 480 ? metrics::small_text : metrics::text - 1;
    const QFont font = mono_font(type);
    const TextMetrics fm(font);
    const std::set<BitsRow> shown = rows_within(box.height() / (fm.height() * 0.8));
    const double row = std::min(std::ceil(fm.height() * 1.35), box.height() / static_cast<double>(shown.size()));
    const double gutter = std::max({fm.horizontalAdvance(QStringLiteral("a·b + c ")), fm.horizontalAdvance(QStringLiteral("result "))}) + 8;
    const double cell = std::min(fm.horizontalAdvance(QStringLiteral("0")) + 4, (box.width() - gutter - fm.horizontalAdvance(QStringLiteral("−0.000000000")) - 26) / 32);
    double y = box.top();
    const auto next = [&] {
        const QRectF out(box.left(), y, box.width(), row);
        y += row;
        return out;
    };
    if (!p.geometry.memory_head.isNull()) {
        painter.setFont(text_font(metrics::text - 1, QFont::DemiBold));
        painter.setPen(theme.ink2);
        const QString head = tr("fmaf(a, b, c) of lane %1: multiply-add %2 of %3 on its way to this step").arg(p.model.lane).arg(p.model.fma + 1).arg(p.model.fmas);
        draw_text(painter, p.geometry.memory_head, Qt::AlignLeft | Qt::AlignVCenter, TextMetrics(painter.font()).elidedText(head, Qt::ElideRight, p.geometry.memory_head.width()));
    }
    for (const BitsRow each : shown) {
        const QRectF here = next();
        switch (each) {
        case BitsRow::a: paint_float(painter, QStringLiteral("a"), bits.a.bits, here, gutter, cell, font, theme); break;
        case BitsRow::b: paint_float(painter, QStringLiteral("b"), bits.b.bits, here, gutter, cell, font, theme); break;
        case BitsRow::c: paint_float(painter, QStringLiteral("c"), bits.c.bits, here, gutter, cell, font, theme); break;
        case BitsRow::product: paint_exact(painter, QStringLiteral("a·b"), bits.product, 0, false, here, gutter, font, theme); break;
        case BitsRow::sum: paint_exact(painter, QStringLiteral("a·b + c"), bits.sum, bits.last_place, true, here, gutter, font, theme); break;
        case BitsRow::rounding:
            painter.setFont(text_font(p.sparse ? 14 : metrics::text - 1));
            painter.setPen(theme.ink);
            draw_text(painter, here.adjusted(gutter, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip,
                      TextMetrics(painter.font()).elidedText(rounding_words(bits.step), Qt::ElideRight, here.width() - gutter));
            break;
        case BitsRow::result: paint_float(painter, tr("result"), bits.result, here, gutter, cell, font, theme); break;
        }
    }
}

} // namespace gradus

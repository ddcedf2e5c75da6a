#include "views/flow/flow_painter.hpp"

#include "views/derive/engine_words.hpp"
#include "views/flow/flow_words.hpp"
#include "views/theme/numbers.hpp"
#include "views/theme/paragraph.hpp"
#include "views/theme/words.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {

namespace {

using flow_words::tr;

void write_cell(QPainter& painter, const QRectF& box, const QString& text, const QFont& font, const QColor& colour) {
    painter.setFont(font);
    painter.setPen(colour);
    draw_text(painter, box, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
              TextMetrics(painter.font()).elidedText(text, Qt::ElideRight, static_cast<int>(std::ceil(box.width()))));
}

} // namespace

void paint_check(QPainter& painter, const FlowPicture& p, const Theme& theme) {
    const QRectF& box = p.geometry.check;
    if (box.isNull()) return;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.fill);
    painter.drawRoundedRect(box, 6, 6);
    const QRectF inside = box.adjusted(12, 8, -12, -8);
    const auto sentence = [&](const QString& text) {
        painter.setFont(text_font(metrics::text - 1));
        painter.setPen(theme.ink2);
        draw_paragraph(painter, inside, Qt::AlignLeft | Qt::AlignVCenter, text);
    };
    if (!p.check) {
        sentence(p.checking ? tr("The loss is computed again on both sides …")
                            : tr("Click a filled bar: its largest gradient is checked by finite differences."));
        return;
    }
    if (!p.check->refusal.empty()) return sentence(engine_words(p.check->refusal));
    const FiniteDifference& c = p.check->check;
    const auto digits = flow_words::six_digits;
    struct Cell {
        QString label, value;
        bool finite;
    };
    std::vector<Cell> cells{
        {QStringLiteral("∂") + written_name(c.parameter) + flow_words::place(c.index), digits(c.gradient), std::isfinite(c.gradient)},
        {tr("finite difference"), digits(c.difference), std::isfinite(c.difference)},
        {tr("relative difference"), three_digits(c.relative), std::isfinite(c.relative)},
        {QStringLiteral("h"), three_digits(c.h), true},
        {tr("rounding of L"), (std::isfinite(c.rounding) ? QStringLiteral("±") : QString()) + three_digits(c.rounding), std::isfinite(c.rounding)},
        {tr("computed in fp64"), tr("step %1").arg(p.check->wish.iteration), true},
    };
    if (c.flipped > 0) cells.push_back({tr("a kink lies between"), tr("%1 ReLUs flip").arg(c.flipped), true});
    const double wide = 124;
    const auto fits = std::clamp<std::size_t>(static_cast<std::size_t>(inside.width() / 104), 1, cells.size());
    if (c.flipped > 0 && fits < cells.size() && fits > 3) std::swap(cells[fits - 1], cells.back()); // the reason before the rest
    const double pitch = std::min(inside.width() / static_cast<double>(fits), wide * 1.5);
    for (std::size_t i = 0; i < fits; ++i) {
        const QRectF cell(inside.left() + pitch * static_cast<double>(i), inside.top(), pitch - 8, inside.height());
        write_cell(painter, QRectF(cell.left(), cell.top(), cell.width(), 18), cells[i].label, text_font(metrics::small_text),
              i == 0 ? theme.gradient : theme.ink2);
        write_cell(painter, QRectF(cell.left(), cell.top() + 20, cell.width(), 18),
              cells[i].finite ? cells[i].value : QStringLiteral("✕ ") + cells[i].value,
              mono_font(metrics::text - 1, i < 3 ? QFont::Bold : QFont::Normal), cells[i].finite ? theme.ink : theme.fault);
    }
}

} // namespace gradus

// How large what is written round a valley is, and where the numbers above it stand.
#include "views/theme/words.hpp"
#include "views/valley/valley_painter.hpp"

#include <algorithm>

namespace gradus {

namespace {
using Kind = ObjectiveConstants::Kind;
constexpr double between = 18; // pixels from readout to readout
constexpr int most_rows = 2;
} // namespace

QFont valley_font() { return text_font(metrics::text, QFont::DemiBold); }

ValleyText valley_text(Kind kind, const ValleyRange& range) {
    const TextMetrics fm(mono_font(metrics::small_text)), names(valley_font());
    ValleyText out{names.height(), fm.horizontalAdvance(QStringLiteral("0")), names.horizontalAdvance(valley_words::across(kind)),
                   names.horizontalAdvance(valley_words::up(kind))};
    for (const int most : {3, 5, 7})
        for (const double tick : round_ticks(range.bottom, range.top, most))
            out.number = std::max(out.number, fm.horizontalAdvance(valley_words::tick(tick)));
    return out;
}

int readout_rows(const std::vector<ValleyReadout>& readouts, double width) {
    const TextMetrics fm(valley_font());
    double x = 0;
    int rows = 1;
    for (const ValleyReadout& readout : readouts) {
        const double wide = fm.horizontalAdvance(readout.widest);
        if (x > 0 && x + wide > width) {
            ++rows;
            x = 0;
        }
        x += wide + between;
    }
    return std::min(rows, most_rows);
}

std::vector<QRectF> place_readouts(const std::vector<ValleyReadout>& readouts, const QRectF& area, double line) {
    const TextMetrics fm(valley_font());
    std::vector<QRectF> out;
    double x = area.left(), y = area.top();
    for (const ValleyReadout& readout : readouts) {
        const double wide = fm.horizontalAdvance(readout.widest);
        if (x > area.left() && x + wide > area.right()) {
            x = area.left();
            y += line + 4;
        }
        if (y + line > area.bottom() + 0.5 || area.isNull()) out.emplace_back();
        else out.emplace_back(x, y, std::min(wide, area.right() - x), line);
        x += wide + between;
    }
    for (std::size_t i = 0; i < out.size(); ++i) // the last of a row has what is left of it
        if (!out[i].isNull() && (i + 1 == out.size() || out[i + 1].isNull() || out[i + 1].top() > out[i].top())) out[i].setRight(area.right());
    return out;
}

} // namespace gradus

#include "views/probabilities/probability_geometry.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {

namespace {

using Quantity = ProbabilityQuantity;

constexpr double gutter = 58;       // for ticks and names, pixels
constexpr double least_plot = 34;   // lower bars tell nothing
constexpr double between = 4;       // rows
constexpr double number_gap = 5;    // from a number over a bar to the next
constexpr double lower_plot = 28;   // of those that numbers over the bars explain
constexpr double least_wide_bar = 44, widest_bar = 80; // in few wide columns
constexpr double above_words = 8; // below the corners' names
constexpr double least_side = 90;   // of a triangle that can be read
const double triangle_height = std::sqrt(3.0) / 2; // over its side

/// The logits first, which are dragged; then what is wanted.
std::vector<Quantity> rows_for(const ProbabilityContents& contents, std::size_t most) {
    std::vector<Quantity> out{Quantity::z};
    const auto take = [&](Quantity quantity) {
        const bool there = quantity != Quantity::dz || contents.gradient;
        if (there && out.size() < most && std::find(out.begin(), out.end(), quantity) == out.end()) out.push_back(quantity);
    };
    for (const Quantity quantity : {contents.wanted, Quantity::p, Quantity::dz}) take(quantity);
    std::sort(out.begin(), out.end());
    return out;
}

/// Lines of numbers that a row needs beside its plot: over what stands, under what hangs. Half of each is there anyway: the
/// axis' numbers stand half above and half below its ends.
double number_lines(Quantity quantity) { return quantity == Quantity::p ? 1 : 2; }

void lay_out_bars(ProbabilityGeometry& g, const QRectF& area, std::size_t most_rows) {
    const double line = g.contents.line;
    if (area.width() < gutter + 20 || area.height() < 2 * line + least_plot) return;
    std::vector<Quantity> rows;
    double free = 0;
    bool titles = false;
    for (std::size_t count = std::min<std::size_t>(most_rows, 3); count >= 1; --count) {
        rows = rows_for(g.contents, count);
        free = area.height() - line - static_cast<double>(rows.size() - 1) * between - static_cast<double>(rows.size()) * (least_plot + line);
        if (free >= 0) break;
    }
    double numbers = 0;
    for (const Quantity quantity : rows) numbers += number_lines(quantity);
    if (free + static_cast<double>(rows.size()) * (least_plot - lower_plot) >= numbers * line / 2) {
        g.number_line = line;
        free -= numbers * line / 2;
    }
    if (free >= static_cast<double>(rows.size()) * (line + 24)) {
        titles = true;
        free -= static_cast<double>(rows.size()) * (line + below_title);
    }
    const double plots = free + static_cast<double>(rows.size()) * least_plot;
    const double plot = std::floor(plots / static_cast<double>(rows.size()));
    const double wide = area.width() - gutter, left = area.left() + gutter;
    const double column = wide / static_cast<double>(g.contents.classes);
    g.bar = column > 12 ? std::clamp(column * 0.62, 6.0, std::clamp(column * 0.32, least_wide_bar, widest_bar)) : std::max(1.0, column - 1);
    double top = area.top();
    for (const Quantity quantity : rows) {
        ProbabilityGeometry::Row row;
        row.quantity = quantity;
        const double from = top;
        if (titles) {
            row.title = QRectF(area.left(), top, area.width(), line);
            top += line + below_title;
        }
        top += std::max(g.number_line, line / 2);
        row.plot = QRectF(left, top, wide, plot);
        top += plot + (number_lines(quantity) > 1 ? std::max(g.number_line, line / 2) : line / 2);
        row.area = QRectF(area.left(), from, area.width(), top - from);
        row.low = quantity == Quantity::z ? -g.contents.z_end : quantity == Quantity::p ? 0 : -1;
        row.high = quantity == Quantity::z ? g.contents.z_end : 1;
        g.rows.push_back(row);
        top += between;
    }
    g.classes = QRectF(left, top - between, wide, line);
}

void lay_out_triangle(ProbabilityGeometry& g, const QRectF& area) {
    const double line = g.contents.line;
    const auto side_in = [&](double lines) { // names of the corners above and below, and words
        return std::min(area.width() - 2 * line, (area.height() - (2 + lines) * line - (lines > 0 ? above_words : 0)) / triangle_height);
    };
    const double words = side_in(4) >= 150 ? 4 : side_in(3) >= 110 ? 3 : 0;
    const double side = std::floor(side_in(words));
    if (side < least_side) return;
    const double high = side * triangle_height, wide = side + 2 * line;
    const double gap = words > 0 ? above_words : 0;
    const double left = area.center().x() - side / 2, top = area.top() + line + (area.height() - (2 + words) * line - gap - high) / 2;
    g.corners = {QPointF(left, top + high), QPointF(left + side, top + high), QPointF(left + side / 2, top)};
    g.triangle = QRectF(area.center().x() - wide / 2, top - line, wide, high + 2 * line);
    if (words > 0) g.words = QRectF(area.left(), top + high + line + gap, area.width(), words * line);
}

} // namespace

double ProbabilityGeometry::Row::y(double value) const {
    const double share = std::isfinite(value) ? std::clamp((value - low) / (high - low), 0.0, 1.0) : (0 - low) / (high - low);
    return plot.bottom() - share * plot.height();
}

const ProbabilityGeometry::Row* ProbabilityGeometry::row(ProbabilityQuantity quantity) const {
    const auto at = std::find_if(rows.begin(), rows.end(), [&](const Row& r) { return r.quantity == quantity; });
    return at == rows.end() ? nullptr : &*at;
}

QRectF ProbabilityGeometry::column(const Row& row, std::size_t i) const {
    const double wide = row.plot.width() / static_cast<double>(std::max<std::size_t>(1, contents.classes));
    const double top = row.plot.top() - number_line, bottom = row.plot.bottom() + (row.low < 0 ? number_line : 0);
    return {row.plot.left() + wide * static_cast<double>(i), top, wide, bottom - top};
}

QRectF ProbabilityGeometry::bar_of(const Row& row, std::size_t i, double value) const {
    const QRectF whole = column(row, i);
    const double from = row.y(0), to = row.y(value);
    return {whole.center().x() - bar / 2, std::min(from, to), bar, std::abs(to - from)};
}

int ProbabilityGeometry::class_at(const Row& row, QPointF pixel) const {
    for (std::size_t i = 0; i < contents.classes; ++i)
        if (column(row, i).contains(pixel)) return static_cast<int>(i);
    return -1;
}

QPointF ProbabilityGeometry::at(const std::array<double, 3>& p) const {
    return corners[0] * p[0] + corners[1] * p[1] + corners[2] * p[2];
}

ProbabilityGeometry lay_out_probabilities(const ProbabilityContents& contents, const QRectF& area) {
    ProbabilityGeometry g;
    g.contents = contents;
    if (contents.classes == 0 || area.width() <= 0 || area.height() <= 0) return g;
    if (contents.classes != 3) {
        lay_out_bars(g, area, 3);
        return g;
    }
    constexpr double gap = 20, least_bars = 160; // pixels
    const bool beside = area.width() >= 1.15 * area.height() && area.width() >= 2 * least_bars;
    if (beside) {
        const double bars = std::max(least_bars, gutter + 3 * (contents.number + number_gap)); // three digits over each
        const double wide = std::max(area.width() * 0.5, std::min(area.width() * 0.58, area.width() - gap - bars));
        lay_out_triangle(g, QRectF(area.left(), area.top(), wide, area.height()));
        if (!g.triangle.isNull()) {
            lay_out_bars(g, QRectF(area.left() + wide + gap, area.top(), area.width() - wide - gap, area.height()), 3);
            return g;
        }
    } else {
        const double high = std::max(2 * contents.line + least_plot, area.height() * 0.32);
        lay_out_triangle(g, QRectF(area.left(), area.top(), area.width(), area.height() - high - gap));
        if (!g.triangle.isNull()) {
            lay_out_bars(g, QRectF(area.left(), area.bottom() - high, area.width(), high), 1);
            return g;
        }
    }
    lay_out_bars(g, area, 3);
    return g;
}

double axis_end_of(const std::vector<double>& z) {
    double largest = 0;
    for (const double logit : z)
        if (std::isfinite(logit)) largest = std::max(largest, std::abs(logit));
    const double wanted = std::max(4.0, 1.25 * largest);
    const double decade = std::pow(10.0, std::floor(std::log10(wanted)));
    for (const double times : {1.0, 2.0, 4.0, 5.0, 8.0})
        if (times * decade >= wanted * (1 - 1e-12)) return times * decade;
    return 10 * decade;
}

double rounded_to_pixel_of(double value, double per_pixel) {
    if (!(per_pixel > 0) || !std::isfinite(value)) return value;
    const double unit = std::pow(10.0, std::floor(std::log10(per_pixel)));
    return unit < 1 ? std::round(value * std::round(1 / unit)) / std::round(1 / unit) : std::round(value / unit) * unit;
}

} // namespace gradus

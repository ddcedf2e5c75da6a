#include "views/timeline/timeline_geometry.hpp"

#include "views/derive/event_words.hpp"
#include "views/theme/theme.hpp"
#include "views/theme/words.hpp"
#include "views/timeline/timeline_words.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {

namespace {

constexpr double shortest = 1e-9;     // seconds
constexpr double named_row = 44, usual_row = 64, tallest_row = 96, row_gap = 3, lane_gap = 8, tick_distance = 84; // pixels

using timeline_words::tr;

QString level_word(Level level) {
    switch (level) {
    case Level::phase: return tr("phase");
    case Level::module: return tr("module");
    case Level::op: return tr("op");
    case Level::kernel: return tr("kernel");
    default: return QString::fromUtf8(name_of(level).data());
    }
}

/// 1, 2 or 5 times a power of ten: the first that is at least so much.
double nice_step(double least) {
    const double power = std::pow(10, std::floor(std::log10(least)));
    for (const double times : {1.0, 2.0, 5.0})
        if (power * times >= least * (1 - 1e-9)) return power * times;
    return power * 10;
}

void add_ticks(TimelineGeometry& geometry) {
    if (!(geometry.span.length() > 0) || geometry.area.width() < 20) return;
    const double step = nice_step(geometry.span.length() * tick_distance / geometry.area.width());
    const double largest = std::max(std::abs(geometry.span.until), step);
    const auto [unit, name] = largest >= 1      ? std::pair{1.0, "s"}
                              : largest >= 1e-3 ? std::pair{1e-3, "ms"}
                              : largest >= 1e-6 ? std::pair{1e-6, "µs"}
                                                : std::pair{1e-9, "ns"};
    for (double k = std::ceil(geometry.span.from / step - 1e-9); k * step <= geometry.span.until * (1 + 1e-9); ++k) {
        const QString number = k == 0 ? QStringLiteral("0") : QString::number(k * step / unit, 'g', 9);
        geometry.ticks.push_back({geometry.x_of(k * step), number + ' ' + QString::fromUtf8(name)});
        if (geometry.ticks.size() > 200) return;
    }
}

/// Bars of one row; those narrower than a pixel that touch are joined.
void add_items(TimelineGeometry& geometry, const TimelineModel& model, std::size_t lane) {
    const std::vector<TimelineBar>& bars = model.lanes[lane].bars;
    const QRectF row = geometry.rows[lane].rect;
    // Bars of a row begin in order; those before the span that reach into it can only be the last ones that began.
    auto at = std::lower_bound(bars.begin(), bars.end(), geometry.span.from,
                               [](const TimelineBar& bar, double from) { return bar.start < from; });
    if (at != bars.begin() && std::prev(at)->end > geometry.span.from) --at;
    const double left = geometry.area.left() - 1, right = geometry.area.right() + 1;
    bool joining = false;
    for (; at != bars.end() && at->start < geometry.span.until; ++at) {
        const double from = geometry.x_of(at->start), until = geometry.x_of(at->end);
        const bool narrow = until - from < 1;
        const auto place = static_cast<std::size_t>(at - bars.begin());
        if (narrow && joining && from - geometry.items.back().rect.right() < 1) {
            TimelineItem& item = geometry.items.back();
            item.rect.setRight(std::max(item.rect.right(), until));
            ++item.count;
            continue;
        }
        joining = narrow;
        const double start = std::max(from, left), end = std::min(std::max(until, from + (narrow ? 0.5 : 1)), right);
        geometry.items.push_back({QRectF(start, row.top(), end - start, row.height()), lane, place, 1});
    }
}

} // namespace

TimeSpan clamped(TimeSpan span, double end) {
    end = std::max(end, shortest);
    const double length = std::clamp(span.length(), shortest, end);
    const double from = std::clamp(span.from, 0.0, end - length);
    return {from, from + length};
}

TimeSpan zoomed(TimeSpan span, double factor, double share, double end) {
    const double fixed = span.from + share * span.length();
    const double length = std::clamp(span.length() * factor, shortest, std::max(end, shortest));
    return clamped({fixed - share * length, fixed + (1 - share) * length}, end);
}

double TimelineGeometry::x_of(double seconds) const {
    return area.left() + area.width() * (seconds - span.from) / std::max(span.length(), 1e-12);
}

double TimelineGeometry::seconds_at(double x) const {
    return span.from + span.length() * (area.width() > 0 ? (x - area.left()) / area.width() : 0);
}

const TimelineItem* TimelineGeometry::at(QPointF position) const {
    const TimelineItem* nearest = nullptr;
    for (const TimelineItem& item : items) {
        if (position.y() < item.rect.top() || position.y() > item.rect.bottom()) continue;
        if (position.x() < item.rect.left() - 1 || position.x() > item.rect.right() + 1) continue;
        if (item.rect.contains(position)) return &item;
        nearest = &item; // a bar of one pixel is hard to meet
    }
    return nearest;
}

const TimelineItem* TimelineGeometry::find(const TimelineModel& model, std::int32_t ordinal) const {
    if (ordinal < 0) return nullptr;
    for (const TimelineItem& item : items)
        for (std::size_t i = item.first; i < item.first + item.count; ++i)
            if (model.lanes[item.lane].bars[i].ordinal == ordinal) return &item;
    return nullptr;
}

namespace {

/// A row has a name and a time in it. Where what is wanted below has room beneath rows that are no higher than it takes for
/// these, they leave it; else they take all there is.
double row_height(double room, double count, double below) {
    const double beside_table = (room - below) / count;
    if (below > 0 && beside_table >= named_row) return std::min(beside_table, usual_row);
    return std::clamp(room / count, 0.5, tallest_row);
}

/// A phase too narrow for its name has it upright, and the row of phases takes from the others what the longest of these needs, as
/// far as they keep a name and a time.
std::vector<double> row_heights(const TimelineModel& model, const TimelineGeometry& geometry, double height) {
    constexpr double least_other = 34; // pixels
    std::vector<double> out(model.lanes.size(), height);
    const TextMetrics fm(text_font(metrics::small_text + 1, QFont::DemiBold));
    double needed = 0;
    std::vector<std::size_t> phases;
    for (std::size_t i = 0; i < model.lanes.size(); ++i) {
        if (model.lanes[i].level != Level::phase) continue;
        phases.push_back(i);
        for (const TimelineBar& bar : model.lanes[i].bars) {
            const double wide = geometry.x_of(bar.end) - geometry.x_of(bar.start), name = fm.horizontalAdvance(event_word(model.site_of(bar)));
            if (wide >= fm.ascent() + fm.descent() + 2 && wide < name + 11) needed = std::max(needed, name + 9);
        }
    }
    const auto others = static_cast<double>(out.size() - phases.size());
    if (phases.size() != 1 || others < 1 || needed <= height || height - (needed - height) / others < least_other) return out;
    std::fill(out.begin(), out.end(), height - (needed - height) / others);
    out[phases.front()] = needed;
    return out;
}

} // namespace

TimelineGeometry lay_out(const TimelineModel& model, const QRectF& contents, TimeSpan span, double below) {
    TimelineGeometry geometry;
    geometry.span = span;
    const bool several = !model.lanes.empty() && model.lanes.back().lane != model.lanes.front().lane;
    const TextMetrics fm(text_font(metrics::small_text));
    double gutter = 0;
    std::vector<QString> names;
    for (std::size_t i = 0; i < model.lanes.size(); ++i) {
        const bool first = i == 0 || model.lanes[i].lane != model.lanes[i - 1].lane;
        names.push_back(several && first ? tr("lane %1").arg(model.lanes[i].lane) : level_word(model.lanes[i].level));
        gutter = std::max(gutter, std::ceil(fm.horizontalAdvance(names.back())) + 12);
    }
    if (contents.width() < 360) gutter = 0;
    geometry.gutter = QRectF(contents.left(), contents.top() + axis_height, gutter, std::max(0.0, contents.height() - axis_height));
    geometry.axis = QRectF(contents.left() + gutter, contents.top(), std::max(0.0, contents.width() - gutter),
                           std::min(axis_height, std::max(0.0, contents.height())));
    geometry.area = QRectF(geometry.axis.left(), geometry.axis.bottom(), geometry.axis.width(),
                           std::max(0.0, contents.bottom() - geometry.axis.bottom()));
    if (model.lanes.empty() || geometry.area.width() < 1 || geometry.area.height() < 1) return geometry;
    std::size_t breaks = 0;
    for (std::size_t i = 1; i < model.lanes.size(); ++i) breaks += model.lanes[i].lane != model.lanes[i - 1].lane;
    const auto count = static_cast<double>(model.lanes.size());
    const double gaps = (count - 1) * row_gap + static_cast<double>(breaks) * (lane_gap - row_gap);
    const bool tight = geometry.area.height() - gaps < count * 4;
    const double height = row_height(geometry.area.height() - 8 - (tight ? 0 : gaps), count, below);
    const std::vector<double> heights = row_heights(model, geometry, height);
    double y = geometry.area.top() + 4;
    for (std::size_t i = 0; i < model.lanes.size(); ++i) {
        if (i > 0) y += tight ? 0 : model.lanes[i].lane != model.lanes[i - 1].lane ? lane_gap : row_gap;
        geometry.rows.push_back({QRectF(geometry.area.left(), y, geometry.area.width(), heights[i]), names[i]});
        y += heights[i];
    }
    geometry.area.setBottom(std::min(geometry.area.bottom(), y + 4));
    for (std::size_t i = 0; i < model.lanes.size(); ++i) add_items(geometry, model, i);
    add_ticks(geometry);
    return geometry;
}

} // namespace gradus

#include "views/timeline/op_table.hpp"

#include "engine/trace/derive/step_plan.hpp"
#include "views/derive/event_words.hpp"
#include "views/theme/theme.hpp"
#include "views/theme/words.hpp"
#include "views/timeline/timeline_words.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {

namespace {

constexpr std::size_t most_rows = 200;

using timeline_words::tr;

/// An op, or a phase that has nothing inside it.
bool is_leaf(const EventSite& site) {
    return (site.level == Level::op && site.parent >= 0) || (site.level == Level::phase && site.ordinal < 0);
}

OpRow row_of(const Run& run, std::int32_t number) {
    const EventSite& site = run.sites()[static_cast<std::size_t>(number)];
    OpRow row;
    row.site = number;
    row.ordinal = site.ordinal;
    row.phase = site.phase;
    return row;
}

void name_row(OpRow& row, const Run& run) {
    if (row.site < 0) return;
    const EventSite& site = run.sites()[static_cast<std::size_t>(row.site)];
    row.name = event_word(site);
    if (site.level == Level::op) row.place = phase_word(site.phase) + QStringLiteral(" · ") + module_word(site.module);
}

void finish(OpTable& table, double between, std::size_t steps) {
    if (table.total > 0 && between > 0) {
        OpRow rest;
        rest.phase = Phase::evaluate; // no hue of its own
        rest.name = tr("between ops");
        rest.share = between / table.total;
        rest.seconds = rest.low = rest.high = steps > 0 ? between / static_cast<double>(steps) : 0;
        table.rows.push_back(rest);
    }
    std::stable_sort(table.rows.begin(), table.rows.end(), [](const OpRow& a, const OpRow& b) { return a.share > b.share; });
    if (table.rows.size() > most_rows) { // nobody scrolls through a hundred thousand
        OpRow rest;
        rest.phase = Phase::evaluate;
        rest.name = tr("%1 more ops").arg(table.rows.size() - most_rows);
        for (std::size_t i = most_rows; i < table.rows.size(); ++i) {
            rest.share += table.rows[i].share;
            rest.seconds += table.rows[i].seconds;
        }
        rest.low = rest.high = rest.seconds;
        table.rows.resize(most_rows);
        table.rows.push_back(rest);
    }
    for (OpRow& row : table.rows) name_row(row, *table.run);
}

} // namespace

OpTable make_op_table(const std::shared_ptr<const Run>& run, const SiteTimes& times) {
    OpTable table;
    table.run = run;
    table.steps = times.iterations();
    double inside = 0, ops = 0;
    std::vector<std::pair<std::int32_t, SiteTime>> seen;
    for (std::size_t i = 0; i < run->sites().size(); ++i) {
        const EventSite& site = run->sites()[i];
        const bool whole = site.level == Level::iteration;
        if (!whole && !is_leaf(site)) continue;
        const auto time = times.of(static_cast<std::int32_t>(i));
        if (!time) continue;
        if (whole) inside += time->total;
        else seen.emplace_back(static_cast<std::int32_t>(i), *time);
        if (!whole && site.level == Level::op) ops += time->total;
        if (whole || site.level != Level::op) table.total += time->total;
    }
    for (const auto& [number, time] : seen) {
        OpRow row = row_of(*run, number);
        row.share = table.total > 0 ? time.total / table.total : 0;
        row.seconds = time.median;
        row.low = time.low;
        row.high = time.high;
        table.rows.push_back(std::move(row));
    }
    finish(table, inside - ops, table.steps);
    return table;
}

OpTable make_op_table(const TimelineModel& model) {
    OpTable table;
    table.run = model.run;
    table.steps = model.lanes.empty() ? 0 : 1;
    table.total = model.step_end;
    double ops = 0;
    for (const TimelineLane& lane : model.lanes)
        for (const TimelineBar& bar : lane.bars) {
            const EventSite& site = model.site_of(bar);
            if (!is_leaf(site) || site.level != Level::op) continue; // what follows the step is no part of it
            OpRow row = row_of(*model.run, bar.site);
            row.ordinal = bar.ordinal;
            row.seconds = row.low = row.high = bar.length();
            row.share = table.total > 0 ? bar.length() / table.total : 0;
            ops += bar.length();
            table.rows.push_back(std::move(row));
        }
    finish(table, table.total - ops, table.steps);
    return table;
}

const OpTableItem* OpTableGeometry::at(QPointF position) const {
    for (const OpTableItem& item : items)
        if (item.rect.contains(position)) return &item;
    return nullptr;
}

OpTableGeometry lay_out(const OpTable& table, const QRectF& area, std::size_t scrolled) {
    OpTableGeometry geometry;
    const TextMetrics name_font(text_font(metrics::text - 1, QFont::DemiBold)), place_font(text_font(metrics::small_text)),
        number_font(mono_font(metrics::small_text));
    double names = 60;
    for (std::size_t i = 0; i < std::min<std::size_t>(table.rows.size(), 60); ++i) {
        const OpRow& row = table.rows[i];
        names = std::max(names, name_font.horizontalAdvance(row.name) + 8 + place_font.horizontalAdvance(row.place));
    }
    names = std::min(std::ceil(names) + 12, area.width() * 0.42);
    const double digit = number_font.horizontalAdvance(QStringLiteral("0"));
    const double share = digit * 8, seconds = area.width() >= 300 ? digit * 10 : 0,
                 spread = area.width() >= 480 && table.steps > 1 ? digit * 19 : 0;
    const double bar = std::max(0.0, area.width() - names - share - seconds - spread);
    const auto item_at = [&](double y) {
        OpTableItem item;
        item.rect = QRectF(area.left(), y, std::max(0.0, area.width()), op_row_height);
        double x = area.left();
        const auto column = [&](double width) {
            const QRectF rect(x, y, width, op_row_height);
            x += width;
            return rect;
        };
        item.name = column(names);
        item.bar = column(bar).adjusted(4, 4, -4, -4);
        item.share = column(share);
        item.seconds = column(seconds);
        item.spread = column(spread);
        return item;
    };
    geometry.columns = item_at(area.top());
    geometry.heading = geometry.columns.rect;
    const auto lines = static_cast<std::size_t>(std::max(0.0, std::floor(area.height() / op_row_height) - 1));
    scrolled = std::min(scrolled, table.rows.size() > 0 ? table.rows.size() - 1 : 0);
    std::size_t fitting = std::min(lines, table.rows.size() - scrolled);
    if (fitting > 0 && fitting < table.rows.size() - scrolled) --fitting; // the last line says what is left out
    for (std::size_t i = 0; i < fitting; ++i) {
        OpTableItem item = item_at(area.top() + static_cast<double>(i + 1) * op_row_height);
        item.row = scrolled + i;
        geometry.items.push_back(item);
    }
    for (std::size_t i = scrolled + fitting; i < table.rows.size(); ++i) {
        ++geometry.hidden;
        geometry.hidden_share += table.rows[i].share;
    }
    if (geometry.hidden > 0 && lines > 0)
        geometry.more = item_at(area.top() + static_cast<double>(fitting + 1) * op_row_height).rect;
    return geometry;
}

} // namespace gradus

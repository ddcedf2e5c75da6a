#include "views/timeline/time_card.hpp"

#include "views/derive/event_words.hpp"
#include "views/theme/numbers.hpp"
#include "views/theme/provenance_mark.hpp"
#include "views/theme/words.hpp"
#include "views/timeline/timeline_words.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {

namespace {

using timeline_words::tr;

TimeCardLine number(const QString& label, const QString& value, Provenance provenance) {
    return {label, value, provenance, provenance_word(provenance)};
}

/// FLOPs and bytes of the site, and both per second of `seconds`; not while a prediction asks for what ops cost.
void add_cost(TimeCard& card, const EventSite& site, double seconds, const Veil& veil) {
    const Cost cost = veil.hidesWork() ? Cost{} : site.cost;
    const double bytes = cost.bytes_read + cost.bytes_written;
    if (cost.flops > 0) card.lines.push_back(number(tr("work"), with_prefix(cost.flops, "FLOP"), Provenance::counted));
    if (bytes > 0)
        card.lines.push_back(number(tr("bytes"), tr("%1 read, %2 written").arg(with_prefix(cost.bytes_read, "B"), with_prefix(cost.bytes_written, "B")),
                                    Provenance::counted));
    const QString derived = tr("counted ÷ measured");
    if (seconds > 0 && cost.flops > 0)
        card.lines.push_back({tr("rate"), with_prefix(cost.flops / seconds, "FLOP/s"), Provenance::computed, derived});
    if (seconds > 0 && bytes > 0)
        card.lines.push_back({tr("rate"), with_prefix(bytes / seconds, "B/s"), Provenance::computed, derived});
    if (!site.implementation.empty()) card.lines.push_back({tr("computed by"), QString::fromStdString(site.implementation), Provenance::computed, {}});
    if (!site.formula.empty()) card.lines.push_back({{}, QString::fromStdString(site.formula), Provenance::computed, {}});
}

QString percent(double share) { return three_digits(100 * share) + QStringLiteral(" %"); }

} // namespace

TimeCard card_of(const TimelineModel& model, const TimelineItem& item, const Veil& veil) {
    const TimelineBar& bar = model.lanes[item.lane].bars[item.first];
    TimeCard card;
    if (item.count > 1) {
        const TimelineBar& last = model.lanes[item.lane].bars[item.first + item.count - 1];
        card.title = tr("%1 events").arg(item.count);
        card.place = tr("narrower than a pixel: zoom in");
        card.lines.push_back(number(tr("from"), with_prefix(bar.start, "s", model.clock_step), Provenance::measured));
        card.lines.push_back(number(tr("to"), with_prefix(last.end, "s", model.clock_step), Provenance::measured));
        return card;
    }
    const EventSite& site = model.site_of(bar);
    card.title = event_word(site);
    if (site.level == Level::op) card.place = phase_word(site.phase) + QStringLiteral(" · ") + module_word(site.module);
    else if (site.level == Level::module) card.place = phase_word(site.phase);
    card.lines.push_back(number(tr("start"), with_prefix(bar.start, "s", model.clock_step), Provenance::measured));
    card.lines.push_back(number(tr("took"), with_prefix(bar.length(), "s", model.clock_step), Provenance::measured));
    if (model.step_end > 0 && bar.end <= model.step_end)
        card.lines.push_back(number(tr("of the step"), percent(bar.length() / model.step_end), Provenance::measured));
    add_cost(card, site, bar.length(), veil);
    return card;
}

TimeCard card_of(const OpTable& table, const OpRow& row, const Veil& veil) {
    TimeCard card;
    card.title = row.name;
    card.place = row.place;
    card.lines.push_back(number(tr("of the time"), percent(row.share), Provenance::measured));
    if (table.steps > 1) {
        card.lines.push_back(number(row.site >= 0 ? tr("median") : tr("mean"), with_prefix(row.seconds, "s"), Provenance::measured));
        if (row.site >= 0)
            card.lines.push_back(number(tr("10 to 90 %"), with_prefix(row.low, "s") + QStringLiteral(" – ") + with_prefix(row.high, "s"),
                                        Provenance::measured));
    } else {
        card.lines.push_back(number(tr("took"), with_prefix(row.seconds, "s"), Provenance::measured));
    }
    if (row.site >= 0) add_cost(card, table.run->sites()[static_cast<std::size_t>(row.site)], row.seconds, veil);
    return card;
}

void paint_card(QPainter& painter, const TimeCard& card, const QRectF& item, const QRectF& bounds, const Theme& theme) {
    constexpr double line_height = 18, padding = 12, capitals = 9, gap = 12;
    const QFont bold = text_font(metrics::text, QFont::DemiBold), quiet = text_font(metrics::small_text),
                mono = mono_font(metrics::text - 1);
    const TextMetrics bold_fm(bold), quiet_fm(quiet), mono_fm(mono);
    double labels = 0, values = 0, sources = 0, alone = bold_fm.horizontalAdvance(card.title);
    alone = std::max(alone, quiet_fm.horizontalAdvance(card.place));
    for (const TimeCardLine& line : card.lines) {
        if (line.label.isEmpty()) {
            alone = std::max(alone, mono_fm.horizontalAdvance(line.value));
            continue;
        }
        labels = std::max(labels, quiet_fm.horizontalAdvance(line.label));
        values = std::max(values, provenance_width(line.provenance, capitals) + mono_fm.horizontalAdvance(line.value));
        sources = std::max(sources, quiet_fm.horizontalAdvance(line.source));
    }
    const double width = std::max(alone, labels + gap + values + (sources > 0 ? gap + sources : 0)) + 2 * padding;
    const double height = (static_cast<double>(card.lines.size()) + (card.place.isEmpty() ? 1 : 2)) * line_height + padding * 1.5;
    QRectF box(0, 0, std::ceil(width), std::ceil(height));
    const bool below = item.bottom() + 8 + box.height() <= bounds.bottom();
    box.moveTop(below ? item.bottom() + 8 : item.top() - 8 - box.height());
    const QRectF seen = item.intersected(bounds);
    box.moveLeft(seen.center().x() - box.width() / 2);
    if (box.top() < bounds.top()) { // neither above nor below: beside it
        box.moveTop(std::max(bounds.top(), bounds.bottom() - box.height()));
        box.moveLeft(seen.right() + 8 + box.width() <= bounds.right() ? seen.right() + 8 : seen.left() - 8 - box.width());
    }
    box.moveLeft(std::round(std::clamp(box.left(), bounds.left(), std::max(bounds.left(), bounds.right() - box.width()))));
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.ink3, 1));
    painter.setBrush(theme.surface);
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), metrics::radius, metrics::radius);
    const double left = box.left() + padding;
    double base = box.top() + padding * 0.75 + 13;
    const auto write = [&](double x, const QString& text, const QFont& font, const QColor& colour) {
        painter.setFont(font);
        painter.setPen(colour);
        draw_text(painter, QPointF(x, base), text);
    };
    write(left, card.title, bold, theme.ink);
    if (!card.place.isEmpty()) {
        base += line_height;
        write(left, card.place, quiet, theme.ink2);
    }
    for (const TimeCardLine& line : card.lines) {
        base += line_height;
        double x = line.label.isEmpty() ? left : left + labels + gap;
        if (!line.label.isEmpty()) write(left, line.label, quiet, theme.ink2);
        if (!line.source.isEmpty()) {
            paint_provenance(painter, {x, base}, line.provenance, capitals, theme.ink2);
            x += provenance_width(line.provenance, capitals);
            write(box.right() - padding - quiet_fm.horizontalAdvance(line.source), line.source, quiet, theme.ink2);
        }
        write(x, line.value, mono, theme.ink);
    }
}

} // namespace gradus

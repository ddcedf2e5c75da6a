#pragma once

#include "views/timeline/op_table.hpp"
#include "views/timeline/timeline_geometry.hpp"
#include "views/state/veil.hpp"
#include "views/theme/theme.hpp"

#include <QPainter>

namespace gradus {

/// One line of the card that hovering shows.
struct TimeCardLine {
    QString label, value; ///< a value alone fills the line
    Provenance provenance = Provenance::computed;
    QString source;       ///< the word for where the number comes from; empty where it is none
};

struct TimeCard {
    QString title, place;
    std::vector<TimeCardLine> lines;
};

/// What is known of one event: its times measured, its cost counted, its rates the one divided by the other. Costs and
/// rates stay out while a prediction asks for what ops cost.
TimeCard card_of(const TimelineModel& model, const TimelineItem& item, const Veil& veil = {});
TimeCard card_of(const OpTable& table, const OpRow& row, const Veil& veil = {});

/// Paints the card beside `item`, inside `bounds`.
void paint_card(QPainter& painter, const TimeCard& card, const QRectF& item, const QRectF& bounds, const Theme& theme);

} // namespace gradus

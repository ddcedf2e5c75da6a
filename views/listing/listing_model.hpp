#pragma once

#include "engine/trace/derive/step_parts.hpp"
#include "views/state/listing.hpp"
#include "views/state/look.hpp"

#include <QString>
#include <optional>
#include <vector>

namespace gradus {

/// A line of the listing at the cursor.
struct ListingRow {
    QString code;
    bool told = false;     ///< the lesson says what it is of a training step
    bool left_out = false; ///< the Run was made without it
    bool here = false;     ///< the cursor stands on an event of it
    StepPart part;         ///< what it is of the cursor's iteration; without an event where it is none
    QString note;          ///< in the language of the lab
};

struct ListingModel {
    std::vector<ListingRow> rows;
    StepIndex iteration = -1;
    bool again = false; ///< the times are those of a re-computation
    bool timed = false; ///< there are times
};

/// The listing beside the Run at the cursor.
ListingModel make_listing(const Listing& listing, const Look& look);

/// "optimizer.zero_grad(), left out".
QString row_name(const ListingRow& row);
/// "1.23 ms"; "–" for a line that no event is of, "…" while its time is not at hand, words where it is left out.
QString time_text(const ListingRow& row);
/// "26.1 MFLOP"; empty where no event is of the line.
QString work_text(const ListingRow& row);

} // namespace gradus

#pragma once

#include "views/rungs/rungs_geometry.hpp"

#include <QCoreApplication>

namespace gradus::rungs_words {

/// What the comparison of rungs says, in the language of the lab.
inline QString tr(const char* text) { return QCoreApplication::translate("Rungs", text); }

} // namespace gradus::rungs_words

namespace gradus {

// What the comparison says, in the language of the lab.

/// "A", "B": left and right.
QString letter_of(std::size_t side);
/// "line", "warp step", "barrier".
QString way_word(RungsWay way);
/// "25 % of the multiply-adds of warp 0 are done: 512 of A's 2 048, 512 of B's 2 048"; where one is above the steps: that neither has begun.
QString progress_words(const RungsModel& model);
/// The same in fewer words: "25 % of a warp's multiply-adds are done".
QString short_progress_words(const RungsModel& model);
/// For the back row: "25 % of the multiply-adds done. Sectors so far: A 1 191, B 40".
QString class_progress_words(const RungsModel& model);
/// "warp 0, step 12 of 96: 128 sectors, 4 wavefronts so far": what the shown warp of that side has cost; `brief`: the costs alone.
QString so_far_words(const RungsModel& model, std::size_t side, bool brief = false);
/// "load of A: 32 sectors per request, ideal 4; 8 192 requests".
QString cost_words(const LineAccess& access);
/// "stays", "changed", "only in A", "only in B".
QString kind_words(SourceRow::Kind kind);
/// "12 more lines".
QString left_out_words(std::size_t lines);

} // namespace gradus

#pragma once

#include "views/theatre/theatre_geometry.hpp"
#include "views/theme/theme.hpp"

#include <QPainter>

namespace gradus {

/// Everything that stands in a picture of the theatre.
struct TheatrePicture {
    TheatreModel model;
    TheatreGeometry geometry;
    int type = 13; ///< pixels, of the code
    bool sparse = false, editing = false; ///< editing: the editor stands in place of the code
    std::size_t finding_at = 0; ///< the finding that is to be in sight
    /// Whether it is the one that one stands at: of several at one step, the one that was gone to.
    bool stands_at(std::size_t finding) const {
        const std::vector<TheatreFinding>& all = model.findings;
        return all[finding].here && (finding == finding_at || finding_at >= all.size() || !all[finding_at].here);
    }
    bool secret = false; ///< somebody is to predict whether anything was found: no line and no lane tells, nor does the room it takes
};

/// Lays it out in the largest type in which enough of the code can be read.
void lay_out_theatre(TheatrePicture& picture, const QRectF& area, bool sparse);
void paint_theatre(QPainter& painter, const TheatrePicture& picture, const Theme& theme);

// Its parts.
void paint_code(QPainter& painter, const TheatrePicture& picture, const Theme& theme);
void paint_lanes(QPainter& painter, const TheatrePicture& picture, const Theme& theme);
void paint_memory(QPainter& painter, const TheatrePicture& picture, const Theme& theme);
/// How all threads of the block stand, or which lane gets whose value: of a step that moves no memory.
void paint_meeting(QPainter& painter, const TheatrePicture& picture, const Theme& theme);
/// The launch's blocks.
void paint_grid(QPainter& painter, const TheatrePicture& picture, const Theme& theme);
void paint_bits(QPainter& painter, const TheatrePicture& picture, const Theme& theme);
void paint_strips(QPainter& painter, const TheatrePicture& picture, const Theme& theme);

/// The words of a way: "line", "warp step", …
QString way_word(TheatreWay way);
/// The colour of what a step touches, from near to far.
QColor colour_of(WarpTurns::Kind kind, const Theme& theme);
/// Lanes as a person writes them: "0–7", "5", "9 lanes".
QString lanes_text(std::uint32_t lanes);

} // namespace gradus

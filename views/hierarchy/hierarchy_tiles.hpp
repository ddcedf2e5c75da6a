#pragma once

#include "engine/trace/derive/tile_motion.hpp"
#include "views/theme/theme.hpp"

#include <QPainter>
#include <QRectF>
#include <QString>
#include <optional>
#include <vector>

namespace gradus {

/// Where the tiles of a block are and what moves them, as one stands at a step of it: its arrays as pictures beside the places in which they lie,
/// the bytes that came to each place in this phase (from barrier to barrier), and the way of the step.
struct HierarchyTiles {
    enum class State : std::uint8_t { before, phase, step }; ///< touched in the phase before, in this one up to now, by this step
    struct Cell {
        std::int64_t row = 0, column = 0;
        State state = State::phase;
    };
    struct Picture {
        std::size_t place = 0; ///< among MemoryLevel
        QString name, where;   ///< "a_tile", "A[0:16,32:48]"
        std::int64_t rows = 1, columns = 1;
        std::vector<Cell> cells;
    };
    struct Flow {
        TileWay way = TileWay::load;
        std::size_t from = 0, to = 0; ///< places
        double bytes = 0;             ///< in this phase, that step with it
        bool now = false;             ///< the step's
    };
    std::vector<Picture> pictures;
    std::vector<Flow> flows; ///< those that this phase has
    std::int64_t phase = 0, phases = 0;
    std::uint32_t lanes = 0; ///< that take part in the step
};

/// Nothing for a step outside the block, or of a block that touches no array.
std::optional<HierarchyTiles> tiles_at(const TileMotion& motion, std::size_t step);

/// Where they lie, beside rows of places. A rectangle that is null has no room.
struct TilesGeometry {
    std::vector<QRectF> pictures, labels, flows; ///< one for one
    std::vector<QRectF> lanes;                   ///< 32, or none
    QRectF arrow;                                ///< from the middle of one place to that of another
    bool upwards = false;
};

struct TilesRoom {
    double label = 0;    ///< height of a line of words
    double flow = 0;     ///< width of the words of a flow
    std::vector<double> names; ///< width of each picture's
    double arrow = 28;   ///< width of the lane that the arrow has
};

/// `rows`: what of each place's row is free for them. All null where there is no room for pictures.
TilesGeometry lay_out_tiles(const HierarchyTiles& tiles, const std::vector<QRectF>& rows, const TilesRoom& room);

QFont tile_font();
/// Of a flow's words: its number behind a square in the colour of the place from which it comes.
double flow_width(const HierarchyTiles::Flow& flow);
void paint_tiles(QPainter& painter, const HierarchyTiles& tiles, const TilesGeometry& at, const Theme& theme, bool sparse);

/// Of registers, shared memory, L1, L2 and memory, near to far: memory and L2 as everywhere, L1 between its neighbours.
QColor place_colour(std::size_t place, const Theme& theme);

} // namespace gradus

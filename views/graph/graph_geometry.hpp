#pragma once

#include "engine/trace/provenance.hpp"
#include "views/derive/step_reach.hpp"
#include "views/graph/graph_values.hpp"
#include "views/state/app_state.hpp"

#include <QPointF>
#include <QRectF>
#include <QSizeF>
#include <QString>
#include <optional>
#include <vector>

namespace gradus {

/// Beyond a box its ring takes so many pixels: 3 away, 2 wide.
constexpr double cursor_ring = 5;

/// A box so high has a line for its shape.
constexpr double height_for_shapes = 50;
/// And one so high has that line and a ruler's bar, clear of each other.
constexpr double height_for_bars = 58;

/// Whether so many rows of boxes stand in that height with a line for shapes.
bool has_shapes(double height, int rows);

/// A box as it is painted, hovered, read aloud and tested.
struct GraphItem {
    QRectF rect;
    double scale = 1; ///< of its letters and lines
    std::string id;
    QString name, shape, value;
    QString symbol; ///< of an op that has one: what stands in a box too narrow for its name
    Role role = Role::activation;
    bool is_op = false, loss = false, finite = true;
    bool reached = true; ///< false: its event comes after the cursor's
    bool made = true;    ///< false: what it holds has not been computed yet; so is a module that one stands in
    bool here = false;   ///< the cursor stands on it
    bool updated = false; ///< a parameter that has been written for the next step already
    std::optional<Compared> compared; ///< of a branch: with the run that it left
    bool bold = true;                 ///< where one is compared: only what the change is seen to reach
    bool labels = false; ///< class labels, whose norm would say nothing: it has no number
    Provenance provenance = Provenance::computed; ///< of the value
    std::size_t node = 0;                         ///< in the model
    double bar = -1;       ///< 0 to 1: what its ops cost by the ruler, beside the costliest box; -1: nothing to measure
    QString measured;      ///< the same as a number with its unit
    bool no_shape = false; ///< a ruler's bar stands where its shape would
    bool covered = false;  ///< a prediction hides its numbers, but not how the others are written
    bool touched() const { return compared && compared->differing > 0; } ///< an edit reaches it
    bool kept_its_bits() const { return compared && compared->differing == 0; }
};

struct GraphArrow {
    std::vector<QPointF> points; ///< the last one is the tip
    Role role = Role::activation;
    QString label;
    QPointF label_centre;
    double label_room = 0; ///< pixels
    bool reached = true;   ///< false: what flows here has not been computed yet
    std::size_t from = 0;  ///< the item whose tensor flows here
    bool touched = false, kept_its_bits = false; ///< that tensor
    int joined = -1;       ///< with the others of that number it has one head, or one start, and one level part
};

struct GraphGeometry {
    Ruler ruler = Ruler::none;
    double scale = 1; ///< of everything
    QString longest; ///< what the longest bar stands for; empty: nothing is measured
    QString longest_name; ///< the box whose bar that is, which may be still to come
    std::vector<GraphItem> items;
    std::vector<GraphArrow> arrows;
    /// The box at a pixel, or that of the tensor whose arrow passes within a few; null where there is neither.
    const GraphItem* at(QPointF point) const;
    const GraphItem* find(std::string_view id) const;
    /// Whether it says what an edit reaches.
    bool compares() const;
};

/// The finest fold whose boxes are wide enough to be read in so many pixels.
Fold fold_for(const Run& run, double width);

/// How many rows of boxes can be read in so many pixels, 1 to 4; `close` rows leave little between them.
int rows_for(double height, bool close);

/// How much larger boxes and their letters can be where there is more room than they need; 1 to 1.6.
double scale_for(const GraphModel& model, const QSizeF& room);

/// Places a model in a rectangle; `values` may be null. Boxes never overlap and stay inside as long as the rectangle
/// is at least 4 rows high. With a ruler every box of ops has a bar; its place and size stay the same, so that nothing
/// jumps when the ruler changes. With a scale it is the picture of a smaller rectangle, enlarged.
GraphGeometry lay_out(const GraphModel& model, const GraphValues* values, const QRectF& area, StepReach cursor = {},
                      Ruler ruler = Ruler::none, double scale = 1);

/// Where what a ruler reads comes from: FLOPs and bytes are counted, time is measured.
inline Provenance provenance_of(Ruler ruler) { return ruler == Ruler::time ? Provenance::measured : Provenance::counted; }

} // namespace gradus

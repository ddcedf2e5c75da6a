#include "views/graph/graph_layout.hpp"

#include "views/graph/graph_painter.hpp"

#include <algorithm>

namespace gradus {

namespace {

constexpr double least_column = 72, least_lean_column = 66; // pixels; with one parameter above each, and the name of an op
constexpr double least_closed_column = 40;
constexpr double least_open_column = 56; // in less, the ops of a module that is open have no room for their names

GraphModel make(const GraphWish& wish, Fold fold, int first, int count, bool lean) {
    GraphModel model = make_graph(*wish.run, fold, wish.open);
    const double readable = wish.sparse ? 1.2 * least_column : least_open_column; // letters before ops
    if (!wish.open.empty() && wish.area.width() < model.columns * readable) {
        GraphModel closed = make_graph(*wish.run, fold, {});
        closed.kept_closed = closed.columns < model.columns;
        // Where the modules cannot be read either, their ops are no worse.
        if (wish.sparse || wish.area.width() >= closed.columns * least_closed_column) model = std::move(closed);
    }
    if (wish.sparse && (lean || wish.area.width() < model.columns * least_column)) {
        GraphModel with_input = essentials(model, true);
        model = wish.area.width() < with_input.columns * least_lean_column ? essentials(model, false) : std::move(with_input);
    }
    // Rows in which nothing stands leave their room to the others.
    const int room = count;
    int last = 0;
    for (const GraphNode& node : model.nodes) last = std::max(last, static_cast<int>(node.row));
    const bool more = first > 0 || last >= first + count;
    if (last + 1 < first + count && last >= first) count = last + 1 - first;
    if (count < 4) model = keep_rows(model, first, count);
    model.room = room;
    model.rows_left_out = more;
    return model;
}

} // namespace

std::pair<int, int> rows_shown(const GraphWish& wish) {
    // Where a class sits far away, room for shapes is worth more than rows that are still to come.
    const bool to_come = !wish.backward && wish.cursor.last >= 0;
    const bool few = wish.sparse && (wish.area.width() < 5 * least_column || (to_come && !has_shapes(wish.area.height(), 4)));
    const bool close = wish.area.width() >= 4 * least_column; // in less, a fourth row would have no room for its names
    const int rows = std::min(rows_for(wish.area.height(), close), few ? 2 : 4);
    return {wish.backward ? 4 - rows : rows == 1 ? static_cast<int>(GraphNode::Row::forward) : 0, rows};
}

PlacedGraph place(const GraphWish& wish) {
    PlacedGraph placed{wish.model, wish.values, {}, wish.area, wish.cursor, wish.number};
    if (!wish.model || !wish.fits) {
        const Fold fold = wish.sparse ? Fold::modules : fold_for(*wish.run, wish.area.width());
        const auto [first, count] = rows_shown(wish);
        const bool keeps = wish.model && !wish.sparse && wish.open.empty() && // what there is no room for may be others now
                           wish.model->fold == fold && wish.model->first_row == first && wish.model->room == count;
        if (!keeps) {
            placed.model = std::make_shared<const GraphModel>(make(wish, fold, first, count, false));
            placed.values.reset();
            const auto shows_shapes = [&](const GraphModel& model) { return matrices_have_shapes(lay_out(model, nullptr, wish.area, wish.cursor)); };
            if (wish.sparse && count > 1 && !wish.backward && !shows_shapes(*placed.model)) { // what a matrix is like before what is added to its product
                GraphModel lean = make(wish, fold, first, count, true);
                if (shows_shapes(lean)) placed.model = std::make_shared<const GraphModel>(std::move(lean));
            }
        }
    }
    placed.geometry = lay_out(*placed.model, placed.values.get(), wish.area, wish.cursor, wish.ruler,
                               wish.sparse ? 1 : scale_for(*placed.model, wish.area.size()));
    return placed;
}

} // namespace gradus

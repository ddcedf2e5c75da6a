#include "views/graph/graph_geometry.hpp"

#include "views/derive/engine_words.hpp"
#include "views/derive/event_words.hpp"
#include "views/graph/graph_groups.hpp"
#include "views/graph/graph_wires.hpp"
#include "views/theme/numbers.hpp"
#include "views/theme/polyline.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace gradus {

namespace {

constexpr double narrowest_box = 92, widest_box = 132, least_gap = 32, most_gap = 72; // pixels
constexpr double highest_box = 56, lowest_box = 34, least_row_gap = 16;
constexpr double bar_line = 6, gap_beside_bars = 40; // by which a box is higher where there is room, for a ruler's bar
constexpr double least_two_lines = 36, two_lines = 40, gap_for_wires = 34; // a box without a shape needs no more, and three wires side by side no less

using Row = GraphNode::Row;

struct Grid {
    double left = 0, box = 0, pitch = 0; ///< of the columns
    double top = 0, height = 0, row_pitch = 0;
    QRectF area;
    double centre(int column) const { return left + column * pitch + box / 2; }
    int first_row = 0;
    double row_top(Row row) const { return top + (static_cast<int>(row) - first_row) * row_pitch; }
};

/// Whether several boxes above are read in other columns than their own, so that wires to them go side by side.
bool reads_across(const GraphModel& model) {
    return std::count_if(model.edges.begin(), model.edges.end(), [&](const GraphEdge& edge) {
        const GraphNode &from = model.nodes[edge.from], &to = model.nodes[edge.to];
        return from.row == Row::operand && to.row == Row::forward && from.column != to.column;
    }) > 1;
}

Grid make_grid(const GraphModel& model, const QRectF& area) {
    Grid grid;
    grid.area = area;
    const int n = std::max(1, model.columns);
    grid.box = std::clamp((area.width() - (n - 1) * least_gap) / n, 1.0, widest_box);
    const double gap = n > 1 ? std::min((area.width() - n * grid.box) / (n - 1), most_gap) : 0;
    if (n > 1 && area.width() < n * (grid.box + least_gap)) { // many columns: boxes and gaps shrink together
        const double usual = area.width() / (n - 0.22) * 0.78;
        const double share = usual > 44 && usual < 56 ? 0.84 : 0.78; // of a column: a shape that has just no room is worth more than a long arrow
        grid.pitch = area.width() / (n - 1 + share);
        grid.box = std::clamp(grid.box, grid.pitch * (share - 0.01), grid.pitch * share);
    } else {
        grid.pitch = grid.box + gap;
    }
    grid.left = std::round(area.left() + (area.width() - (n - 1) * grid.pitch - grid.box) / 2);
    const int rows = model.rows;
    grid.first_row = model.first_row;
    grid.height = std::clamp((area.height() - (rows - 1) * least_row_gap) / rows, std::min(lowest_box, area.height() / (rows + 1)), highest_box);
    const double with_wires = (area.height() - (rows - 1) * gap_for_wires) / rows, with_bars = (area.height() - (rows - 1) * gap_beside_bars) / rows;
    if (grid.height >= highest_box && with_bars > highest_box) grid.height = std::min(with_bars, highest_box + bar_line);
    else if (rows > 1 && reads_across(model)) // wires before shapes, and before empty boxes
        grid.height = with_wires >= height_for_shapes ? std::min(with_wires, grid.height)
                                                      : std::clamp(with_wires, std::min(least_two_lines, grid.height), std::min(two_lines, grid.height));
    const double row_gap = rows > 1 ? std::clamp((area.height() - rows * grid.height) / (rows - 1), 0.0, 56.0) : 0;
    grid.row_pitch = std::floor(grid.height + row_gap);
    grid.top = std::round(area.top() + (area.height() - (rows - 1) * grid.row_pitch - grid.height) / 2);
    return grid;
}

/// What a formula or a paper writes for an op.
QString symbol_of(const GraphNode& node) {
    static const std::map<std::string, const char*, std::less<>> symbols{
        {"matmul", "@"}, {"add_bias", "+"}, {"add", "+"}, {"multiply", "×"}, {"sigmoid", "σ"}, {"mean_squared_error", "MSE"}};
    if (!node.is_op || node.ops.size() != 1 || (node.loss() && node.tensor.name == "loss")) return {};
    const auto found = symbols.find(node.ops.front().name);
    return found == symbols.end() ? QString() : QString::fromUtf8(found->second);
}

bool shares_column(Row row) { return row == Row::operand || row == Row::parameter_gradient; }

/// How many boxes stand side by side in a row of a column.
using Sharing = std::map<std::pair<Row, int>, int>;

QRectF rect_of(const GraphNode& node, const Sharing& all_sharing, const std::map<int, ColumnGroup>& groups, const Grid& grid) {
    double width = grid.box, x = grid.centre(node.column) - grid.box / 2;
    if (shares_column(node.row)) {
        const int sharing = all_sharing.at({node.row, node.column});
        const ColumnGroup& group = groups.at(node.column);
        width = group.width;
        x = group.centre - (sharing * width + (sharing - 1) * group.gap) / 2 + node.slot * (width + group.gap);
    }
    return QRectF(std::round(x), std::round(grid.row_top(node.row)), std::floor(width), std::floor(grid.height));
}

std::optional<double> cost_of(const GraphNode& node, const GraphValues* values, std::size_t index, Ruler ruler) {
    if (ruler == Ruler::none || node.ops.empty() || !node.is_made()) return std::nullopt;
    if (ruler == Ruler::time)
        return values && index < values->seconds.size() ? values->seconds[index] : std::nullopt;
    double sum = 0;
    for (const GraphOp& op : node.ops) sum += ruler == Ruler::flops ? op.flops : op.bytes;
    return sum;
}

void measure(GraphGeometry& geometry, const GraphModel& model, const GraphValues* values, Ruler ruler) {
    geometry.ruler = ruler;
    const QString unit = ruler == Ruler::flops ? QStringLiteral("FLOP") : ruler == Ruler::bytes ? QStringLiteral("B") : QStringLiteral("s");
    double greatest = 0;
    for (std::size_t i = 0; i < model.nodes.size(); ++i)
        if (const double cost = cost_of(model.nodes[i], values, i, ruler).value_or(0); cost > greatest) {
            greatest = cost;
            geometry.longest_name = model.nodes[i].words();
        }
    if (!(greatest > 0)) return;
    const auto written = [&](double cost) { // a count is a whole number
        if (ruler == Ruler::time) return with_prefix(cost, unit, values->clock_step);
        return cost < 1000 ? QString::number(cost, 'f', 0) + ' ' + unit : with_prefix(cost, unit);
    };
    geometry.longest = written(greatest);
    for (GraphItem& item : geometry.items) item.no_shape = item.rect.height() < height_for_bars; // of all, so that names stay in line
    for (GraphItem& item : geometry.items) {
        const auto cost = cost_of(model.nodes[item.node], values, item.node, ruler);
        if (!cost || !item.reached) continue;
        item.bar = *cost / greatest;
        item.measured = written(*cost);
    }
}

} // namespace

const GraphItem* GraphGeometry::at(QPointF point) const {
    for (const GraphItem& item : items)
        if (item.rect.contains(point)) return &item;
    constexpr double reach = 8; // pixels
    const GraphArrow* nearest = nullptr;
    double best = reach;
    for (const GraphArrow& arrow : arrows) {
        double away = distance_to(arrow.points, point);
        if (!arrow.label.isEmpty() && QRectF(-12, -9, 24, 18).translated(arrow.label_centre).contains(point)) away = 0;
        if (away > best) continue;
        best = away;
        nearest = &arrow;
    }
    return nearest ? &items[nearest->from] : nullptr;
}

const GraphItem* GraphGeometry::find(std::string_view id) const {
    for (const GraphItem& item : items)
        if (item.id == id) return &item;
    return nullptr;
}

bool GraphGeometry::compares() const {
    return std::any_of(items.begin(), items.end(), [](const GraphItem& item) { return item.compared.has_value(); });
}

bool has_shapes(double height, int rows) { return (height - (rows - 1) * least_row_gap) / rows >= height_for_shapes; }

int rows_for(double height, bool close) {
    const double gap = close ? least_row_gap : 1.5 * least_row_gap;
    return std::clamp(static_cast<int>((height + gap) / (lowest_box + gap)), 1, 4);
}

Fold fold_for(const Run& run, double width) {
    int ops = 0; // a box holds at most two of them before layers close
    for (std::size_t i = 0; i < run.sites().size(); ++i)
        ops += run.sites()[i].level == Level::op && run.sites()[i].phase == Phase::forward && run.sites()[i].ordinal >= 0;
    if (ops / 2 * narrowest_box > width) return Fold::modules;
    if (make_graph(run, Fold::modules).holds_constants) return Fold::modules; // apparatus, for those who open it
    for (const Fold fold : {Fold::ops, Fold::linear}) {
        const int columns = make_graph(run, fold).columns;
        if (columns * narrowest_box + (columns - 1) * least_gap <= width) return fold;
    }
    return Fold::modules;
}

double scale_for(const GraphModel& model, const QSizeF& room) {
    constexpr double box = 104, gap = 40, row_gap = 28, most = 1.6; // pixels that leave nothing to wish for
    const double width = model.columns * box + (model.columns - 1) * gap, height = model.rows * highest_box + (model.rows - 1) * row_gap;
    return std::clamp(std::min(room.width() / std::max(1.0, width), room.height() / std::max(1.0, height)), 1.0, most);
}

namespace {

/// Its tip back to before a cursor's ring: by the ring's width where the way is long, else as far as the ring reaches. A level part
/// that is in the way of the head gives way as far as its box allows.
void stop_at_ring(GraphArrow& arrow, const QRectF& box) {
    constexpr double head = 6, clear = 1.5, least_start = 2; // pixels
    QPointF& tip = arrow.points.back();
    QPointF& before = arrow.points[arrow.points.size() - 2];
    const QPointF way = tip - before;
    const double length = std::hypot(way.x(), way.y());
    if (!(length > 0)) return;
    const QPointF along = way / length;
    const double off = std::max({0.0, box.left() - tip.x(), tip.x() - box.right(), box.top() - tip.y(), tip.y() - box.bottom()});
    const double by = length > 2 * cursor_ring ? cursor_ring : std::max(0.0, cursor_ring + clear - off);
    tip -= along * by;
    const double left = length - by;
    if (arrow.points.size() != 4 || left >= head || along.x() != 0) return;
    QPointF& corner = arrow.points[1];
    const double start = arrow.points[0].y(), wanted = tip.y() - along.y() * head, least = start + along.y() * least_start;
    const bool returns = (corner.y() - start) * along.y() < 0; // it passes under its row: what is in the way is not its own box
    const double level = returns ? wanted : along.y() > 0 ? std::max(wanted, least) : std::min(wanted, least);
    corner.setY(level);
    before.setY(level);
}

/// Where a ring has moved the level part of one, the others that share it follow.
void keep_joined(std::vector<GraphArrow>& arrows) {
    std::map<int, double> down;
    const auto way = [](const GraphArrow& arrow) { return arrow.points[1].y() - arrow.points[0].y(); };
    for (const GraphArrow& arrow : arrows)
        if (arrow.joined >= 0) {
            double& least = down.try_emplace(arrow.joined, way(arrow)).first->second;
            if (std::abs(way(arrow)) < std::abs(least)) least = way(arrow);
        }
    for (GraphArrow& arrow : arrows)
        if (arrow.joined >= 0)
            for (const std::size_t k : {std::size_t{1}, std::size_t{2}}) arrow.points[k].setY(arrow.points[0].y() + down.at(arrow.joined));
}

/// Boxes stay on whole pixels.
void enlarge(GraphGeometry& geometry, double scale) {
    geometry.scale = scale;
    for (GraphItem& item : geometry.items) {
        item.scale = scale;
        item.rect = QRectF(QPointF(std::round(item.rect.left() * scale), std::round(item.rect.top() * scale)),
                           QPointF(std::round(item.rect.right() * scale), std::round(item.rect.bottom() * scale)));
    }
    for (GraphArrow& arrow : geometry.arrows) {
        for (QPointF& point : arrow.points) point *= scale;
        arrow.label_centre *= scale;
        arrow.label_room *= scale;
    }
}

} // namespace

GraphGeometry lay_out(const GraphModel& model, const GraphValues* values, const QRectF& area, StepReach cursor,
                      Ruler ruler, double scale) {
    if (scale > 1) {
        const QRectF smaller = QRectF(area.topLeft() / scale, area.size() / scale).adjusted(1, 1, -1, -1); // for what is rounded
        GraphGeometry enlarged = lay_out(model, values, smaller, cursor, ruler);
        enlarge(enlarged, scale);
        return enlarged;
    }
    GraphGeometry geometry;
    Sharing sharing;
    for (const GraphNode& node : model.nodes) ++sharing[{node.row, node.column}];
    const auto passes = [&](const GraphEdge& edge) { // others stand between its ends
        const GraphNode &source = model.nodes[edge.from], &target = model.nodes[edge.to];
        const auto [least, greatest] = std::minmax(source.column, target.column);
        const auto next = sharing.upper_bound({source.row, least}); // to the right of the first, in the same row
        return source.row == target.row && next != sharing.end() && next->first.first == source.row && next->first.second < greatest;
    };
    const bool beneath = std::any_of(model.edges.begin(), model.edges.end(), [&](const GraphEdge& edge) {
        return static_cast<int>(model.nodes[edge.from].row) == model.first_row + model.rows - 1 && passes(edge);
    });
    const Grid grid = make_grid(model, beneath ? area.adjusted(0, 0, 0, -std::min(under_rows, area.height() / 6)) : area);
    const std::map<int, ColumnGroup> groups = column_groups(
        model, area, grid.pitch, grid.box, [&](int column) { return grid.centre(column); }, grid.height >= height_for_shapes);
    for (std::size_t i = 0; i < model.nodes.size(); ++i) {
        const GraphNode& node = model.nodes[i];
        GraphItem item;
        item.rect = rect_of(node, sharing, groups, grid);
        item.id = node.id;
        item.name = node.words();
        item.symbol = symbol_of(node);
        item.shape = shape_words(node.tensor.shape);
        item.role = node.tensor.role;
        item.is_op = node.is_op && !node.loss();
        item.loss = node.loss();
        item.labels = !node.is_op && !is_floating(node.tensor.dtype) && node.tensor.shape.elements() != 1;
        item.node = i;
        item.made = item.reached = cursor.last < 0 || node.last_ordinal() <= cursor.last;
        for (const GraphOp& op : node.ops) item.here |= cursor.here >= 0 && op.ordinal >= cursor.here && op.ordinal <= cursor.last;
        item.updated = node.update && cursor.last >= node.update->ordinal;
        item.here |= item.updated && cursor.here >= 0 && node.update->ordinal >= cursor.here;
        if (item.here) item.reached = true;
        if (item.made && values && i < values->value.size())
            if (const std::optional<double>& value = item.updated ? values->updated[i] : values->value[i]) {
                item.value = three_digits(*value);
                item.finite = std::isfinite(*value);
            }
        if (item.made && values && i < values->reached.size()) item.compared = item.updated ? values->reached_update[i] : values->reached[i];
        geometry.items.push_back(std::move(item));
    }
    const bool marks = ruler == Ruler::none; // else its legend has no room to say what bold is
    if (marks && geometry.compares())
        for (GraphItem& item : geometry.items) item.bold = item.touched();
    std::vector<std::size_t> targets;
    for (const GraphEdge& edge : model.edges) {
        GraphArrow arrow;
        arrow.points = route(geometry.items[edge.from].rect, geometry.items[edge.to].rect, model.nodes[edge.from].loss(), passes(edge));
        arrow.role = edge.role;
        arrow.from = edge.from;
        arrow.reached = geometry.items[edge.from].reached && geometry.items[edge.to].reached;
        arrow.touched = marks && arrow.reached && geometry.items[edge.from].touched();
        arrow.kept_its_bits = marks && arrow.reached && geometry.items[edge.from].kept_its_bits();
        const QPointF a = arrow.points.front(), b = arrow.points.back();
        if (!edge.label.empty() && arrow.points.size() == 2 && a.y() == b.y()) {
            arrow.label = written_name(edge.label);
            const QRectF& to = geometry.items[edge.to].rect;
            const double edge_of_box = b.x() > a.x() ? to.left() : to.right();
            arrow.label_centre = {(a.x() + edge_of_box) / 2, a.y() - 13}; // an index ends above the head
            arrow.label_room = std::abs(edge_of_box - a.x()); // between the boxes, each of which may have a cursor's ring
        }
        geometry.arrows.push_back(std::move(arrow));
        targets.push_back(edge.to);
    }
    part_wires(geometry.arrows, targets, geometry.items);
    for (std::size_t i = 0; i < targets.size(); ++i) // a head ends at the cursor's ring, not under it
        if (geometry.items[targets[i]].here) {
            GraphArrow& arrow = geometry.arrows[i];
            stop_at_ring(arrow, geometry.items[targets[i]].rect);
            if (geometry.items[arrow.from].here || arrow.label.isEmpty()) continue;
            arrow.label_centre.rx() += arrow.points.back().x() > arrow.points.front().x() ? -cursor_ring / 2 : cursor_ring / 2; // midway between box and ring
        }
    keep_joined(geometry.arrows);
    measure(geometry, model, values, ruler);
    return geometry;
}

} // namespace gradus

#include "views/graph/graph_groups.hpp"

#include "views/derive/engine_words.hpp"
#include "views/theme/theme.hpp"
#include "views/theme/words.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace gradus {

namespace {

using Row = GraphNode::Row;

constexpr double readable_box = 18; // pixels: no word is read in a narrower box, and none is measured

constexpr double wide_gap = 8, narrow_gap = 6; // pixels; a cursor's ring takes 5 of them

double all_of(const ColumnGroup& group, double width) { return group.boxes * width + (group.boxes - 1) * group.gap; }

/// What the name of a node, three digits of its number with their exponent, and its shape need.
class NeededWidth {
public:
    explicit NeededWidth(bool shapes) : shapes_(shapes) {}
    double operator()(const GraphNode& node) const {
        constexpr double margin = 12;
        double width = std::max(name_.horizontalAdvance(node.words()), digits_);
        if (shapes_) width = std::max(width, shape_.horizontalAdvance(shape_words(node.tensor.shape)));
        return std::min(width + margin, widest_operand);
    }

private:
    bool shapes_;
    TextMetrics name_{text_font(metrics::text, QFont::DemiBold)}, shape_{mono_font(metrics::small_text)};
    double digits_ = TextMetrics(mono_font(metrics::small_text, QFont::DemiBold)).horizontalAdvance(QStringLiteral("0.00e-0"));
};

/// Every group at its column's centre, or as near as the others let it.
void settle(std::vector<ColumnGroup*>& groups, const QRectF& area) {
    const auto half = [](const ColumnGroup& group) { return all_of(group, group.width) / 2; };
    double from = area.left();
    for (ColumnGroup* group : groups) {
        group->centre = std::max(group->centre, from + half(*group));
        from = group->centre + half(*group) + group->gap;
    }
    double until = area.right();
    for (auto group = groups.rbegin(); group != groups.rend(); ++group) {
        (*group)->centre = std::min((*group)->centre, until - half(**group));
        until = (*group)->centre - half(**group) - (*group)->gap;
    }
}

} // namespace

std::map<int, ColumnGroup> column_groups(const GraphModel& model, const QRectF& area, double pitch, double box,
                                         const std::function<double(int column)>& centre, bool shapes) {
    std::map<int, ColumnGroup> groups;
    std::map<std::pair<Row, int>, int> boxes;
    for (const GraphNode& node : model.nodes)
        if (node.row == Row::operand || node.row == Row::parameter_gradient) {
            ColumnGroup& group = groups[node.column];
            group.boxes = std::max(group.boxes, ++boxes[{node.row, node.column}]);
        }
    double boxes_in_all = 0;
    for (const auto& [column, group] : groups) boxes_in_all += group.boxes;
    std::map<int, double> needed; // by what stands in a column's boxes
    if (boxes_in_all * readable_box <= area.width()) {
        const NeededWidth needs(shapes);
        for (const GraphNode& node : model.nodes)
            if (node.row == Row::operand || node.row == Row::parameter_gradient) {
                double& width = needed[node.column];
                width = std::max(width, needs(node));
            }
    }
    double wanted_by_all = 0;
    for (const auto& [column, group] : groups) wanted_by_all += group.boxes * needed[column];
    const bool wide = wanted_by_all > 0 && wanted_by_all + (boxes_in_all - 1) * wide_gap <= area.width(); // words before rings
    const double gap = wide ? wide_gap : narrow_gap;
    std::vector<ColumnGroup*> in_order;
    double all = 0; // of boxes alone
    for (auto& [column, group] : groups) {
        group.gap = gap;
        group.width = std::min({widest_operand, (pitch - gap - (group.boxes - 1) * gap) / group.boxes, group.boxes == 1 ? box : widest_operand});
        group.centre = centre(column);
        all += group.boxes * group.width;
        in_order.push_back(&group);
    }
    const double room = area.width() - (boxes_in_all - 1) * gap;
    if (room <= 0) return groups; // a net so long that not even the gaps fit: each stays at its column, over its neighbours
    if (all > room) { // the last column's would stand out
        const double share = std::max(0.0, room) / all;
        for (ColumnGroup* group : in_order) group->width *= share;
    } else if (wanted_by_all > 0) { // boxes that are too narrow take what is free, then what others have to spare
        double missing = 0, spare = 0;
        for (const auto& [column, group] : groups) {
            missing += group.boxes * std::max(0.0, needed[column] - group.width);
            spare += group.boxes * std::max(0.0, group.width - needed[column]);
        }
        const double given = std::clamp(missing - (room - all), 0.0, spare);
        const double grow = missing > 0 ? std::min(1.0, (room - all + given) / missing) : 0, shrink = spare > 0 ? given / spare : 0;
        for (auto& [column, group] : groups) {
            const double more = needed[column] - group.width;
            group.width += (more > 0 ? grow : shrink) * more;
        }
    }
    for (ColumnGroup* group : in_order) group->width = std::max(0.0, std::floor(group->width));
    settle(in_order, area);
    return groups;
}

} // namespace gradus

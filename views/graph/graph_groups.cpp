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

constexpr double readable = 18; // pixels: no word is read in a narrower box, and none is measured

double all_of(const ColumnGroup& group, double width) { return group.boxes * width + (group.boxes - 1) * operand_gap; }

/// What the name of a node, three digits of its number with their exponent, and its shape need.
class NeededWidth {
public:
    explicit NeededWidth(bool shapes) : shapes_(shapes) {}
    double operator()(const GraphNode& node) const {
        constexpr double margin = 6;
        double width = std::max(name_.horizontalAdvance(QString::fromStdString(node.title)), digits_);
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
        from = group->centre + half(*group) + operand_gap;
    }
    double until = area.right();
    for (auto group = groups.rbegin(); group != groups.rend(); ++group) {
        (*group)->centre = std::min((*group)->centre, until - half(**group));
        until = (*group)->centre - half(**group) - operand_gap;
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
    std::vector<ColumnGroup*> in_order;
    double all = 0, gaps = -operand_gap; // of boxes alone, and what lies between them
    for (auto& [column, group] : groups) {
        const double room = pitch - operand_gap;
        group.width = std::min({widest_operand, (room - (group.boxes - 1) * operand_gap) / group.boxes,
                                group.boxes == 1 ? box : widest_operand});
        group.centre = centre(column);
        all += group.boxes * group.width;
        gaps += group.boxes * operand_gap;
        in_order.push_back(&group);
    }
    const double room = area.width() - gaps;
    if (room <= 0) return groups; // a net so long that not even the gaps fit: each stays at its column, over its neighbours
    if (all > room) { // the last column's would stand out
        const double share = std::max(0.0, room) / all;
        for (ColumnGroup* group : in_order) group->width *= share;
    } else if (std::any_of(in_order.begin(), in_order.end(), [](const ColumnGroup* group) { return group->width >= readable; })) {
        const NeededWidth needed(shapes);
        std::map<int, double> wanted;
        for (const GraphNode& node : model.nodes)
            if (node.row == Row::operand || node.row == Row::parameter_gradient) {
                double& width = wanted.try_emplace(node.column, groups[node.column].width).first->second;
                width = std::max(width, needed(node));
            }
        double more = 0;
        for (const auto& [column, group] : groups) more += group.boxes * (wanted[column] - group.width);
        const double share = more > 0 ? std::min(1.0, (room - all) / more) : 0;
        for (auto& [column, group] : groups) group.width += share * (wanted[column] - group.width);
    }
    for (ColumnGroup* group : in_order) group->width = std::max(0.0, std::floor(group->width));
    settle(in_order, area);
    return groups;
}

} // namespace gradus

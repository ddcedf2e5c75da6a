#include "views/graph/graph_wires.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <tuple>

namespace gradus {

namespace {

constexpr double clear = 2; // pixels between a tip and its box where it comes from beneath
constexpr double beneath = cursor_ring + 10, least_beneath = 11; // under a row, clear of a ring; where the next row is near
constexpr double lane = 7, least_lane = 3; // pixels between two lines side by side
constexpr std::size_t most_bends = 64;     // in one corridor: more cannot be told apart
constexpr double head = 6, apart = 2 * head + 2; // of an arrow's head; between two tips on one box
constexpr double crossing = 2 * head + 2;  // tips nearer to each other have heads that touch
constexpr double least_apart = 9;          // for want of room heads may touch, if their lines stay apart
constexpr double told_apart = 5;           // two lines side by side that are still two

/// An arrow with two corners: up or down from its box, level, and up or down again.
struct Bend {
    std::size_t arrow = 0;
    double low = 0, high = 0; ///< of its level part
    std::size_t lane = 0;     ///< 0: nearest to the row it leaves
};

/// The shorter ones stay next to the row that they leave, so that the fewest lines cross.
std::size_t assign_lanes(std::vector<Bend>& bends) {
    std::stable_sort(bends.begin(), bends.end(), [](const Bend& a, const Bend& b) { return a.high - a.low < b.high - b.low; });
    std::vector<std::vector<const Bend*>> lanes;
    for (Bend& bend : bends) {
        const auto free = [&](const std::vector<const Bend*>& taken) {
            return std::all_of(taken.begin(), taken.end(), [&](const Bend* other) { return bend.high + 2 < other->low || other->high + 2 < bend.low; });
        };
        while (bend.lane < lanes.size() && !free(lanes[bend.lane])) ++bend.lane;
        if (bend.lane == lanes.size()) lanes.emplace_back();
        lanes[bend.lane].push_back(&bend);
    }
    return lanes.size();
}

/// Wires to one box that would be too near to each other to be followed are one line with as many ends: one lane for each box.
std::size_t share_lanes(std::vector<Bend>& bends, const std::vector<std::size_t>& targets, std::size_t lanes) {
    std::map<std::size_t, std::size_t> shared;
    for (const Bend& bend : bends) shared.try_emplace(targets[bend.arrow], shared.size());
    if (shared.size() >= lanes) return lanes;
    for (Bend& bend : bends) bend.lane = shared.at(targets[bend.arrow]);
    return shared.size();
}

void set_level(std::vector<QPointF>& points, double y) {
    points[1].setY(y);
    points[2].setY(y);
}

/// Where two boxes face each other, away from their corners: from the first to the second, if it is no larger.
std::pair<double, double> facing(const QRectF& from, const QRectF& to) {
    const double low = std::max(from.left(), to.left()), high = std::min(from.right(), to.right()), inset = std::clamp((high - low) / 6, 2.0, 8.0);
    return {low + inset, high - inset};
}

/// Down or up to a tip at `x`: straight where the box it comes from reaches so far, else with two corners.
std::vector<QPointF> upright(const QRectF& from, double x, double start, double end) {
    if (x >= from.left() + 2 && x <= from.right() - 2) return {{x, start}, {x, end}};
    const double middle = std::round((start + end) / 2) - 2, side = std::min(8.0, from.width() / 4);
    const double leaves = x < from.center().x() ? from.left() + side : from.right() - side;
    return {{leaves, start}, {leaves, middle}, {x, middle}, {x, end}};
}

/// Between a tip and its box, `gap` away from where it comes: outside the ring that a cursor may put there.
double before_tip(double gap) { return std::clamp(gap / 4, clear, 6.0); }

} // namespace

std::vector<QPointF> route(const QRectF& from, const QRectF& to, bool from_loss, bool passes) {
    if (passes) {
        const bool right = to.left() > from.right();
        const double side = std::min(14.0, from.width() / 4), other = std::min(14.0, to.width() / 4);
        const double x = right ? from.right() - side : from.left() + side, end = right ? to.left() + other : to.right() - other;
        const double y = from.bottom() + least_beneath; // part_wires() lays it lower where there is room
        return {{x, from.bottom()}, {x, y}, {end, y}, {end, to.bottom() + clear}};
    }
    if (std::abs(from.center().y() - to.center().y()) < 1) {
        const bool right = to.left() > from.right();
        const double off = before_tip(right ? to.left() - from.right() : from.left() - to.right());
        return {{right ? from.right() : from.left(), from.center().y()},
                {right ? to.left() - off : to.right() + off, to.center().y()}};
    }
    const bool down = to.top() > from.bottom();
    const double off = before_tip(down ? to.top() - from.bottom() : from.top() - to.bottom());
    const double start = down ? from.bottom() : from.top(), end = down ? to.top() - off : to.bottom() + off;
    if (const auto [low, high] = facing(from, to); low <= high) {
        const double x = std::clamp(to.center().x(), low, high);
        return {{x, start}, {x, end}};
    }
    if (from_loss && from.left() > to.right())
        return {{from.center().x(), start}, {from.center().x(), to.center().y()}, {to.right() + before_tip(from.left() - to.right()), to.center().y()}};
    const bool left = to.center().x() < from.center().x();
    const double other = std::min(14.0, to.width() / 8);
    // Into a wide box at its near end: its middle is for what stands above it.
    const double tip = to.width() <= from.width() ? to.center().x() : left ? to.right() - other : to.left() + other;
    return upright(from, tip, start, end);
}

namespace {

/// A bent arrow leaves its box near a corner, and passes over whatever leaves beyond it: a straight one makes room, as far
/// as the boxes face each other.
void clear_starts(std::vector<GraphArrow>& arrows, const std::vector<std::size_t>& targets, const std::vector<GraphItem>& items) {
    const auto leaves_down = [](const GraphArrow& arrow) { return arrow.points[1].y() > arrow.points[0].y(); };
    const auto is_upright = [](const GraphArrow& arrow) { return arrow.points[0].x() == arrow.points[1].x(); };
    std::map<std::pair<std::size_t, bool>, std::vector<std::size_t>> straight; // box, downwards
    for (std::size_t i = 0; i < arrows.size(); ++i)
        if (arrows[i].points.size() == 2 && is_upright(arrows[i])) straight[{arrows[i].from, leaves_down(arrows[i])}].push_back(i);
    for (const GraphArrow& bent : arrows) {
        if (bent.points.size() != 4 || !is_upright(bent)) continue;
        const auto beside = straight.find({bent.from, leaves_down(bent)});
        if (beside == straight.end()) continue;
        const double leaves = bent.points[0].x();
        const bool to_left = bent.points[2].x() < leaves;
        for (const std::size_t i : beside->second) {
            auto& points = arrows[i].points;
            const double wanted = leaves + (to_left ? least_apart : -least_apart);
            if (to_left ? points[0].x() >= wanted : points[0].x() <= wanted) continue;
            const auto [low, high] = facing(items[bent.from].rect, items[targets[i]].rect);
            if (wanted < low || wanted > high) continue;
            for (QPointF& point : points) point.setX(std::round(wanted));
        }
    }
}

/// Straight arrows and bent ones whose heads would touch, or whose lines would cross, share the side of their box evenly,
/// in the order of where they come from.
void spread_tips(std::vector<GraphArrow>& arrows, const std::vector<std::size_t>& targets, const std::vector<GraphItem>& items) {
    std::map<std::pair<std::size_t, bool>, std::vector<std::size_t>> sides; // box, from above
    for (std::size_t i = 0; i < arrows.size(); ++i) {
        const auto& p = arrows[i].points;
        const QPointF tip = p.back(), before = p[p.size() - 2];
        const bool under_its_row = p.size() == 4 && std::abs(p[0].y() - tip.y()) <= clear + 1;
        if (tip.x() == before.x() && !under_its_row) sides[{targets[i], before.y() < tip.y()}].push_back(i);
    }
    for (auto& [side, which] : sides) {
        const QRectF& box = items[side.first].rect;
        std::vector<double> tips;
        for (const std::size_t i : which) tips.push_back(arrows[i].points.back().x());
        std::sort(tips.begin(), tips.end());
        const bool touch = std::adjacent_find(tips.begin(), tips.end(), [](double a, double b) { return b - a < crossing; }) != tips.end();
        const bool turned = std::any_of(which.begin(), which.end(), [&](std::size_t a) {
            return std::any_of(which.begin(), which.end(), [&](std::size_t b) {
                return arrows[a].points.back().x() < arrows[b].points.back().x() &&
                       items[arrows[a].from].rect.center().x() > items[arrows[b].from].rect.center().x();
            });
        });
        const bool mixed = std::any_of(which.begin(), which.end(), [&](std::size_t i) { return arrows[i].points.size() == 2; }) &&
                           std::any_of(which.begin(), which.end(), [&](std::size_t i) { return arrows[i].points.size() == 4; });
        const double corner = items[side.first].loss ? box.height() / 3 : std::min(14.0, box.width() / 8); // a pill is round there
        const double step = (box.width() - 2 * corner) / static_cast<double>(which.size());
        if ((!touch && !turned) || !mixed || step < told_apart) continue;
        std::stable_sort(which.begin(), which.end(), [&](std::size_t a, std::size_t b) {
            return items[arrows[a].from].rect.center().x() < items[arrows[b].from].rect.center().x();
        });
        for (std::size_t k = 0; k < which.size(); ++k) {
            GraphArrow& arrow = arrows[which[k]];
            const double x = std::round(box.left() + corner + (static_cast<double>(k) + 0.5) * step);
            arrow.points = upright(items[arrow.from].rect, x, arrow.points.front().y(), arrow.points.back().y());
        }
    }
}

/// From a row's lower edge to the next box below it, or what is kept free under the last row; pixels.
double room_under(double bottom, const std::vector<GraphItem>& items) {
    double next = std::numeric_limits<double>::infinity();
    for (const GraphItem& item : items)
        if (item.rect.top() > bottom) next = std::min(next, item.rect.top() - bottom);
    return std::isfinite(next) ? next : under_rows;
}

/// The first line under a row.
double beneath_in(double room) { return std::clamp(room - cursor_ring, std::min(least_beneath, room * 0.7), beneath); }

using Corridor = std::pair<int, int>; // where arrows leave and where they end, whole pixels

Corridor corridor_of(const GraphArrow& arrow) { return {qRound(arrow.points.front().y()), qRound(arrow.points.back().y())}; }

/// Where a bent arrow leaves its box no other may stand in the same corridor, or the two would be one line that forks: it leaves
/// as near to there as its box has a free place.
void part_uprights(std::vector<GraphArrow>& arrows, const std::vector<GraphItem>& items) {
    std::map<Corridor, std::vector<std::size_t>> corridors;
    for (std::size_t i = 0; i < arrows.size(); ++i)
        if (const auto& p = arrows[i].points; p.size() == 4 || (p.size() == 2 && p[0].x() == p[1].x())) corridors[corridor_of(arrows[i])].push_back(i);
    for (const auto& [corridor, which] : corridors) {
        if (which.size() > most_bends) continue;
        const auto free = [&](std::size_t mine, double x) {
            return std::all_of(which.begin(), which.end(), [&](std::size_t other) {
                const auto& p = arrows[other].points;
                return other == mine || (std::abs(p.front().x() - x) >= told_apart && std::abs(p.back().x() - x) >= told_apart);
            });
        };
        for (const std::size_t i : which) {
            auto& p = arrows[i].points;
            if (p.size() != 4 || free(i, p[0].x())) continue;
            const QRectF& box = items[arrows[i].from].rect;
            for (double away = 1; away < box.width(); ++away)
                for (const double x : {p[0].x() - away, p[0].x() + away}) {
                    if (x < box.left() + clear || x > box.right() - clear || !free(i, x)) continue;
                    p[0].setX(x);
                    p[1].setX(x);
                    away = box.width();
                    break;
                }
        }
    }
}

constexpr double join_apart = 8, join_inset = 6, join_head = 8.5; // straight wires nearer than that are one; of a trunk, from a corner; a head and what a ring takes of it

/// The wires of a layer's parameters to it, or of its gradient to theirs: one trunk at the layer, and a branch at each of them.
struct Join {
    std::vector<std::size_t> wires;
    std::size_t trunk = 0; ///< its box
    std::vector<double> branches;
    std::optional<double> x; ///< of the trunk, once it has a place
};

/// As near to the middle of its box as nothing else stands in the way; none: there is no such place.
std::optional<double> place_of_trunk(const Join& join, const QRectF& box, const std::vector<double>& others) {
    const auto [least, most] = std::minmax_element(join.branches.begin(), join.branches.end());
    const double middle = std::round(box.center().x());
    for (double away = 0; away <= box.width() / 2 - join_inset; ++away)
        for (const double x : {middle - away, middle + away}) {
            const double low = std::min(*least, x) - join_apart, high = std::max(*most, x) + join_apart;
            if (std::none_of(others.begin(), others.end(), [&](double other) { return other > low && other < high; })) return x;
        }
    return std::nullopt;
}

/// Where parameters stand aside from their layer, their wires would run side by side: they meet on one level part and share one
/// head; those of one gradient to its parameters' share their start. All layers of a row alike.
void join_wires(std::vector<GraphArrow>& arrows, const std::vector<std::size_t>& targets, const std::vector<GraphItem>& items) {
    std::map<std::size_t, int> leave, arrive;
    std::map<Corridor, std::vector<std::size_t>> corridors;
    const auto level = [&](std::size_t i) { return std::abs(arrows[i].points.front().y() - arrows[i].points.back().y()) <= clear + 1; };
    for (std::size_t i = 0; i < arrows.size(); ++i) {
        if (level(i)) continue;
        ++leave[arrows[i].from];
        ++arrive[targets[i]];
        corridors[corridor_of(arrows[i])].push_back(i);
    }
    int number = 0;
    for (const auto& [corridor, all] : corridors) {
        if (all.size() > most_bends) continue;
        std::map<std::pair<bool, std::size_t>, Join> found; // gradients, the trunk's box
        for (const std::size_t i : all) {
            const bool gradient = arrows[i].role == Role::gradient;
            if (arrows[i].points.size() == 3 || (!gradient && arrows[i].role != Role::parameter)) continue;
            if (gradient ? arrive[targets[i]] != 1 : leave[arrows[i].from] != 1) continue; // others lead there as well
            Join& join = found[{gradient, gradient ? arrows[i].from : targets[i]}];
            join.trunk = gradient ? arrows[i].from : targets[i];
            join.wires.push_back(i);
            join.branches.push_back(std::round(items[gradient ? targets[i] : arrows[i].from].rect.center().x()));
        }
        std::erase_if(found, [](const auto& entry) { return entry.second.wires.size() < 2; });
        const auto near = [&](std::size_t a, std::size_t b) { return std::abs(arrows[a].points[0].x() - arrows[b].points[0].x()) < join_apart; };
        const bool needed = std::any_of(found.begin(), found.end(), [&](const auto& entry) {
            const auto& wires = entry.second.wires;
            return std::any_of(wires.begin(), wires.end(), [&](std::size_t i) { return arrows[i].points.size() == 4; }) ||
                   std::adjacent_find(wires.begin(), wires.end(), near) != wires.end();
        });
        if (!needed) continue;
        std::vector<bool> joins(arrows.size());
        for (const auto& [at, join] : found)
            for (const std::size_t i : join.wires) joins[i] = true;
        for (auto& [at, join] : found) {
            std::vector<double> others;
            for (const std::size_t i : all)
                if (!joins[i])
                    for (const QPointF& point : arrows[i].points) others.push_back(point.x());
            for (const auto& [other_at, other] : found) {
                if (other_at == at) continue;
                others.insert(others.end(), other.branches.begin(), other.branches.end());
                if (other.x) others.push_back(*other.x);
            }
            join.x = place_of_trunk(join, items[join.trunk].rect, others);
        }
        if (std::any_of(found.begin(), found.end(), [](const auto& entry) { return !entry.second.x; })) continue;
        for (const auto& [at, join] : found) {
            for (std::size_t k = 0; k < join.wires.size(); ++k) {
                GraphArrow& arrow = arrows[join.wires[k]];
                const double start = arrow.points.front().y(), end = arrow.points.back().y(), way = std::abs(end - start);
                const double down = std::round(std::max(2.0, std::min(way / 2 - 2, way - join_head))), y = start + (end > start ? down : -down);
                const QRectF& box = items[at.first ? targets[join.wires[k]] : arrow.from].rect;
                const bool below = *join.x >= box.left() + join_inset && *join.x <= box.right() - join_inset; // then it goes straight
                const double branch = below ? *join.x : join.branches[k];
                const double from = at.first ? *join.x : branch, to = at.first ? branch : *join.x;
                arrow.points = {{from, start}, {from, y}, {to, y}, {to, end}};
                arrow.joined = number;
            }
            ++number;
        }
    }
}

} // namespace

void part_wires(std::vector<GraphArrow>& arrows, const std::vector<std::size_t>& targets, const std::vector<GraphItem>& items) {
    // First the tips: on one side of a box the arrow from farthest away ends nearest to where it comes from.
    std::map<std::tuple<std::size_t, bool, bool>, std::vector<std::size_t>> ends; // box, from above, from the left
    for (std::size_t i = 0; i < arrows.size(); ++i) {
        const auto& p = arrows[i].points;
        if (p.size() == 4) ends[{targets[i], p[2].y() < p[3].y(), p[1].x() < p[2].x()}].push_back(i);
    }
    for (auto& [end, which] : ends) {
        if (which.size() < 2) continue;
        const auto& [target, above, from_left] = end;
        const QRectF& box = items[target].rect;
        std::stable_sort(which.begin(), which.end(), [&](std::size_t a, std::size_t b) {
            return std::abs(arrows[a].points[1].x() - arrows[a].points[2].x()) > std::abs(arrows[b].points[1].x() - arrows[b].points[2].x());
        });
        const double near = std::min(14.0, box.width() / 8), step = std::min(apart, (box.width() - 2 * near) / static_cast<double>(which.size()));
        for (std::size_t k = 0; k < which.size(); ++k) {
            const double in = near + static_cast<double>(k) * step, x = from_left ? box.left() + in : box.right() - in;
            arrows[which[k]].points[2].setX(x);
            arrows[which[k]].points[3].setX(x);
        }
    }
    spread_tips(arrows, targets, items);
    clear_starts(arrows, targets, items);
    part_uprights(arrows, items);
    // Then the level parts, in each corridor between two rows, and under a row.
    std::map<Corridor, std::vector<Bend>> corridors;
    for (std::size_t i = 0; i < arrows.size(); ++i) {
        const auto& p = arrows[i].points;
        if (p.size() != 4) continue;
        corridors[corridor_of(arrows[i])].push_back({i, std::min(p[1].x(), p[2].x()), std::max(p[1].x(), p[2].x()), 0});
    }
    for (auto& [corridor, bends] : corridors) {
        if (bends.size() > most_bends) continue;
        std::size_t lanes = assign_lanes(bends);
        const double high = std::abs(corridor.second - corridor.first) - head;
        const bool near = lanes > 1 && high > 0 && high / static_cast<double>(lanes + 1) < told_apart;
        if (near) lanes = share_lanes(bends, targets, lanes);
        for (const Bend& bend : bends) {
            auto& points = arrows[bend.arrow].points;
            const double start = points[0].y(), end = points[3].y(), number = static_cast<double>(bend.lane);
            if (std::abs(start - end) <= clear + 1) { // under its own row
                const double room = room_under(start, items), first = beneath_in(room);
                const double step = lanes < 2 ? 0 : std::clamp((room - first - least_lane) / static_cast<double>(lanes - 1), least_lane, lane);
                set_level(points, start + first + number * step);
            } else if (lanes > 1 || near) {
                const double room = end - start - (end > start ? head : -head);
                set_level(points, std::round(start + room * (number + 1) / static_cast<double>(lanes + 1)));
            }
        }
    }
    join_wires(arrows, targets, items);
}

} // namespace gradus

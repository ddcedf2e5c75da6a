#include "views/valley/valley_fan.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace gradus {

namespace {

constexpr double clear = 4;       // pixels between a name and what it must not cover
constexpr double near_by = 20;    // from an end to its name: no line need say whose it is
constexpr double stride = 10;     // to the next place that is tried
constexpr double one_place = 8;   // ends nearer to each other than that are one to the eye
constexpr double apart = 14;      // ends nearer to each other than that are named once, unless they must be
constexpr double farthest = 160;  // of a name that must be there
constexpr double far_of_others = 30;
constexpr int directions = 32;

/// Upwards first, then more and more to both sides.
std::array<QPointF, directions> ways() {
    std::array<QPointF, directions> out;
    for (int k = 0; k < directions; ++k) {
        const int turn = (k + 1) / 2 * (k % 2 == 0 ? 1 : -1);
        const double angle = -std::numbers::pi / 2 + turn * 2 * std::numbers::pi / directions;
        out[static_cast<std::size_t>(k)] = {std::cos(angle), std::sin(angle)};
    }
    return out;
}

QPointF nearest_in(const QRectF& rect, QPointF to) {
    return {std::clamp(to.x(), rect.left(), rect.right()), std::clamp(to.y(), rect.top(), rect.bottom())};
}

bool crosses(const QLineF& line, const QRectF& rect) {
    constexpr int pieces = 24;
    for (int i = 0; i <= pieces; ++i)
        if (rect.contains(line.pointAt(static_cast<double>(i) / pieces))) return true;
    return false;
}

bool has_crossing(const QLineF& a, const QLineF& b) { return a.intersects(b, nullptr) == QLineF::BoundedIntersection; }

class Placer {
public:
    Placer(const std::vector<FutureEnd>& ends, const FanRoom& room) : ends_(ends), room_(room) {}

    void place(const FutureEnd& end, double most) {
        static const auto all = ways();
        if (stack(end)) return;
        for (double away = room_.dot + clear; away <= most; away += stride)
            for (const QPointF& way : all)
                if (take(end, way, away)) return;
    }

    bool is_crowded(const FutureEnd& end) const {
        return std::any_of(names.begin(), names.end(), [&](const FutureName& name) {
            const QPointF named = end_of(name).at;
            return name.future == end.future || std::hypot(named.x() - end.at.x(), named.y() - end.at.y()) < apart;
        });
    }

    std::vector<FutureName> names;

private:
    const FutureEnd& end_of(const FutureName& name) const {
        return *std::find_if(ends_.begin(), ends_.end(), [&](const FutureEnd& end) { return end.future == name.future; });
    }

    /// Over or under the name of one that ends in the same place, as its next line.
    bool stack(const FutureEnd& end) {
        for (const FutureName& name : std::vector(names)) {
            const QPointF other = end_of(name).at;
            if (std::hypot(other.x() - end.at.x(), other.y() - end.at.y()) > one_place) continue;
            for (const double by : {-1.0, 1.0}) {
                QRectF rect(QPointF(0, 0), end.name);
                rect.moveCenter({name.rect.center().x(), name.rect.center().y() + by * ((name.rect.height() + end.name.height()) / 2 + 1)});
                if (!is_free(rect, rect) || std::any_of(names.begin(), names.end(), [&](const FutureName& each) { return rect.adjusted(0, 1, 0, -1).intersects(each.rect); })) continue;
                names.push_back({end.future, rect, {}});
                return true;
            }
        }
        return false;
    }

    /// Of everything but other names.
    bool is_free(const QRectF& rect, const QRectF& wide) const {
        if (!room_.plot.adjusted(clear, clear, -clear, -clear).contains(rect)) return false;
        const auto holds = [&](QPointF at, double radius) { return wide.adjusted(-radius, -radius, radius, radius).contains(at); };
        if (room_.cursor && holds(*room_.cursor, room_.ring)) return false;
        return std::none_of(ends_.begin(), ends_.end(), [&](const FutureEnd& other) { return holds(other.at, room_.dot); }) &&
               std::none_of(room_.line.begin(), room_.line.end(), [&](QPointF at) { return wide.contains(at); });
    }

    bool take(const FutureEnd& end, QPointF way, double away) {
        const double support = std::abs(way.x()) * end.name.width() / 2 + std::abs(way.y()) * end.name.height() / 2;
        QRectF rect(QPointF(0, 0), end.name);
        rect.moveCenter(end.at + way * (away + support));
        const QRectF wide = rect.adjusted(-clear, -clear / 2, clear, clear / 2);
        if (!is_free(rect, wide)) return false;
        const QPointF foot = nearest_in(rect, end.at);
        const QLineF whole(end.at, foot);
        const bool beside = whole.length() <= near_by;
        for (const FutureName& other : names) {
            if (wide.intersects(other.rect) || (!beside && crosses(whole, other.rect.adjusted(-2, -1, 2, 1)))) return false;
            if (!other.leader.isNull() && (crosses(other.leader, wide) || (!beside && has_crossing(other.leader, whole)))) return false;
        }
        names.push_back({end.future, rect, beside ? QLineF() : QLineF(whole.pointAt((room_.dot + 1) / whole.length()), foot)});
        return true;
    }

    const std::vector<FutureEnd>& ends_;
    const FanRoom& room_;
};

} // namespace

std::vector<FutureName> place_future_names(const std::vector<FutureEnd>& ends, int now, const FanRoom& room) {
    Placer placer(ends, room);
    if (ends.empty()) return {};
    const auto own = std::find_if(ends.begin(), ends.end(), [&](const FutureEnd& end) { return static_cast<int>(end.future) == now; });
    if (own != ends.end()) placer.place(*own, farthest);
    for (const FutureEnd* end : {&ends.front(), &ends.back()})
        if (std::none_of(placer.names.begin(), placer.names.end(), [&](const FutureName& name) { return name.future == end->future; })) placer.place(*end, farthest);
    for (const FutureEnd& end : ends)
        if (!placer.is_crowded(end)) placer.place(end, far_of_others);
    return placer.names;
}

} // namespace gradus

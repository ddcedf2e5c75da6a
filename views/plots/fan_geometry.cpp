#include "views/plots/fan_geometry.hpp"

#include "engine/trace/derive/trailing_mean.hpp"
#include "views/theme/polyline.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {

namespace {

constexpr double name_height = 15, reach = 22; // pixels; reach: how far the pointer may be from a line
constexpr double one_point = 3;                // pixels: ends nearer to each other are one to the eye

/// Neighbours whose ends are at most `apart` from each other have one name; the present value, if `own`, its own.
std::vector<FanName> gathered(const Fan& fan, const std::vector<FanLine>& lines, double apart, bool own) {
    std::vector<FanName> out;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const auto alike = [&](const FanLine& a, const FanLine& b) { return a.broken == b.broken && a.left == b.left; };
        const bool joins = i > 0 && alike(lines[i - 1], lines[i]) && std::abs(lines[i - 1].end.y() - lines[i].end.y()) <= apart &&
                           !(own && (fan.is_now(i) || fan.is_now(i - 1)));
        if (joins) out.back().last = i;
        else out.push_back({i, i, {}});
    }
    return out;
}

/// As many names as there is room for, the fewer the nearer the ends are.
std::vector<FanName> named(const Fan& fan, const std::vector<FanLine>& lines, std::size_t room) {
    if (room == 0 || lines.empty()) return {};
    for (const bool own : {true, false})
        for (double apart = one_point; apart < 1e5; apart *= 1.5)
            if (std::vector<FanName> names = gathered(fan, lines, apart, own); names.size() <= room) return names;
    return {{0, lines.size() - 1, {}}}; // some broke, and there is room for one
}

} // namespace

FanCurves fan_curves(const Fan& fan, std::string_view name) {
    FanCurves out;
    // Batches differ more from step to step than rates do; where one step sees all the data there is nothing to smooth.
    const auto in_batches = [](const Run& run) {
        for (std::size_t i = 0; i < run.sites().size(); ++i)
            if (run.sites()[i].name == "gather") return true;
        return false;
    };
    std::vector<double> values;
    for (const Future& future : fan.futures) {
        out.curves.emplace_back();
        out.broken_at.push_back(-1);
        if (!future.run) continue;
        if (in_batches(*future.run)) out.smoothing = std::max<StepIndex>(1, fan.horizon / 6);
        out.curves.back() = trailing_mean(*future.run, name, out.smoothing, fan.iteration, future.run->head());
        for (const SeriesPoint& point : out.curves.back()) values.push_back(point.value);
        const StepIndex ends = fan.iteration + static_cast<StepIndex>(out.curves.back().size());
        if (ends < future.run->head()) out.broken_at.back() = ends;
    }
    if (values.empty()) return out;
    // What explodes leaves through the top: the axis is for the others.
    std::sort(values.begin(), values.end());
    const auto part = [&](double share) { return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))]; };
    out.least = values.front();
    out.greatest = std::min(values.back(), part(0.5) + 3 * std::max(part(0.9) - part(0.5), part(0.5) - out.least));
    if (!(out.greatest > out.least)) out.greatest = out.least + std::max(1e-6, std::abs(out.least) / 10);
    return out;
}

int FanPicture::at(QPointF pixel) const {
    for (const FanName& name : names) {
        if (!name.rect.contains(pixel)) continue;
        const double along = (pixel.x() - name.rect.left()) / name.rect.width(), count = static_cast<double>(name.last - name.first + 1);
        return static_cast<int>(std::min(name.last, name.first + static_cast<std::size_t>(along * count)));
    }
    int nearest = -1;
    double best = reach;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const double away = distance_to(lines[i].points, pixel);
        if (away >= best) continue;
        best = away;
        nearest = static_cast<int>(i);
    }
    return nearest;
}

FanPicture lay_out_fan(const Fan& fan, const FanCurves& curves, const QRectF& area, double names_from,
                       const std::function<QPointF(const SeriesPoint&)>& pixel) {
    FanPicture picture;
    for (std::size_t i = 0; i < curves.curves.size(); ++i) {
        FanLine line;
        for (const SeriesPoint& point : curves.curves[i]) line.points.push_back(pixel(point));
        line.broken = i < fan.futures.size() && fan.futures[i].broken;
        if (!line.points.empty()) {
            line.end = line.points.back();
            if (line.broken && curves.broken_at[i] >= 0)
                line.end.setX(pixel({curves.broken_at[i], curves.curves[i].back().value}).x());
        } else { // it broke at once
            line.end = pixel({fan.iteration, curves.greatest});
        }
        line.left = line.end.y() < area.top() - 1;
        line.end.setY(std::clamp(line.end.y(), area.top(), area.bottom()));
        picture.lines.push_back(std::move(line));
    }
    const auto room = static_cast<std::size_t>(std::max(0.0, std::floor(area.height() / name_height)));
    picture.names = named(fan, picture.lines, room);
    const auto middle = [&](const FanName& name) { return (picture.lines[name.first].end.y() + picture.lines[name.last].end.y()) / 2; };
    std::stable_sort(picture.names.begin(), picture.names.end(), [&](const FanName& a, const FanName& b) {
        const bool broke = picture.lines[a.first].broken, other = picture.lines[b.first].broken;
        return broke != other ? broke : middle(a) < middle(b); // at the top, where they left
    });
    double y = area.top();
    for (FanName& name : picture.names) {
        y = std::max(y, middle(name) - name_height / 2);
        name.rect = QRectF(names_from, y, std::max(0.0, area.right() - names_from), name_height);
        y += name_height;
    }
    double until = area.bottom(); // what was pushed below the foot is pushed back up
    for (auto name = picture.names.rbegin(); name != picture.names.rend(); ++name) {
        name->rect.moveTop(std::max(area.top(), std::min(name->rect.top(), until - name_height)));
        until = name->rect.top();
    }
    return picture;
}

} // namespace gradus

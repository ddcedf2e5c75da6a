#include "views/regions/region_fan.hpp"

#include "views/derive/fan_words.hpp"
#include "views/regions/region_painter.hpp"
#include "views/regions/region_words.hpp"
#include "views/theme/numbers.hpp"
#include "views/theme/words.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {

namespace {
constexpr double name_height = 17, fan_gap = 8; // pixels
constexpr int fan_cells = 48;
constexpr std::size_t few_points = 16; // more would hide so small a plane
} // namespace

std::vector<QRectF> lay_out_region_fan(const QRectF& area, std::size_t futures) {
    const auto count = static_cast<int>(futures);
    const auto fits = [&](int columns) {
        const int rows = (count + columns - 1) / columns;
        return std::min((area.width() - (columns - 1) * fan_gap) / columns, area.height() / rows - name_height);
    };
    int columns = 1;
    for (int c = 2; c <= count; ++c)
        if (fits(c) > fits(columns)) columns = c;
    for (int c = 1; c <= count; ++c) // a little smaller rather than a row that ends early
        if (count % c == 0 && count % columns != 0 && fits(c) >= 0.85 * fits(columns)) columns = c;
    const double side = std::floor(std::max(1.0, fits(columns)));
    std::vector<QRectF> out;
    for (int i = 0; i < count; ++i)
        out.emplace_back(area.left() + (i % columns) * (side + fan_gap), area.top() + (i / columns) * (side + name_height), side, side);
    return out;
}

std::shared_ptr<const RegionFan::Planes> RegionFan::compute(const Wish& wish, const std::atomic<bool>& outdated) {
    auto out = std::make_shared<Planes>();
    for (const RegionWish& one : wish.all) {
        if (outdated && !out->fields.empty()) return nullptr; // what is wanted now holds this too
        out->fields.push_back(one.full ? region_field(one, std::atomic<bool>{false}) : nullptr);
    }
    return out;
}

bool RegionFan::look(const Fan& fan, const PlaneSquare& square, const QRectF& area) {
    const bool opens = !fan_ || fan_->iteration != fan.iteration || fan_->run != fan.run;
    bool changed = opens || fan_->chosen != fan.chosen || places_.size() != fan.futures.size();
    fan_ = fan;
    if (const auto places = lay_out_region_fan(area, fan.futures.size()); places != places_) {
        places_ = places;
        changed = true;
    }
    if (opens) {
        planes_.reset();
        wanted_ = {};
    }
    Wish wish;
    for (const Future& future : fan.futures) {
        RegionWish& one = wish.all.emplace_back();
        if (future.run && future.done) one = {future.run, future.run, future.run->head() - 1, fan_cells, false, square};
    }
    if (!(wish == wanted_)) {
        wanted_ = wish;
        worker_.want(std::move(wish));
    }
    if (auto planes = worker_.latest(); planes && planes != planes_) {
        planes_ = std::move(planes);
        changed = true;
    }
    return changed;
}

void RegionFan::close() {
    fan_.reset();
    planes_.reset();
    wanted_ = {};
    worker_.forget();
}

std::vector<std::shared_ptr<const RegionField>> RegionFan::fields() const {
    std::vector<std::shared_ptr<const RegionField>> out(fan_ ? fan_->futures.size() : 0);
    if (!planes_) return out;
    for (std::size_t i = 0; i < std::min(out.size(), planes_->fields.size()); ++i) {
        const auto& field = planes_->fields[i]; // of an earlier fan, perhaps
        if (field && field->wish.full == fan_->futures[i].run && field->refusal.empty() && field->width == 2) out[i] = field;
    }
    return out;
}

void RegionFan::paint(QPainter& painter, const Theme& theme) const {
    const auto all = fields();
    painter.setRenderHint(QPainter::Antialiasing);
    const TextMetrics fm(mono_font(metrics::small_text, QFont::Bold));
    // For want of room the names are the numbers alone, and then with a digit less: all of them alike.
    const auto bare_name = [&](std::size_t i) { return three_digits(fan_->futures[i].value); };
    const auto short_name = [&](std::size_t i) { return QString::number(fan_->futures[i].value, 'g', 2); };
    bool bare = false, brief = false;
    for (std::size_t i = 0; i < places_.size(); ++i) {
        bare = bare || fm.horizontalAdvance(future_name(*fan_, i)) > places_[i].width() + fan_gap - 2;
        brief = brief || fm.horizontalAdvance(bare_name(i)) > places_[i].width() + fan_gap - 2;
    }
    for (std::size_t i = 0; i < places_.size(); ++i) {
        const QRectF& place = places_[i];
        const bool chosen = fan_->chosen == static_cast<int>(i);
        if (all[i]) {
            RegionGeometry geometry;
            geometry.plot = place;
            geometry.mark = 2;
            paint_plane(painter, *all[i], geometry, theme);
            const PlanePoints& points = all[i]->points;
            for (std::size_t p = 0; points.size() <= few_points && p < points.size(); ++p)
                paint_point(painter, geometry.at(all[i]->square, points.x[2 * p], points.x[2 * p + 1]), geometry.mark, points.labels[p], false, theme);
        }
        painter.setPen(chosen ? QPen(theme.ink, 2.4) : QPen(theme.ink3, 1, all[i] ? Qt::SolidLine : Qt::DashLine));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(chosen ? place.adjusted(-1, -1, 1, 1) : place.adjusted(0.5, 0.5, -0.5, -0.5));
        painter.setPen(chosen ? theme.ink : theme.ink2);
        const QFont font = mono_font(metrics::small_text, chosen ? QFont::Bold : QFont::Normal);
        painter.setFont(font);
        const QString name = brief ? short_name(i) : bare ? bare_name(i) : future_name(*fan_, i);
        if (fm.horizontalAdvance(name) > place.width() + fan_gap - 2) continue;
        draw_text(painter, QRectF(place.left() - fan_gap, place.bottom(), place.width() + 2 * fan_gap, name_height), Qt::AlignCenter, name);
    }
}

int RegionFan::at(QPointF pixel) const {
    for (std::size_t i = 0; i < places_.size(); ++i)
        if (places_[i].adjusted(0, 0, fan_gap, name_height).contains(pixel)) return static_cast<int>(i);
    return -1;
}

std::vector<ViewItem> RegionFan::items() const {
    std::vector<ViewItem> out;
    const auto all = fields();
    for (std::size_t i = 0; i < places_.size(); ++i)
        if (all[i])
            out.push_back({places_[i], QStringLiteral("future %1").arg(i), future_name(*fan_, i),
                           region_words::tr("%1 of %2 on a wrong side").arg(all[i]->wrong()).arg(all[i]->points.size()),
                           Provenance::counted, Role::metric});
    return out;
}

} // namespace gradus

#include "views/tensor/tensor_scene.hpp"

#include "engine/core/element_index.hpp"
#include "views/theme/numbers.hpp"

#include <cmath>

namespace gradus {

ColorMap map_for(const TensorStatistics& statistics, const Theme& theme) {
    return statistics.has_negative() ? signed_map(theme, statistics.clip) : unsigned_map(theme, statistics.clip);
}

QRectF rect_of(const TensorGeometry& geometry, const TensorModel& model, const std::vector<Dim>& index) {
    if (index.empty() || !model.holds(index)) return {};
    if (geometry.contents.form == TensorContents::Form::pictures)
        return geometry.pixel(index[static_cast<std::size_t>(1 - model.pixel_axis)],
                              index[static_cast<std::size_t>(model.pixel_axis)]);
    const auto place = model.place_of(index);
    if (!place || !geometry.window.contains(place->first, place->second)) return {};
    return geometry.cell(place->first, place->second);
}

std::vector<QRectF> rects_of(const TensorGeometry& geometry, const TensorModel& model, const std::vector<std::int64_t>& places) {
    std::vector<QRectF> out;
    for (const std::int64_t place : places) {
        const QRectF cell = rect_of(geometry, model, index_of(model.tensor().shape(), place));
        if (cell.isNull()) continue;
        if (!out.empty() && out.back().top() == cell.top() && std::abs(out.back().right() - cell.left()) < 0.5) out.back().setRight(cell.right());
        else out.push_back(cell);
    }
    return out;
}

std::vector<Dim> element_at(const TensorGeometry& geometry, const TensorModel& model, QPointF point) {
    if (const auto pixel = geometry.pixel_at(point)) return model.index_of_pixel(pixel->first, pixel->second);
    if (const auto cell = geometry.cell_at(point)) return model.index_of(cell->first, cell->second);
    return {};
}

std::pair<QString, QString> legend_ends(const TensorStatistics& s) {
    const auto end = [](const char* sign, bool beyond, double value) {
        return (beyond ? QString::fromUtf8(sign) + ' ' : QString()) + three_digits(value);
    };
    return {end("≥", s.greatest > s.clip, s.clip),
            s.has_negative() ? end("≤", s.least < -s.clip, -s.clip) : three_digits(0)};
}

} // namespace gradus

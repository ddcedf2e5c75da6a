// What a TensorView has on screen, for screen readers, hover and tests.
#include "views/tensor/tensor_axes.hpp"
#include "views/tensor/tensor_grid.hpp"
#include "views/tensor/tensor_histogram.hpp"
#include "views/tensor/tensor_text.hpp"
#include "views/tensor/tensor_view.hpp"
#include "views/theme/numbers.hpp"

#include <algorithm>

namespace gradus {

namespace {

constexpr Dim most_cells = 400; ///< more of them nobody reads one by one

QString id_of(const std::vector<Dim>& index) {
    QString text;
    for (const Dim at : index) text += (text.isEmpty() ? QString() : QString(",")) + QString::number(at);
    return text;
}

} // namespace

std::vector<ViewItem> TensorView::items() const {
    std::vector<ViewItem> out;
    if (!shown_) return out;
    const TensorModel& model = shown_->model;
    const TensorGeometry& g = geometry_;
    const Role role = model.recorded.role;
    const QString name = name_of_tensor(model.recorded.name);
    const auto element = [&](const QRectF& rect, const QString& id, const std::vector<Dim>& index) {
        out.push_back({rect, id, name + index_text(index), three_digits(model.value(index)), Provenance::computed, role});
    };
    out.push_back({QRectF(metrics::inside, 12, width() - 2 * metrics::inside, 22), "tensor", name, shape_text(model, true), Provenance::computed, role});
    out.push_back({contents(), QString::fromStdString(model.recorded.name), tr("numbers of %1").arg(name), {}, Provenance::computed, role});
    if (g.contents.form == TensorContents::Form::number) {
        out.push_back({g.number, "number", name, three_digits(model.value({})), Provenance::computed, role});
        return out;
    }
    for (const SliceControl& control : slice_controls(model, g))
        out.push_back({control.box, QString("slice/%1").arg(control.axis), control.text, {}, Provenance::computed, Role::metric});
    if (!g.overview.isNull())
        out.push_back({g.frame, "frame", tr("framed part of %1").arg(name),
                       tr("rows %1 to %2, columns %3 to %4").arg(g.window.row).arg(g.window.row + g.window.rows - 1).arg(g.window.column).arg(g.window.column + g.window.columns - 1),
                       Provenance::computed, Role::metric});
    if (g.contents.form == TensorContents::Form::pictures) {
        for (Dim k = g.first; k < g.first + g.shown; ++k)
            out.push_back({g.picture(k), QString("picture/%1").arg(k), tr("%1, picture %2").arg(name).arg(k),
                           k < static_cast<Dim>(model.labels.size()) ? tr("class %1").arg(model.labels[static_cast<std::size_t>(k)]) : QString(),
                           Provenance::computed, role});
    } else if (g.window.rows * g.window.columns <= most_cells) {
        for (Dim r = g.window.row; r < g.window.row + g.window.rows; ++r)
            for (Dim c = g.window.column; c < g.window.column + g.window.columns; ++c)
                element(g.cell(r, c), "cell/" + id_of(model.index_of(r, c)), model.index_of(r, c));
    }
    if (model.is_grid()) {
        const auto axis = [&](const QRectF& rect, const char* id, int which, const std::vector<double>& values) {
            out.push_back({rect, id, tr("axis %1").arg(axis_name(model, which)), tr("%1 to %2").arg(three_digits(std::min(values.front(), values.back())), three_digits(std::max(values.front(), values.back()))),
                           Provenance::computed, Role::data});
        };
        if (!g.row_labels.isNull()) axis(g.row_labels, "axis/rows", model.row_axis, model.row_values);
        if (!g.column_labels.isNull()) axis(g.column_labels, "axis/columns", model.column_axis, model.column_values);
        for (const LevelLabel& label : level_labels(scene()))
            out.push_back({label.rect, "level/" + label.text, tr("level line of %1").arg(name), label.text, Provenance::computed, role});
    }
    if (const QRectF pinned = rect_of(g, model, pinned_); !pinned.isNull()) element(pinned, "pinned", pinned_);
    if (!g.legend.isNull()) {
        const auto [upper, lower] = legend_ends(shown_->statistics);
        const double half = g.legend.height() / 2;
        out.push_back({g.legend.adjusted(0, 0, 0, -half), "legend/upper", tr("upper end of the colours"), upper, Provenance::computed, role});
        out.push_back({g.legend.adjusted(0, half, 0, 0), "legend/lower", tr("lower end of the colours"), lower, Provenance::computed, role});
    }
    if (!g.histogram.isNull())
        out.push_back({g.histogram, "histogram", tr("histogram of %1").arg(name), count_text(shown_->statistics, shown_->unwritten_count), Provenance::counted, role});
    if (!g.toggle.isNull())
        out.push_back({g.toggle, "toggle", g.contents.form == TensorContents::Form::pictures ? tr("show as a matrix") : tr("show as pictures"),
                       {}, Provenance::computed, Role::metric});
    return out;
}

} // namespace gradus

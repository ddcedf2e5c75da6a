#include "views/tensor/tensor_shown.hpp"

#include "engine/core/element_index.hpp"
#include "engine/trace/derive/kernel_coverage.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {

namespace {
constexpr Dim cells_in_a_frame = Dim{1} << 18; ///< so many are gone over in a millisecond
constexpr Dim huge = Dim{1} << 22;             ///< of these a finer picture is kept: they are never gone over in a frame
constexpr Dim largest_grid = Dim{1} << 18;     ///< of which lines are drawn
constexpr int most_levels = 9;
constexpr Dim longest_side = 2048;             ///< of what is reduced
} // namespace

CellSource TensorShown::overview() const {
    if (reduced.empty()) return model.source();
    return {reinterpret_cast<const std::byte*>(reduced.data()), DType::f64, reduced_rows, reduced_columns,
            reduced_columns, 1};
}

CellSource TensorShown::whole(Dim rows, Dim columns) const {
    const CellSource source = model.source();
    const bool enough = reduced_rows >= std::min(rows, source.rows) && reduced_columns >= std::min(columns, source.columns);
    return enough || source.rows * source.columns > huge ? overview() : source;
}

bool TensorShown::is_unwritten(Dim row, Dim column) const { return !unwritten.empty() && is_unwritten(model.index_of(row, column)); }

bool TensorShown::is_unwritten(const std::vector<Dim>& index) const {
    if (unwritten.empty()) return false;
    const auto place = place_of(model.tensor().shape(), index);
    return place && unwritten[static_cast<std::size_t>(*place)];
}

namespace {

/// What a fresh buffer holds is no number (kernel_values.hpp): that is no fault of who computed the rest.
void find_unwritten(TensorShown& shown) {
    const auto& trace = shown.model.kernels;
    const Tensor& tensor = shown.model.tensor();
    if (!trace || !shown.statistics.nans || !knows_all_writes(*trace)) return;
    const auto range = std::ranges::find(trace->ranges, shown.model.recorded.name, &KernelTrace::Range::name);
    if (range == trace->ranges.end() || range->space != simt::Space::global) return;
    const KernelCoverage coverage = kernel_coverage(*trace, range->name);
    if (static_cast<Dim>(coverage.writes.size()) != tensor.elements()) return;
    shown.unwritten.resize(coverage.writes.size());
    for (Dim i = 0; i < tensor.elements(); ++i) {
        const bool nobody = coverage.writes[static_cast<std::size_t>(i)] == 0 && std::isnan(tensor.at(i));
        shown.unwritten[static_cast<std::size_t>(i)] = nobody;
        shown.unwritten_count += nobody;
    }
    if (!shown.unwritten_count) shown.unwritten.clear();
}

} // namespace

TensorShown show_tensor(TensorModel model) {
    TensorShown out;
    out.model = std::move(model);
    out.statistics = statistics_of(out.model.tensor());
    find_unwritten(out);
    const CellSource source = out.model.source();
    if (source.rows * source.columns > cells_in_a_frame) {
        out.reduced_columns = std::min(source.columns, longest_side);
        const Dim cells = source.rows * source.columns > huge ? huge / 4 : cells_in_a_frame;
        out.reduced_rows = std::min({source.rows, longest_side, cells / out.reduced_columns});
        out.reduced = reduce_cells(source, source.all(), out.reduced_rows, out.reduced_columns, out.statistics.outlier);
    }
    if (out.model.is_grid() && source.rows * source.columns <= largest_grid) {
        std::vector<double> values;
        for (Dim r = 0; r < source.rows; ++r)
            for (Dim c = 0; c < source.columns; ++c) values.push_back(source.at(r, c));
        out.levels = level_lines(values, static_cast<int>(source.columns), static_cast<int>(source.rows), most_levels);
    }
    return out;
}

} // namespace gradus

#include "views/derive/main_series.hpp"

namespace gradus {

std::string main_series(const Run& run) {
    if (run.find_series("loss")) return "loss";
    for (const auto& series : run.series())
        if (series->info().name != abscissa_name) return series->info().name;
    return {};
}

} // namespace gradus

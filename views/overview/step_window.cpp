#include "views/overview/step_window.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {

namespace {
constexpr double least_width = 8; // pixels for a step: three bands can still be told apart
}

double usual_count(double width) { return std::clamp(std::round(width / 40), 10.0, 40.0); }

StepWindow clamped(StepWindow window, StepIndex planned, double width) {
    const double all = std::max(1.0, static_cast<double>(planned));
    const double most = std::min(all, std::max(10.0, std::floor(width / least_width)));
    window.count = std::clamp(window.count, 1.0, most);
    window.first = std::clamp(window.first, 0.0, all - window.count);
    return window;
}

StepWindow following(StepWindow window, StepIndex iteration, StepIndex planned, double width) {
    window = clamped(window, planned, width);
    const double at = static_cast<double>(iteration), margin = std::floor(std::min(window.count / 5, (window.count - 1) / 2));
    if (at < window.first + margin) window.first = at - margin;
    else if (at + 1 > window.until() - margin) window.first = at + 1 + margin - window.count;
    return clamped(window, planned, width);
}

StepWindow page_of(StepIndex iteration, StepIndex planned, double width) {
    const StepWindow window = clamped({0, usual_count(width)}, planned, width);
    const double margin = std::floor(std::min(window.count / 5, (window.count - 1) / 2));
    const double stride = std::max(1.0, window.count - 2 * margin);
    const double page = std::floor(std::max(0.0, static_cast<double>(iteration) - margin) / stride);
    return clamped({page * stride, window.count}, planned, width);
}

StepWindow zoomed(StepWindow window, double factor, double share, StepIndex planned, double width) {
    const double fixed = window.first + share * window.count;
    window.count = clamped({window.first, window.count * factor}, planned, width).count;
    window.first = fixed - share * window.count;
    return clamped(window, planned, width);
}

} // namespace gradus

#include "views/story/slider_scale.hpp"

#include "views/theme/numbers.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {

namespace {

/// The power of ten at or below a positive value; rounding of log10 must not miss it.
int decade_of(double value) { return static_cast<int>(std::floor(std::log10(value) + 1e-9)); }

double power(int decade) { return decade >= 0 ? std::pow(10.0, decade) : 1 / std::pow(10.0, -decade); }

} // namespace

double SliderScale::first() const { return !log || least > 0 ? least : whole ? 1 : most * 1e-5; }

double SliderScale::grain() const {
    const double range = most - least;
    if (!(range > 0)) return 1;
    const double step = power(decade_of(range / 100 * 1.0000001));
    return whole ? std::max(1.0, step) : step;
}

double SliderScale::rounded(double value) const {
    if (log && value > 0) {
        const double unit = power(decade_of(value) - 1);
        value = std::round(value / unit) * unit;
    } else if (!log) {
        value = least + std::round((value - least) / grain()) * grain();
    }
    if (whole) value = std::round(value);
    return std::clamp(value, std::min(first(), most), most);
}

double SliderScale::place(double value) const {
    if (!(most > first()) || !std::isfinite(value)) return 0;
    const double at = log ? std::log(std::max(value, first()) / first()) / std::log(most / first())
                          : (value - least) / (most - least);
    return std::clamp(at, 0.0, 1.0);
}

double SliderScale::value(double place) const {
    place = std::clamp(place, 0.0, 1.0);
    return rounded(log ? first() * std::pow(most / first(), place) : least + place * (most - least));
}

double SliderScale::step(double value, int direction) const {
    if (!log) return rounded(value + direction * grain());
    // Downwards from 1.0 the digits are finer: 0.99.
    const double unit = power(decade_of(std::max(value * (direction < 0 ? 0.9999 : 1), first())) - 1);
    return rounded(value + direction * (whole ? std::max(1.0, unit) : unit));
}

double SliderScale::page(double value, int direction) const {
    if (!log) return rounded(value + direction * std::max(grain(), (most - least) / 10));
    std::vector<double> marks;
    for (int decade = decade_of(first()); decade <= decade_of(most); ++decade)
        for (const double digit : {1.0, 2.0, 5.0}) marks.push_back(digit * power(decade));
    if (direction < 0) std::reverse(marks.begin(), marks.end());
    for (const double mark : marks)
        if (direction > 0 ? mark > value * 1.001 : mark < value * 0.999) return rounded(mark);
    return direction > 0 ? most : first();
}

QString SliderScale::written(double value) const {
    if (whole) return QString::number(value, 'f', 0);
    const double unit = log && value > 0 ? power(decade_of(value) - 1) : grain();
    return QString::number(value, 'f', std::max(0, -decade_of(unit)));
}

std::vector<double> SliderScale::ticks(int room) const {
    std::vector<double> out;
    if (room < 2 || !(most > first())) return out;
    if (log) {
        const int from = static_cast<int>(std::ceil(std::log10(first()) - 1e-9)), to = decade_of(most);
        const int every = std::max(1, (to - from + room) / room);
        for (int decade = from; decade <= to; decade += every) out.push_back(power(decade));
        return out;
    }
    const double raw = power(decade_of((most - least) / room));
    double step = raw * 20;
    for (const double factor : {10.0, 5.0, 2.0, 1.0}) {
        if (whole && raw * factor < 1) break;
        if (std::floor(most / (raw * factor) + 1e-9) - std::ceil(least / (raw * factor) - 1e-9) < room) step = raw * factor;
    }
    for (double tick = std::ceil(least / step - 1e-9) * step; tick <= most + step * 1e-9; tick += step)
        out.push_back(std::abs(tick) < step * 1e-9 ? 0 : tick);
    return out;
}

QString SliderScale::tick_text(double value) { return with_minus(QString::number(value, 'g', 6)); }

} // namespace gradus

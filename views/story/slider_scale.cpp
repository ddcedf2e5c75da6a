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

double SliderScale::even() const { return std::max(-least, most) / 200; }

double SliderScale::unit(double value) const {
    const double fine = both_ways() ? power(decade_of(even() / 10)) : 0;
    return std::abs(value) > fine ? std::max(fine, power(decade_of(std::abs(value)) - 1)) : fine > 0 ? fine : 1;
}

double SliderScale::first() const { return !log || least != 0 ? least : whole ? 1 : most * 1e-5; }

double SliderScale::grain() const {
    const double range = most - least;
    if (!(range > 0)) return 1;
    const double step = power(decade_of(range / 100 * 1.0000001));
    return whole ? std::max(1.0, step) : step;
}

double SliderScale::rounded(double value) const {
    if (both_ways() || (log && value > 0)) {
        value = std::round(value / unit(value)) * unit(value);
    } else if (!log) {
        value = least + std::round((value - least) / grain()) * grain();
    }
    if (whole) value = std::round(value);
    return std::clamp(value, std::min(first(), most), most);
}

double SliderScale::place(double value) const {
    if (!(most > first()) || !std::isfinite(value)) return 0;
    const auto bent = [this](double number) { return std::asinh(number / even()); };
    const double at = both_ways() ? (bent(value) - bent(least)) / (bent(most) - bent(least))
                      : log ? std::log(std::max(value, first()) / first()) / std::log(most / first())
                          : (value - least) / (most - least);
    return std::clamp(at, 0.0, 1.0);
}

double SliderScale::value(double place) const {
    place = std::clamp(place, 0.0, 1.0);
    if (both_ways()) {
        const double from = std::asinh(least / even()), until = std::asinh(most / even());
        return rounded(even() * std::sinh(from + place * (until - from)));
    }
    return rounded(log ? first() * std::pow(most / first(), place) : least + place * (most - least));
}

double SliderScale::step(double value, int direction) const {
    if (!log) return rounded(value + direction * grain());
    // Towards 0 from 1.0 the digits are finer: 0.99.
    const bool inwards = value * direction < 0;
    const double grain = unit((both_ways() ? value : std::max(value, first())) * (inwards ? 0.9999 : 1));
    return rounded(value + direction * (whole ? std::max(1.0, grain) : grain));
}

double SliderScale::page(double value, int direction) const {
    if (!log) return rounded(value + direction * std::max(grain(), (most - least) / 10));
    std::vector<double> marks;
    for (int decade = decade_of(both_ways() ? even() : first()); decade <= decade_of(std::max(-least, most)); ++decade)
        for (const double digit : {1.0, 2.0, 5.0}) marks.push_back(digit * power(decade));
    if (both_ways()) {
        const std::vector<double> above = marks;
        marks.push_back(0);
        for (const double mark : above) marks.insert(marks.begin(), -mark);
    }
    if (direction < 0) std::reverse(marks.begin(), marks.end());
    for (const double mark : marks)
        if (direction * (mark - value) > 0.001 * std::abs(value)) return rounded(mark);
    return direction > 0 ? most : first();
}

QString SliderScale::written(double value) const {
    if (whole) return QString::number(value, 'f', 0);
    const double last = both_ways() || (log && value > 0) ? unit(value) : grain();
    return QString::number(value, 'f', std::max(0, -decade_of(last)));
}

std::vector<double> SliderScale::ticks(int room) const {
    std::vector<double> out;
    if (room < 2 || !(most > first())) return out;
    if (both_ways()) {
        const int to = decade_of(std::max(-least, most)), all = static_cast<int>(std::ceil(std::log10(even()) - 1e-9));
        const int from = std::max(all, to - (room - 1) / 2 + 1);
        out.push_back(0);
        for (int decade = to; decade >= from; --decade) { // the inner ones are nearest to each other
            if (power(decade) <= most) out.push_back(power(decade));
            if (-power(decade) >= least) out.push_back(-power(decade));
        }
        std::sort(out.begin(), out.end());
        return out;
    }
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

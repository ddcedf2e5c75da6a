#pragma once

#include <QString>
#include <vector>

namespace gradus {

/// The values of a slider: where each stands, what can be reached, and how it is written.
struct SliderScale {
    double least = 0, most = 1;
    /// Equal ratios are equally far apart. With least at 0 it begins five decades below `most`, integers at 1; with least
    /// below 0 it is even within a two-hundredth of its larger end and turns to ratios beyond, on both sides.
    bool log = false;
    bool whole = false; ///< integers only

    /// Place of a value from 0 to 1; what is outside stands at the end.
    double place(double value) const;
    /// The value at a place, rounded to what is written: two digits on a log scale, hundredths of the range else.
    double value(double place) const;
    /// The next value up (1) or down (-1); a page is a tenth of the range, on a log scale the next 1, 2 or 5.
    double step(double value, int direction) const;
    double page(double value, int direction) const;
    /// "0.10", "32"
    QString written(double value) const;
    /// Values to be marked, `room` at most: decades on a log scale.
    std::vector<double> ticks(int room) const;
    static QString tick_text(double value);
    bool operator==(const SliderScale&) const = default;

private:
    bool both_ways() const { return log && least < 0; }
    double even() const;             ///< about where a scale that goes both ways turns from differences to ratios
    double unit(double value) const; ///< of the last digit written of a value on a log scale
    double first() const;
    double grain() const; ///< of a linear scale
    double rounded(double value) const;
};

} // namespace gradus

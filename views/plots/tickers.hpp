#pragma once

#include "views/plots/curves.hpp"
#include "views/theme/numbers.hpp"

#include <qcustomplot.h>

#include <cmath>

namespace gradus {

/// The library's tick labels, with the minus sign and the exponents that all our numbers have.
template <class Ticker> class Printed : public Ticker {
protected:
    QString getTickLabel(double tick, const QLocale& locale, QChar format, int precision) override {
        if (tick == 0 && format == 'e') return QStringLiteral("0"); // not a power of ten
        const QString label = Ticker::getTickLabel(tick, locale, format, precision);
        if (!label.contains('e')) return with_minus(label);
        const double exponent = std::log10(tick);
        return tick > 0 && std::abs(exponent - std::round(exponent)) < 1e-9 ? decade_label(static_cast<int>(std::round(exponent))) : three_digits(tick);
    }
};

/// Ticks at round values of what the steps stand for.
class AbscissaTicker : public Printed<QCPAxisTicker> {
public:
    Abscissa abscissa;

protected:
    void generate(const QCPRange& range, const QLocale& locale, QChar format, int precision, QVector<double>& ticks,
                  QVector<double>* sub_ticks, QVector<QString>* labels) override {
        const auto [first, step] = abscissa;
        Printed::generate({first + step * range.lower, first + step * range.upper}, locale, format, precision, ticks, sub_ticks, labels);
        for (double& tick : ticks) tick = (tick - first) / step;
    }
};

} // namespace gradus

#pragma once

#include "views/plots/curves.hpp"
#include "views/theme/numbers.hpp"

#include <qcustomplot.h>

namespace gradus {

/// The library's tick labels, with the minus sign and the exponents that all our numbers have.
template <class Ticker> class Printed : public Ticker {
protected:
    QString getTickLabel(double tick, const QLocale& locale, QChar format, int precision) override {
        if (tick == 0 && format == 'e') return QStringLiteral("0"); // not a power of ten
        const QString label = Ticker::getTickLabel(tick, locale, format, precision);
        if (!label.contains('e')) return with_minus(label);
        const qsizetype e = label.indexOf('e');
        const QString digits = label.left(e);
        const int exponent = label.mid(e + 1).toInt();
        return digits == QLatin1String("1") ? decade_label(exponent) : with_minus(digits + 'e' + QString::number(exponent));
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

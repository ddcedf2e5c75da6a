#include "views/theme/numbers.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace gradus {

QString with_minus(QString text) { return text.replace('-', QChar(0x2212)); }

QString three_digits(double value) {
    if (std::isnan(value)) return "NaN";
    if (std::isinf(value)) return with_minus(value > 0 ? "inf" : "-inf");
    if (value == 0) return "0";
    const QString rounded = QString::number(value, 'e', 2); // its exponent is right after rounding: 9.999 is 1.00e+01
    const int exponent = rounded.mid(rounded.indexOf('e') + 1).toInt();
    if (exponent >= -3 && exponent < 6) return with_minus(QString::number(value, 'f', std::max(0, 2 - exponent)));
    return with_minus(rounded.left(rounded.indexOf('e')) + 'e' + QString::number(exponent));
}

QString grouped(qint64 number) {
    QString text = with_minus(QString::number(number));
    for (qsizetype at = text.size() - 3; at > (number < 0 ? 1 : 0); at -= 3) text.insert(at, QChar(0x2009));
    return text;
}

QString with_prefix(double value, const QString& unit) {
    static constexpr std::array<const char*, 9> prefixes{"n", "µ", "m", "", "k", "M", "G", "T", "P"};
    if (!std::isfinite(value)) return three_digits(value) + ' ' + unit;
    std::size_t prefix = 3;
    double shown = value;
    const auto size = [&] { return QString::number(std::abs(shown), 'e', 2).toDouble(); }; // as it will be rounded
    while (size() >= 1000 && prefix + 1 < prefixes.size()) {
        shown /= 1000;
        ++prefix;
    }
    while (shown != 0 && size() < 1 && prefix > 0) {
        shown *= 1000;
        --prefix;
    }
    return three_digits(shown) + ' ' + QString::fromUtf8(prefixes[prefix]) + unit;
}

QString written_name(std::string_view name, bool gradient) {
    const QString text = QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
    QString out;
    bool letter_before = false;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QChar c = text[i];
        if (i == 0 && gradient && c == 'd') {
            out += QChar(0x2202); // ∂
            continue;
        }
        if (c.isDigit() && letter_before) out += QChar(0x2080 + c.digitValue()); // subscripts lie in a row
        else out += c;
        letter_before = c.isLetter() || (letter_before && c.isDigit());
    }
    return out;
}

} // namespace gradus

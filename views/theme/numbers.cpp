#include "views/theme/numbers.hpp"

#include "engine/core/number_words.hpp"

#include <array>
#include <cmath>

namespace gradus {

QString with_minus(QString text) { return text.replace('-', QChar(0x2212)); }

QString three_digits(double value) { return with_minus(QString::fromStdString(three_digits_text(value))); }

QString grouped(qint64 number) { return with_minus(QString::fromStdString(grouped_text(number))); }

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

#include "views/theme/numbers.hpp"

#include "engine/core/number_words.hpp"

#include <QCoreApplication>
#include <array>
#include <cmath>

namespace gradus {

QString with_minus(QString text) { return text.replace('-', QChar(0x2212)); }

double number_of(QString text) { return text.replace(QChar(0x2212), '-').toDouble(); }

QString three_digits(double value) { return with_minus(QString::fromStdString(three_digits_text(value))); }

QString count_text(double each) {
    const double whole = std::round(each);
    return std::abs(each - whole) < 0.005 ? QString::number(static_cast<qint64>(whole)) : three_digits(each);
}

QString decade_label(int exponent) {
    constexpr int fewest = -3, most = 5; // as three_digits() turns to exponents
    if (exponent < fewest || exponent > most) return with_minus(QStringLiteral("1e%1").arg(exponent));
    return exponent < 0 ? QStringLiteral("0.") + QString(-exponent - 1, '0') + '1' : '1' + QString(exponent, '0');
}

QString grouped(qint64 number) { return with_minus(QString::fromStdString(grouped_text(number))); }

namespace {
constexpr std::array<const char*, 9> prefixes{"n", "µ", "m", "", "k", "M", "G", "T", "P"};
}

QString with_prefix(double value, const QString& unit) {
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

QString with_prefix(double value, const QString& unit, double step) {
    const QString told = with_prefix(value, unit), number = told.section(' ', 0, 0);
    const double shown = number_of(number);
    if (!(step > 0) || !std::isfinite(value) || shown == 0 || number.contains('e')) return told;
    const double scale = std::pow(10.0, std::round(std::log10(value / shown)));                // of the prefix
    const double finest = std::pow(10.0, std::floor(std::log10(step / scale) + 0.01));          // 9.98 is 10
    const int decimals = std::max(0, static_cast<int>(std::lround(-std::log10(finest))));
    const qsizetype point = number.indexOf('.');
    const auto in_full = point < 0 ? 0 : static_cast<int>(number.size() - point - 1);
    if (finest < 10 && decimals >= in_full) return told;
    if (finest > 1 && std::abs(shown) >= 100) { // "0.41 µs": a last digit 0 of "410 ns" would be read as told
        for (std::size_t i = 0; i + 1 < prefixes.size(); ++i)
            if (told.endsWith(' ' + QString::fromUtf8(prefixes[i]) + unit))
                return with_minus(QString::number(value / scale / 1000, 'f', std::max(0, static_cast<int>(std::lround(3 - std::log10(finest)))))) + ' ' +
                       QString::fromUtf8(prefixes[i + 1]) + unit;
    }
    const double rounded = finest > 1 ? std::round(value / scale / finest) * finest : value / scale;
    return with_minus(QString::number(rounded, 'f', decimals)) + ' ' + told.section(' ', 1);
}

namespace {

/// Names of tensors that are words, as a language has them; %1 stands for a number at the end.
constexpr std::array<const char*, 8> word_names{
    QT_TRANSLATE_NOOP("Name", "label"),      QT_TRANSLATE_NOOP("Name", "result"),   QT_TRANSLATE_NOOP("Name", "result of %1"),
    QT_TRANSLATE_NOOP("Name", "y folded"),   QT_TRANSLATE_NOOP("Name", "residual"), QT_TRANSLATE_NOOP("Name", "loss"),
    QT_TRANSLATE_NOOP("Name", "plane"),      QT_TRANSLATE_NOOP("Name", "coefficients"),
};

QString word_name(const QString& text) {
    qsizetype digits = text.size();
    while (digits > 0 && text[digits - 1].isDigit()) --digits;
    const QString number = text.mid(digits), form = number.isEmpty() ? text : text.left(digits) + QStringLiteral("%1");
    for (const char* word : word_names)
        if (form == QLatin1String(word)) {
            const QString said = QCoreApplication::translate("Name", word);
            return number.isEmpty() ? said : said.arg(number);
        }
    for (const char* word : {QT_TRANSLATE_NOOP("Name", "slope_%1"), QT_TRANSLATE_NOOP("Name", "intercept_%1")}) { // of a line, or along an axis
        const QString prefix = QString::fromLatin1(word).chopped(2);
        if (text.startsWith(prefix) && text.size() > prefix.size()) return QCoreApplication::translate("Name", word).arg(written_name(text.mid(prefix.size()).toStdString()));
    }
    return {};
}

} // namespace

QString written_name(std::string_view name, bool gradient) {
    const QString text = QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
    if (const QString word = word_name(text); !word.isEmpty()) return word;
    if (gradient && text.startsWith('d'))
        if (const QString word = word_name(text.mid(1)); !word.isEmpty()) return QChar(0x2202) + word;
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
